import type { StartingPart } from "../starting-product.ts";
import { fixed, publicPrice } from "../starting-product.ts";

/** 500 recipients times the 47 pages that 1,530 surrogate pairs take. */
const pagesMax = 23_500;

/** Two routes, priced by the page; `route` is what a request selects by. Ids from 9001. */
export const sms: StartingPart = {
  billers: [
    { slug: "sms-standard", name: "Bulk SMS, standard route" },
    { slug: "sms-dnd", name: "Bulk SMS, DND route" },
  ].map((biller) => ({ ...biller, category: "sms", customerField: "recipients", customerLabel: "Recipients" })),
  products: [
    {
      id: 9001,
      code: "sms-standard",
      biller: "sms-standard",
      name: "SMS, standard route",
      plan: "Standard",
      maxQuantity: pagesMax,
      attributes: { route: "standard" },
      price: fixed(5.8),
      description: publicPrice,
    },
    {
      id: 9002,
      code: "sms-dnd",
      biller: "sms-dnd",
      name: "SMS, DND route",
      plan: "DND",
      maxQuantity: pagesMax,
      attributes: { route: "dnd" },
      price: fixed(7.5),
      description: publicPrice,
    },
  ],
};
