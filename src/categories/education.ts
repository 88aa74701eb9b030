import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import { refuseField } from "../kernel/problems.ts";
import { defineCategory } from "./category.ts";
import { integerOf, patternField, phoneField, phoneOf, productIdField, quantityField } from "./fields.ts";
import { text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, textFact } from "./fulfilment/made-up.ts";
import { type DeliveredPin, madeUpPins, pinAttributes, pinFaults, pinField } from "./fulfilment/pins.ts";
import { flagAttribute, textAttribute } from "./product/product-shape.ts";
import { byProduct } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("pins"),
    exam: text("Which examination.", "WAEC", 100),
    pins: Type.Array(pinField, { maxItems: 5, description: "As many as bought: all or nothing." }),
    check_url: textOrNull("Where the PIN is used.", "https://www.waecdirect.org", 300),
  },
  { "x-component": "ExamPinsDelivery" },
);

/** Exam PINs: result checkers and registrations. */
export const education = defineCategory({
  slug: "education",
  title: "Exam PINs",
  paths: { purchase: "/education/purchase" },
  operation: {
    id: "buyEducation",
    summary: "Buy exam PINs",
    description:
      "Buys result-checker or registration PINs: all of them are delivered, or none is charged. JAMB's need the candidate's `profile_code`.",
  },
  examples: { "A result checker": { product_id: 5001, phone: "08031234567" } },
  body: Type.Object({
    product_id: productIdField,
    quantity: Type.Optional(quantityField(5, "How many PINs: 1 to 5. Default: 1.")),
    phone: phoneField,
    profile_code: Type.Optional(
      patternField({
        pattern: "^[0-9]{10}$",
        maxLength: 40,
        description: "The candidate's profile code: 10 digits. Required for JAMB.",
        examples: ["1234567890"],
        "x-message": "Must have 10 digits.",
      }),
    ),
  }),
  sells: {
    customerLabel: "Phone number",
    amountTypes: ["fixed"],
    quantityMax: 5,
    attributes: Type.Object({
      exam: textAttribute(100),
      check_url: textAttribute(300),
      requires_profile_code: flagAttribute,
      ...pinAttributes,
    }),
  },
  customerField: "phone",
  quantityField: "quantity",
  fulfilment,
  secrets: ["pins"],
  byHand: { fixed: ["pins.sequence"], proposed: ["exam", "check_url"], faults: pinFaults },
  read(body) {
    const phone = phoneOf(body.phone);
    const quantity = integerOf(body.quantity ?? 1);
    const profileCode = body.profile_code ?? null;
    return {
      selector: byProduct(body.product_id),
      customerRef: phone,
      phone,
      quantity,
      amount: null,
      ported: null,
      details: { profile_code: profileCode },
      intent: { product_id: integerOf(body.product_id), quantity, phone, profile_code: profileCode },
    };
  },
  check(requested, product) {
    if (product.attributes.requires_profile_code !== true) return;
    if (requested.details.profile_code === null) {
      throw refuseField("VALIDATION_ERROR", "profile_code", "Is required for this product.");
    }
  },
  simulate,
});

/** The fulfilment of a purchase by the PINs that its supplier hands over. */
export function examPins({ attributes, billerName }: VendRequest, pins: DeliveredPin[]): Static<typeof fulfilment> {
  return {
    kind: "pins",
    exam: textFact(attributes, "exam") ?? billerName.slice(0, 100),
    pins,
    check_url: textFact(attributes, "check_url"),
  };
}

function simulate(request: VendRequest, zone: WallTime) {
  const expiresAt = daysLater(request.at, 365, zone);
  const pins = madeUpPins(request, { pinDigits: 12, serialDigits: 9 });
  return examPins(
    request,
    pins.map((pin) => ({ ...pin, expires_at: expiresAt })),
  );
}
