import { type Static, Type } from "typebox";
import { type CategorySlug, categorySlugs } from "../../../categories/category-slugs.ts";
import { networkOf, phoneOf, slugPattern } from "../../../categories/fields.ts";
import { type MeterType, meterTypes } from "../../../categories/product/product.ts";
import { phonePattern } from "../../../kernel/phone.ts";
import { unseenLetters } from "../../../kernel/typed-text.ts";
import type { BeneficiaryFacts } from "./beneficiary.ts";

// Texts for people: nothing unseen, and something to see.
const readablePattern = `^ *[^ ${unseenLetters}][^${unseenLetters}]*$`;

function readable<Kind>(type: unknown, maxLength: number, notes: { description: string; examples: string[] }) {
  return Type.Unsafe<Kind>({
    type,
    pattern: readablePattern,
    maxLength,
    ...notes,
    "x-message": `Must be 1 to ${maxLength} characters on one line.`,
  });
}

const textOrNull = ["string", "null"];

function meterTypeOrNull(description: string) {
  return { type: textOrNull, enum: [...meterTypes, null], description, examples: ["prepaid"] };
}

const label = readable<string>("string", 100, {
  description: "Your own name for it.",
  examples: ["Mama Tolu's shop"],
});

const category = Type.Enum([...categorySlugs], {
  description: "What the number is bought for.",
  "x-message": `Must be one of ${categorySlugs.join(", ")}.`,
});

const customerRef = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    "The customer's number, as a purchase of the category takes it: a phone, meter or smartcard number, an account.",
  examples: ["45012345678"],
  "x-message": "Must be a number of 1 to 100 characters.",
});

const optionalFields = {
  biller_slug: Type.Optional(
    Type.Unsafe<string | null>({
      type: textOrNull,
      pattern: slugPattern,
      maxLength: 63,
      description: "A biller of the category. A purchase with another biller is then refused.",
      examples: ["ikeja-electric"],
      "x-message": "Must be a biller's slug.",
    }),
  ),
  network: Type.Optional(
    Type.Unsafe<string | null>({
      type: textOrNull,
      minLength: 1,
      maxLength: 20,
      description: "MTN, GLO, 9MOBILE or AIRTEL; the biller's where it has one.",
      examples: ["MTN"],
    }),
  ),
  meter_type: Type.Optional(
    Type.Unsafe<MeterType | null>({
      ...meterTypeOrNull("For a meter: its kind."),
      "x-message": "Must be prepaid or postpaid.",
    }),
  ),
  customer_name: Type.Optional(
    readable<string | null>(textOrNull, 200, {
      description: "Whom the number belongs to, as verify answered it.",
      examples: ["ADEYEMI TOLU"],
    }),
  ),
  phone: Type.Optional(
    Type.Unsafe<string | null>({
      type: textOrNull,
      pattern: phonePattern,
      maxLength: 40,
      description: "Where the customer can be reached. It fills nothing.",
      examples: ["08031234567"],
      "x-problem": { pattern: "INVALID_PHONE", maxLength: "INVALID_PHONE" },
      "x-message": "Must be a Nigerian mobile number such as 08031234567.",
    }),
  ),
};

/** What is sent to keep a number. */
export const factsBody = Type.Object({ label, category, customer_ref: customerRef, ...optionalFields });

/** What is sent to change one: any of it. */
export const changesBody = Type.Object({
  label: Type.Optional(label),
  category: Type.Optional(category),
  customer_ref: Type.Optional(customerRef),
  ...optionalFields,
});

/** Reads what was sent and leaves out what was not. @throws Refusal VALIDATION_ERROR on network */
export function readFacts(body: Static<typeof changesBody>): Partial<BeneficiaryFacts> {
  const { label, category, customer_ref, biller_slug, network, meter_type, customer_name, phone } = body;
  const facts = {
    label,
    category: category as CategorySlug | undefined,
    customerRef: customer_ref,
    billerSlug: biller_slug,
    network: network == null ? network : networkOf(network),
    meterType: meter_type,
    customerName: customer_name,
    phone: phone == null ? phone : phoneOf(phone),
  };
  const sent = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<BeneficiaryFacts>;
}
