import type { StartingPart } from "../starting-product.ts";
import { naira, percent, sampleData } from "../starting-product.ts";

type Row = readonly [id: number, slug: string, name: string, maxNaira: number];

const rows: readonly Row[] = [
  [6001, "bet9ja", "Bet9ja", 1_000_000],
  [6002, "bangbet", "BangBet", 100_000],
  [6003, "nairabet", "NairaBet", 500_000],
  [6004, "supabet", "SupaBet", 100_000],
  [6005, "cloudbet", "CloudBet", 100_000],
  [6006, "betlion", "BetLion", 100_000],
  [6007, "1xbet", "1xBet", 1_000_000],
  [6008, "merrybet", "MerryBet", 500_000],
  [6009, "betway", "BetWay", 500_000],
  [6010, "betland", "BetLand", 100_000],
  [6011, "betking", "BetKing", 1_000_000],
  [6012, "livescorebet", "LiveScoreBet", 100_000],
  [6013, "naijabet", "NaijaBet", 100_000],
  [6014, "sportybet", "SportyBet", 1_000_000],
  [6015, "msport", "MSport", 500_000],
];

/** Betting wallets from ₦100; the usual fee is none. Ids from 6001. */
export const betting: StartingPart = {
  billers: rows.map(([, slug, name]) => ({
    slug,
    name,
    category: "betting",
    customerField: "customer_id",
    customerLabel: "Customer id",
    requiresVerification: true,
  })),
  products: rows.map(([id, slug, name, maxNaira]) => ({
    id,
    code: `${slug}-funding`,
    biller: slug,
    name: `${name} wallet funding`,
    range: [naira(100), naira(maxNaira)],
    price: percent(99.5),
    description: sampleData,
  })),
};
