import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import { defineCategory, defineVerification, noDetails } from "./category.ts";
import {
  billerField,
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  patternField,
  phoneField,
  phoneOf,
  productIdField,
  verificationIdField,
} from "./fields.ts";
import { text } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, madeUpCustomer } from "./fulfilment/made-up.ts";
import { type DeliveredPin, madeUpPins, pinAttributes, pinFaults, pinField } from "./fulfilment/pins.ts";
import { intentAmount } from "./product/amounts.ts";
import { flagAttribute } from "./product/product-shape.ts";
import { byBiller, byProduct } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

export const internetPinsMax = 10;

const fulfilment = Type.Object(
  {
    kind: Type.Literal("internet"),
    account_number: text("As sent.", "0702123456", 64),
    plan: text("The plan that was bought.", "5GB", 150),
    pins: Type.Unsafe<DeliveredPin[] | null>({
      type: ["array", "null"],
      items: pinField,
      maxItems: internetPinsMax,
      description: "PINs to enter at the provider; null where the account was credited directly.",
    }),
  },
  { "x-component": "InternetDelivery" },
);

const accountNumberField = patternField({
  pattern: "^[A-Za-z0-9@._+-]{4,64}$",
  maxLength: 64,
  description: "The customer's account at the provider: a number, an e-mail address or a user name.",
  examples: ["0702123456"],
  "x-message": "Must be 4 to 64 letters, digits, dots, dashes, underscores, plus or at signs.",
});

const findings = Type.Object({ customer_name: text("Who the account belongs to.", "ADEYEMI TUNDE") });

const verify = defineVerification({
  path: "/internet/verify",
  operation: {
    id: "verifyInternetAccount",
    summary: "Verify an internet account",
    description: "Tells whom an account at an internet provider belongs to, before money moves.",
  },
  examples: { Usual: { biller: "smile", account_number: "0702123456" } },
  body: Type.Object({ biller: billerField, account_number: accountNumberField }),
  findings,
  answer: Type.Object({ account_number: text("As sent.", "0702123456", 64), ...findings.properties }),
  read: (body) => ({
    selector: byBiller(body.biller),
    customerRef: body.account_number,
    details: noDetails,
  }),
  answerOf: ({ customerRef }, found) => ({ account_number: customerRef, ...found }),
  simulate: ({ customerRef }) => ({ customer_name: madeUpCustomer(customerRef).name }),
});

/** Internet bundles of providers other than the mobile networks, for a customer's account. */
export const internet = defineCategory({
  slug: "internet",
  title: "Internet bundles",
  paths: { purchase: "/internet/purchase" },
  operation: {
    id: "buyInternet",
    summary: "Buy an internet bundle",
    description: "Buys a bundle of an internet provider (Smile, Spectranet, ipNX …) for a customer's account.",
  },
  examples: { "A bundle": { product_id: 7008, account_number: "0702123456" } },
  body: Type.Object({
    product_id: productIdField,
    account_number: accountNumberField,
    phone: Type.Optional(phoneField),
    amount: Type.Optional(nairaField("For products with a variable amount, in naira.")),
    verification_id: Type.Optional(verificationIdField),
  }),
  sells: {
    customerLabel: "Account number",
    amountTypes: ["fixed", "variable"],
    quantityMax: 1,
    attributes: Type.Object({ delivers_pins: flagAttribute, ...pinAttributes }),
  },
  customerField: "account_number",
  quantityField: null,
  fulfilment,
  secrets: ["pins"],
  byHand: { fixed: ["account_number", "pins.sequence"], proposed: [], faults: pinFaults },
  read(body) {
    const amount = ifSent(body.amount, nairaOf);
    return {
      selector: byProduct(body.product_id),
      customerRef: body.account_number,
      phone: ifSent(body.phone, phoneOf),
      quantity: 1,
      amount,
      ported: null,
      details: noDetails,
      intent: {
        product_id: integerOf(body.product_id),
        account_number: body.account_number,
        amount: intentAmount(amount),
      },
    };
  },
  simulate,
  verify,
});

/** Products whose attributes say `delivers_pins` hand over a PIN (Spectranet); the others credit the account. */
/** The fulfilment of a purchase by PINs for the account; null where the account itself was credited. */
export function internetPlan(request: VendRequest, pins: DeliveredPin[] | null): Static<typeof fulfilment> {
  return {
    kind: "internet",
    account_number: request.customerRef ?? "",
    plan: (request.plan ?? request.productName).slice(0, 150),
    pins,
  };
}

function simulate(request: VendRequest, zone: WallTime) {
  const expiresAt = daysLater(request.at, 365, zone);
  const pins = madeUpPins(request, { pinDigits: 14, serialDigits: 12 }).map((pin) => ({
    ...pin,
    expires_at: expiresAt,
  }));
  return internetPlan(request, request.attributes.delivers_pins === true ? pins : null);
}
