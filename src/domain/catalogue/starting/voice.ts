import type { Network } from "../../../kernel/phone.ts";
import type { StartingPart } from "../starting-product.ts";
import { codeOf, describe, naira, percent } from "../starting-product.ts";

type Plan = readonly [id: number, plan: string, faceNaira: number, days: number, isSample?: boolean];
type Row = readonly [
  slug: string,
  network: Network | null,
  name: string,
  sellingPercent: number,
  plans: readonly Plan[],
];

const smile: readonly Plan[] = [
  [8001, "65 minutes", 510, 30],
  [8002, "135 minutes", 1_020, 30],
  [8003, "430 minutes", 3_070, 30],
  [8004, "150 minutes", 1_500, 60],
  [8005, "450 minutes", 4_000, 60],
  [8006, "175 minutes", 2_000, 90],
  [8007, "500 minutes", 5_000, 90],
];

const mtn: readonly Plan[] = [
  [8101, "XtraTalk 300", 300, 3, true],
  [8102, "XtraTalk 500", 500, 7, true],
  [8103, "XtraTalk 1000", 1_000, 30, true],
  [8104, "XtraTalk 2000", 2_000, 30, true],
  [8105, "XtraTalk 5000", 5_000, 30, true],
];

const airtel: readonly Plan[] = [
  [8201, "TalkMore 100", 100, 3, true],
  [8202, "TalkMore 200", 200, 7, true],
  [8203, "TalkMore 500", 500, 14, true],
  [8204, "TalkMore 1000", 1_000, 30, true],
];

const glo: readonly Plan[] = [
  [8301, "Berekete 200", 200, 7, true],
  [8302, "Berekete 500", 500, 14, true],
  [8303, "Berekete 1000", 1_000, 30, true],
  [8304, "Berekete 2000", 2_000, 30, true],
];

const rows: readonly Row[] = [
  ["smile-voice", null, "SmileVoice", 95, smile],
  ["mtn-voice", "MTN", "MTN XtraValue", 97, mtn],
  ["airtel-voice", "AIRTEL", "Airtel TalkMore", 97, airtel],
  ["glo-voice", "GLO", "Glo Voice", 95, glo],
];

/** Bundles of minutes. Ids from 8001. */
export const voice: StartingPart = {
  billers: rows.map(([slug, network, name]) => ({
    slug,
    name,
    category: "voice",
    ...(network === null ? {} : { network }),
    customerField: "phone",
    customerLabel: "Phone number",
  })),
  products: rows.flatMap(([slug, , name, sellingPercent, plans]) =>
    plans.map(([id, plan, faceNaira, days, isSample = false]) => ({
      id,
      code: codeOf(slug, plan, `${days}d`),
      biller: slug,
      name: `${name} ${plan} (${days} days)`,
      plan,
      validity: `${days} days`,
      face: naira(faceNaira),
      price: percent(sellingPercent),
      description: describe(isSample),
    })),
  ),
};
