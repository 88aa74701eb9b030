import { expect } from "vitest";
import type { CategorySlug } from "../../../src/categories/category-slugs.ts";
import type { Fields } from "../../support/legacy-endpoint.ts";

/** What the selling endpoints of the older script differ in. */
export interface LegacyEndpoint {
  /** Without its trailing slash. */
  readonly path: string;
  readonly category: CategorySlug;
  /** A complete request but for its ident. Costs `total` and succeeds. */
  readonly usual: Fields;
  /** The field whose last four digits decide in the sandbox, and a number that ends in them. */
  readonly numbered: (suffix: string) => Fields;
  readonly total: string;
  /** The fields of the answer that this endpoint has beside those of all. */
  readonly own: Fields;
  /** The same purchase at the merchant API. */
  readonly successor: { readonly path: string; readonly body: Fields };
  /** The same purchase in other spellings. */
  readonly respelled: readonly Fields[];
  /** Another purchase: its ident may not be the same. */
  readonly different: Fields;
  /** Fields that are refused when they are missing, in their order. */
  readonly required: readonly string[];
  /** One wrong field each, and the text of its refusal. */
  readonly malformed: readonly (readonly [change: Fields, text: string])[];
}

const digits = (count: number) => expect.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const naira = expect.stringMatching(/^[0-9]+\.[0-9]{2}$/);

const noAmount = "amount: Must be a positive amount with at most two decimals.";
const noSuchPlan = "plan: There is no such data plan.";
const noPlan = "plan: Must be a whole number from 1 to 2147483647.";
const noPhone = "mobile_number: Must be a Nigerian mobile number such as 08031234567.";
const noNetwork = "network: Must be a network's number or name.";
const unknownNetwork = "network: Must be a network's number (1 MTN, 2 GLO, 3 9MOBILE, 4 AIRTEL) or name.";

/** What is wrong with a network or a number, wherever both are sent. */
const malformedNumbers = [
  ...[0, -1, 100, "1.0", "M T N", true, [1]].map((network) => [{ network }, noNetwork] as const),
  ...[5, "05", "0", "VODAFONE"].map((network) => [{ network }, unknownNetwork] as const),
  ...["0803123456", "12345678901", 7_777_777_777, 1].map((number) => [{ mobile_number: number }, noPhone] as const),
  [{ mobile_number: "0\u0000" }, "mobile_number: Must not contain a NUL character."] as const,
];

/** Spellings of a network and a number, and what need not be said. */
const respelledNumbers: readonly Fields[] = [
  { network: " 1 ", mobile_number: "08031234567\n" }, // as forms are typed
  { mobile_number: "+234 803 123 4567" },
  { mobile_number: 8_031_234_567 }, // it lost its zero
  { mobile_number: "8031234567" },
  { mobile_number: 2_348_031_234_567 },
  { Ported_number: null },
  { Ported_number: "" },
  { payment_medium: "x", pin: "1234", customer_ref: "7" }, // fields of other deployments
];

export const data: LegacyEndpoint = {
  path: "/api/data",
  category: "data",
  usual: { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true },
  numbered: (suffix) => ({ mobile_number: `0803123${suffix}` }),
  total: "640.00",
  own: {
    ...{ network: 1, plan_network: "MTN", mobile_number: "08031234567", Ported_number: true },
    ...{ plan: 2, plan_type: "SME", plan_name: "1GB", duration: "30 days", payment_medium: "MAIN WALLET" },
    api_response: "MTN 1GB SME (30 days) for 08031234567: successful.",
  },
  successor: { path: "/data/purchase", body: { product_id: 1002, phone: "08031234567" } },
  respelled: [{ network: "1", plan: "2", Ported_number: "True" }, ...respelledNumbers],
  different: { plan: 3 },
  required: ["network", "mobile_number", "plan"],
  malformed: [
    ...[777, 999_999, 2001].map((plan) => [{ plan }, noSuchPlan] as const),
    ...["1GB", 1.5, 0, "9".repeat(200)].map((plan) => [{ plan }, noPlan] as const),
    [{ network: 2 }, 'network: Does not fit the product 1002, "MTN 1GB SME (30 days)".'],
    ...malformedNumbers,
  ],
};

export const topup: LegacyEndpoint = {
  path: "/api/topup",
  category: "airtime",
  usual: { network: 1, amount: 100, mobile_number: "08031234567", Ported_number: true, airtime_type: "VTU" },
  numbered: (suffix) => ({ mobile_number: `0803123${suffix}` }),
  total: "96.80",
  own: {
    ...{ network: 1, plan_network: "MTN", mobile_number: "08031234567", Ported_number: true },
    ...{ airtime_type: "VTU", amount: "100.00", plan_amount: "100.00", paid_amount: "96.80" },
    api_response: "MTN Airtime for 08031234567: successful.",
  },
  successor: { path: "/airtime/purchase", body: { network: "MTN", phone: "08031234567", amount: 100 } },
  respelled: [{ network: "1", amount: "100", Ported_number: "true" }, ...respelledNumbers],
  different: { amount: 101 },
  required: ["network", "amount", "mobile_number"],
  malformed: [
    ...[0, -100, "1,000", "₦100", 100.001, true].map((amount) => [{ amount }, noAmount] as const),
    [{ amount: "49.99" }, "amount: Must be at least 50.00."],
    [{ amount: 50_001 }, "amount: Must be at most 50000.00."],
    ...["Share and Sell", "awuf4U"].map((type) => [{ airtime_type: type }, "airtime_type: Must be VTU."] as const),
    ...malformedNumbers,
  ],
};

export const endpoints: readonly LegacyEndpoint[] = [
  data,
  topup,
  {
    path: "/api/cablesub",
    category: "cable",
    usual: { cablename: 2, cableplan: 4004, smart_card_number: "7032145678" },
    numbered: (suffix) => ({ smart_card_number: `703214${suffix}` }),
    total: "18791.00",
    own: {
      cablename: "DSTV",
      cableplan: 4004,
      package: "Compact",
      smart_card_number: "7032145678",
      customer_name: expect.stringMatching(/./),
      paid_amount: "18791.00",
    },
    successor: {
      path: "/cable/purchase",
      body: { product_id: 4004, smartcard_number: "7032145678", phone: "08031234567" },
    },
    respelled: [
      { cablename: "DSTV", cableplan: "4004" },
      { cablename: "dstv", smart_card_number: 7_032_145_678 },
      { cablename: "2", smart_card_number: undefined, iuc: "7032145678", phone: "08031234567" },
    ],
    different: { smart_card_number: "7032145679" },
    required: ["cablename", "cableplan", "smart_card_number"],
    malformed: [
      [{ cableplan: 999_999 }, "cableplan: There is no such plan."],
      [{ cableplan: 1002 }, "cableplan: There is no such plan."],
      [{ cableplan: "Compact" }, "cableplan: Must be a whole number from 1 to 2147483647."],
      [{ cablename: 1 }, 'cablename: Does not fit the product 4004, "DStv Compact".'],
      [{ cablename: 9 }, "cablename: Must be a number (1 GOTV, 2 DSTV, 3 STARTIME, 4 SHOWMAX) or a name."],
      [{ cablename: undefined }, "cablename: Is required."],
      [{ smart_card_number: "123" }, "smart_card_number: Must have 8 to 14 digits."],
      [{ mobile_number: "080" }, noPhone],
    ],
  },
  {
    path: "/api/billpayment",
    category: "electricity",
    usual: { disco_name: 1, amount: 5_000, meter_number: "45012345678", MeterType: 1 },
    numbered: (suffix) => ({ meter_number: `4501234${suffix}` }),
    total: "4975.00",
    own: {
      package: "Ikeja Electric",
      disco_name: "Ikeja Electric",
      amount: "5000.00",
      Customer_Phone: "",
      meter_number: "45012345678",
      token: expect.stringMatching(/^[0-9]{20}(,[0-9]{20})*$/),
      units: naira,
      MeterType: 1,
      paid_amount: "4975.00",
      customer_name: expect.stringMatching(/./),
      customer_address: expect.stringMatching(/./),
    },
    successor: {
      path: "/electricity/purchase",
      body: {
        biller: "ikeja-electric",
        meter_type: "prepaid",
        meter_number: "45012345678",
        amount: "5000",
        phone: "08031234567",
      },
    },
    respelled: [
      { disco_name: "Ikeja Electric", MeterType: "PREPAID", amount: "5000.00" },
      { disco_name: "ikeja-electric", MeterType: "1" },
      { disco_name: "IKEDC", MeterType: "prepaid", Customer_Phone: "08031234567" },
    ],
    different: { amount: 5_001 },
    required: ["disco_name", "amount", "meter_number", "MeterType"],
    malformed: [
      [{ disco_name: 40 }, "disco_name: Must be a number (1 Ikeja Electric…"],
      [{ disco_name: "Lagos" }, "disco_name: Must be a number (1 Ikeja Electric…"],
      [{ MeterType: 3 }, "MeterType: Must be 1 (prepaid) or 2 (postpaid)."],
      [{ MeterType: undefined }, "MeterType: Is required."],
      [{ amount: 1 }, "amount: Must be at least 1000.00."],
      [{ amount: "x" }, noAmount],
      [{ meter_number: "12" }, "meter_number: Must have 6 to 13 digits."],
    ],
  },
  {
    path: "/api/epin",
    category: "education",
    usual: { exam_name: "WAEC", quantity: 2, mobile_number: "08031234567" },
    numbered: (suffix) => ({ mobile_number: `0803123${suffix}` }),
    total: "6500.00",
    own: {
      exam_name: "WAEC",
      quantity: 2,
      amount: "7000.00",
      previous_balance: naira,
      after_balance: naira,
      pins: expect.stringMatching(/^[0-9]{12}<=>WRN[0-9]{9},[0-9]{12}<=>WRN[0-9]{9}$/),
    },
    successor: { path: "/education/purchase", body: { product_id: 5001, quantity: 2, phone: "08031234567" } },
    respelled: [{ exam_name: 1 }, { exam_name: "waec", quantity: "2" }, { exam_name: "5001" }],
    different: { quantity: 1 },
    required: ["exam_name"],
    malformed: [
      [
        { exam_name: "GCSE" },
        "exam_name: Must be a number (1 WAEC, 2 NECO, 3 NABTEB, 4 NBAIS, 5 WAEC GCE, 6 JAMB) or a name.",
      ],
      [{ exam_name: 1002 }, "exam_name: There is no such exam."],
      [{ exam_name: undefined }, "exam_name: Is required."],
      [{ quantity: 6 }, "quantity: Must be a whole number from 1 to 5."],
      [{ exam_name: "JAMB", quantity: 1 }, "profile_code: Is required for this product."],
    ],
  },
  {
    path: "/api/rechargepin",
    category: "recharge_pin",
    usual: { network: 1, network_amount: 100, quantity: 2, name_on_card: "Corner Shop" },
    numbered: (suffix) => ({ mobile_number: `0803123${suffix}` }),
    total: "199.60",
    own: {
      network: 1,
      plan_network: "MTN",
      network_amount: "100.00",
      quantity: 2,
      name_on_card: "Corner Shop",
      amount: "200.00",
      previous_balance: naira,
      after_balance: naira,
      data_pin: [1, 2].map((pk) => ({
        model: "app.recharge_pin",
        pk,
        fields: {
          network: 1,
          amount: "100.00",
          pin: digits(17),
          serial: digits(17),
          load_code: expect.stringMatching(/^\*311\*[0-9]{17}#$/),
        },
      })),
    },
    successor: { path: "/recharge-pin/purchase", body: { network: "MTN", denomination: "100", quantity: 2 } },
    respelled: [
      { network: "mtn", network_amount: "100.00" },
      { network: "1", quantity: "2", network_amount: undefined, amount: 100 },
      { name_on_card: undefined, businessname: "Corner Shop" },
    ],
    different: { quantity: 3 },
    required: ["network", "network_amount"],
    malformed: [
      [{ network: 7 }, unknownNetwork],
      [{ network_amount: 123 }, "network_amount: …"],
      [{ network_amount: undefined }, "network_amount: Is required."],
      [{ quantity: 101 }, "quantity: Must be a whole number from 1 to 100."],
      [{ network: 2, network_amount: 10_001 }, "network: Does not fit the product 10001, …"],
    ],
  },
];
