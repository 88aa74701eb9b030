import { type Static, Type } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import { formatNaira } from "../kernel/money.ts";
import { refuseField } from "../kernel/problems.ts";
import { type Claim, defineCategory, defineVerification, noDetails, type ProductSelector } from "./category.ts";
import {
  billerField,
  ifSent,
  integerOf,
  nairaField,
  nairaOf,
  phoneField,
  phoneOf,
  productIdField,
  quantityField,
  smartcardNumberField,
  verificationIdField,
} from "./fields.ts";
import { count, decimalOrNull, instantOrNull, text, textOrNull } from "./fulfilment/fulfilment-fields.ts";
import { daysLater, type MadeUp, madeUp, madeUpCustomer, textFact, validityDays } from "./fulfilment/made-up.ts";
import { intentAmount } from "./product/amounts.ts";
import type { Product } from "./product/product.ts";
import { noAttributes } from "./product/product-shape.ts";
import { byBiller, byProduct, claimBiller, refuseNothingSelected } from "./product/selection.ts";
import type { OfferedProduct, VendRequest, VerifyRequest } from "./supplier-request.ts";

const fulfilment = Type.Object(
  {
    kind: Type.Literal("cable"),
    smartcard_number: text("As sent.", "7032145678", 14),
    customer_name: textOrNull("Who the smartcard belongs to; null where the operator does not say.", "ADEYEMI TUNDE"),
    bouquet: text("The bouquet that was paid.", "Compact", 150),
    months: count("How many periods of the product's validity, usually a month.", { minimum: 1, maximum: 12 }),
    valid_until: instantOrNull("Until when the smartcard is active; null where the operator does not say."),
  },
  { "x-component": "CableDelivery" },
);

const renewal: Claim = { field: "subscription_type", holds: (product) => product.amountType === "variable" };

/** Only the product for renewals renews: suppliers are told by it, whatever else the client said. */
function claimType(type: "change" | "renew"): Claim {
  return { field: renewal.field, holds: (product) => renewal.holds(product) === (type === "renew") };
}

const findings = Type.Object({
  customer_name: text("Who the smartcard belongs to.", "ADEYEMI TUNDE"),
  account_status: Type.Enum(["active", "expired", "suspended", "new"], {
    description: "expired: the bouquet ran out. new: none was ever paid.",
  }),
  current_bouquet: textOrNull("The bouquet that the smartcard has, or had last; null when it is unknown.", "Compact"),
  current_product_id: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    minimum: 1,
    maximum: 2_147_483_647,
    description: "The product that pays this bouquet again; null when we do not offer it.",
    examples: [4004],
  }),
  due_date: Type.Unsafe<string | null>({
    type: ["string", "null"],
    pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    maxLength: 10,
    description: "The last day that is paid for, in the deployment's zone.",
    examples: ["2026-12-20"],
  }),
  renewal_amount: decimalOrNull(
    "The `amount` of a purchase with `subscription_type: renew`, for one period of that bouquet, in naira; null where there is none.",
    "19000.00",
  ),
});

const verify = defineVerification({
  path: "/cable/verify",
  operation: {
    id: "verifySmartcard",
    summary: "Verify a smartcard",
    description:
      "Tells whom a smartcard or IUC number belongs to, which bouquet it has and what keeping it costs. `renewal_amount` is the `amount` of a purchase with `subscription_type: renew`.",
  },
  examples: { Usual: { biller: "dstv", smartcard_number: "7032145678" } },
  body: Type.Object({ biller: billerField, smartcard_number: smartcardNumberField }),
  findings,
  answer: Type.Object({ smartcard_number: text("As sent.", "7032145678", 14), ...findings.properties }),
  read: (body) => ({
    selector: byBiller(body.biller),
    customerRef: body.smartcard_number,
    details: noDetails,
  }),
  answerOf: ({ customerRef }, found, products) => ({
    smartcard_number: customerRef,
    ...found,
    // Without a product for renewals, the bouquet is bought again by its own.
    renewal_amount: products.some(renewal.holds) ? found.renewal_amount : null,
  }),
  simulate: findOut,
});

/** Cable TV: a bouquet by its product, or what a verify named as the renewal amount. */
export const cable = defineCategory({
  slug: "cable",
  title: "Cable TV",
  paths: { purchase: "/cable/purchase" },
  operation: {
    id: "buyCable",
    summary: "Pay a cable TV bouquet",
    description:
      "Pays a bouquet for a smartcard: a product by its `product_id`, or, with `biller`, `subscription_type: renew` and `amount`, the bouquet that the smartcard has, at the renewal amount that verify answered.",
  },
  examples: {
    "A bouquet": { product_id: 4004, smartcard_number: "7032145678", phone: "08031234567" },
    "A renewal": {
      biller: "dstv",
      subscription_type: "renew",
      amount: "12500.00",
      smartcard_number: "7032145678",
      phone: "08031234567",
    },
  },
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
    amount: Type.Optional(nairaField("With `renew`: the renewal amount of one period that verify answered, in naira.")),
    smartcard_number: smartcardNumberField,
    phone: phoneField,
    months: Type.Optional(quantityField(12, "How many periods of the bouquet, usually months: 1 to 12. Default: 1.")),
    verification_id: Type.Optional(verificationIdField),
  }),
  sells: {
    customerLabel: "Smartcard number",
    amountTypes: ["fixed", "variable"],
    needsFace: true,
    quantityMax: 12,
    attributes: noAttributes,
    selectors: {
      biller: ({ biller }) => biller.slug,
      subscription_type: (product) => (renewal.holds(product) ? "renew" : null),
    },
  },
  customerField: "smartcard_number",
  quantityField: "months",
  fulfilment,
  secrets: [],
  // Not the bouquet: of a renewal it is the smartcard's own.
  byHand: { fixed: ["smartcard_number", "months"], proposed: [] },
  read(body) {
    const amount = ifSent(body.amount, nairaOf);
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
        product_id: ifSent(body.product_id, integerOf),
        biller: body.biller ?? null,
        subscription_type: type,
        amount: intentAmount(amount),
        smartcard_number: body.smartcard_number,
        months,
      },
    };
  },
  simulate,
  resolvesTo,
  verify,
});

function selectorOf(
  productId: number | string | undefined,
  biller: string | null,
  type: "change" | "renew" | null,
  hasAmount: boolean,
): ProductSelector {
  if (productId !== undefined) {
    return byProduct(productId, [
      ...(biller === null ? [] : [claimBiller(biller)]),
      ...(type === null ? [] : [claimType(type)]),
    ]);
  }
  if (biller === null || type === "change") {
    throw refuseNothingSelected("biller with subscription_type renew", biller === null ? ["biller"] : []);
  }
  if (type === null)
    throw refuseField("VALIDATION_ERROR", "subscription_type", "Must be renew when product_id is left out.");
  if (!hasAmount) throw refuseField("VALIDATION_ERROR", "amount", "Is required with subscription_type renew.");
  return byBiller(biller, [renewal]);
}

type Fulfilment = Static<typeof fulfilment>;

/** The fulfilment of a purchase: what its supplier tells goes before what was asked for. */
export function paidBouquet(
  request: VendRequest,
  facts: Partial<Pick<Fulfilment, "customer_name" | "valid_until">> & { readonly bouquet?: string | null },
): Fulfilment {
  return {
    kind: "cable",
    smartcard_number: request.customerRef ?? "",
    customer_name: facts.customer_name ?? null,
    bouquet: (facts.bouquet ?? request.plan ?? request.productName).slice(0, 150),
    months: request.quantity,
    valid_until: facts.valid_until ?? null,
  };
}

/** Whether the smartcard's own bouquet is paid, whichever that is: only the product for renewals has no price of its own. */
export function renewsBouquet({ attributes }: VendRequest): boolean {
  return attributes.amount_type === "variable";
}

function simulate(request: VendRequest, zone: WallTime) {
  const days = validityDays(textFact(request.attributes, "validity"), 30);
  return paidBouquet(request, {
    customer_name: madeUpCustomer(request.customerRef ?? "").name,
    valid_until: daysLater(request.at, days * request.quantity, zone),
  });
}

/** A renewal is of the bouquet that verify tells of; of none, where the smartcard never had one. */
function resolvesTo({ productId, customerRef }: VendRequest, products: readonly Product[]): Product | null {
  const isRenewal = products.some((product) => product.id === productId && renewal.holds(product));
  if (!isRenewal || customerRef === null) return null;
  const offers = products
    .filter(({ available }) => available)
    .map((product) => ({ product, face: product.face, productName: product.name }));
  return presentBouquet(customerRef, offers).bouquet?.product ?? null;
}

/** Sandbox smartcards ending in these digits never had a bouquet. */
export const newCardSuffix = "0006";
/** Sold beside a bouquet, but nobody's own. */
const addOn = /add-on|access/i;
/** Chance picks from no more. */
const bouquetsMax = 256;

/** One of the biller's bouquets, paid until some day between last week and next month. */
function findOut({ customerRef, products, at }: VerifyRequest, zone: WallTime) {
  const customer = { customer_name: madeUpCustomer(customerRef).name };
  const { bouquet, chance } = presentBouquet(customerRef, products);
  if (bouquet === undefined) {
    const nothing = { current_bouquet: null, current_product_id: null, due_date: null, renewal_amount: null };
    return { ...customer, account_status: "new" as const, ...nothing };
  }
  const daysLeft = chance.below(38) - 7;
  return {
    ...customer,
    account_status: daysLeft < 0 ? ("expired" as const) : ("active" as const),
    current_bouquet: bouquet.plan ?? bouquet.productName,
    current_product_id: bouquet.productId,
    due_date: daysLater(at, daysLeft, zone).slice(0, 10),
    renewal_amount: bouquet.face === null ? null : formatNaira(bouquet.face),
  };
}

/** The bouquet that a sandbox smartcard has, by its number and what is on offer alone, and the chance that goes on. */
function presentBouquet<Offer extends Pick<OfferedProduct, "face" | "productName">>(
  customerRef: string,
  offers: readonly Offer[],
): { readonly bouquet: Offer | undefined; readonly chance: MadeUp } {
  const bouquets = offers
    .filter(({ face, productName }) => face !== null && !addOn.test(productName))
    .slice(0, bouquetsMax);
  const chance = madeUp(`smartcard/${customerRef}`);
  const isNew = customerRef.endsWith(newCardSuffix) || bouquets.length === 0;
  return { bouquet: isNew ? undefined : bouquets[chance.below(bouquets.length)], chance };
}
