import { Type } from "typebox";
import { byProduct, defineCategory, integerOf, phoneOf } from "./category.ts";
import { phoneField, portedField, productIdField } from "./fields.ts";

/** Mobile data: a plan of a network for a phone number. */
export const data = defineCategory({
  slug: "data",
  title: "Mobile data",
  paths: { purchase: "/data/purchase", bulk: "/data/bulk" },
  body: Type.Object({
    product_id: productIdField,
    phone: phoneField,
    ported: Type.Optional(portedField),
  }),
  customerField: "phone",
  quantityField: null,
  fulfilment: Type.Object({ kind: Type.Literal("topup") }),
  secrets: [],
  read(body) {
    const phone = phoneOf(body.phone);
    return {
      selector: byProduct(body.product_id),
      customerRef: phone,
      phone,
      quantity: 1,
      amount: null,
      ported: body.ported ?? null,
      details: {},
      intent: { product_id: integerOf(body.product_id), phone },
    };
  },
  simulate: () => ({ kind: "topup" }),
});
