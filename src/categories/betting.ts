import { type Static, Type } from "typebox";
import { type Claim, defineCategory, defineVerification, noDetails, type ProductSelector } from "./category.ts";
import {
  billerField,
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  patternField,
  productIdField,
  verificationIdField,
} from "./fields.ts";
import { decimalOrNull, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { madeUp, madeUpCustomer, plainCharacters } from "./fulfilment/made-up.ts";
import { amountRange, intentAmount } from "./product/amounts.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byBiller, byProduct, claimBiller, refuseNothingSelected } from "./product/selection.ts";
import type { VendRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("betting"),
    customer_id: text("As sent.", "1042377", 32),
    customer_name: textOrNull(
      "Who the betting account belongs to; null where the operator does not say.",
      "ADEYEMI TUNDE",
    ),
    operator_reference: text("The betting operator's own reference.", "TEST4K7M9QXR2T7HWP", 100),
  },
  { "x-component": "BettingDelivery" },
);

const customerIdField = patternField({
  pattern: "^[A-Za-z0-9]{3,32}$",
  maxLength: 40,
  description: "The customer's id at the betting operator: 3 to 32 letters and digits.",
  examples: ["1042377"],
  "x-message": "Must be 3 to 32 letters and digits.",
});

const findings = Type.Object({ customer_name: text("Who the betting account belongs to.", "ADEYEMI TUNDE") });

const verify = defineVerification({
  path: "/betting/verify",
  operation: {
    id: "verifyBettingCustomer",
    summary: "Verify a betting account",
    description:
      "Tells whom a betting account belongs to, and what a funding may be. Show the name to the customer before you charge them: a funded account is not emptied again.",
  },
  examples: { Usual: { biller: "bet9ja", customer_id: "1042377" } },
  body: Type.Object({ biller: billerField, customer_id: customerIdField }),
  findings,
  answer: Type.Object({
    customer_id: text("As sent.", "1042377", 32),
    ...findings.properties,
    min_amount: decimalOrNull("Least amount of a funding in naira.", "100.00"),
    max_amount: decimalOrNull("Largest amount of a funding in naira.", "1000000.00"),
  }),
  read: (body) => ({
    selector: byBiller(body.biller),
    customerRef: body.customer_id,
    details: noDetails,
  }),
  answerOf: ({ customerRef }, found, products) => ({ customer_id: customerRef, ...found, ...amountRange(products) }),
  simulate: ({ customerRef }) => ({ customer_name: madeUpCustomer(customerRef).name }),
});

const takesAnyAmount: Claim = { field: "biller", holds: (product) => product.amountType === "variable" };

/** Funding of a betting account. */
export const betting = defineCategory({
  slug: "betting",
  title: "Betting wallets",
  paths: { purchase: "/betting/fund" },
  operation: {
    id: "fundBetting",
    summary: "Fund a betting wallet",
    description:
      "Pays into a customer's account at a betting operator. Verify the account first: the answer names its owner.",
  },
  examples: { "By biller": { biller: "bet9ja", customer_id: "1042377", amount: "1500.00" } },
  body: Type.Object({
    product_id: Type.Optional(productIdField),
    biller: Type.Optional(billerField),
    customer_id: customerIdField,
    amount: nairaField("What the betting wallet receives, in naira."),
    verification_id: Type.Optional(verificationIdField),
  }),
  sells: {
    customerLabel: "Customer id",
    amountTypes: ["variable"],
    quantityMax: 1,
    attributes: noAttributes,
    selectors: { biller: ({ biller }) => biller.slug },
  },
  customerField: "customer_id",
  quantityField: null,
  fulfilment,
  secrets: [],
  byHand: { fixed: ["customer_id"], proposed: [] },
  read(body) {
    const amount = nairaOf(body.amount);
    return {
      selector: selectorOf(body.product_id, body.biller ?? null),
      customerRef: body.customer_id,
      phone: null,
      quantity: 1,
      amount,
      ported: null,
      details: noDetails,
      intent: {
        product_id: ifSent(body.product_id, integerOf),
        biller: body.biller ?? null,
        customer_id: body.customer_id,
        amount: intentAmount(amount),
      },
    };
  },
  simulate,
  verify,
});

function selectorOf(productId: number | string | undefined, biller: string | null): ProductSelector {
  if (productId !== undefined) return byProduct(productId, biller === null ? [] : [claimBiller(biller)]);
  if (biller === null) throw refuseNothingSelected("biller", ["biller"]);
  return byBiller(biller, [takesAnyAmount]);
}

/** The fulfilment of a purchase by what the supplier tells. */
export function fundedAccount(
  { customerRef }: VendRequest,
  facts: { readonly customerName: string | null; readonly reference: string },
): Static<typeof fulfilment> {
  return {
    kind: "betting",
    customer_id: customerRef ?? "",
    customer_name: facts.customerName,
    operator_reference: facts.reference.slice(0, 100),
  };
}

function simulate(request: VendRequest) {
  return fundedAccount(request, {
    customerName: madeUpCustomer(request.customerRef ?? "").name,
    reference: `TEST${madeUp(request.transactionId).characters(plainCharacters, 14)}`,
  });
}
