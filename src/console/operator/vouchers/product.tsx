import { setPinFormat } from "../../../domain/catalogue/changes/present-product.ts";
import { countLeft, voucherCategories } from "../../../domain/suppliers/vouchers/level-queries.ts";
import { findShelf } from "../../../domain/suppliers/vouchers/queries.ts";
import { setThreshold, usualThreshold } from "../../../domain/suppliers/vouchers/stock.ts";
import {
  formatOf,
  pinWords,
  serialWords,
  type VoucherFormat,
} from "../../../domain/suppliers/vouchers/voucher-format.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { optional, readOr, typed, whole } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeAlone } from "../approvals/change.ts";
import type { OperatorServices } from "../services.ts";
import { lastsText, paceDays, readLevels, vouchersPath } from "./vouchers.tsx";

const here = `${vouchersPath}/products/:id`;
const lowAtMax = 1_000_000;

type Found = NonNullable<Awaited<ReturnType<typeof shelfAt>>>;

/** The shelf of the product that the address names; null where it is not sold from stock. */
async function shelfAt(services: OperatorServices, { param }: StaffVisit) {
  const id = productIn(param("id"));
  const shelf = id === null ? null : await shelfOf(services.reads, id);
  if (id === null || shelf === null) return null;
  const level = (await readLevels(services)).find(({ productId }) => productId === id);
  return { id, level, format: formatOf(shelf.attributes), lowAt: level?.lowAt ?? usualThreshold };
}

const ofShelf = {
  may: "import_vouchers",
  doneAt: ({ param }: StaffVisit) => `${vouchersPath}/products/${param("id")}`,
  find: shelfAt,
} as const;

const lowHint = "We warn people on call when so many or fewer are left.";
export const threshold = changeAlone({
  ...ofShelf,
  at: `${here}/threshold`,
  fields: fields({ low_at: whole("Low at", [1, lowAtMax], { hint: lowHint }) }),
  stored: ({ lowAt }) => ({ low_at: lowAt }),
  looks: () => ({ submit: "Save threshold" }),
  command: "console vouchers threshold",
  details: ({ found: { id }, values }) => ({ product_id: id, ...values }),
  async run({ database }, { found: { id }, values: { low_at } }) {
    await setThreshold(database, id, low_at);
    return `The stock is low when ${grouped(low_at)} or fewer are left.`;
  },
});

/** As the categories bound them; empty for any. */
const digitTexts = { hint: "4 to 30. Empty: any.", unread: "Enter 4 to 30, or leave it empty for any." };
const digits = (label: string) => optional(whole(label, [4, 30], { ...digitTexts, isOptional: false }));
const readPrefix = readOr(
  (typed) => (/^[A-Za-z0-9-]{1,10}$/.test(typed) ? typed : null),
  "Enter 1 to 10 letters, digits and dashes, or leave it empty for any.",
);

export const format = changeAlone({
  ...ofShelf,
  at: `${here}/format`,
  fields: fields(
    {
      pin_digits: digits("Digits of a PIN"),
      serial_prefix: optional(
        typed("A serial begins with", { read: readPrefix }, { lengthMax: 10, isOptional: false }),
      ),
      serial_digits: digits("Digits after that"),
    },
    ({ pin_digits, serial_prefix, serial_digits }) =>
      wordsOf({ pinDigits: pin_digits, serialPrefix: serial_prefix, serialDigits: serial_digits }),
  ),
  stored: ({ format: { pinDigits, serialPrefix, serialDigits } }) => ({
    ...{ pin_digits: pinDigits, serial_prefix: serialPrefix, serial_digits: serialDigits },
  }),
  looks: () => ({ submit: "Save format" }),
  command: "console vouchers format",
  details: ({ found: { id }, values }) => ({ product_id: id, ...values }),
  run: async ({ database }, { found: { id }, values }) =>
    `Saved: ${wordsOf(formatOf(await setPinFormat(database, id, values)))}.`,
});

/** One product's stock, when it is low, and what its PINs look like. */
export function voucherProductPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = detail(routes, {
    at: here,
    may: "see_suppliers",
    find: (visit) => shelfAt(services, visit),
    show: (visit, found, typed) => productPage(services, visit, { found, typed }),
  });
  threshold.addTo(routes, services, show);
  format.addTo(routes, services, show);
}

function wordsOf(format: VoucherFormat): string {
  return `a PIN is ${pinWords(format)}; a serial is ${serialWords(format)}`;
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

async function productPage(
  { reads, people, wallTime, catalogue }: OperatorServices,
  visit: StaffVisit,
  { found, typed }: { readonly found: Found; readonly typed: Typed },
): Promise<PageAnswer | null> {
  const { id, level, lowAt } = found;
  const product = (await catalogue.current()).findProduct(id);
  if (product === null) return null;
  const left = await countLeft(reads, id, wallTime.dayOf(people.clock.now()).date);
  const sold = level?.sold ?? 0;
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
        {visit.may("import_vouchers") ? <Sheet title="Low stock">{threshold.draw(visit, typed, found)}</Sheet> : null}
        <Sheet title="What its vouchers look like">
          <Facts facts={{ PIN: pinWords(found.format), Serial: serialWords(found.format), "Low at": grouped(lowAt) }} />
          <p class="quiet">An import refuses every line that looks different.</p>
          {visit.may("import_vouchers") ? format.draw(visit, typed, found) : null}
        </Sheet>
      </Columns>
    </>,
  );
}
