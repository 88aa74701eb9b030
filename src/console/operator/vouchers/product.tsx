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
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
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
  const doneAt = (visit: StaffVisit) => `${vouchersPath}/products/${visit.param("id")}`;
  routes.form(`${here}/format`, {
    ...{ capability: "import_vouchers", doneAt, show },
    async send(visit, form) {
      const id = productIn(visit.param("id"));
      const shelf = id === null ? null : await shelfOf(services.reads, id);
      if (id === null || shelf === null) return null;
      refuseStale(form, wordsOf(formatOf(shelf.attributes)));
      const change = formatIn(form);
      const database = changing(services, visit, "console vouchers format", { product_id: id, ...change });
      return goTo(productPath(id), `Saved: ${wordsOf(formatOf(await setPinFormat(database, id, change)))}.`);
    },
  });
  routes.form(`${here}/threshold`, {
    ...{ capability: "import_vouchers", doneAt, show },
    async send(visit, form) {
      const id = productIn(visit.param("id"));
      if (id === null) return null;
      const typed = form.text("low_at").replaceAll(",", "");
      const lowAt = /^[1-9]\d{0,6}$/.test(typed) ? Number(typed) : lowAtMax + 1;
      if (lowAt > lowAtMax) throw wrong("low_at", `Enter a whole number from 1 to ${grouped(lowAtMax)}.`);
      const details = { product_id: id, low_at: lowAt };
      await setThreshold(changing(services, visit, "console vouchers threshold", details), id, lowAt);
      return goTo(productPath(id), `The stock is low when ${grouped(lowAt)} or fewer are left.`);
    },
  });
}

/** As the categories bound them; null for any. @throws Refusal VALIDATION_ERROR at the field */
function formatIn(form: SentForm) {
  const read = (field: string, isFine: RegExp, what: string): string | null => {
    const typed = form.text(field);
    if (typed === "" || isFine.test(typed)) return typed || null;
    throw wrong(field, `Enter ${what}, or leave it empty for any.`);
  };
  const digits = (field: string) => {
    const typed = read(field, /^([4-9]|[12]\d|30)$/, "4 to 30");
    return typed === null ? null : Number(typed);
  };
  const serial_prefix = read("serial_prefix", /^[A-Za-z0-9-]{1,10}$/, "1 to 10 letters, digits and dashes");
  return { pin_digits: digits("pin_digits"), serial_prefix, serial_digits: digits("serial_digits") };
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
          {visit.may("import_vouchers") ? <FormatForm {...{ id, format, typed }} /> : null}
        </Sheet>
      </Columns>
    </>,
  );
}

function FormatForm({ id, format, typed }: { id: ProductId; format: VoucherFormat; typed: Typed }) {
  const field = (name: string, stored: string | number | null) => {
    return { ...typed.field(name, String(stored ?? "")), isRequired: false, isOptional: false };
  };
  return (
    <Form action={`${productPath(id)}/format`} submit="Save format" hidden={seen(wordsOf(format))}>
      <TextField {...field("pin_digits", format.pinDigits)} label="Digits of a PIN" hint="4 to 30. Empty: any." />
      <TextField {...field("serial_prefix", format.serialPrefix)} label="A serial begins with" lengthMax={10} />
      <TextField
        {...field("serial_digits", format.serialDigits)}
        label="Digits after that"
        hint="4 to 30. Empty: any."
      />
    </Form>
  );
}
