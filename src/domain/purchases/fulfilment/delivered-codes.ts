import { createHmac } from "node:crypto";
import { piecesIn } from "../../../categories/fulfilment/fulfilment-by-hand.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { findOrInsertKey } from "../../suppliers/vouchers/queries.ts";
import { fingerprintKeyIdentity } from "../../suppliers/vouchers/voucher-format.ts";
import type { Purchase } from "../purchase.ts";
import { listSalesOfCodes } from "./delivered-code-queries.ts";
import { type Fulfilment, SealedFulfilment } from "./sealed-fulfilment.ts";

interface CodeServices {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
}

/** The lists of a fulfilment each of whose pieces is one sale's alone, and what tells a piece from all others. */
const codeLists = { tokens: "value", pins: "pin", cards: "code", esims: "iccid" } as const;
/** Shorter ones meet by chance. */
const codeLengthMin = 10;

/** The tokens, PINs, codes and eSIMs of a fulfilment. Those that change a meter's key are told with every purchase. */
export function codesIn(fulfilment: JsonObject): readonly string[] {
  const codes = Object.entries(codeLists).flatMap(([list, field]) =>
    piecesIn(fulfilment, list)
      .filter(({ type = "" }) => !String(type).startsWith("kct"))
      .map((piece) => plainCode(String(piece[field] ?? ""))),
  );
  return [...new Set(codes.filter((code) => code.length >= codeLengthMin))];
}

/** However it is grouped and typed, it is the same code. */
export function plainCode(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase();
}

/** Keyed hashes of what a live purchase hands over; none of airtime and data, and of what the simulator makes up. */
export type HashCodes = (
  purchase: Pick<Purchase, "supplier">,
  fulfilment: Fulfilment | null,
) => Promise<readonly bigint[]>;

/** The key is the stock's, as a change of the encryption key leaves it. It is read once, when something is handed over. */
export function openHashCodes({ database, secretBox }: CodeServices): HashCodes {
  let key: Buffer | null = null;
  return async ({ supplier }, fulfilment) => {
    if (supplier === null || fulfilment === null || fulfilment instanceof SealedFulfilment) return [];
    const codes = codesIn(fulfilment);
    if (codes.length === 0) return [];
    key ??= await readKey({ database, secretBox });
    const under = key;
    return codes.map((code) => createHmac("sha256", under).update(`delivered/${code}`).digest().readBigInt64BE());
  };
}

async function readKey({ database, secretBox }: CodeServices): Promise<Buffer> {
  const from = { purpose: fingerprintKeyIdentity, salt: Buffer.alloc(0) };
  const fresh = () => secretBox.derive(secretBox.sealingKeyId, from).toString("base64");
  const sealed = await findOrInsertKey(database, () => secretBox.seal(fresh(), fingerprintKeyIdentity));
  return Buffer.from(secretBox.open(sealed, fingerprintKeyIdentity), "base64");
}

/** A sentence for a person, by the sale that got it. */
export function soldBefore(transactionId: string): string {
  return `Its token, PIN or code was sold before, with ${transactionId}`;
}

/** What a sale is to hand over. */
export interface Handed {
  readonly purchase: Purchase;
  readonly fulfilment: JsonObject | null;
}

/** Of each, the other sale that something of it was handed to before; null where there is none. */
export async function listSoldTo(
  services: CodeServices,
  all: readonly Handed[],
): Promise<readonly (PurchaseId | null)[]> {
  const hashCodes = openHashCodes(services);
  const hashed: (readonly bigint[])[] = [];
  for (const { purchase, fulfilment } of all) hashed.push(await hashCodes(purchase, fulfilment));
  const sales = await listSalesOfCodes(services.database, hashed.flat());
  return hashed.map((codes, at) => {
    const others = codes.flatMap((code) => sales.get(code) ?? []);
    return others.find((id) => id !== all[at]?.purchase.id) ?? null;
  });
}
