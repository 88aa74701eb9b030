import { countLeft, voucherCategories } from "../../../domain/suppliers/vouchers/level-queries.ts";
import { findShelf } from "../../../domain/suppliers/vouchers/queries.ts";
import { setThreshold, usualThreshold } from "../../../domain/suppliers/vouchers/stock.ts";
import { formatOf, pinWords, serialWords } from "../../../domain/suppliers/vouchers/voucher-format.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { lastsText, paceDays, productPath, readLevels, vouchersPath } from "./vouchers.tsx";

const here = `${vouchersPath}/products/:id`;
const lowAtMax = 1_000_000;

/** One product's stock, when it is low, and what its PINs look like. */
export function voucherProductPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => productPage(services, visit, typed);
  routes.page(here, { capability: "see_suppliers", show });
  routes.form(`${here}/threshold`, {
    capability: "import_vouchers",
    doneAt: (visit) => `${vouchersPath}/products/${visit.param("id")}`,
    show,
    async send(visit, form) {
      const id = productIn(visit.param("id"));
      if (id === null) return null;
      const typed = form.text("low_at").replaceAll(",", "");
      const lowAt = /^[1-9]\d{0,6}$/.test(typed) ? Number(typed) : lowAtMax + 1;
      if (lowAt > lowAtMax) {
        throw refuseField("VALIDATION_ERROR", "low_at", `Enter a whole number from 1 to ${grouped(lowAtMax)}.`);
      }
      const details = { product_id: id, low_at: lowAt };
      await setThreshold(changing(services, visit, "console vouchers threshold", details), id, lowAt);
      return goTo(productPath(id), `The stock is low when ${grouped(lowAt)} or fewer are left.`);
    },
  });
}

/** A product's number as it is typed; null for anything else. */
export function productIn(text: string): ProductId | null {
  return wholeNumber(text) as ProductId | null;
}

/** Null for a product that is not sold from stock. */
export async function shelfOf(reads: OperatorServices["reads"], id: ProductId) {
  const shelf = await findShelf(reads, id);
  return shelf !== null && voucherCategories.includes(shelf.category) ? shelf : null;
}

async function productPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer | null> {
  const { reads, people, wallTime, catalogue } = services;
  const id = productIn(visit.param("id"));
  const product = id === null ? null : (await catalogue.current()).findProduct(id);
  if (id === null || product === null) return null;
  const [shelf, left, levels] = await Promise.all([
    shelfOf(reads, id),
    countLeft(reads, id, wallTime.dayOf(people.clock.now()).date),
    readLevels(services),
  ]);
  if (shelf === null) return null;
  const level = levels.find(({ productId }) => productId === id);
  const sold = level?.sold ?? 0;
  const lowAt = level?.lowAt ?? usualThreshold;
  const format = formatOf(shelf.attributes);
  return page(
    {
      title: product.name,
      crumbs: [["Vouchers", vouchersPath]],
      note: `Product ${id}${level === undefined ? ". No route leads to its vouchers, so none is sold" : ""}`,
      actions: visit.may("upload_vouchers") ? (
        <ButtonLink href={`${vouchersPath}/import?product=${id}`} kind="main">
          Import vouchers
        </ButtonLink>
      ) : undefined,
    },
    <>
      <Figures
        figures={[
          { label: "Free", value: grouped(left), note: left <= lowAt ? "low" : "for sale", isAlarm: left <= lowAt },
          { label: "Lasts", value: lastsText(left, sold) ?? "–", note: `at the last ${paceDays} days’ pace` },
          { label: "Sold", value: grouped(sold), note: `last ${paceDays} days` },
        ]}
      />
      <Columns kind="equal">
        {visit.may("import_vouchers") ? (
          <Sheet title="Low stock">
            <Form action={`${productPath(id)}/threshold`} submit="Save threshold">
              <TextField
                {...typed.field("low_at", String(lowAt))}
                label="Low at"
                keys="numeric"
                hint="We warn people on call when so many or fewer are left."
              />
            </Form>
          </Sheet>
        ) : null}
        <Sheet title="What its vouchers look like">
          <Facts facts={{ PIN: pinWords(format), Serial: serialWords(format), "Low at": grouped(lowAt) }} />
          <p class="quiet">An import refuses every line that looks different.</p>
        </Sheet>
      </Columns>
    </>,
  );
}
