import type { Product } from "../../../categories/product/product.ts";
import type { PriceScope } from "../../../domain/catalogue/pricing.ts";
import { readUnitPrice } from "../../../domain/catalogue/pricing.ts";
import { scopesOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import type { PriceRule, Rounding } from "../../../domain/suppliers/selling-prices/price-rule.ts";
import { readAmount } from "../../../kernel/money.ts";
import { typedText } from "../../../kernel/typed-text.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped } from "../../kit/parts/text.tsx";
import { ticks } from "../../kit/ticks.tsx";
import { findProducts, type PriceQuery, type PriceTable, scopesByName } from "./price-query.ts";

/** The boxes beside products belong to this form, wherever they stand. */
const bulkFormId = "many";

export const picked = ticks({ name: "pick", form: bulkFormId });

const ways = [
  { value: "margin", label: "Cost plus %" },
  { value: "percent", label: "Today’s price plus %" },
  { value: "amount", label: "Today’s price plus ₦" },
  { value: "set", label: "This price" },
] as const;
const steps = [
  { value: "1", label: "No rounding" },
  { value: "100", label: "₦1" },
  { value: "500", label: "₦5" },
  { value: "1000", label: "₦10" },
];
const directions = [
  { value: "nearest", label: "Nearest" },
  { value: "up", label: "Up" },
  { value: "down", label: "Down" },
] as const;

interface BulkProps {
  readonly action: string;
  readonly typed: Typed;
  readonly table: PriceTable;
  readonly count: number;
}

/** Changes many prices by one rule: of all that match, or of the chosen ones. A preview follows. */
export function BulkForm({ action, typed, table, count }: BulkProps) {
  const isSent = typed.form.text("do") === "bulk";
  const field = (name: string, usual: string) =>
    isSent ? typed.field(name, usual) : { name, value: usual, error: null };
  const named = [...scopesByName.keys()].map((value) => {
    return { value, label: value === "base" ? "Base price" : `Tier ${value.slice("tier-".length)}` };
  });
  const hasTiers = table.catalogue.pricedTiers.length > 0;
  const { formFields } = useSurroundings();
  return (
    <Sheet title="Change many" note={`Products that you tick, else all ${grouped(count)} that match`}>
      <form id={bulkFormId} method="post" action={action} data-island="once">
        <HiddenFields fields={{ ...formFields, do: "bulk" }} />
        <div class="fields">
          <SelectField
            {...field("scope", "base")}
            label="Set"
            choices={[...named, ...(hasTiers ? [{ value: "each", label: "Base and tiers’ own prices" }] : [])]}
          />
          <SelectField {...field("how", "margin")} label="To" choices={ways} />
          <TextField {...field("value", "")} label="%, ₦ or price" keys="decimal" lengthMax={20} />
          <SelectField {...field("step", "1")} label="Round to" choices={steps} />
          <SelectField {...field("direction", "nearest")} label="Which way" choices={directions} />
          <Button>Preview change</Button>
        </div>
      </form>
    </Sheet>
  );
}

type PricesToChange = readonly { readonly product: Product; readonly scope: PriceScope }[];

/** The prices that a change of many is about: of the products that are ticked, else of all that match. @throws Refusal VALIDATION_ERROR */
export function pricesIn(form: SentForm, query: PriceQuery, table: PriceTable): PricesToChange {
  const products = findProducts(query, table);
  const ids = new Set(picked.in(form));
  const chosen = ids.size === 0 ? products : products.filter(({ id }) => ids.has(String(id)));
  const scope = scopesByName.get(form.text("scope"));
  if (scope !== undefined) return chosen.map((product) => ({ product, scope }));
  if (form.text("scope") !== "each") throw wrong("scope", "Choose whose price to set.");
  const scopes = scopesOf(table.catalogue.pricedTiers);
  return chosen.flatMap((product) =>
    scopes
      .filter((each) => table.catalogue.ownPrice(product.id, each) !== null)
      .map((each) => ({ product, scope: each })),
  );
}

/** @throws Refusal VALIDATION_ERROR at the field that can't be read */
export function ruleIn(form: SentForm): PriceRule {
  const how = ways.find(({ value }) => value === form.text("how"))?.value;
  const step = steps.find(({ value }) => value === form.text("step"))?.value;
  const direction = directions.find(({ value }) => value === form.text("direction"))?.value;
  if (how === undefined) throw wrong("how", "Choose how prices change.");
  if (step === undefined) throw wrong("step", "Choose what to round to.");
  if (direction === undefined) throw wrong("direction", "Choose which way to round.");
  const rounding: Rounding = { step: BigInt(step), direction };
  const typed = typedText(form.text("value"));
  if (how === "set") {
    const price = readUnitPrice(typed);
    if (price === null) throw wrong("value", "Write a price such as 985.00, or 97.5% of the face value.");
    return { change: { how, price }, rounding };
  }
  const [, minus, rest = ""] = /^([+-]?) ?(.*)$/.exec(typed) ?? [];
  const by = how === "amount" ? readAmount(rest) : percentIn(rest);
  if (by === null) {
    const example = how === "amount" ? "50 or −50" : "3, 2.5 or −2.5";
    throw wrong("value", `Write ${how === "amount" ? "an amount" : "a percentage"} such as ${example}.`);
  }
  return { change: { how, by: minus === "-" ? -by : by }, rounding };
}

/** `2.5` or `2.5%` in hundredths of a percent, up to 1,000%. */
function percentIn(text: string): bigint | null {
  const [, full, part = ""] = /^(\d{1,3}|1000)(?:\.(\d{1,2}))?%?$/.exec(text) ?? [];
  return full === undefined ? null : BigInt(full) * 100n + BigInt(part.padEnd(2, "0"));
}
