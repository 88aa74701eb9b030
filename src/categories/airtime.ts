import { Type } from "typebox";
import type { Network } from "../kernel/phone.ts";
import { type Claim, defineCategory, noDetails, type ProductSelector } from "./category.ts";
import {
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  networkField,
  networkOf,
  phoneField,
  phoneOf,
  portedField,
  productIdField,
} from "./fields.ts";
import { toppedUp, topup } from "./fulfilment/fulfilment-fields.ts";
import { intentAmount } from "./product/amounts.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byProduct, claimNetwork, refuseNothingSelected } from "./product/selection.ts";

const takesAnyAmount: Claim = { field: "network", holds: (product) => product.amountType === "variable" };

/** Airtime of any amount within the product's range, for a phone number. */
export const airtime = defineCategory({
  slug: "airtime",
  title: "Airtime",
  paths: { purchase: "/airtime/purchase", bulk: "/airtime/bulk" },
  operation: {
    id: "buyAirtime",
    summary: "Buy airtime",
    description:
      "Tops a phone number up by any amount within the network's range. Say which network by `network`, or by the `product_id` of its airtime.",
  },
  examples: {
    "By network": { network: "MTN", phone: "08031234567", amount: "100.00" },
    "By product": { product_id: 2001, phone: "08031234567", amount: 100 },
  },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    network: Type.Optional(networkField),
    phone: phoneField,
    amount: nairaField("The airtime's value in naira."),
    ported: Type.Optional(portedField),
  }),
  sells: {
    network: "always",
    customerLabel: "Phone number",
    amountTypes: ["variable"],
    quantityMax: 1,
    attributes: noAttributes,
    selectors: { network: ({ biller }) => biller.network },
  },
  customerField: "phone",
  quantityField: null,
  fulfilment: topup,
  secrets: [],
  byHand: null,
  read(body) {
    const phone = phoneOf(body.phone);
    const amount = nairaOf(body.amount);
    const network = ifSent(body.network, networkOf);
    return {
      selector: selectorOf(body.product_id, network),
      customerRef: phone,
      phone,
      quantity: 1,
      amount,
      ported: body.ported ?? null,
      details: noDetails,
      intent: {
        amount: intentAmount(amount),
        network,
        phone,
        product_id: ifSent(body.product_id, integerOf),
      },
    };
  },
  simulate: () => toppedUp,
});

function selectorOf(productId: number | string | undefined, network: Network | null): ProductSelector {
  if (productId !== undefined) return byProduct(productId, network === null ? [] : [claimNetwork(network)]);
  if (network === null) throw refuseNothingSelected("network", ["network"]);
  return { by: "network", network, field: "network", claims: [takesAnyAmount] };
}
