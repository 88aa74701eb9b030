import type { wishes } from "../../../tests/support/suppliers/vend-requests.ts";
import type { Chance } from "../chance.ts";

type Body = Readonly<Record<string, unknown>>;

/** What is bought in one category. */
export interface Ware {
  readonly category: string;
  /** The requests of the conformance suite that it is: a supplier that has a code for one of them sells it. */
  readonly wishes: readonly (keyof typeof wishes)[];
  /** As the starting catalogue has it. */
  readonly productId: number;
  /** Codes of suppliers that have none for these, or one that is too narrow. */
  readonly codes?: Readonly<Record<string, string>>;
  /** Suppliers that need no code. */
  readonly byOurselves?: readonly OurOwn[];
  readonly path: string;
  /** How often it is bought. */
  readonly weight: number;
  /** The number that is bought for, out of a count that no other purchase has. */
  readonly numberOf: (count: number) => string;
  readonly body: (bought: Bought, chance: Chance) => Body;
  readonly verify?: { readonly path: string; readonly body: (number: string) => Body };
}

/** Suppliers without a stub: a person, and our own stock. */
export type OurOwn = "manual" | "voucher-stock";

interface Bought {
  readonly number: string;
  /** The merchant's reference: also in what the supplier is sent, where there is room for a text. */
  readonly reference: string;
}

const phone = (count: number) => `0803${digits(count, 7)}`;
const digits = (count: number, length: number) => String(count).padStart(length, "0");
const naira = (chance: Chance, least: number, most: number) => `${chance.whole(least, most)}.00`;
const email = (reference: string) => `${reference}@example.ng`;

/** Everything that is sold: one product of each category. The routes follow from it and from the registry. */
export const wares: readonly Ware[] = [
  {
    category: "airtime",
    wishes: ["airtime"],
    productId: 2001,
    path: "/airtime/purchase",
    weight: 16,
    numberOf: phone,
    body: ({ number }, chance) => ({ network: "MTN", phone: number, amount: naira(chance, 50, 900) }),
  },
  {
    category: "data",
    wishes: ["data"],
    productId: 1002,
    path: "/data/purchase",
    weight: 16,
    numberOf: phone,
    body: ({ number }) => ({ product_id: 1002, phone: number }),
  },
  {
    category: "voice",
    wishes: ["voice"],
    productId: 8101,
    codes: { vtpass: "mtn-voice/xtra-300" },
    byOurselves: ["manual"],
    path: "/voice/purchase",
    weight: 6,
    numberOf: phone,
    body: ({ number }) => ({ product_id: 8101, phone: number }),
  },
  {
    category: "electricity",
    wishes: ["electricity, prepaid"],
    productId: 3001,
    path: "/electricity/purchase",
    weight: 10,
    numberOf: (count) => `45${digits(count, 9)}`,
    body: ({ number }, chance) => ({
      biller: "ikeja-electric",
      meter_type: "prepaid",
      meter_number: number,
      amount: naira(chance, 1_000, 9_000),
      phone: "08031234567",
    }),
    verify: {
      path: "/electricity/verify",
      body: (number) => ({ biller: "ikeja-electric", meter_number: number, meter_type: "prepaid" }),
    },
  },
  {
    category: "cable",
    wishes: ["cable"],
    productId: 4004,
    path: "/cable/purchase",
    weight: 10,
    numberOf: (count) => `70${digits(count, 8)}`,
    body: ({ number }) => ({ product_id: 4004, smartcard_number: number, phone: "08031234567" }),
    verify: { path: "/cable/verify", body: (number) => ({ biller: "dstv", smartcard_number: number }) },
  },
  {
    category: "education",
    // A supplier that sells one at a time refuses the others, and the next one is asked.
    wishes: ["education", "education, one"],
    productId: 5001,
    byOurselves: ["voucher-stock"],
    path: "/education/purchase",
    weight: 7,
    numberOf: phone,
    body: ({ number }, chance) => ({ product_id: 5001, quantity: chance.whole(1, 3), phone: number }),
  },
  {
    category: "internet",
    wishes: ["internet"],
    productId: 7008,
    byOurselves: ["manual"],
    path: "/internet/purchase",
    weight: 6,
    numberOf: (count) => `07${digits(count, 8)}`,
    body: ({ number }) => ({ product_id: 7008, account_number: number }),
    verify: { path: "/internet/verify", body: (number) => ({ biller: "smile", account_number: number }) },
  },
  {
    category: "betting",
    wishes: ["betting"],
    productId: 6001,
    byOurselves: ["manual"],
    path: "/betting/fund",
    weight: 7,
    numberOf: (count) => `31${digits(count, 7)}`,
    body: ({ number }, chance) => ({ biller: "bet9ja", customer_id: number, amount: naira(chance, 100, 5_000) }),
    verify: { path: "/betting/verify", body: (number) => ({ biller: "bet9ja", customer_id: number }) },
  },
  {
    category: "recharge_pin",
    wishes: ["recharge_pin"],
    productId: 10001,
    byOurselves: ["voucher-stock"],
    path: "/recharge-pin/purchase",
    weight: 7,
    numberOf: phone,
    body: ({ number, reference }, chance) => ({
      network: "MTN",
      denomination: "100.00",
      quantity: chance.whole(1, 5),
      business_name: reference,
      phone: number,
    }),
  },
  {
    category: "giftcard",
    wishes: ["giftcard"],
    productId: 11010,
    codes: { reloadly: "5" }, // of any value
    byOurselves: ["voucher-stock"],
    path: "/giftcard/purchase",
    weight: 6,
    numberOf: phone,
    body: ({ number, reference }, chance) => ({
      product_id: 11010,
      quantity: chance.whole(1, 2),
      amount: `${chance.whole(5, 50)}.00`,
      recipient_email: email(reference),
      recipient_phone: number,
    }),
  },
  {
    category: "esim",
    wishes: ["esim"],
    productId: 12401,
    byOurselves: ["manual"],
    path: "/esim/purchase",
    weight: 5,
    numberOf: phone,
    body: ({ number, reference }) => ({ product_id: 12401, phone: number, email: email(reference) }),
  },
  {
    category: "sms",
    wishes: ["sms"],
    productId: 9001,
    byOurselves: ["manual"],
    path: "/sms/send",
    weight: 6,
    numberOf: phone,
    // Some suppliers of texts know no reference of ours: the text itself says, with its last word, whose it is.
    body: ({ number, reference }) => ({
      sender_id: "DISPENSE",
      message: `Your order is ready: ${reference}`,
      recipients: [number, `0805${number.slice(4)}`],
    }),
  },
];

/** What both suppliers of the other run sell: MTN's airtime and data, and one PIN at a time, which is one sale's alone. */
export const stormWares: readonly Ware[] = wares.flatMap((ware) => {
  if (ware.category === "airtime") return [{ ...ware, weight: 55 }];
  if (ware.category === "data") return [{ ...ware, weight: 35 }];
  const body: Ware["body"] = ({ number }) => ({ product_id: ware.productId, quantity: 1, phone: number });
  return ware.category === "education" ? [{ ...ware, weight: 10, body }] : [];
});
