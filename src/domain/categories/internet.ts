import { Type } from "typebox";
import type { WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { VendRequest } from "../../providers/contract.ts";
import { byProduct, checkAmount, defineCategory, integerOf, intentAmount, nairaOf, phoneOf } from "./category.ts";
import { nairaField, patternField, phoneField, productIdField } from "./fields.ts";
import { text } from "./fulfilment-fields.ts";
import { daysLater } from "./made-up.ts";
import { madeUpPins, pinField } from "./pins.ts";

const fulfilment = Type.Object({
  kind: Type.Literal("internet"),
  account_number: text("As sent."),
  plan: text("The plan that was bought."),
  pins: Type.Unsafe<unknown[] | null>({
    type: ["array", "null"],
    items: pinField,
    description: "PINs to enter at the provider; null where the account was credited directly.",
  }),
});

/** Internet bundles of providers other than the mobile networks, for a customer's account. */
export const internet = defineCategory({
  slug: "internet",
  title: "Internet bundles",
  paths: { purchase: "/internet/purchase" },
  body: Type.Object({
    product_id: productIdField,
    account_number: patternField({
      pattern: "^[A-Za-z0-9@._+-]{4,64}$",
      maxLength: 64,
      description: "The customer's account at the provider: a number, an e-mail address or a user name.",
      examples: ["0702123456"],
      "x-message": "Must be 4 to 64 letters, digits, dots, dashes, underscores, plus or at signs.",
    }),
    phone: Type.Optional(phoneField),
    amount: Type.Optional(nairaField("For products with a variable amount, in naira.")),
  }),
  customerField: "account_number",
  quantityField: null,
  fulfilment,
  secrets: ["pins"],
  read(body) {
    const amount = body.amount === undefined ? null : nairaOf(body.amount);
    return {
      selector: byProduct(body.product_id),
      customerRef: body.account_number,
      phone: body.phone === undefined ? null : phoneOf(body.phone),
      quantity: 1,
      amount,
      ported: null,
      details: {},
      intent: {
        product_id: integerOf(body.product_id),
        account_number: body.account_number,
        amount: intentAmount(amount),
      },
    };
  },
  check: checkAmount,
  simulate,
});

/** Products whose attributes say `delivers_pins` hand over a PIN (Spectranet); the others credit the account. */
function simulate(request: VendRequest, zone: WallTime): JsonObject {
  const expiresAt = daysLater(request.at, 365, zone);
  const pins = madeUpPins(request, { pinDigits: 14, serialDigits: 12 });
  return {
    kind: "internet",
    account_number: request.customerRef ?? "",
    plan: request.plan ?? request.productName,
    pins: request.attributes.delivers_pins === true ? pins.map((pin) => ({ ...pin, expires_at: expiresAt })) : null,
  };
}
