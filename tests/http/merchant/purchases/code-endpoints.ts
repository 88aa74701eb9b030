import { expect } from "vitest";
import { lagosInstant } from "../../../support/wire-expectations.ts";
import type { PurchaseEndpoint } from "./endpoint.ts";

function checkerPin(sequence: number) {
  return {
    sequence,
    pin: expect.stringMatching(/^[0-9]{12}$/),
    serial: expect.stringMatching(/^WRN[0-9]{9}$/),
    expires_at: expect.stringMatching(lagosInstant),
  };
}

function card(sequence: number, fields: object) {
  return {
    sequence,
    code: expect.stringMatching(/\S/),
    pin: null,
    serial: expect.stringMatching(/\S/),
    claim_url: expect.stringMatching(/^https:/),
    expires_at: expect.stringMatching(lagosInstant),
    ...fields,
  };
}

const profile = {
  iccid: expect.stringMatching(/^89[0-9]{17,18}$/),
  lpa: expect.stringMatching(/^LPA:1\$[^$]+\$[^$]+$/),
  smdp_address: expect.stringMatching(/\S/),
  matching_id: expect.stringMatching(/\S/),
  qr_code: expect.stringMatching(/^data:image\/png;base64,/),
  apn: "internet",
  data_mb: 1_024,
  validity_days: 7,
  coverage: ["GB"],
  expires_at: expect.stringMatching(lagosInstant),
};

const loadCode = expect.stringMatching(/^\*311\*[0-9]{17}#$/);
const rechargeOf = (sequence: number) => ({
  sequence,
  pin: expect.stringMatching(/^[0-9]{17}$/),
  serial: expect.stringMatching(/^[0-9]{17}$/),
  load_code: loadCode,
  expires_at: expect.stringMatching(lagosInstant),
});

export const education: PurchaseEndpoint = {
  path: "/education/purchase",
  category: "education",
  body: { product_id: 5001, phone: "08031234567" },
  total: "3250.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { quantity: "1", phone: "234 803 123 4567" },
  different: { quantity: 2 },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: -1 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "6" }, "QUANTITY_OUT_OF_RANGE", "quantity", { min_quantity: 1, max_quantity: 5 }],
    [{ quantity: 1.5 }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: "two" }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: true }, "VALIDATION_ERROR", "quantity"],
    [{ quantity: [1] }, "VALIDATION_ERROR", "quantity"],
    ...["123456789", "12345678901", "12345678x0"].map(
      (code) => [{ profile_code: code }, "VALIDATION_ERROR", "profile_code"] as const,
    ),
    [{ profile_code: 1_234_567_890 }, "VALIDATION_ERROR", "profile_code"],
    [{ product_id: 5051 }, "VALIDATION_ERROR", "profile_code"],
    [
      { product_id: 5051, profile_code: "1234567890", quantity: 2 },
      "QUANTITY_OUT_OF_RANGE",
      "quantity",
      { min_quantity: 1, max_quantity: 1 },
    ],
    [{ phone: "0800" }, "INVALID_PHONE", "phone"],
  ],
  buys: [["a registration with the candidate's profile code", { product_id: 5051, profile_code: "1234567890" }, {}]],
  wholeOf: { quantity: 3 },
  whole: {
    biller: "WAEC Result Checker",
    biller_slug: "waec",
    product_id: 5001,
    product: "WAEC Result Checker PIN",
    plan: "WAEC Result Checker PIN",
    phone: "08031234567",
    customer_ref: "08031234567",
    quantity: 3,
    unit_amount: "3500.00",
    discount: "750.00",
    delivery: {
      kind: "pins",
      exam: "WASSCE",
      pins: [checkerPin(1), checkerPin(2), checkerPin(3)],
      check_url: "https://www.waecdirect.org",
    },
  },
};

const cardOf = (value: string) => expect.objectContaining({ value });

export const giftcard: PurchaseEndpoint = {
  path: "/giftcard/purchase",
  category: "giftcard",
  body: { product_id: 11001 },
  // USD 10 at ₦1,550, and 1.5 % of it as a fee.
  total: "15732.50",
  numbered: (suffix) => ({ recipient_phone: `0803123${suffix}` }),
  required: ["product_id"],
  respelled: { product_id: "11001", quantity: "1", recipient_email: "ada@example.ng" },
  different: { recipient_phone: "08031234567" },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 11 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "1.0" }, "VALIDATION_ERROR", "quantity"],
    [{ amount: "11.00" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [{ product_id: 11010 }, "VALIDATION_ERROR", "amount"],
    [{ product_id: 11010, amount: "0.99" }, "AMOUNT_OUT_OF_RANGE", "amount"],
    [
      { product_id: 11010, amount: "2000.01" },
      "AMOUNT_OUT_OF_RANGE",
      "amount",
      { min_amount: "1.00", max_amount: "2000.00", currency: "USD" },
    ],
    [{ product_id: 11010, amount: "25.555" }, "VALIDATION_ERROR", "amount"],
    [{ recipient_email: "ada" }, "VALIDATION_ERROR", "recipient_email"],
    [{ recipient_phone: "123" }, "INVALID_PHONE", "recipient_phone"],
    [{ phone: "123" }, "INVALID_PHONE", "phone"],
  ],
  buys: [
    [
      "a range product for an amount in the card's currency",
      { product_id: 11010, amount: 25.5, quantity: 2 },
      {
        ...{ unit_amount: "39525.00", amount: "79050.00", fee: "1185.75", total_deducted: "80235.75" },
        delivery: { face_value: "25.50", fx_rate: "1550.00", cards: [cardOf("25.50"), cardOf("25.50")] },
      },
    ],
    [
      "a naira card, which has no rate to speak of, at a discount",
      { product_id: 11901 },
      {
        ...{ unit_amount: "2000.00", discount: "60.00", fee: "0.00", total_deducted: "1940.00" },
        delivery: { face_currency: "NGN", face_value: "2000.00", fx_rate: "1.00" },
      },
    ],
    [
      "for the recipient's number before the buyer's own",
      { recipient_phone: "08051234567", phone: "08031230002" },
      { customer_ref: "08051234567", phone: "08031230002" },
    ],
    [
      "a foreign card, whose price is expected in naira with its fee",
      { product_id: 11010, amount: "10", expected_price: "15732.50" },
      {},
    ],
  ],
  wholeOf: { quantity: 2, recipient_email: "ada@example.ng" },
  whole: {
    biller: "Amazon US",
    biller_slug: "amazon-us",
    product_id: 11001,
    product: "Amazon US USD 10",
    plan: "USD 10",
    quantity: 2,
    unit_amount: "15500.00",
    fee: "465.00",
    delivery: {
      kind: "giftcards",
      brand: "Amazon",
      face_currency: "USD",
      face_value: "10.00",
      fx_rate: "1550.00",
      cards: [card(1, { value: "10.00", currency: "USD" }), card(2, { value: "10.00", currency: "USD" })],
    },
  },
};

export const esim: PurchaseEndpoint = {
  path: "/esim/purchase",
  category: "esim",
  body: { product_id: 12401 },
  total: "6900.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id"],
  respelled: { product_id: "12401", quantity: "1", email: "ada@example.ng" },
  different: { phone: "08031234567" },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 11 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ email: "not an address" }, "VALIDATION_ERROR", "email"],
    [{ email: 5 }, "VALIDATION_ERROR", "email"],
    [{ phone: "+44 7700 900123" }, "INVALID_PHONE", "phone"],
  ],
  buys: [
    [
      "an unlimited plan, which has no volume, in a region of many countries",
      { product_id: 12031 },
      {
        delivery: {
          esims: [{ data_mb: null, validity_days: 7, coverage: expect.arrayContaining(["DE", "FR"]) }],
        },
      },
    ],
  ],
  wholeOf: { quantity: 2, email: "ada@example.ng", phone: "08031234567" },
  whole: {
    biller: "eSIM United Kingdom",
    biller_slug: "esim-gb",
    product_id: 12401,
    product: "United Kingdom 1GB (7 days)",
    plan: "1GB",
    phone: "08031234567",
    customer_ref: "08031234567",
    quantity: 2,
    unit_amount: "6900.00",
    delivery: { kind: "esims", esims: [profile, profile] },
  },
};

export const rechargePin: PurchaseEndpoint = {
  path: "/recharge-pin/purchase",
  category: "recharge_pin",
  body: { network: "MTN", denomination: "100.00", quantity: 2 },
  total: "199.60",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["quantity"],
  respelled: { network: "mtn", denomination: 100, quantity: "2", business_name: "Corner Shop" },
  different: { quantity: 3 },
  malformed: [
    [{ quantity: 0 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: 101 }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    [{ quantity: "-5" }, "QUANTITY_OUT_OF_RANGE", "quantity"],
    ...[2.5, "1.5", true, [1], "ten"].map((quantity) => [{ quantity }, "VALIDATION_ERROR", "quantity"] as const),
    [{ denomination: "100.001" }, "VALIDATION_ERROR", "denomination"],
    [{ denomination: 150 }, "VALIDATION_ERROR", "denomination"],
    [{ denomination: undefined }, "VALIDATION_ERROR", "denomination"],
    [{ network: "STARCOMMS" }, "VALIDATION_ERROR", "network"],
    [{ network: undefined }, "VALIDATION_ERROR", ["product_id", "network"]],
    [{ product_id: 10101 }, "VALIDATION_ERROR", "network"],
    [{ product_id: 10002 }, "VALIDATION_ERROR", "denomination"],
    [{ business_name: "" }, "VALIDATION_ERROR", "business_name"],
    [{ business_name: "x".repeat(61) }, "VALIDATION_ERROR", "business_name"],
    [{ phone: "0803" }, "INVALID_PHONE", "phone"],
  ],
  buys: [
    [
      "by the product's id alone",
      { product_id: 10305, network: undefined, denomination: undefined },
      { network: "AIRTEL", unit_amount: "1000.00" },
    ],
  ],
  wholeOf: { business_name: "Mama Ngozi's Shop" },
  whole: {
    network: "MTN",
    biller: "MTN Recharge PIN",
    biller_slug: "mtn-recharge-pin",
    product_id: 10001,
    product: "MTN ₦100 Recharge PIN",
    plan: "₦100",
    quantity: 2,
    unit_amount: "100.00",
    discount: "0.40",
    delivery: {
      kind: "pins",
      network: "MTN",
      face_amount: "100.00",
      load_code: "*311*PIN#",
      business_name: "Mama Ngozi's Shop",
      pins: [rechargeOf(1), rechargeOf(2)],
    },
  },
};
