import { harmonisedLoadCode } from "../../../categories/recharge-pin.ts";
import type { Network } from "../../../kernel/phone.ts";
import type { StartingPart } from "../starting-product.ts";
import { naira, percent, publicPrice } from "../starting-product.ts";

type Row = readonly [
  slug: string,
  network: Network,
  name: string,
  sellingPercent: number,
  /** The face value in naira by the product's id. */
  denominations: Readonly<Record<number, number>>,
];

const rows: readonly Row[] = [
  ["mtn", "MTN", "MTN", 99.8, { 10001: 100, 10002: 200, 10003: 400, 10004: 500, 10005: 1_000 }],
  ["glo", "GLO", "Glo", 99.6, { 10101: 100, 10102: 200, 10104: 500, 10105: 1_000 }],
  // The network itself often sells only these two.
  ["9mobile", "9MOBILE", "9mobile (T2)", 99.6, { 10201: 100, 10202: 200 }],
  ["airtel", "AIRTEL", "Airtel", 99.6, { 10301: 100, 10302: 200, 10304: 500, 10305: 1_000 }],
];

/** Printable airtime PINs by network and denomination. Ids from 10001. */
export const rechargePins: StartingPart = {
  billers: rows.map(([slug, network, name]) => ({
    slug: `${slug}-recharge-pin`,
    name: `${name} Recharge PIN`,
    category: "recharge_pin",
    network,
    customerField: "phone",
    customerLabel: "Phone number",
  })),
  products: rows.flatMap(([slug, , name, sellingPercent, denominations]) =>
    Object.entries(denominations).map(([id, faceNaira]) => ({
      id: Number(id),
      code: `${slug}-pin-${faceNaira}`,
      biller: `${slug}-recharge-pin`,
      name: `${name} ₦${faceNaira} Recharge PIN`,
      plan: `₦${faceNaira}`,
      face: naira(faceNaira),
      maxQuantity: 100,
      attributes: { load_code: harmonisedLoadCode },
      price: percent(sellingPercent),
      description: publicPrice,
    })),
  ),
};
