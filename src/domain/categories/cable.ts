import { Type } from "typebox";
import type { WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { VendRequest } from "../../providers/contract.ts";
import type { Claim, ProductSelector } from "./category.ts";
import {
  byProduct,
  checkAmount,
  checkClaims,
  claimBiller,
  defineCategory,
  integerOf,
  intentAmount,
  nairaOf,
  phoneOf,
  refuseNothingSelected,
} from "./category.ts";
import { billerField, nairaField, phoneField, productIdField, quantityField, smartcardNumberField } from "./fields.ts";
import { instant, text } from "./fulfilment-fields.ts";
import { daysLater, madeUpCustomer, textFact, validityDays } from "./made-up.ts";

const fulfilment = Type.Object({
  kind: Type.Literal("cable"),
  smartcard_number: text("As sent."),
  customer_name: text("Who the smartcard belongs to."),
  bouquet: text("The bouquet that was paid."),
  months: Type.Integer({ minimum: 1, description: "How many periods of the product's validity, usually a month." }),
  valid_until: instant("Until when the smartcard is active."),
});

const renewal: Claim = { field: "subscription_type", holds: (product) => product.amountType === "variable" };

/** Cable TV: a bouquet by its product, or what a verify named as the renewal amount. */
export const cable = defineCategory({
  slug: "cable",
  title: "Cable TV",
  paths: { purchase: "/cable/purchase" },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    biller: Type.Optional(billerField),
    subscription_type: Type.Optional(
      Type.Enum(["change", "renew"], {
        description:
          "renew, with `biller` and `amount`: keep the smartcard's bouquet. change: `product_id` says the new one.",
        "x-message": "Must be renew or change.",
      }),
    ),
    amount: Type.Optional(nairaField("With `renew`: the renewal amount of one month that verify answered, in naira.")),
    smartcard_number: smartcardNumberField,
    phone: phoneField,
    months: Type.Optional(quantityField(12, "How many months: 1 to 12. Default: 1.")),
  }),
  customerField: "smartcard_number",
  quantityField: "months",
  fulfilment,
  secrets: [],
  read(body) {
    const amount = body.amount === undefined ? null : nairaOf(body.amount);
    const months = integerOf(body.months ?? 1);
    const type = body.subscription_type ?? null;
    return {
      selector: selectorOf(body.product_id, body.biller ?? null, type, amount !== null),
      customerRef: body.smartcard_number,
      phone: phoneOf(body.phone),
      quantity: months,
      amount,
      ported: null,
      details: { subscription_type: type, months },
      intent: {
        product_id: body.product_id === undefined ? null : integerOf(body.product_id),
        biller: body.biller ?? null,
        subscription_type: type,
        amount: intentAmount(amount),
        smartcard_number: body.smartcard_number,
        months,
      },
    };
  },
  check(wish, product) {
    checkClaims(wish, product);
    checkAmount(wish, product);
  },
  simulate,
});

function selectorOf(
  productId: number | string | undefined,
  biller: string | null,
  type: "change" | "renew" | null,
  hasAmount: boolean,
): ProductSelector {
  if (productId !== undefined) return byProduct(productId, biller === null ? [] : [claimBiller(biller)]);
  if (biller === null || type === "change") throw refuseNothingSelected("biller with subscription_type renew");
  if (type === null)
    throw refuseField("VALIDATION_ERROR", "subscription_type", "Must be renew when product_id is left out.");
  if (!hasAmount) throw refuseField("VALIDATION_ERROR", "amount", "Is required with subscription_type renew.");
  return { by: "biller", biller, field: "biller", claims: [renewal] };
}

function simulate(request: VendRequest, zone: WallTime): JsonObject {
  const smartcard = request.customerRef ?? "";
  const days = validityDays(textFact(request.attributes, "validity"), 30);
  return {
    kind: "cable",
    smartcard_number: smartcard,
    customer_name: madeUpCustomer(smartcard).name,
    bouquet: request.plan ?? request.productName,
    months: request.quantity,
    valid_until: daysLater(request.at, days * request.quantity, zone),
  };
}
