import { expect } from "vitest";
import type { Fields, PurchaseEndpoint } from "./endpoint.ts";

const notAmounts = [
  ...["", "0", "0.00", "-100", "100.001", "1e3", "١٠٠", " 100", "+100", "100.", ".5", "1,000", "0x64", "NaN"],
  ...[0, -100, 100.001, 1_000_000_000_000_000, "99999999999.99", true, [100], { naira: 100 }, null],
];

/** Phone numbers of MTN, as many as asked for. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `08035${100_000 + index}`);
}

function sent(phone: string, network: string | null, cost = "5.80") {
  return { phone, network, status: "sent", pages: 1, cost, error_code: null };
}

export function rejected(phone: string, network: string | null, errorCode: string) {
  return { phone, network, status: "rejected", pages: 0, cost: "0.00", error_code: errorCode };
}

const airtimeRange = { min_amount: "50.00", max_amount: "50000.00" };

export const airtime: PurchaseEndpoint = {
  path: "/airtime/purchase",
  category: "airtime",
  body: { network: "MTN", phone: "08031234567", amount: "1000.00" },
  total: "968.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["phone", "amount"],
  respelled: { network: "mtn", phone: "+234 803 123 4567", amount: 1000 },
  different: { amount: "1000.01" },
  malformed: [
    ...notAmounts.map((amount) => [{ amount }, "VALIDATION_ERROR", "amount"] as const),
    [{ amount: "49.99" }, "AMOUNT_OUT_OF_RANGE", "amount", airtimeRange],
    [{ amount: 50_000.01 }, "AMOUNT_OUT_OF_RANGE", "amount", airtimeRange],
    [{ network: "VODAFONE" }, "VALIDATION_ERROR", "network"],
    [{ network: 1 }, "VALIDATION_ERROR", "network"],
    [{ network: undefined }, "VALIDATION_ERROR", ["product_id", "network"]],
    [{ product_id: 2002 }, "VALIDATION_ERROR", "network"],
    [{ phone: "080312345678" }, "INVALID_PHONE", "phone"],
    [{ phone: "08051234567", ported: false }, "NETWORK_MISMATCH", "phone"],
  ],
  buys: [
    // 96.8 % of 50.01 is 48.40968: the fraction of a kobo is the merchant's.
    ["a part of a kobo less", { amount: "50.01" }, { total_deducted: "48.40", discount: "1.61" }],
    ["the smallest amount", { amount: 50 }, { total_deducted: "48.40", discount: "1.60" }],
    ["an amount of one decimal", { amount: "50.0" }, { total_deducted: "48.40", discount: "1.60" }],
    ["the largest amount", { amount: 50_000 }, { total_deducted: "48400.00", discount: "1600.00" }],
    ["a network by its product", { network: undefined, product_id: 2003 }, { network: "9MOBILE" }],
    ["9mobile by its new name", { network: "T2" }, { network: "9MOBILE" }],
    ["a network in any case", { network: "Glo" }, { network: "GLO" }],
    ["a product and its network", { network: "airtel", product_id: "2004" }, { network: "AIRTEL" }],
  ],
  wholeOf: { phone: "0803 123 4567" },
  whole: {
    network: "MTN",
    biller: "MTN Airtime",
    biller_slug: "mtn-airtime",
    product_id: 2001,
    product: "MTN Airtime",
    phone: "08031234567",
    customer_ref: "08031234567",
    unit_amount: "1000.00",
    discount: "32.00",
    delivery: { kind: "topup" },
  },
};

const usualNumber = { phone: "08031234567", customer_ref: "08031234567" };

export const data: PurchaseEndpoint = {
  path: "/data/purchase",
  category: "data",
  body: { product_id: 1002, phone: "08031234567" },
  total: "640.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { product_id: "1002", phone: "+234 803-123-4567", ported: true },
  different: { phone: "08031234568" },
  malformed: [
    [{ product_id: 1.5 }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: "1002.0" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 0 }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: true }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: [1002] }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: null }, "VALIDATION_ERROR", "product_id"],
    ...["4e1", "", " 1002", "١٠٠٢"].map((id) => [{ product_id: id }, "VALIDATION_ERROR", "product_id"] as const),
    [{ phone: "0".repeat(60) }, "INVALID_PHONE", "phone"],
    [{ phone: "0803123456" }, "INVALID_PHONE", "phone"],
    [{ phone: "+1 212 555 0123" }, "INVALID_PHONE", "phone"],
    [{ phone: "٠٨٠٣١٢٣٤٥٦٧" }, "INVALID_PHONE", "phone"],
    [{ phone: 8031234567 }, "VALIDATION_ERROR", "phone"],
    [{ ported: "false" }, "VALIDATION_ERROR", "ported"],
    [{ phone: "08051234567", ported: false }, "NETWORK_MISMATCH", "phone", { network: "GLO" }],
  ],
  buys: [
    [
      "a plan with a face value, at the merchant's discount",
      { product_id: 1062 },
      { unit_amount: "1500.00", face_amount: "1500.00", discount: "30.00", fee: "0.00", total_deducted: "1470.00" },
    ],
    ...["0803 123 4567", "2348031234567", "+2348031234567", "+234-803-123-4567", " 08031234567 "].map(
      (phone) => [`for ${phone}, stored in its local form`, { phone }, usualNumber] as const,
    ),
    ["another network's plan for a ported number", { phone: "08051234567", ported: true }, {}],
    ["another network's plan where nothing is said of porting", { phone: "08051234567" }, {}],
    ["for 0009, a number like any other in a purchase", { phone: "08031230009" }, {}],
  ],
  whole: {
    network: "MTN",
    biller: "MTN Data",
    biller_slug: "mtn-data",
    product_id: 1002,
    product: expect.stringContaining("1GB"),
    plan: "1GB",
    phone: "08031234567",
    customer_ref: "08031234567",
    unit_amount: "640.00",
    delivery: { kind: "topup" },
  },
};

export const voice: PurchaseEndpoint = {
  path: "/voice/purchase",
  category: "voice",
  body: { product_id: 8101, phone: "08031234567" },
  total: "291.00",
  numbered: (suffix) => ({ phone: `0803123${suffix}` }),
  required: ["product_id", "phone"],
  respelled: { product_id: "8101", phone: "2348031234567" },
  different: { product_id: 8102 },
  malformed: [
    [{ product_id: "MTN" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: "-1" }, "VALIDATION_ERROR", "product_id"],
    [{ product_id: 2_147_483_648 }, "VALIDATION_ERROR", "product_id"],
    [{ phone: "" }, "INVALID_PHONE", "phone"],
    [{ phone: ["08031234567"] }, "VALIDATION_ERROR", "phone"],
  ],
  buys: [
    [
      "of a provider that is no mobile network, and so has none",
      { product_id: 8001 },
      { network: null, biller_slug: "smile-voice" },
    ],
  ],
  whole: {
    network: "MTN",
    biller: "MTN XtraValue",
    biller_slug: "mtn-voice",
    product_id: 8101,
    product: "MTN XtraValue XtraTalk 300 (3 days)",
    plan: "XtraTalk 300",
    phone: "08031234567",
    customer_ref: "08031234567",
    unit_amount: "300.00",
    discount: "9.00",
    delivery: { kind: "topup" },
  },
};

/** What two recipients get, and pay. */
function pagesOf(encoding: string, pages: number, characters: number): Fields {
  const results = Array.from({ length: 2 }, () => expect.objectContaining({ pages, cost: (5.8 * pages).toFixed(2) }));
  return { quantity: 2 * pages, unit_amount: "5.80", delivery: { encoding, pages, characters, results } };
}

export const sms: PurchaseEndpoint = {
  path: "/sms/send",
  category: "sms",
  body: { sender_id: "DISPENSE", message: "Hello", recipients: ["08031234567", "08051234567"] },
  total: "11.60",
  numbered: (suffix) => ({ recipients: [`0803123${suffix}`, "08051234567"] }),
  required: ["sender_id", "message", "recipients"],
  respelled: { recipients: "0803-123-4567, +2348051234567", route: "standard" },
  different: { message: "Hello!" },
  malformed: [
    [{ sender_id: "ab" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: "TWELVELETTER" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: "MY_SHOP" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: 12345 }, "VALIDATION_ERROR", "sender_id"],
    [{ message: "" }, "VALIDATION_ERROR", "message"],
    [{ message: "x".repeat(1_531) }, "VALIDATION_ERROR", "message"],
    [{ message: ["Hello"] }, "VALIDATION_ERROR", "message"],
    [{ recipients: [] }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: "" }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: " , ," }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: ["0803", "+1 212 555 0123"] }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: { 0: "08031234567" } }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: ["08031234567", 8_051_234_567] }, "VALIDATION_ERROR", "recipients.1"],
    [{ recipients: numbers(501) }, "TOO_MANY_ITEMS", "recipients", { max_items: 500 }],
    [{ recipients: numbers(501).join() }, "TOO_MANY_ITEMS", "recipients", { max_items: 500 }],
    [{ route: "express" }, "VALIDATION_ERROR", "route"],
  ],
  buys: [
    ...(
      [
        ["160 of GSM-7 are a page", "a".repeat(160), "GSM-7", 1],
        ["161 are two", "a".repeat(161), "GSM-7", 2],
        ["a euro sign takes two places", `€${"a".repeat(159)}`, "GSM-7", 2],
        ["an extension character is not split over two pages", `${"a".repeat(152)}€${"a".repeat(152)}`, "GSM-7", 3],
        ["70 of UCS-2 are a page", "ṣ".repeat(70), "UCS-2", 1],
        ["71 are two", "ṣ".repeat(71), "UCS-2", 2],
        ["a surrogate pair is not split over two pages", `${"ṣ".repeat(66)}😀${"ṣ".repeat(66)}`, "UCS-2", 3],
      ] as const
    ).map(
      ([name, message, encoding, pages]) => [name, { message }, pagesOf(encoding, pages, [...message].length)] as const,
    ),
    [
      "500 recipients on the route for numbers that opted out",
      { recipients: numbers(500), route: "dnd" },
      {
        ...{ quantity: 500, unit_amount: "7.50", total_deducted: "3750.00", plan: "DND" },
        delivery: { accepted: 500, rejected: 0 },
      },
    ],
    ["a later recipient's ending changes nothing", { recipients: "08051234567,08031230002" }, {}],
  ],
  wholeOf: { recipients: ["0803", "0805 123 4567", "+234 803 123 4567", "2348051234567"] },
  whole: {
    biller: "Bulk SMS, standard route",
    biller_slug: "sms-standard",
    product_id: 9001,
    product: "SMS, standard route",
    plan: "Standard",
    phone: "08051234567",
    customer_ref: "08051234567",
    quantity: 2,
    unit_amount: "5.80",
    delivery: {
      kind: "sms",
      encoding: "GSM-7",
      characters: 5,
      pages: 1,
      accepted: 2,
      rejected: 2,
      results: [
        rejected("0803", null, "INVALID_NUMBER"),
        sent("08051234567", "GLO"),
        sent("08031234567", "MTN"),
        rejected("08051234567", "GLO", "DUPLICATE"),
      ],
    },
  },
};
