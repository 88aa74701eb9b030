import { Type } from "typebox";
import { defineCategory, defineVerification, noDetails } from "../../../src/categories/category.ts";
import { integerOf, phoneField, phoneOf, productIdField, verificationIdField } from "../../../src/categories/fields.ts";
import { instantOrNull, text } from "../../../src/categories/fulfilment/fulfilment-fields.ts";
import { daysLater, madeUp, madeUpCustomer, validityDays } from "../../../src/categories/fulfilment/made-up.ts";
import { noAttributes } from "../../../src/categories/product/product-shape.ts";
import { byProduct } from "../../../src/categories/product/selection.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("parking"),
    gate_code: text("Opens the gate.", "004821", 6),
    valid_until: instantOrNull("After it, the gate stays shut."),
  },
  { "x-component": "ParkingDelivery" },
);

const findings = Type.Object({ holder: text("Who parks.", "TEST ADAEZE BELLO") });

const verify = defineVerification({
  path: "/parking/verify",
  operation: {
    id: "verifyParking",
    summary: "Verify who parks",
    description: "Tells who parks under a phone number. Show the name to the customer before you charge them.",
  },
  examples: { Usual: { product_id: 99001, phone: "08031234567" } },
  body: Type.Object({ product_id: productIdField, phone: phoneField }),
  findings,
  answer: Type.Object({ phone: text("In local form.", "08031234567", 11), ...findings.properties }),
  read: (body) => ({ selector: byProduct(body.product_id), customerRef: phoneOf(body.phone), details: noDetails }),
  answerOf: ({ customerRef }, found) => ({ phone: customerRef, ...found }),
  simulate: ({ customerRef }) => ({ holder: madeUpCustomer(customerRef).name }),
});

/** A category that the service does not sell: all that a thirteenth one takes. */
export const parking = defineCategory({
  slug: "parking",
  title: "Parking",
  paths: { purchase: "/parking/purchase", bulk: "/parking/bulk" },
  operation: {
    id: "buyParking",
    summary: "Buy parking",
    description: "Pays for parking. The answer carries the code that opens the gate.",
  },
  examples: { "A day": { product_id: 99001, phone: "08031234567" } },
  body: Type.Object({
    product_id: productIdField,
    phone: phoneField,
    verification_id: Type.Optional(verificationIdField),
  }),
  sells: { customerLabel: "Phone number", amountTypes: ["fixed"], quantityMax: 1, attributes: noAttributes },
  customerField: "phone",
  quantityField: null,
  fulfilment,
  secrets: ["gate_code"],
  byHand: { fixed: [], proposed: ["valid_until"] },
  read(body) {
    const phone = phoneOf(body.phone);
    return {
      selector: byProduct(body.product_id),
      customerRef: phone,
      phone,
      quantity: 1,
      amount: null,
      ported: null,
      details: noDetails,
      intent: { product_id: integerOf(body.product_id), phone },
    };
  },
  simulate: ({ transactionId, at, attributes }, zone) => ({
    kind: "parking" as const,
    gate_code: madeUp(transactionId).digits(6),
    valid_until: daysLater(at, validityDays(String(attributes.validity), 1), zone),
  }),
  verify,
});
