import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField } from "../../kit/parts/fields.tsx";
import { type Cause, isSaidDelivered } from "./cause.ts";

/** @throws Refusal at the field that is asked for then, where the supplier says of sales to be refunded that it delivered */
export function checkSure(form: SentForm, supplier: string, happened: readonly Cause[]): void {
  const delivered = happened.filter(isSaidDelivered).length;
  if (delivered === 0 || form.text("sure") === "on") return;
  const which = happened.length === 1 ? "this sale" : `${delivered} of these ${happened.length} sales`;
  const message = `${supplier} says it delivered ${which}. If it did, a refund is our loss. Check, then confirm.`;
  throw wrong("sure", message);
}

/** There once it was asked for. */
export function SureField({ typed }: { readonly typed: Typed }) {
  const { value, ...field } = typed.field("sure");
  if (value === "" && field.error === null) return null;
  return <CheckField {...field} isChecked={value === "on"} label="I checked: not delivered. Refund anyway" />;
}
