import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { useVisit } from "../access.ts";
import type { BoughtPurchase } from "../transactions/reveal.ts";
import { takes } from "./customers.ts";

/** The field of a new beneficiary that says after which sale it is saved, to go back there. */
export const afterSaleField = "after_sale";

/** Saves the number that was just sold to by a name of the shop's own. */
export function SaveCustomer({ bought: { purchase, sold } }: { readonly bought: BoughtPurchase }) {
  const visit = useVisit();
  const { customerRef, phone, reference } = purchase;
  const { category, product } = sold;
  const isKept = customerRef !== null && takes(category, customerRef) && purchase.status !== "failed";
  if (!isKept || !visit.may("keep_beneficiaries")) return null;
  const hidden = {
    [afterSaleField]: reference,
    category: category.slug,
    customer_ref: customerRef,
    biller_slug: product.biller.slug,
    meter_type: product.meterType ?? "",
    phone: phone === customerRef ? "" : (phone ?? ""),
  };
  return (
    <Sheet title="Save this customer">
      <Form action={visit.to("beneficiaries/add")} submit="Save customer" kind="plain" hidden={hidden}>
        <TextField name="label" label="Name" placeholder="Mama Tolu" lengthMax={100} />
      </Form>
    </Sheet>
  );
}
