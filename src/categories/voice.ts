import { Type } from "typebox";
import { defineCategory, noDetails } from "./category.ts";
import { integerOf, phoneField, phoneOf, productIdField } from "./fields.ts";
import { toppedUp, topup } from "./fulfilment/fulfilment-fields.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byProduct } from "./product/selection.ts";

/** Voice bundles: minutes for a phone number. */
export const voice = defineCategory({
  slug: "voice",
  title: "Voice plans",
  paths: { purchase: "/voice/purchase" },
  operation: {
    id: "buyVoice",
    summary: "Buy a voice plan",
    description: "Sends a bundle of call minutes to a phone number.",
  },
  examples: { "A plan": { product_id: 8101, phone: "08031234567" } },
  body: Type.Object({ product_id: productIdField, phone: phoneField }),
  sells: {
    network: "maybe",
    customerLabel: "Phone number",
    amountTypes: ["fixed"],
    quantityMax: 1,
    attributes: noAttributes,
  },
  customerField: "phone",
  quantityField: null,
  fulfilment: topup,
  secrets: [],
  byHand: null,
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
      intent: { phone, product_id: integerOf(body.product_id) },
    };
  },
  simulate: () => toppedUp,
});
