import type { StartingPart, StartingProduct } from "../starting-product.ts";
import { fixed, sampleData } from "../starting-product.ts";

/** The sizes of each place. The offset from the place's first id is written out, so that a new size takes a new one. */
const sizes: readonly (readonly [offset: number, gigabytes: number | null, days: number])[] = [
  [0, 1, 7],
  [1, 2, 15],
  [2, 3, 30],
  [3, 5, 30],
  [4, 10, 30],
  [5, 20, 30],
  [10, null, 7],
  [11, null, 30],
];

type PlaceRow = readonly [
  firstId: number,
  slug: string,
  name: string,
  coverage: string,
  /** Naira in the order of `sizes`; places without unlimited plans have six. */
  prices: readonly number[],
];

const africa =
  "AO BF BJ BW CD CI CM EG ET GA GH GM GN KE LR MA MG ML MU MW MZ NE NG RW SC SD SL SN SZ TD TN TZ UG ZA ZM";
const asia = "BD BN CN HK ID IN JP KH KR KZ LA LK MM MN MO MY NP PH PK SG TH TW UZ VN";
const europe =
  "AL AT BA BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MD ME MK MT NL NO PL PT RO RS SE SI SK UA";
const latinAmerica = "AR BO BR CL CO CR EC GT HN MX NI PA PE PY SV UY VE";
const caribbean = "AG AI BB BS DM DO GD GP HT JM KN KY LC MQ MS TC TT VC VG";
const middleEast = "AE BH IL IQ JO KW LB OM QA SA TR";

/** Nine regions and twelve countries, in the order of the suggestion they come from; twenty ids each. */
const regions: readonly PlaceRow[] = [
  [12001, "africa", "Africa", africa, [12_000, 21_500, 29_500, 45_000, 82_000, 148_000]],
  [12021, "europe", "Europe", europe, [7_700, 13_900, 19_400, 30_200, 55_000, 96_000, 52_000, 118_000]],
  [12041, "middle-east", "Middle East", middleEast, [10_800, 19_400, 27_100, 41_800, 76_000, 134_000]],
  [12061, "asia", "Asia", asia, [7_700, 13_900, 19_400, 30_200, 55_000, 96_000, 52_000, 118_000]],
  [
    12081,
    "north-america",
    "North America",
    "CA MX US",
    [9_300, 16_300, 22_500, 34_900, 63_500, 111_500, 62_000, 139_500],
  ],
  [12101, "caribbean", "Caribbean", caribbean, [15_500, 27_900, 39_500, 62_000, 116_000, 217_000]],
  [12121, "latin-america", "Latin America", latinAmerica, [12_400, 22_000, 31_000, 48_000, 89_000, 162_500]],
  [12141, "oceania", "Oceania", "AU FJ NZ PG", [10_000, 17_800, 24_800, 38_700, 69_700, 124_000]],
  [
    12161,
    "global",
    "Global",
    `${europe} ${asia} ${middleEast} ${africa} CA MX US AU NZ`,
    [13_900, 24_800, 34_900, 54_200, 100_700, 186_000, 77_500, 186_000],
  ],
];

const countries: readonly PlaceRow[] = [
  [12401, "gb", "United Kingdom", "GB", [6_900, 11_600, 15_500, 23_200, 38_700, 62_000, 46_500, 93_000]],
  [12421, "us", "United States", "US", [6_900, 11_600, 15_500, 24_800, 40_300, 65_100, 46_500, 93_000]],
  [12441, "ae", "United Arab Emirates", "AE", [7_700, 13_900, 19_400, 29_400, 52_700, 93_000]],
  [12461, "sa", "Saudi Arabia", "SA", [7_700, 13_200, 18_600, 27_900, 49_600, 87_000]],
  [12481, "tr", "Türkiye", "TR", [6_900, 11_600, 15_500, 21_700, 35_600, 58_900]],
  [12501, "gh", "Ghana", "GH", [10_800, 19_400, 27_100, 41_800, 76_000, 139_500]],
  [12521, "ke", "Kenya", "KE", [10_800, 18_600, 26_300, 40_300, 72_800, 131_700]],
  [12541, "za", "South Africa", "ZA", [8_500, 14_700, 20_900, 31_800, 57_300, 102_300]],
  [12561, "fr", "France", "FR", [6_900, 11_600, 15_500, 23_200, 38_700, 62_000, 46_500, 93_000]],
  [12581, "de", "Germany", "DE", [6_900, 11_600, 15_500, 23_200, 38_700, 62_000, 46_500, 93_000]],
  [12601, "cn", "China", "CN", [7_700, 12_400, 17_000, 25_600, 43_400, 77_500]],
  [12621, "in", "India", "IN", [6_900, 11_600, 16_300, 24_000, 41_800, 72_800]],
];

const megabytesPerGigabyte = 1_024;

/** Travel eSIMs, data only. Ids from 12001 for regions, from 12401 for countries. Every price is sample data. */
export const esims: StartingPart = {
  billers: [...regions, ...countries].map(([, slug, name]) => ({
    slug: `esim-${slug}`,
    name: `eSIM ${name}`,
    category: "esim",
    customerField: "phone",
    customerLabel: "Phone number",
  })),
  products: [
    ...regions.flatMap((row) => plans(row[1] === "global" ? "GLOBAL" : "REGIONAL", row)),
    ...countries.flatMap((row) => plans("LOCAL", row)),
  ],
};

function plans(planType: string, [firstId, slug, name, coverage, prices]: PlaceRow): StartingProduct[] {
  return prices.flatMap((priceNaira, index) => {
    const size = sizes[index];
    if (size === undefined) return [];
    const [offset, gigabytes, days] = size;
    const volume = gigabytes === null ? "Unlimited" : `${gigabytes}GB`;
    return [
      {
        id: firstId + offset,
        code: `esim-${slug}-${volume.toLowerCase()}-${days}d`,
        biller: `esim-${slug}`,
        name: `${name} ${volume} (${days} days)`,
        plan: volume,
        planType,
        validity: `${days} days`,
        maxQuantity: 10,
        attributes: {
          data_mb: gigabytes === null ? null : gigabytes * megabytesPerGigabyte,
          validity_days: days,
          coverage: coverage.split(" "),
          apn: "internet",
        },
        price: fixed(priceNaira),
        description: sampleData,
      },
    ];
  });
}
