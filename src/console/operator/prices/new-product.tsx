import { findCategory } from "../../../categories/category-slugs.ts";
import { meterTypes } from "../../../categories/product/product.ts";
import { addProduct, type NewProduct, tryProduct } from "../../../domain/catalogue/changes/new-product.ts";
import { listFxRates } from "../../../domain/catalogue/offering-queries.ts";
import { readFee, readUnitPrice } from "../../../domain/catalogue/pricing.ts";
import { type BillerRow, listBillers } from "../../../domain/catalogue/queries.ts";
import { feeText } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { parseObject } from "../../../kernel/json.ts";
import { formatNaira, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { choice, offered, optional, readOr, text, typed, under, whole } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { pricesPath, typedPrice } from "./price-words.tsx";

const notAPrice = (typed: string) => `“${typed.slice(0, 40)}” isn’t a price. Write 985.00, or 97.5%.`;

const amount = (label: string, hint?: string) =>
  optional(
    typed(label, { read: readOr(readAmount, notAnAmount), show: formatNaira }, hint === undefined ? {} : { hint }),
  );
const line = (label: string, hint: string) => optional(text(label, { hint }));

const form = fields({
  biller: offered("Biller", { placeholder: "Choose a biller", unread: "Choose a biller." }),
  name: text("Name", { hint: "What merchants read", lengthMax: 150 }),
  code: text("Code", {
    hint: "Your own, for good: small letters, digits, dots and dashes, such as mtn-sme-7gb-30d",
    ...{ lengthMax: 80, isCode: true },
  }),
  price: typed(
    "Price",
    { read: readOr(readUnitPrice, notAPrice), show: typedPrice },
    { hint: "For one: 985.00, or 97.5% of its value" },
  ),
  fee: optional(
    typed("Fee", { read: readOr(readFee, notAPrice), show: feeText }, { hint: "On top, once a sale: 50.00, or 1.5%" }),
  ),
  face: under("What one is worth", amount("Value", "Of an airtime PIN or a gift card, for example")),
  min: amount("From", "Where the customer names the amount"),
  max: amount("To"),
  currency: optional(
    offered("Currency of these amounts", {
      ...{ placeholder: "Naira", hint: "Others are added under Exchange rates." },
    }),
  ),
  max_quantity: optional(whole("At most in one sale", [1, 1_000_000], { unread: "Enter a whole number." })),
  plan: under("Where its category has them", line("Plan", "What the trade calls it: 1.5GB, Compact")),
  plan_type: line("Plan type", "SME, gifting, corporate"),
  validity: line("Valid for", "As a customer reads it, such as 30 days"),
  meter_type: optional(
    choice(
      "Meter type",
      meterTypes.map((value) => ({ value, label: value })),
      { unread: "Choose a meter type.", placeholder: "None" },
    ),
  ),
  legacy_plan: optional(
    whole("Number for older clients", [1, 999], { hint: "Of a data plan: 1 to 999", unread: "Enter a whole number." }),
  ),
  attributes: optional(
    typed(
      "More facts",
      {
        read: readOr(parseObject, 'Write it as JSON, such as {"exam":"WASSCE"}.'),
        show: (json) => JSON.stringify(json),
      },
      { hint: 'As JSON, such as {"exam":"WASSCE"}' },
    ),
  ),
});

type Values = ReturnType<typeof form.thaw>;

/** Something new to sell, with its price: a person of the catalogue asks for it, and an admin approves. */
export const productAddition = changeOfTwo({
  at: `${pricesPath}/products/new`,
  may: "change_prices",
  doneAt: (_visit, values) => `${pricesPath}?${new URLSearchParams(values === undefined ? {} : { q: values.code })}`,
  async find({ reads }, visit) {
    const [billers, rates] = await Promise.all([reads.query<BillerRow>(listBillers), listFxRates(reads)]);
    return {
      billers,
      currencies: [...new Set(rates.map(({ currency }) => currency))],
      chosen: visit.query.get("biller"),
    };
  },
  fields: form,
  // What each category needs is checked as the command `product add` does.
  check: (values, _found, { database }) => tryProduct(database, productOf(values)),
  head: (_found, { staff: { role } }) => ({
    title: "New product",
    crumbs: [["Prices", pricesPath]],
    note: `Merchants see it at once. Live sales need a route.${role === "admin" ? "" : " An admin approves it."}`,
  }),
  looks: ({ billers, currencies, chosen }) => ({
    ...{ submit: "Add product", cancelHref: pricesPath },
    more: {
      biller: {
        choices: billers.map(({ slug, name, category }) => {
          return { value: slug, label: `${findCategory(category)?.title}: ${name}` };
        }),
        value: chosen ?? "",
      },
      currency: { choices: currencies.map((value) => ({ value, label: value })) },
    },
  }),
  kind: "add product",
  approve: ["admin"],
  alone: { command: "console product add", may: (_services, { staff }) => staff.role === "admin" },
  subjects: ({ code }) => [`product code ${code}`],
  summary: ({ values: { name, price } }) => `Add ${name} at ${typedPrice(price)}`,
  freeze: ({ values, set }) =>
    Object.fromEntries(Object.entries(set.freeze(values)).filter(([, value]) => value !== null)),
  async run({ database }, values) {
    const { id, name } = await addProduct(database, productOf(values));
    return `Product ${id}, ${name}, is on sale. It needs a route before live sales.`;
  },
});

/** What was left empty is left out. */
function productOf({ biller, code, name, price, fee = null, ...some }: Values): NewProduct {
  const {
    max_quantity: maxQuantity,
    plan_type: planType,
    meter_type: meterType,
    legacy_plan: legacyPlan,
    ...rest
  } = some;
  const given = Object.entries({ ...rest, maxQuantity, planType, meterType, legacyPlan }).filter(
    ([, value]) => value != null,
  );
  return { ...(Object.fromEntries(given) as Partial<NewProduct>), biller, code, name, price, fee };
}
