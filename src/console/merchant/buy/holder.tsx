import type { Category, Verification } from "../../../categories/category.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { type Fact, Facts } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { Money, spoken } from "../../kit/parts/text.tsx";
import type { Holder } from "./price-sale.ts";

/** The owner of the number, to be read to the customer before anything is paid. */
export function HolderFacts({ category, holder }: { readonly category: Category; readonly holder: Holder }) {
  const { verify, customerField } = category;
  if (holder === null || verify === undefined) return null;
  if (holder.kind === "unknown") {
    return (
      <Flash kind="waiting">We can’t check the name right now. Make sure the number is right before you pay.</Flash>
    );
  }
  return (
    <section class="holder" aria-label="Account name">
      <Facts facts={findingsOf(verify, customerField, holder.verified.reported)} />
    </section>
  );
}

/** What the verification found out, name by name; what it left open is left out. */
function findingsOf(verify: Verification, customerField: string, found: JsonObject): readonly Fact[] {
  const isRequested = (name: string) => name === customerField || name in verify.body.properties;
  return Object.entries(verify.findings.properties).flatMap(([name, schema]): Fact[] => {
    const value = found[name] ?? null;
    // What is as it should be says nothing: no debt, a meter that takes tokens.
    const isUsual = value === true || value === "0.00";
    if (value === null || isUsual || isRequested(name) || name.endsWith("_id")) return [];
    const isMoney = "pattern" in schema && typeof value === "string" && /^[0-9]+\.[0-9]{2}$/.test(value);
    const shown = value === false ? "no" : String(value);
    const label = name === "customer_name" ? "Account name" : spoken(name);
    return [[label, isMoney ? <Money key={name} amount={shown} /> : shown]];
  });
}
