import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import { findSupplierNamed } from "../../../domain/suppliers/routing/route-table.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Form, type Typed, wrong } from "../../kit/form.ts";
import { RadioField, SelectField } from "../../kit/parts/fields.tsx";

interface SupplierFieldProps {
  readonly typed: Typed;
  readonly suppliers: readonly Pick<Supplier, "name">[];
  /** By the page's address. */
  readonly chosen?: string | null;
}

export function SupplierField({ typed, suppliers, chosen = null }: SupplierFieldProps) {
  return (
    <SelectField
      {...typed.field("supplier", chosen)}
      label="Supplier"
      placeholder="Choose a supplier"
      choices={suppliers.map(({ name }) => ({ value: name, label: name }))}
    />
  );
}

/** @throws Refusal VALIDATION_ERROR at the field */
export async function supplierIn(db: Queryable, form: Form): Promise<Supplier> {
  const supplier = await findSupplierNamed(db, form.text("supplier"));
  if (supplier === null) throw wrong("supplier", "Choose a supplier.");
  return supplier;
}

/** The names by which a supplier's statement has our sales: ours, or its own. */
export function WhoseReference({ typed }: { readonly typed: Typed }) {
  return (
    <RadioField
      {...typed.field("by", "reference")}
      label="Whose reference names the sales?"
      choices={[
        { value: "reference", label: "Ours", hint: "Such as TXN…-1, as we sent it" },
        { value: "provider_reference", label: "The supplier’s own" },
      ]}
    />
  );
}

export function whoseIn(form: Form): "reference" | "provider_reference" {
  return form.text("by") === "provider_reference" ? "provider_reference" : "reference";
}
