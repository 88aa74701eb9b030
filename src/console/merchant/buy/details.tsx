import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { findBeneficiary, listBeneficiaryPage } from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/beneficiaries/beneficiary.ts";
import { type FieldErrors, Refusal } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { may } from "../../access.ts";
import { type PageAnswer, page } from "../../answer.ts";
import type { Form } from "../../form.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { SelectField } from "../../parts/choice-field.tsx";
import { TextField } from "../../parts/field.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { type ModeVisit, modePath } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";
import type { BuyPageServices } from "./buy-services.ts";
import { BuyControl, buyFields } from "./fields.tsx";
import { refusalSentence, unshownMessages } from "./refusal-sentence.ts";
import { buyerOf } from "./selling-gate.tsx";

/** The field that names a saved number, and the one under which a new one is saved. */
export const savedField = "beneficiary_id";
export const saveAsField = "save_as";
/** More stand under Beneficiaries. */
const savedMax = 100;

/** What is being bought, as far as it is chosen. */
export interface Chosen {
  readonly category: Category;
  readonly product: Product;
}

/** Number and amount: the fields that the category asks for, with what was typed and what is wrong with it. */
export async function detailsPage(
  services: BuyPageServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  typed: { readonly form: Form; readonly refusal: Refusal | null },
): Promise<PageAnswer> {
  const { form, refusal } = typed;
  const saved = await savedNumbers(services, visit, { category, product }, form.text(savedField));
  const fields = buyFields(category, product);
  const errors = errorsOf(refusal, category);
  const shown = [...fields.map(({ name }) => name), saveAsField, ...(saved.length > 0 ? [savedField] : [])];
  const path = `buy/${category.slug}`;
  return page(
    product.name,
    <>
      <PageHead
        title={product.name}
        actions={
          <ButtonLink href={modePath(visit, `${path}?biller=${product.biller.slug}`)}>Another product</ButtonLink>
        }
      >
        {product.name.includes(product.biller.name) ? category.title : `${category.title} of ${product.biller.name}`}
      </PageHead>
      <Sheet>
        <VisitForm
          visit={visit}
          action={modePath(visit, `${path}/check`)}
          submit="Check"
          hidden={{ product: String(product.id) }}
          error={topOf(refusal, errors, shown, visit)}
          cancelHref={modePath(visit, "buy")}
        >
          {saved.length === 0 ? null : <SavedNumber {...{ saved, form, errors }} />}
          {fields.map((field) => (
            <BuyControl
              key={field.name}
              {...{ field, product, form, errors }}
              mayBeSaved={saved.length > 0 && field.name === category.customerField}
            />
          ))}
          {may(visit.member.role, "keep_beneficiaries") ? (
            <TextField
              name={saveAsField}
              label="Save this number as"
              hint="A name of your own, to choose it next time. Leave it empty to save nothing."
              isRequired={false}
              lengthMax={100}
              value={form.raw(saveAsField)}
              error={errors[saveAsField]?.join(" ") ?? null}
            />
          ) : null}
        </VisitForm>
      </Sheet>
    </>,
    refusal === null ? {} : { status: statusOf(refusal) },
  );
}

/** As a page is answered: what was typed is wrong, or stands against something. */
export function statusOf({ code }: Refusal): number {
  return code === "REFERENCE_CONFLICT" || code === "PRICE_CHANGED" || code === "DUPLICATE_TRANSACTION" ? 409 : 400;
}

function SavedNumber(props: {
  readonly saved: readonly Beneficiary[];
  readonly form: Form;
  readonly errors: FieldErrors;
}) {
  const { saved, form, errors } = props;
  return (
    <SelectField
      name={savedField}
      label="Saved number"
      hint="Choose one, or leave it and type a new number."
      isRequired={false}
      placeholder="A new number"
      choices={saved.map(({ id, label, customerRef }) => ({ value: id, label: `${label}, ${customerRef}` }))}
      value={form.text(savedField)}
      error={errors[savedField]?.join(" ") ?? null}
    />
  );
}

/** The merchant's newest numbers that this product can be bought for, and the chosen one however old it is. */
async function savedNumbers(
  { database }: BuyPageServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  chosenId: string,
): Promise<readonly Beneficiary[]> {
  const filter = { category: category.slug, words: [] };
  const newest = { page: 1, perPage: savedMax };
  const { beneficiaries } = await listBeneficiaryPage(database, buyerOf(visit), filter, newest);
  const isNew = chosenId === "" || beneficiaries.some(({ id }) => id === chosenId);
  const chosen = isNew ? null : await findKept(database, visit, chosenId);
  return [...(chosen === null ? [] : [chosen]), ...beneficiaries].filter(
    ({ category: slug, billerSlug, meterType }) =>
      slug === category.slug &&
      (billerSlug === null || billerSlug === product.biller.slug) &&
      (meterType === null || product.meterType === null || meterType === product.meterType),
  );
}

async function findKept(database: Database, visit: ModeVisit, id: string): Promise<Beneficiary | null> {
  try {
    return await findBeneficiary(database, buyerOf(visit), id);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** A refusal that is about a field without saying so. */
function errorsOf(refusal: Refusal | null, category: Category): FieldErrors {
  if (refusal === null) return {};
  if (refusal.detail.errors !== undefined) return refusal.detail.errors;
  if (refusal.code === "BENEFICIARY_NOT_FOUND") return { [savedField]: ["It was deleted since: type the number."] };
  if (refusal.code !== "VERIFICATION_FAILED" && refusal.code !== "RECIPIENT_BLOCKED") return {};
  return { [category.customerField]: [refusal.message] };
}

function topOf(
  refusal: Refusal | null,
  errors: FieldErrors,
  shown: readonly string[],
  { mode }: ModeVisit,
): string | null {
  if (refusal === null) return null;
  if (Object.keys(errors).length === 0) return refusalSentence(refusal, mode);
  const unshown = unshownMessages(errors, shown);
  return unshown.length === 0 ? null : unshown.join(" ");
}
