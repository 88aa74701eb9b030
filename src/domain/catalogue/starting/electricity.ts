import { meterTypes } from "../../../categories/product/product.ts";
import type { StartingPart } from "../starting-product.ts";
import { naira, percent, sampleData } from "../starting-product.ts";

type Row = readonly [
  firstId: number,
  slug: string,
  name: string,
  area: string,
  minNaira: number,
  commissionPercent: number,
  sellingPercent: number,
];

/** The selling price leaves merchants half of the disco's commission: sample data. */
const rows: readonly Row[] = [
  [
    3001,
    "ikeja-electric",
    "Ikeja Electric (IKEDC)",
    "Abule Egba, Akowonjo, Ikeja, Ikorodu, Oshodi, Shomolu",
    1_000,
    1,
    99.5,
  ],
  [3003, "eko-electric", "Eko Electricity (EKEDC)", "South Lagos, Agbara", 1_000, 1, 99.5],
  [3005, "abuja-electric", "Abuja Electricity (AEDC)", "FCT, Kogi, Niger, Nasarawa", 1_000, 1.2, 99.4],
  [3007, "kano-electric", "Kano Electricity (KEDCO)", "Kano, Katsina, Jigawa", 1_000, 1, 99.5],
  [
    3009,
    "portharcourt-electric",
    "Port Harcourt Electricity (PHED)",
    "Rivers, Bayelsa, Akwa Ibom, Cross River",
    2_000,
    2,
    99,
  ],
  [
    3011,
    "ibadan-electric",
    "Ibadan Electricity (IBEDC)",
    "Oyo, Ogun, Osun, Kwara, parts of Niger, Ekiti, Kogi",
    2_000,
    1.1,
    99.45,
  ],
  [3013, "kaduna-electric", "Kaduna Electric (KAEDCO)", "Kaduna, Kebbi, Sokoto, Zamfara", 1_000, 1.5, 99.25],
  [3015, "jos-electric", "Jos Electricity (JED)", "Bauchi, Benue, Gombe, Plateau", 1_000, 0.9, 99.55],
  [3017, "enugu-electric", "Enugu Electricity (EEDC)", "Abia, Anambra, Ebonyi, Enugu, Imo", 2_000, 1.4, 99.3],
  [3019, "benin-electric", "Benin Electricity (BEDC)", "Edo, Delta, Ondo, Ekiti", 2_000, 1.5, 99.25],
  [3021, "yola-electric", "Yola Electricity (YEDC)", "Adamawa, Borno, Taraba, Yobe", 1_000, 1.2, 99.4],
  [3023, "aba-electric", "Aba Power (ABEDC)", "9 of Abia's 17 local government areas", 2_000, 1.7, 99.15],
];

/** All twelve discos, prepaid and postpaid, up to ₦200,000 a vend. Ids from 3001: prepaid odd, postpaid even. */
export const electricity: StartingPart = {
  billers: rows.map(([, slug, name, area]) => ({
    slug,
    name,
    category: "electricity",
    customerField: "meter_number",
    customerLabel: "Meter number",
    requiresVerification: true,
    meterTypes,
    description: `Area: ${area}.`,
  })),
  products: rows.flatMap(([firstId, slug, name, , minNaira, commissionPercent, sellingPercent]) =>
    meterTypes.map((meterType, index) => ({
      id: firstId + index,
      code: `${slug}-${meterType}`,
      biller: slug,
      name: `${name} ${meterType === "prepaid" ? "Prepaid" : "Postpaid"}`,
      planType: meterType === "prepaid" ? "PREPAID" : "POSTPAID",
      range: [naira(minNaira), naira(200_000)] as const,
      meterType,
      price: percent(sellingPercent),
      description: `${sampleData} The disco's commission is ${commissionPercent} %.`,
    })),
  ),
};
