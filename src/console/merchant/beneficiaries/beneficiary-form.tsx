import type { Static } from "typebox";
import { findCategory } from "../../../categories/category-slugs.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { NewBeneficiary } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { factsBody, readFacts } from "../../../domain/purchases/beneficiaries/beneficiary-request.ts";
import { networks } from "../../../kernel/phone.ts";
import { refusalOf } from "../../../platform/validation/faults.ts";
import { buildValidator, type Validator, validatorCompiler } from "../../../platform/validation/validator.ts";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { categoryChoices } from "../../kit/offer-filters.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { seen } from "../../kit/stale.ts";
import { type ModeVisit, useVisit } from "../access.ts";
import { readTypedNumber } from "../buy/customers.ts";

/** The fields as the API names them, so that its checks and their sentences hold here as well. */
const optional = ["biller_slug", "network", "meter_type", "customer_name", "phone"] as const;

/** Reads a form that was sent. @throws Refusal with the faults, by field */
export type ReadBeneficiary = (form: SentForm) => NewBeneficiary;

/** Holds forms against what the API takes. The schema is compiled at its first use. */
export function openReading(): ReadBeneficiary {
  let validator: Validator | null = null;
  return (form) => {
    validator ??= validatorCompiler(buildValidator())({ schema: factsBody }) as Validator;
    const left = optional.map((name) => [name, form.text(name) === "" ? null : form.text(name)] as const);
    const body = {
      label: form.text("label"),
      category: form.text("category"),
      customer_ref: readTypedNumber(form.text("customer_ref")),
      ...Object.fromEntries(left),
    };
    if (!validator(body)) throw refusalOf(validator.errors ?? []);
    return readFacts(body as Static<typeof factsBody>) as NewBeneficiary;
  };
}

/** What is kept of a customer, in one line. */
export function factsText(kept: Beneficiary): string {
  const { label, category, customerRef, billerSlug, network, meterType, customerName, phone } = kept;
  const facts = [label, category, customerRef, billerSlug, network, meterType, customerName, phone];
  return facts.filter((fact) => fact !== null).join("; ");
}

interface BeneficiaryFormProps {
  readonly catalogue: CatalogueSnapshot;
  readonly typed: Typed;
  /** What is changed; nothing for a new one. */
  readonly kept?: Beneficiary;
  readonly action: string;
}

/** All fields of a kept number. */
export function BeneficiaryForm({ catalogue, typed: given, kept, action }: BeneficiaryFormProps) {
  const visit = useVisit();
  // Refusals that are about a field without saying so.
  const typed = given.aimed({
    BENEFICIARY_EXISTS: ["customer_ref", "This number is already saved under another name."],
    BILLER_NOT_FOUND: ["biller_slug", "Choose a biller that sells this, or Any."],
  });
  const maybe = (name: (typeof optional)[number], stored: string | null | undefined) => ({
    ...{ ...typed.field(name, stored), isRequired: false },
  });
  return (
    <Form
      action={action}
      cancelHref={visit.to("beneficiaries")}
      submit="Save customer"
      hidden={kept === undefined ? {} : seen(factsText(kept))}
    >
      <TextField
        {...typed.field("label", kept?.label)}
        label="Name"
        hint="For example: Mama Tolu, shop meter"
        lengthMax={100}
        isFocused
      />
      <SelectField
        {...typed.field("category", kept?.category ?? visit.query.get("category"))}
        error={typed.error("category") && "Choose what you sell to this customer."}
        label="What you sell to this customer"
        choices={categoryChoices}
        placeholder="Choose"
      />
      <TextField
        {...typed.field("customer_ref", kept?.customerRef)}
        label="Number"
        hint="Phone, meter or smartcard number, or account"
        lengthMax={100}
        isCode
      />
      <SelectField
        {...maybe("biller_slug", kept?.billerSlug)}
        label="Biller"
        hint="Choose one to go straight to its products."
        choices={billersFor(catalogue, visit, typed.value("biller_slug", kept?.billerSlug))}
        placeholder="Any"
      />
      <SelectField
        {...maybe("network", kept?.network)}
        label="Network"
        choices={networks.map((network) => ({ value: network, label: network }))}
        placeholder="Not known"
      />
      <SelectField
        {...maybe("meter_type", kept?.meterType)}
        label="Meter type"
        hint="For electricity only"
        choices={[
          { value: "prepaid", label: "Prepaid" },
          { value: "postpaid", label: "Postpaid" },
        ]}
        placeholder="Not known"
      />
      <TextField {...maybe("customer_name", kept?.customerName)} label="Customer's name" lengthMax={200} />
      <TextField
        {...maybe("phone", kept?.phone)}
        label="Customer's phone"
        hint="Filled in when you sell to them. We send nothing there."
        keys="tel"
        lengthMax={40}
      />
    </Form>
  );
}

/** Every biller that the merchant sees, and the kept one where it went away since. */
function billersFor(catalogue: CatalogueSnapshot, { buyer }: ModeVisit, kept: string) {
  const seen = catalogue
    .billers(buyer)
    .map(({ biller }) => ({ value: biller.slug, label: `${findCategory(biller.category)?.title}: ${biller.name}` }));
  const isGone = kept !== "" && !seen.some(({ value }) => value === kept);
  return isGone ? [{ value: kept, label: `${kept}, no longer on offer` }, ...seen] : seen;
}
