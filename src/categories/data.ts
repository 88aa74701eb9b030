import { Type } from "typebox";
import { defineCategory, noDetails } from "./category.ts";
import { integerOf, phoneField, phoneOf, portedField, productIdField } from "./fields.ts";
import { toppedUp, topup } from "./fulfilment/fulfilment-fields.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byProduct } from "./product/selection.ts";

/** Mobile data: a plan of a network for a phone number. */
export const data = defineCategory({
  slug: "data",
  title: "Mobile data",
  paths: { purchase: "/data/purchase", bulk: "/data/bulk" },
  operation: {
    id: "buyData",
    summary: "Buy mobile data",
    description:
      "Sends a data plan to a phone number. Plans are the products of the `data` billers, such as `mtn-data`.",
  },
  examples: { "A plan": { product_id: 1002, phone: "08031234567" } },
  body: Type.Object({
    product_id: productIdField,
    phone: phoneField,
    ported: Type.Optional(portedField),
  }),
  sells: {
    network: "always",
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
      ported: body.ported ?? null,
      details: noDetails,
      intent: { phone, product_id: integerOf(body.product_id) },
    };
  },
  simulate: () => toppedUp,
});
