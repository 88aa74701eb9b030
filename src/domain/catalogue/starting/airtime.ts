import type { Network } from "../../../kernel/phone.ts";
import type { StartingPart } from "../starting-product.ts";
import { naira, percent, publicPrice } from "../starting-product.ts";

type Row = readonly [id: number, slug: string, network: Network, name: string, sellingPercent: number];

const rows: readonly Row[] = [
  [2001, "mtn", "MTN", "MTN", 96.8],
  [2002, "glo", "GLO", "Glo", 95],
  [2003, "9mobile", "9MOBILE", "9mobile (T2)", 97],
  [2004, "airtel", "AIRTEL", "Airtel", 97.5],
];

/** Airtime of any amount from ₦50 to ₦50,000. Ids from 2001. */
export const airtime: StartingPart = {
  billers: rows.map(([, slug, network, name]) => ({
    slug: `${slug}-airtime`,
    name: `${name} Airtime`,
    category: "airtime",
    network,
    customerField: "phone",
    customerLabel: "Phone number",
    supportsBulk: true,
    description: publicPrice,
  })),
  products: rows.map(([id, slug, , name, sellingPercent]) => ({
    id,
    code: `${slug}-airtime`,
    biller: `${slug}-airtime`,
    name: `${name} Airtime`,
    planType: "VTU",
    range: [naira(50), naira(50_000)],
    price: percent(sellingPercent),
    description: publicPrice,
  })),
};
