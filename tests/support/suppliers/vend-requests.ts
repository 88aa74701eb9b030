import type { VendRequest, VerifyRequest } from "../../../src/categories/supplier-request.ts";
import { purchaseIdMinter } from "../../../src/kernel/ids.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { testTransactionIds } from "../transaction-ids.ts";

/** Noon in Lagos: an hour from any change of day. */
export const noon = Date.UTC(2026, 10, 20, 11, 0, 30, 250);

/** A clock that tests move. */
export function movableClock(start = noon) {
  const clock = { time: start, now: () => clock.time };
  return clock;
}

const mint = purchaseIdMinter({ now: () => noon }, 7);

/** A live request with a purchase id of its own; the category's usual product unless said otherwise. */
export function vendRequest(wish: Partial<VendRequest> = {}): VendRequest {
  const transactionId = testTransactionIds.format(mint(), "live");
  const attempt = wish.attempt ?? 1;
  return {
    transactionId,
    attempt,
    supplierReference: `${wish.transactionId ?? transactionId}-${attempt}`,
    supplierCode: null,
    providerReference: null,
    notReceivedMs: null,
    at: noon,
    mode: "live",
    category: "airtime",
    productId: 1001,
    productCode: "mtn-airtime",
    productName: "MTN airtime",
    plan: null,
    billerSlug: "mtn-airtime",
    billerName: "MTN",
    network: "MTN",
    attributes: {},
    customerRef: "08031234567",
    phone: "08031234567",
    quantity: 1,
    unitAmount: kobo(10_000n),
    faceAmount: kobo(10_000n),
    details: {},
    ...wish,
  };
}

/** What is particular to one category's requests. */
export const wishes = {
  airtime: {},
  data: { category: "data", productName: "MTN 1GB", plan: "1GB" },
  voice: { category: "voice", productName: "MTN talk" },
  "electricity, prepaid": electricity("prepaid"),
  "electricity, postpaid": electricity("postpaid"),
  cable: {
    category: "cable",
    customerRef: "7032145678",
    billerSlug: "dstv",
    billerName: "DStv",
    productName: "DStv Compact",
    details: { subscription_type: null, months: 1 },
  },
  "cable, renewed": {
    category: "cable",
    customerRef: "7032145678",
    billerSlug: "dstv",
    billerName: "DStv",
    productName: "DStv renewal",
    attributes: { amount_type: "variable" },
    details: { subscription_type: null, months: 1 },
  },
  education: {
    category: "education",
    quantity: 2,
    billerName: "WAEC",
    productName: "Result checker",
    details: { profile_code: null },
  },
  "education, one": {
    category: "education",
    billerName: "WAEC",
    productName: "Result checker",
    details: { profile_code: null },
  },
  internet: { category: "internet", customerRef: "0702123456", productName: "Smile 5GB", plan: "5GB" },
  betting: { category: "betting", customerRef: "1042377", phone: null, billerName: "Bet9ja" },
  recharge_pin: {
    category: "recharge_pin",
    quantity: 3,
    productName: "MTN 100",
    details: { business_name: "Corner Shop" },
  },
  giftcard: {
    category: "giftcard",
    customerRef: null,
    phone: null,
    quantity: 2,
    billerName: "Amazon",
    productName: "Amazon USD",
    attributes: { brand: "Amazon", face_currency: "USD", fx_rate: "1600.00" },
    details: { value: "10.00", recipient_email: "ada@example.ng" },
  },
  esim: {
    category: "esim",
    customerRef: null,
    phone: null,
    productName: "UK 1GB",
    attributes: { data_mb: 1_024, validity_days: 7, coverage: ["GB"] },
    details: { email: "ada@example.ng" },
  },
  esims: { category: "esim", quantity: 3, productName: "UK 1GB", attributes: { validity_days: 7 } },
  sms: {
    category: "sms",
    productName: "SMS, standard route",
    quantity: 2,
    unitAmount: kobo(580n),
    faceAmount: kobo(1_160n),
    details: {
      sender_id: "DISPENSE",
      message: "Your code is 4711 92",
      route: "standard",
      recipients: [
        { phone: "08031234567", error_code: null },
        { phone: " 0803 ", error_code: "INVALID_NUMBER" },
        { phone: "08051234567", error_code: null },
        { phone: "08031234567", error_code: "DUPLICATE" },
      ],
    },
  },
} satisfies Record<string, Partial<VendRequest>>;

function electricity(meterType: "prepaid" | "postpaid") {
  return {
    category: "electricity",
    customerRef: "45012345678",
    billerSlug: "ikeja-electric",
    billerName: "Ikeja Electric",
    productName: `Ikeja Electric ${meterType}`,
    attributes: { meter_type: meterType } as JsonObject,
    details: { meter_type: meterType } as JsonObject,
  };
}

export function verifyRequest(wish: Partial<VerifyRequest> = {}): VerifyRequest {
  return {
    mode: "live",
    category: "electricity",
    billerSlug: "ikeja-electric",
    billerName: "Ikeja Electric",
    customerRef: "45012345678",
    supplierCode: null,
    details: { meter_type: "prepaid" },
    products: [],
    at: noon,
    ...wish,
  };
}
