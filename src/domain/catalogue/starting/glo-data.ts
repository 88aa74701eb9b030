import { dataPlans } from "./data-plans.ts";

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
