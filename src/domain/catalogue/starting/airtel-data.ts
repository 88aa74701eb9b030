import { dataPlans } from "./data-plans.ts";

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
