import type { StartingBiller, StartingPart, StartingProduct } from "../starting-product.ts";
import { codeOf, describe, naira, percent, sampleData } from "../starting-product.ts";

type PlanRow = readonly [id: number, plan: string, faceNaira: number, days: number, isSample?: boolean];

/** Smile's own codes are suppliers' business; 2GB MidNite is its 413. */
const smile: readonly PlanRow[] = [
  [7001, "1GB FlexiDaily", 1_000, 7, true],
  [7002, "2GB MidNite", 1_020, 7],
  [7003, "3GB MidNite", 1_530, 7, true],
  [7004, "2GB FlexiWeekly", 1_550, 7, true],
  [7005, "6GB FlexiWeekly", 2_300, 7, true],
  [7006, "1.5GB Bigga", 1_550, 30, true],
  [7007, "3GB Bigga", 2_300, 30, true],
  [7008, "5GB Bigga", 3_100, 30, true],
  [7009, "10GB Bigga", 4_600, 30, true],
  [7010, "20GB Bigga", 6_900, 30, true],
  [7011, "30GB Bigga", 9_300, 30, true],
  [7012, "60GB Bigga", 13_850, 30, true],
  [7013, "75GB Jumbo", 17_300, 90, true],
  [7014, "100GB Jumbo", 20_000, 90, true],
];

const ntel: readonly PlanRow[] = [
  [7401, "1GB", 500, 7, true],
  [7402, "5GB", 2_000, 30, true],
  [7403, "12GB", 4_000, 30, true],
  [7404, "Unlimited", 12_500, 30, true],
];

const cobranet: readonly PlanRow[] = [
  [7301, "Home 10 Mbps", 13_000, 30, true],
  [7302, "Home 20 Mbps", 20_000, 30, true],
  [7303, "Office 30 Mbps", 35_000, 30, true],
];

const tizeti: readonly PlanRow[] = [
  [7601, "Unlimited Home", 15_500, 30, true],
  [7602, "Unlimited Plus", 22_000, 30, true],
  [7603, "Unlimited Business", 35_000, 30, true],
];

const fibreone: readonly PlanRow[] = [
  [7501, "Home 20 Mbps", 14_700, 30, true],
  [7502, "Home Plus 40 Mbps", 20_000, 30, true],
  [7503, "Premium 75 Mbps", 33_000, 30, true],
];

const spectranetPins: readonly (readonly [id: number, faceNaira: number])[] = [
  [7101, 2_500],
  [7102, 5_000],
  [7103, 7_000],
  [7104, 10_000],
  [7105, 20_000],
  [7106, 50_000],
];

/** Internet providers other than the mobile networks: plans, recharges of any amount, Spectranet's PINs. Ids from 7001. */
export const internet: StartingPart = {
  billers: [
    biller("smile", "Smile", "Account number, e-mail or phone", true),
    biller("spectranet", "Spectranet", "Account number", false),
    biller("swift", "Swift Networks", "Customer id", false),
    biller("ipnx", "ipNX", "Account number", false),
    biller("cobranet", "Cobranet", "User name", false),
    biller("ntel", "ntel", "Phone number", false),
    biller("fibreone", "FibreOne", "Account number", false),
    biller("tizeti", "Tizeti", "Account number", false),
  ],
  products: [
    ...plans("smile", "Smile", 96, smile),
    recharge(7090, "smile", "Smile", 100, 100_000),
    ...spectranetPins.map(([id, faceNaira]) => ({
      id,
      code: `spectranet-pin-${faceNaira}`,
      biller: "spectranet",
      name: `Spectranet ₦${faceNaira} PIN`,
      plan: `₦${faceNaira} PIN`,
      planType: "PIN",
      face: naira(faceNaira),
      attributes: { delivers_pins: true },
      price: percent(97),
      description: sampleData,
    })),
    recharge(7190, "spectranet", "Spectranet", 2_500, 50_000),
    recharge(7201, "swift", "Swift", 1_000, 200_000),
    recharge(7251, "ipnx", "ipNX", 1_000, 500_000),
    ...plans("cobranet", "Cobranet", 98, cobranet),
    recharge(7390, "cobranet", "Cobranet", 1_000, 200_000),
    ...plans("ntel", "ntel", 96, ntel),
    ...plans("fibreone", "FibreOne", 98, fibreone),
    recharge(7590, "fibreone", "FibreOne", 1_000, 500_000),
    ...plans("tizeti", "Tizeti", 98, tizeti),
    recharge(7690, "tizeti", "Tizeti", 1_000, 500_000),
  ],
};

function biller(slug: string, name: string, customerLabel: string, requiresVerification: boolean): StartingBiller {
  return { slug, name, category: "internet", customerField: "account_number", customerLabel, requiresVerification };
}

function plans(slug: string, name: string, sellingPercent: number, rows: readonly PlanRow[]): StartingProduct[] {
  return rows.map(([id, plan, faceNaira, days, isSample = false]) => ({
    id,
    code: codeOf(slug, plan, `${days}d`),
    biller: slug,
    name: `${name} ${plan} (${days} days)`,
    plan,
    validity: `${days} days`,
    face: naira(faceNaira),
    price: percent(sellingPercent),
    description: describe(isSample),
  }));
}

function recharge(id: number, slug: string, name: string, minNaira: number, maxNaira: number): StartingProduct {
  return {
    id,
    code: `${slug}-recharge`,
    biller: slug,
    name: `${name} account recharge`,
    plan: "Account recharge",
    range: [naira(minNaira), naira(maxNaira)],
    price: percent(98),
    description: sampleData,
  };
}
