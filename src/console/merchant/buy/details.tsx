import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { findBeneficiary, listBeneficiaryPage } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { BuyControl, buyFields } from "./fields.tsx";
import { sellingStatus, topOf } from "./selling.tsx";

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
  services: MerchantServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  given: Typed,
): Promise<PageAnswer> {
  const typed = given.aimed({
    BENEFICIARY_NOT_FOUND: [savedField, "It was deleted since: type the number."],
    VERIFICATION_FAILED: [category.customerField],
    RECIPIENT_BLOCKED: [category.customerField],
  });
  const saved = await savedNumbers(services, visit, { category, product }, typed.form.text(savedField));
  const fields = buyFields(category, product);
  const shown = [...fields.map(({ name }) => name), saveAsField, ...(saved.length > 0 ? [savedField] : [])];
  const path = visit.to(`buy/${category.slug}`);
  return page(
    {
      title: product.name,
      note: product.name.includes(product.biller.name) ? category.title : `${category.title} of ${product.biller.name}`,
      actions: <ButtonLink href={`${path}?biller=${product.biller.slug}`}>Another product</ButtonLink>,
      status: sellingStatus(typed),
    },
    <Sheet>
      <Form
        action={`${path}/check`}
        submit="Check"
        hidden={{ product: String(product.id) }}
        error={topOf(typed, shown, visit)}
        cancelHref={visit.to("buy")}
      >
        {saved.length === 0 ? null : (
          <SelectField
            {...typed.field(savedField)}
            label="Saved number"
            hint="Choose one, or leave it and type a new number."
            isRequired={false}
            placeholder="A new number"
            choices={saved.map(({ id, label, customerRef }) => ({ value: id, label: `${label}, ${customerRef}` }))}
          />
        )}
        {fields.map((field) => (
          <BuyControl
            key={field.name}
            {...{ field, product, typed }}
            mayBeSaved={saved.length > 0 && field.name === category.customerField}
          />
        ))}
        {visit.may("keep_beneficiaries") ? (
          <TextField
            {...typed.field(saveAsField)}
            label="Save this number as"
            hint="A name of your own, to choose it next time. Leave it empty to save nothing."
            isRequired={false}
            lengthMax={100}
          />
        ) : null}
      </Form>
    </Sheet>,
  );
}

/** The merchant's newest numbers that this product can be bought for, and the chosen one however old it is. */
async function savedNumbers(
  { database }: MerchantServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  chosenId: string,
): Promise<readonly Beneficiary[]> {
  const filter = { category: category.slug, words: [] };
  const newest = { page: 1, perPage: savedMax };
  const { beneficiaries } = await listBeneficiaryPage(database, visit.buyer, filter, newest);
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
    return await findBeneficiary(database, visit.buyer, id);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
