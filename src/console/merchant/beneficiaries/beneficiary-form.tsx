import type { Static } from "typebox";
import { categories } from "../../../categories/registry.ts";
import type { NewBeneficiary } from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/beneficiaries/beneficiary.ts";
import { factsBody, readFacts } from "../../../domain/beneficiaries/beneficiary-request.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { networks } from "../../../kernel/phone.ts";
import type { FieldErrors, Refusal } from "../../../kernel/problems.ts";
import { refusalOf } from "../../../platform/validation/faults.ts";
import { buildValidator, type Validator, validatorCompiler } from "../../../platform/validation/validator.ts";
import { type Form, formOf } from "../../form.ts";
import { SelectField } from "../../parts/choice-field.tsx";
import { TextField } from "../../parts/field.tsx";
import type { ModeVisit } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";
import { buyerOf } from "../buy/selling-gate.tsx";

/** The fields as the API names them, so that its checks and their sentences hold here as well. */
const optional = ["biller_slug", "network", "meter_type", "customer_name", "phone"] as const;
const fieldNames = ["label", "category", "customer_ref", ...optional] as const;

/** Reads a form that was sent. @throws Refusal with the faults, by field */
export type ReadBeneficiary = (form: Form) => NewBeneficiary;

/** Holds forms against what the API takes. The schema is compiled at its first use. */
export function openReading(): ReadBeneficiary {
  let validator: Validator | null = null;
  return (form) => {
    validator ??= validatorCompiler(buildValidator())({ schema: factsBody }) as Validator;
    const left = optional.map((name) => [name, form.text(name) === "" ? null : form.text(name)] as const);
    const body = {
      label: form.text("label"),
      category: form.text("category"),
      customer_ref: form.text("customer_ref"),
      ...Object.fromEntries(left),
    };
    if (!validator(body)) throw refusalOf(validator.errors ?? []);
    return readFacts(body as Static<typeof factsBody>) as NewBeneficiary;
  };
}

/** A kept number as a form that nobody has touched. */
export function formOfBeneficiary(kept: Beneficiary): Form {
  return formOf([
    ["label", kept.label],
    ["category", kept.category],
    ["customer_ref", kept.customerRef],
    ["biller_slug", kept.billerSlug ?? ""],
    ["network", kept.network ?? ""],
    ["meter_type", kept.meterType ?? ""],
    ["customer_name", kept.customerName ?? ""],
    ["phone", kept.phone ?? ""],
  ]);
}

interface BeneficiaryFormProps {
  readonly visit: ModeVisit;
  readonly catalogue: CatalogueSnapshot;
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly action: string;
  readonly cancelHref: string;
}

/** All fields of a kept number. */
export function BeneficiaryForm({ visit, catalogue, form, refusal, action, cancelHref }: BeneficiaryFormProps) {
  const errors = errorsOf(refusal);
  const of = (name: (typeof fieldNames)[number]) => ({
    name,
    value: form.raw(name),
    error: errors[name]?.join(" ") ?? null,
  });
  const maybe = (name: (typeof optional)[number]) => ({ ...of(name), isRequired: false });
  const chosen = form.text("category") === "" ? (visit.query.get("category") ?? "") : form.text("category");
  return (
    <VisitForm {...{ visit, action, cancelHref }} submit="Save" error={topOf(refusal, errors)}>
      <TextField {...of("label")} label="Name" hint="Your own name for it, to find it by." lengthMax={100} isFocused />
      <SelectField
        {...{ ...of("category"), value: chosen }}
        error={errors.category === undefined ? null : "Choose what is bought for it."}
        label="What is bought for it"
        choices={categories.map(({ slug, title }) => ({ value: slug, label: title }))}
        placeholder="Choose"
      />
      <TextField
        {...of("customer_ref")}
        label="Customer's number"
        hint="A phone, meter or smartcard number, an account: as it is typed to buy."
        lengthMax={100}
        isCode
      />
      <SelectField
        {...maybe("biller_slug")}
        label="Biller"
        hint="Then it is offered for this biller's products alone."
        choices={billersFor(catalogue, visit, form.text("biller_slug"))}
        placeholder="Any"
      />
      <SelectField
        {...maybe("network")}
        label="Network"
        choices={networks.map((network) => ({ value: network, label: network }))}
        placeholder="Not said"
      />
      <SelectField
        {...maybe("meter_type")}
        label="Kind of meter"
        hint="For electricity alone."
        choices={[
          { value: "prepaid", label: "Prepaid" },
          { value: "postpaid", label: "Postpaid" },
        ]}
        placeholder="Not said"
      />
      <TextField {...maybe("customer_name")} label="Customer's name" lengthMax={200} />
      <TextField
        {...maybe("phone")}
        label="Customer's phone"
        hint="Where the customer can be reached. Nothing is sent there."
        keys="tel"
        lengthMax={40}
      />
    </VisitForm>
  );
}

/** Every biller that the merchant sees, and the kept one where it went away since. */
function billersFor(catalogue: CatalogueSnapshot, visit: ModeVisit, kept: string) {
  const titles = new Map<string, string>(categories.map(({ slug, title }) => [slug, title]));
  const seen = catalogue
    .billers(buyerOf(visit))
    .map(({ biller }) => ({ value: biller.slug, label: `${titles.get(biller.category)}: ${biller.name}` }));
  const isGone = kept !== "" && !seen.some(({ value }) => value === kept);
  return isGone ? [{ value: kept, label: `${kept}, no longer on offer` }, ...seen] : seen;
}

/** Refusals that are about a field without saying so. */
function errorsOf(refusal: Refusal | null): FieldErrors {
  if (refusal === null) return {};
  if (refusal.detail.errors !== undefined) return refusal.detail.errors;
  if (refusal.code === "BENEFICIARY_EXISTS")
    return { customer_ref: ["Another beneficiary keeps this number already."] };
  if (refusal.code === "BILLER_NOT_FOUND") return { biller_slug: ["Choose a biller of the same category, or none."] };
  return {};
}

function topOf(refusal: Refusal | null, errors: FieldErrors): string | null {
  if (refusal === null) return null;
  const isAtField = fieldNames.some((name) => errors[name] !== undefined);
  return isAtField ? "Nothing was saved yet: see the fields." : refusal.message;
}
