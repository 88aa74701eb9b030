import { findCategory } from "../../../categories/category-slugs.ts";
import { meterTypes } from "../../../categories/product/product.ts";
import { addProduct, type NewProduct, tryProduct } from "../../../domain/catalogue/changes/new-product.ts";
import { type FxRateRow, listFxRates } from "../../../domain/catalogue/offering-queries.ts";
import { readFee, readUnitPrice } from "../../../domain/catalogue/pricing.ts";
import { type BillerRow, listBillers } from "../../../domain/catalogue/queries.ts";
import { parseObject } from "../../../kernel/json.ts";
import { type Kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { type FieldErrors, refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.tsx";
import { formOf, type Form as SentForm, type Typed } from "../../kit/form.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { changeOrAsk, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { pricesPath } from "./price-words.tsx";

const here = `${pricesPath}/products/new`;

/** A person of the catalogue asks for a product, and an admin approves it with its price. */
export const productAddition: TwoPeople = {
  kind: "add product",
  subjects: ({ code }) => [`product code ${code}`],
  ask: matrix.change_prices.roles,
  approve: ["admin"],
  async carryOut(_services, database, payload) {
    const { id, name } = await addProduct(
      database,
      productIn(formOf(Object.entries(payload as Record<string, string>))),
    );
    return `Product ${id}, ${name}, is on sale. It needs a route before live sales.`;
  },
};

/** Something new to sell. What each category needs is checked as the command `product add` does. */
export function newProductPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.both(here, {
    capability: "change_prices",
    doneAt: () => pricesPath,
    show: (visit, typed) => newProductPage(services, visit, typed),
    send: (visit, form) => add(services, visit, form),
  });
}

async function add(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const requested = productIn(form);
  await tryProduct(services.database, requested);
  const typed = fieldNames.map((field) => [field, form.text(field)] as const).filter(([, text]) => text !== "");
  return changeOrAsk(services, visit, productAddition, {
    mayAlone: visit.staff.role === "admin",
    command: "console product add",
    summary: `Add ${requested.name} at ${form.text("price")}`,
    payload: Object.fromEntries(typed),
    doneAt: `${pricesPath}?${new URLSearchParams({ q: requested.code })}`,
  });
}

const fieldNames = [
  ...["biller", "code", "name", "price", "fee", "currency", "face", "min", "max", "max_quantity"],
  ...["plan", "plan_type", "validity", "meter_type", "legacy_plan", "attributes"],
];

/** @throws Refusal VALIDATION_ERROR with all that can't be read, by field */
function productIn(form: SentForm): NewProduct {
  const errors: Record<string, string[]> = {};
  /** What a field says, where it was filled in. */
  function read<T>(name: string, reading: (text: string) => T | null, fault: (text: string) => string): T | undefined {
    const text = form.text(name);
    if (text === "") return undefined;
    const value = reading(text);
    if (value === null) errors[name] = [fault(text)];
    return value ?? undefined;
  }
  const amount = (name: string): Kobo | undefined => read(name, readAmount, notAnAmount);
  const count = (name: string) => read(name, wholeNumber, () => "Enter a whole number.");
  const text = (name: string) => form.text(name) || undefined;
  const price = read("price", readUnitPrice, notAPrice);
  const facts = {
    fee: read("fee", readFee, notAPrice) ?? null,
    currency: text("currency"),
    ...{ face: amount("face"), min: amount("min"), max: amount("max") },
    ...{ maxQuantity: count("max_quantity"), legacyPlan: count("legacy_plan") },
    ...{ plan: text("plan"), planType: text("plan_type"), validity: text("validity") },
    meterType: meterTypes.find((each) => each === form.text("meter_type")),
    attributes: read("attributes", parseObject, () => 'Write it as JSON, such as {"exam":"WASSCE"}.'),
  };
  for (const name of ["biller", "code", "name", "price"]) if (form.text(name) === "") errors[name] = ["Fill this in."];
  if (price === undefined || Object.keys(errors).length > 0) {
    throw refuse("VALIDATION_ERROR", { errors: errors as FieldErrors });
  }
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  const names = { biller: form.text("biller"), code: form.text("code"), name: form.text("name") };
  return { ...(Object.fromEntries(given) as Pick<NewProduct, "fee">), ...names, price };
}

function notAPrice(text: string): string {
  return `“${text.slice(0, 40)}” isn’t a price. Write 985.00, or 97.5%.`;
}

async function newProductPage({ reads }: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const [billers, rates] = await Promise.all([reads.query<BillerRow>(listBillers), listFxRates(reads)]);
  const asks = visit.staff.role === "admin" ? "" : " An admin approves it.";
  return page(
    {
      title: "New product",
      crumbs: [["Prices", pricesPath]],
      note: `Merchants see it at once. Live sales need a route.${asks}`,
    },
    <Sheet>
      <Form action={here} submit="Add product" cancelHref={pricesPath}>
        <SelectField
          {...typed.field("biller", visit.query.get("biller"))}
          label="Biller"
          choices={billers.map(({ slug, name, category }) => ({
            value: slug,
            label: `${findCategory(category)?.title}: ${name}`,
          }))}
          placeholder="Choose a biller"
        />
        <TextField {...typed.field("name")} label="Name" hint="What merchants read" lengthMax={150} />
        <TextField
          {...typed.field("code")}
          label="Code"
          hint="Your own, for good: small letters, digits, dots and dashes, such as mtn-sme-7gb-30d"
          lengthMax={80}
          isCode
        />
        <TextField {...typed.field("price")} label="Price" hint="For one: 985.00, or 97.5% of its value" />
        <Optional typed={typed} name="fee" label="Fee" hint="On top, once a sale: 50.00, or 1.5%" />
        <h2>What one is worth</h2>
        <Optional typed={typed} name="face" label="Value" hint="Of an airtime PIN or a gift card, for example" />
        <Optional typed={typed} name="min" label="From" hint="Where the customer names the amount" />
        <Optional typed={typed} name="max" label="To" />
        <CurrencyField {...{ typed, rates }} />
        <Optional typed={typed} name="max_quantity" label="At most in one sale" />
        <h2>Where its category has them</h2>
        <Optional typed={typed} name="plan" label="Plan" hint="What the trade calls it: 1.5GB, Compact" />
        <Optional typed={typed} name="plan_type" label="Plan type" hint="SME, gifting, corporate" />
        <Optional typed={typed} name="validity" label="Valid for" hint="As a customer reads it, such as 30 days" />
        <SelectField
          {...typed.field("meter_type")}
          label="Meter type"
          choices={meterTypes.map((value) => ({ value, label: value }))}
          placeholder="None"
          isRequired={false}
        />
        <Optional typed={typed} name="legacy_plan" label="Number for older clients" hint="Of a data plan: 1 to 999" />
        <Optional typed={typed} name="attributes" label="More facts" hint={'As JSON, such as {"exam":"WASSCE"}'} />
      </Form>
    </Sheet>,
  );
}

interface OptionalProps {
  readonly typed: Typed;
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

function Optional({ typed, name, ...words }: OptionalProps) {
  return <TextField {...typed.field(name)} {...words} isRequired={false} />;
}

function CurrencyField({ typed, rates }: { readonly typed: Typed; readonly rates: readonly FxRateRow[] }) {
  const known = [...new Set(rates.map(({ currency }) => currency))];
  return (
    <SelectField
      {...typed.field("currency")}
      label="Currency of these amounts"
      hint="Others are added under Exchange rates."
      choices={known.map((value) => ({ value, label: value }))}
      placeholder="Naira"
      isRequired={false}
    />
  );
}
