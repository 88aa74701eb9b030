import { isOnOffer } from "../../../categories/product/product.ts";
import { setBillerStatus } from "../../../domain/catalogue/offering.ts";
import { type BillerRow, listBillers } from "../../../domain/catalogue/queries.ts";
import { grouped as groupedBy } from "../../../domain/catalogue/snapshot.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter } from "../../kit/list-page.tsx";
import { categoryChoices } from "../../kit/offer-filters.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { grouped, spoken } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { offerState, pricesPath } from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

const here = `${pricesPath}/billers`;
/** Billers, and which of them is down: all of one goes off sale, and back, with one button. */
export function billerPages(routes: StaffRoutes, services: OperatorServices, readTable: ReadTable): void {
  const show = list(routes, {
    at: here,
    may: "see_prices",
    title: "Billers",
    filters: {
      q: findFilter("Biller or its code"),
      category: choiceFilter("Category", categoryChoices),
    },
    perPage: 30,
    async read({ values: { q, category }, skip, limit }) {
      const [billers, { catalogue }] = await Promise.all([services.reads.query<BillerRow>(listBillers), readTable()]);
      const word = (q ?? "").trim().toLowerCase();
      const found = billers.filter(
        (biller) =>
          (category === null || biller.category === category) &&
          `${biller.name} ${biller.slug}`.toLowerCase().includes(word),
      );
      const products = groupedBy(catalogue.products, ({ biller }) => biller.slug);
      const rows = found.slice(skip, skip + limit).map((biller): Row => {
        const own = products.get(biller.slug) ?? [];
        return { ...biller, all: own.length, onSale: own.filter(isOnOffer).length };
      });
      return { rows, total: found.length };
    },
    href: ({ slug }) => `${pricesPath}?${new URLSearchParams({ biller: slug })}`,
    crumbs: [["Prices", pricesPath]],
    note: "Off sale, all products of a biller are refused; each product keeps its own state.",
    columns: ({ lead, sub, extra, end, status, act }, { visit }) => [
      lead("Biller", ({ name }) => name),
      sub("Category", ({ category }) => spoken(category)),
      extra("Code", ({ slug }) => <code>{slug}</code>),
      end("Products on sale", ({ all, onSale }) => `${grouped(onSale)} of ${grouped(all)}`),
      status("State", (biller) => offerState.status(biller.status === "unavailable" ? "off" : "on")),
      ...(visit.may("change_prices") ? [act("Change", SaleForm)] : []),
    ],
    empty: <Empty title="No billers yet">They come with the catalogue.</Empty>,
    noneFits: { title: "No billers match", text: "Try fewer words, or clear a filter." },
  });
  routes.form(`${here}/sale`, {
    capability: "change_prices",
    doneAt: () => here,
    show,
    send: (visit, form) => changeSale(services, visit, form),
  });
}

async function changeSale(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const slug = form.text("biller");
  const isOn = deedIn(form, ["on", "off"]) === "on";
  const command = isOn ? "console biller on-sale" : "console biller off-sale";
  const database = changing(services, visit, command, { biller: slug });
  await setBillerStatus(database, slug, isOn ? "available" : "unavailable");
  return goTo(here, isOn ? `${slug} is on sale.` : `${slug} is off sale. Its products are refused until it’s back.`);
}

interface Row extends BillerRow {
  readonly all: number;
  readonly onSale: number;
}

function SaleForm({ slug, name, status, all }: Row) {
  const shared = { action: `${here}/sale`, isInline: true } as const;
  if (status === "unavailable") {
    return <Form {...shared} submit="Put on sale" kind="plain" hidden={{ biller: slug, do: "on" }} />;
  }
  return (
    <details>
      <summary>Take off sale</summary>
      <p>
        Merchants can’t buy {all === 1 ? "its product" : `its ${grouped(all)} products`} until you put {name} back on
        sale.
      </p>
      <Form {...shared} submit={`Take ${name} off sale`} kind="danger" hidden={{ biller: slug, do: "off" }} />
    </details>
  );
}
