import { isOnOffer } from "../../../categories/product/product.ts";
import { categories } from "../../../categories/registry.ts";
import { setBillerStatus } from "../../../domain/catalogue/offering.ts";
import { type BillerRow, listBillers } from "../../../domain/catalogue/queries.ts";
import { grouped as groupedBy } from "../../../domain/catalogue/snapshot.ts";
import { type Answer, goTo, type PageAnswer } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm } from "../../kit/form.ts";
import { choiceFilter, findFilter, listPage, readList } from "../../kit/list-page.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { grouped, Status, spoken } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { pricesPath } from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

const here = `${pricesPath}/billers`;
const rowsPerPage = 30;

/** Billers, and which of them is down: all of one goes off sale, and back, with one button. */
export function billerPages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  const show = (visit: StaffVisit) => billersPage(services, visit, read);
  routes.page(here, { capability: "see_prices", show });
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

async function billersPage({ reads }: OperatorServices, visit: StaffVisit, read: ReadTable): Promise<PageAnswer> {
  const [billers, { catalogue }] = await Promise.all([reads.query<BillerRow>(listBillers), read()]);
  const query = readList(visit, here, {
    q: findFilter("Biller or its code"),
    category: choiceFilter(
      "Category",
      categories.map(({ slug, title }) => ({ value: slug, label: title })),
    ),
  });
  const { q, category } = query.values;
  const word = (q ?? "").trim().toLowerCase();
  const found = billers.filter(
    (biller) =>
      (category === null || biller.category === category) &&
      `${biller.name} ${biller.slug}`.toLowerCase().includes(word),
  );
  const products = groupedBy(catalogue.products, ({ biller }) => biller.slug);
  const rows = found.slice((query.page - 1) * rowsPerPage, query.page * rowsPerPage).map((biller): Row => {
    const own = products.get(biller.slug) ?? [];
    return { ...biller, all: own.length, onSale: own.filter(isOnOffer).length };
  });
  return listPage(query, {
    title: "Billers",
    crumbs: [["Prices", pricesPath]],
    note: "Off sale, all products of a biller are refused; each product keeps its own state.",
    caption: "Billers",
    rows,
    href: ({ slug }) => `${pricesPath}?${new URLSearchParams({ biller: slug })}`,
    columns: [
      { title: "Biller", cell: ({ name }) => name, place: "lead" },
      { title: "Category", cell: ({ category }) => spoken(category), place: "sub" },
      { title: "Code", cell: ({ slug }) => <code>{slug}</code>, place: "sub", isExtra: true },
      { title: "Products on sale", cell: ({ all, onSale }) => `${grouped(onSale)} of ${grouped(all)}`, align: "end" },
      { title: "State", cell: ({ status }) => <State status={status} />, place: "state" },
      ...(visit.may("change_prices")
        ? [{ title: "Change", isTitleHidden: true, cell: SaleForm, place: "act" as const }]
        : []),
    ],
    empty: <Empty title="No billers yet">They come with the catalogue.</Empty>,
    noneFits: { title: "No billers match", text: "Try fewer words, or clear a filter." },
    pages: { perPage: rowsPerPage, total: found.length },
  });
}

function State({ status }: Pick<BillerRow, "status">) {
  return status === "unavailable" ? <Status kind="stop">off sale</Status> : <Status kind="good">on sale</Status>;
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
