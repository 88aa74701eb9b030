import type { ComponentChildren } from "preact";
import type { Product } from "../../../categories/product/product.ts";
import type { PriceLine } from "../../../domain/catalogue/price-changes/price-lines.ts";
import type { Price, PriceScope } from "../../../domain/catalogue/pricing.ts";
import { readCell } from "../../../domain/suppliers/selling-prices/price-file.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type FieldErrors, refuse } from "../../../kernel/problems.ts";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { type PriceTable, scopeKey, scopeNamed } from "./price-query.ts";
import { scopeName, typedPrice } from "./price-words.tsx";

/** The table as a form: all its prices are sent, and those that were typed over are the change. */
export function EditForm({ action, children }: { readonly action: string; readonly children: ComponentChildren }) {
  const { formFields } = useSurroundings();
  return (
    <form method="post" action={action} data-island="once">
      <HiddenFields fields={{ ...formFields, do: "edit" }} />
      {children}
      <div class="save-bar">
        <span>Type new prices in the table. Empty: its tier’s price or the base price.</span>
        <div class="buttons">
          <Button kind="main">Preview typed prices</Button>
        </div>
      </div>
    </form>
  );
}

interface CellProps {
  readonly product: Product;
  readonly scope: PriceScope;
  readonly own: Price | null;
  readonly base: Price | null;
  readonly isLoss: boolean;
  readonly typed: Typed;
}

/** One price in its place. Its name says what it showed, so that only what was typed over counts, also when it comes late. */
export function PriceCell({ product, scope, own, base, isLoss, typed }: CellProps) {
  const { faults } = useSurroundings();
  const shown = own === null ? "" : typedPrice(own);
  const start = `price ${product.id} ${scopeKey(scope)} `;
  const name = `${start}${shown}`;
  // What somebody else changed meanwhile was sent under the name of then.
  const sent = [...typed.form.fields.keys()].find((each) => each.startsWith(start)) ?? name;
  const id = `price-${product.id}-${scopeKey(scope)}`;
  const label = `${scopeName(scope)} of ${product.name}`;
  const error = typed.error(sent);
  if (error !== null) faults?.push({ text: error, field: { id, label } });
  const value = typed.value(sent, shown);
  const kind = error !== null || isLoss ? " under" : value === shown ? "" : " set";
  const note = error ?? (isLoss ? "below cost" : value === shown ? null : `was ${shown || "base price"}`);
  return (
    <span class={`cell${kind}`}>
      <input
        {...{ id, name, value }}
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        aria-invalid={error === null ? undefined : "true"}
        aria-describedby={note === null ? undefined : `${id}-note`}
        placeholder={own === null && base !== null ? typedPrice(base) : undefined}
      />
      {note === null ? null : <small id={`${id}-note`}>{note}</small>}
    </span>
  );
}

/** The prices of the table that were typed over. @throws Refusal VALIDATION_ERROR at their cells, also for what changed since */
export function editedLines(form: SentForm, { catalogue }: PriceTable): PriceLine[] {
  const lines: PriceLine[] = [];
  const errors: Record<string, string[]> = {};
  for (const name of form.fields.keys()) {
    const [, id, key = "", shown = ""] = /^price (\d{1,9}) ([a-z0-9_-]+) (.*)$/.exec(name) ?? [];
    const scope = scopeNamed(key);
    const text = form.text(name);
    if (scope === undefined || text === shown) continue;
    const product = catalogue.findProduct(Number(id) as ProductId);
    if (product === null) continue;
    const own = catalogue.ownPrice(product.id, scope);
    const present = own === null ? "" : typedPrice(own);
    // Emptied: the tier pays the base price again.
    const read = readCell(text === "" ? "none" : text, { product, scope, catalogue });
    if (present !== shown) errors[name] = [`Someone else changed this price to ${present || "the base price"}.`];
    else if (typeof read === "string") errors[name] = [read];
    else if (read !== null) lines.push(read);
  }
  if (Object.keys(errors).length > 0) throw refuse("VALIDATION_ERROR", { errors: errors as FieldErrors });
  return lines;
}
