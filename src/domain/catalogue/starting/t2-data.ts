import { dataPlans } from "./data-plans.ts";

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
