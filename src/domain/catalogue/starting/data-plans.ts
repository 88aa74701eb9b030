import type { Network } from "../../../kernel/phone.ts";
import {
  codeOf,
  describe,
  fixed,
  naira,
  percent,
  type StartingPart,
  type StartingProduct,
} from "../starting-product.ts";

/** One plan of a network. `legacyPlanId` is what clients of older systems call it. */
type PlanRow = readonly [
  id: number,
  legacyPlanId: number,
  size: string,
  days: number,
  /** The price of a reseller's plan; the face value of a retail plan. */
  nairaAmount: number,
  isSample?: boolean,
];

/** A network's plans of one type, all of them retail or all of them resellers'. */
export interface PlanList {
  readonly planType: string;
  /** The word in their names, where the plan type alone would give them the names of other plans. */
  readonly named?: string;
  /** The word in their codes, where these were shipped under another plan type: suppliers' routes use the codes. */
  readonly coded?: string;
  readonly rows: readonly PlanRow[];
}

/** A network's data plans. Retail plans have a face value and sell at a percentage; resellers' have a price alone. */
export function dataPlans(network: {
  readonly slug: string;
  readonly network: Network;
  readonly name: string;
  readonly retailPercent: number;
  readonly retail: PlanList;
  readonly resellers: readonly PlanList[];
}): StartingPart {
  const biller = `${network.slug}-data`;
  function plan(list: PlanList, row: PlanRow): Omit<StartingProduct, "price"> {
    const { planType, named = planType, coded = planType } = list;
    const [id, legacyPlanId, size, days, , isSample = false] = row;
    const validity = days === 1 ? "1 day" : `${days} days`;
    return {
      id,
      code: codeOf(network.slug, coded, size, `${days}d`),
      biller,
      name: `${network.name} ${size} ${named} (${validity})`,
      plan: size,
      planType,
      validity,
      legacyPlanId,
      description: describe(isSample),
    };
  }
  const retail = network.retail.rows.map((row) => ({
    ...plan(network.retail, row),
    face: naira(row[4]),
    price: percent(network.retailPercent),
  }));
  const resellers = network.resellers.flatMap((list) =>
    list.rows.map((row) => ({ ...plan(list, row), price: fixed(row[4]) })),
  );
  return {
    billers: [
      {
        slug: biller,
        name: `${network.name} Data`,
        category: "data",
        network: network.network,
        customerField: "phone",
        customerLabel: "Phone number",
        supportsBulk: true,
      },
    ],
    products: [...resellers, ...retail],
  };
}

/** Airtel's data plans. Ids from 1601, legacy plan ids from 601. */
export const airtelData = dataPlans({
  slug: "airtel",
  network: "AIRTEL",
  name: "Airtel",
  retailPercent: 97.5,
  resellers: [
    {
      planType: "SME",
      rows: [
        [1601, 601, "150MB", 1, 65, true],
        [1602, 602, "600MB", 2, 220, true],
        [1603, 603, "1GB", 7, 520, true],
        [1604, 604, "3GB", 2, 790, true],
      ],
    },
    {
      planType: "CORPORATE GIFTING",
      rows: [
        [1621, 621, "500MB", 7, 490, true],
        [1622, 622, "1GB", 7, 785, true],
      ],
    },
    {
      planType: "GIFTING",
      named: "GIFTING reseller",
      coded: "CORPORATE GIFTING",
      rows: [
        [1623, 623, "2GB", 30, 1_475],
        [1624, 624, "8GB", 30, 2_485],
        [1625, 625, "10GB", 30, 3_980],
        [1626, 626, "25GB", 30, 7_950],
      ],
    },
  ],
  retail: {
    planType: "GIFTING",
    rows: [
      [1651, 651, "40MB", 1, 50],
      [1652, 652, "100MB", 1, 100],
      [1653, 653, "200MB", 3, 200],
      [1654, 654, "1GB", 1, 350],
      [1655, 655, "2GB", 2, 500],
      [1656, 656, "350MB", 7, 350],
      [1657, 657, "5GB", 7, 1_500],
      [1658, 658, "2GB", 30, 1_500, true],
      [1659, 659, "3GB", 30, 2_000],
      [1660, 660, "4GB", 30, 2_500],
      [1661, 661, "8GB", 30, 3_000],
      [1662, 662, "10GB", 30, 4_000],
      [1663, 663, "13GB", 30, 5_000],
      [1664, 664, "18GB", 30, 6_000],
      [1665, 665, "25GB", 30, 8_000],
      [1666, 666, "35GB", 30, 10_000, true],
      [1667, 667, "60GB", 30, 15_000, true],
      [1668, 668, "100GB", 30, 20_000, true],
      [1669, 669, "160GB", 30, 30_000, true],
    ],
  },
});

/** Glo's data plans. Ids from 1201, legacy plan ids from 201. */
export const gloData = dataPlans({
  slug: "glo",
  network: "GLO",
  name: "Glo",
  retailPercent: 95,
  resellers: [
    {
      planType: "SME",
      rows: [
        [1201, 201, "500MB", 30, 235, true],
        [1202, 202, "1GB", 30, 450, true],
        [1203, 203, "2GB", 30, 900, true],
      ],
    },
    {
      planType: "CORPORATE GIFTING",
      rows: [
        [1221, 221, "200MB", 14, 95, true],
        [1222, 222, "500MB", 30, 223],
        [1223, 223, "1GB", 30, 330],
        [1224, 224, "2GB", 30, 890],
        [1225, 225, "3GB", 30, 1_335],
        [1226, 226, "5GB", 30, 2_225],
        [1227, 227, "10GB", 30, 4_450],
      ],
    },
  ],
  retail: {
    planType: "GIFTING",
    rows: [
      [1251, 251, "125MB", 1, 100, true],
      [1252, 252, "260MB", 2, 200, true],
      [1253, 253, "1GB", 1, 350, true],
      [1254, 254, "2GB", 1, 500, true],
      [1255, 255, "1.1GB", 7, 750, true],
      [1256, 256, "6GB", 7, 2_000, true],
      [1257, 257, "1.5GB", 14, 500, true],
      [1258, 258, "2.6GB", 30, 1_000, true],
      [1259, 259, "5GB", 30, 1_500, true],
      [1260, 260, "6.15GB", 30, 2_000, true],
      [1261, 261, "10GB", 30, 3_000, true],
      [1262, 262, "12.5GB", 30, 4_000, true],
      [1263, 263, "16GB", 30, 5_000, true],
      [1264, 264, "28GB", 30, 8_000, true],
      [1265, 265, "38GB", 30, 10_000, true],
      [1266, 266, "64GB", 30, 15_000, true],
      [1267, 267, "107GB", 30, 20_000, true],
      [1268, 268, "165GB", 30, 30_000, true],
    ],
  },
});

/** Data plans of 9mobile, named T2 since 8 August 2025. Ids from 1401, legacy plan ids from 401. */
export const t2Data = dataPlans({
  slug: "9mobile",
  network: "9MOBILE",
  name: "9mobile (T2)",
  retailPercent: 97,
  resellers: [
    {
      planType: "SME",
      rows: [
        [1401, 401, "500MB", 30, 150, true],
        [1402, 402, "1GB", 30, 290, true],
        [1403, 403, "2GB", 30, 580, true],
      ],
    },
    {
      planType: "CORPORATE GIFTING",
      rows: [
        [1421, 421, "500MB", 30, 160, true],
        [1422, 422, "1GB", 30, 310, true],
        [1423, 423, "2GB", 30, 620, true],
        [1424, 424, "5GB", 30, 1_550, true],
        [1425, 425, "10GB", 30, 3_100, true],
      ],
    },
    {
      planType: "DATA COUPONS",
      rows: [
        [1431, 431, "650MB", 14, 494],
        [1432, 432, "2GB", 30, 990],
        [1433, 433, "4.5GB", 30, 1_985],
        [1434, 434, "11.4GB", 30, 4_964],
      ],
    },
  ],
  retail: {
    planType: "GIFTING",
    rows: [
      [1451, 451, "100MB", 1, 100, true],
      [1452, 452, "250MB", 7, 200, true],
      [1453, 453, "650MB", 14, 500, true],
      [1454, 454, "1GB", 3, 600, true],
      [1455, 455, "7GB", 7, 1_500, true],
      [1456, 456, "2GB", 30, 1_000, true],
      [1457, 457, "3GB", 30, 1_500, true],
      [1458, 458, "4.5GB", 30, 2_000, true],
      [1459, 459, "11GB", 30, 4_000, true],
      [1460, 460, "15GB", 30, 5_000, true],
      [1461, 461, "40GB", 30, 10_000, true],
      [1462, 462, "75GB", 30, 15_000, true],
    ],
  },
});
