import type { StartingPart, StartingProduct } from "../starting-product.ts";
import { describe, naira, percent, sampleData } from "../starting-product.ts";

type Row = readonly [
  id: number,
  bouquet: string,
  faceNaira: number,
  validity: string,
  isSample?: boolean,
  /** The name in its code, where it was shipped under another name: suppliers' routes use the code. */
  coded?: string,
];

const month = "30 days";
const week = "7 days";

const dstv: readonly Row[] = [
  [4001, "Padi", 4_400, month],
  [4002, "Yanga", 6_000, month],
  [4003, "Confam", 11_000, month],
  [4004, "Compact", 19_000, month],
  [4005, "Compact Plus", 30_000, month],
  [4006, "Premium", 44_500, month],
  [4007, "Premium French", 69_000, month, true],
  [4008, "Premium Asia", 50_500, month, true],
  [4009, "Compact with Xtraview", 25_000, month, true],
  [4010, "Premium with Xtraview", 50_500, month, true],
  [4011, "French Plus add-on", 24_500, month, true],
  [4012, "French Touch add-on", 7_000, month, true],
  [4013, "Asia add-on", 14_900, month, true],
  [4014, "Great Wall add-on", 3_800, month],
  [4015, "Xtraview access", 6_000, month, true],
];

const gotv: readonly Row[] = [
  [4101, "Smallie", 1_900, month],
  [4102, "Smallie Quarterly", 5_100, "90 days"],
  [4103, "Smallie Yearly", 15_000, "365 days", true],
  [4104, "Jinja", 3_900, month],
  [4105, "Jolli", 5_800, month],
  [4106, "Max", 8_500, month],
  [4107, "Supa", 11_400, month],
  [4108, "Supa Plus", 16_800, month],
];

const startimes: readonly Row[] = [
  [4201, "Nova Antenna Weekly", 700, week],
  [4202, "Nova Dish Weekly", 700, week],
  [4203, "Basic Antenna Weekly", 1_400, week],
  [4204, "Basic Dish Weekly", 1_700, week],
  [4205, "Classic Antenna Weekly", 2_000, week],
  [4206, "Smart Dish Weekly", 1_800, week, true],
  [4207, "Super Dish Weekly", 3_300, week, true],
  [4211, "Nova Antenna Monthly", 2_100, month, true],
  [4212, "Nova Dish Monthly", 2_100, month, true],
  [4213, "Basic Antenna Monthly", 4_000, month, true],
  [4214, "Basic Dish Monthly", 5_100, month, true],
  [4215, "Classic Antenna Monthly", 6_000, month, true],
  [4216, "Smart Dish Monthly", 5_300, month, true],
  [4217, "Super Dish Monthly", 9_800, month, true],
];

const showmax: readonly Row[] = [
  [4301, "Mobile", 2_000, month],
  [4302, "Sports only", 3_600, month, false, "Sports Mobile"],
  [4303, "Full", 4_500, month],
  [4304, "Mobile Three Months", 4_000, "90 days"],
  [4305, "Full with Sports", 6_300, month, true],
];

/** Longest advance payment: a year, in the bouquet's own periods. */
const periodsMax = 12;

/** DStv, GOtv, StarTimes and Showmax; a variable product each for renewals of what a smartcard has. Ids from 4001. */
export const cable: StartingPart = {
  billers: [
    { slug: "dstv", name: "DStv", customerLabel: "Smartcard number", requiresVerification: true },
    { slug: "gotv", name: "GOtv", customerLabel: "IUC number", requiresVerification: true },
    { slug: "startimes", name: "StarTimes", customerLabel: "Smartcard number", requiresVerification: true },
    { slug: "showmax", name: "Showmax", customerLabel: "Phone number", requiresVerification: false },
  ].map((biller) => ({ ...biller, category: "cable", customerField: "smartcard_number" })),
  products: [
    ...bouquets("dstv", "DStv", 98.9, dstv),
    renewal(4090, "dstv", "DStv", 98.9, 200_000),
    ...bouquets("gotv", "GOtv", 98.9, gotv),
    renewal(4190, "gotv", "GOtv", 98.9, 100_000),
    ...bouquets("startimes", "StarTimes", 98.4, startimes),
    renewal(4290, "startimes", "StarTimes", 98.4, 100_000),
    ...bouquets("showmax", "Showmax", 98.5, showmax),
  ],
};

function bouquets(biller: string, name: string, sellingPercent: number, rows: readonly Row[]): StartingProduct[] {
  return rows.map(([id, bouquet, faceNaira, validity, isSample = false, coded = bouquet]) => ({
    id,
    code: `${biller}-${coded.toLowerCase().replaceAll(" ", "-")}`,
    biller,
    name: `${name} ${bouquet}`,
    plan: bouquet,
    validity,
    face: naira(faceNaira),
    maxQuantity: periodsMax,
    price: percent(sellingPercent),
    description: describe(isSample),
  }));
}

function renewal(id: number, biller: string, name: string, sellingPercent: number, maxNaira: number): StartingProduct {
  return {
    id,
    code: `${biller}-renewal`,
    biller,
    name: `${name} renewal`,
    plan: "Renewal of the present bouquet",
    validity: month,
    range: [naira(500), naira(maxNaira)],
    maxQuantity: periodsMax,
    price: percent(sellingPercent),
    description: sampleData,
  };
}
