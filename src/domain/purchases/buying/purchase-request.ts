import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { ifSent, nairaField, nairaOf, referenceField } from "../../../categories/fields.ts";
import { assert } from "../../../kernel/assert.ts";
import { parseReference, type Reference } from "../../../kernel/ids.ts";
import type { SentTerms } from "../purchase.ts";
import type { BuyCommand, PurchaseRequest } from "./buy.ts";
import type { BeneficiaryCommand } from "./buy-for-beneficiary.ts";

const expectedPrice = Type.Optional(nairaField("The total you expect; another one is refused with PRICE_CHANGED."));
const beneficiaryId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: "A saved number of yours: it fills the customer's number, which you then leave out.",
    examples: ["ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
  }),
);
const reference = referenceField(100);
const commonBody = Type.Object({ reference, expected_price: expectedPrice, beneficiary_id: beneficiaryId });

/**
 * The whole body of a request to buy something of a category, with the fields that are `sent` to be given back. A
 * beneficiary may stand for the customer's number.
 */
export function purchaseBody(category: Category, sent: Readonly<Record<string, TSchema>> = {}): TObject {
  const { body, customerField } = category;
  const common = { reference, expected_price: expectedPrice, ...sent, beneficiary_id: beneficiaryId };
  const fields = { ...common, ...body.properties };
  const number = body.properties[customerField];
  if (number === undefined || !body.required?.includes(customerField)) return Type.Object(fields);
  const unless = { if: { required: ["beneficiary_id"] }, else: { required: [customerField] } };
  return Type.Object({ ...fields, [customerField]: Type.Optional(number) }, unless);
}

/** The command for a customer whose number is saved: it is filled in once it is known. */
export function beneficiaryCommand(
  common: Omit<BuyCommand, "request">,
  body: Readonly<Record<string, unknown>>,
  sent: SentTerms,
): BeneficiaryCommand {
  const { reference: name, beneficiary_id = "" } = body as Static<typeof commonBody>;
  const { category } = common;
  const { customerField } = category;
  return {
    ...common,
    reference: referenceOf(name),
    beneficiaryId: beneficiary_id,
    isNumberSent: body[customerField] !== undefined,
    read: (customerRef) => readPurchaseRequest(category, { [customerField]: customerRef, ...body }, sent),
  };
}

/** Reads a body with a customer's number that `purchaseBody` has accepted. @throws Refusal for what a schema can't say */
export function readPurchaseRequest(
  category: Category,
  body: Readonly<Record<string, unknown>>,
  sent: SentTerms,
): PurchaseRequest {
  const { reference: name, expected_price } = body as Static<typeof commonBody>;
  // To a category without it, it is one more unknown field, and those are ignored.
  const takesVerification = "verification_id" in category.body.properties;
  return {
    reference: referenceOf(name),
    requested: category.read(body as never),
    expectedPrice: ifSent(expected_price, nairaOf),
    verificationId: takesVerification ? ((body.verification_id as string | undefined) ?? null) : null,
    sent,
  };
}

function referenceOf(text: string): Reference {
  const parsed = parseReference(text);
  assert(parsed !== null, "the schema let only references through");
  return parsed;
}
