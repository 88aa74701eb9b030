import type { CategorySlug } from "../../src/categories/category-slugs.ts";

export interface SamplePurchase {
  readonly category: CategorySlug;
  /** Below the merchant prefix. */
  readonly path: string;
  /** A complete request but for its reference. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What to change so that the customer's number ends so. */
  readonly numbered: (suffix: string) => Readonly<Record<string, unknown>>;
}

const phone = "08031234567";
const byPhone = (suffix: string) => ({ phone: `0803123${suffix}` });

/** One purchase of each category, as merchants make them. */
export const samplePurchases: readonly SamplePurchase[] = [
  { category: "data", path: "/data/purchase", body: { product_id: 1002, phone }, numbered: byPhone },
  { category: "airtime", path: "/airtime/purchase", body: { network: "MTN", amount: "100", phone }, numbered: byPhone },
  {
    category: "electricity",
    path: "/electricity/purchase",
    body: { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", amount: 5_000, phone },
    numbered: (suffix) => ({ meter_number: `4501234${suffix}` }),
  },
  {
    category: "cable",
    path: "/cable/purchase",
    body: { product_id: 4101, smartcard_number: "7032145678", phone },
    numbered: (suffix) => ({ smartcard_number: `703214${suffix}` }),
  },
  { category: "education", path: "/education/purchase", body: { product_id: 5001, phone }, numbered: byPhone },
  { category: "giftcard", path: "/giftcard/purchase", body: { product_id: 11901 }, numbered: byPhone },
  { category: "esim", path: "/esim/purchase", body: { product_id: 12401 }, numbered: byPhone },
  {
    category: "betting",
    path: "/betting/fund",
    body: { biller: "bet9ja", customer_id: "1042377", amount: "1500" },
    numbered: (suffix) => ({ customer_id: `104${suffix}` }),
  },
  {
    category: "internet",
    path: "/internet/purchase",
    body: { product_id: 7101, account_number: "0702123456" },
    numbered: (suffix) => ({ account_number: `070212${suffix}` }),
  },
  { category: "voice", path: "/voice/purchase", body: { product_id: 8101, phone }, numbered: byPhone },
  {
    category: "sms",
    path: "/sms/send",
    body: { sender_id: "DISPENSE", message: "Hello", recipients: [phone] },
    numbered: (suffix) => ({ recipients: [`0803123${suffix}`] }),
  },
  {
    category: "recharge_pin",
    path: "/recharge-pin/purchase",
    body: { network: "MTN", denomination: "100", quantity: 2 },
    numbered: byPhone,
  },
];

export function sampleOf(category: CategorySlug): SamplePurchase {
  const sample = samplePurchases.find((purchase) => purchase.category === category);
  if (sample === undefined) throw new Error(`no sample of ${category}`);
  return sample;
}
