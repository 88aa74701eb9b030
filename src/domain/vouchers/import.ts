import { createHmac } from "node:crypto";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { hasPinsBeside, hasRoomFor } from "../../providers/voucher-stock/connector.ts";
import type { Randomness } from "../merchants/key-format.ts";
import { findOrInsertKey, insertStock, listElsewhere, type NewVoucher, type Shelf } from "./queries.ts";
import { claimVoucherShelf } from "./shelf.ts";
import { fingerprintKeyIdentity, sealVoucher, type Voucher } from "./voucher.ts";
import { formatOf, type WrongFormat, wrongFormat } from "./voucher-format.ts";

interface ImportServices {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly randomness: Randomness;
}

/** A row of a supplier's file. */
export interface VoucherRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly code: string;
  /** Of a card that is redeemed with a code and a PIN; empty or absent where the code is all. */
  readonly pin?: string;
  readonly serial: string;
  /** `YYYY-MM-DD`; empty where it never expires. */
  readonly expiresOn: string;
}

export type RefusedBecause =
  /** On this product's shelf already, or sold from it: as it should be. */
  | "duplicate"
  /** On the shelf of another product of the same biller, or sold from it. */
  | "of another product"
  | "no code"
  | "unreadable code"
  /** The product's category hands over none so long: sold, it would wait for a person, and its customer too. */
  | "code too long for the category"
  | "unreadable pin"
  /** The product's category hands over codes alone: sold, the customer would lack the PIN. */
  | "pin beside a code that is all its category hands over"
  | "unreadable serial"
  | "unreadable date"
  | "expired"
  | WrongFormat;

export interface Imported {
  readonly imported: number;
  readonly refused: ReadonlyMap<RefusedBecause, number>;
}

/** One transaction each: a stopped import leaves whole sets behind, and sent again the rest gets in. */
const setSize = 5_000;
const keyBytes = 32;

/**
 * Puts a file's vouchers on a product's shelf, a set per transaction, encrypted before they reach the database. Safe to
 * repeat: what is there already is refused as a duplicate, which is no fault of the file. `onRefused` hears of each refused
 * line, never of its code. Once `signal` is aborted, nothing more is stored.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the product's category hands over no vouchers
 */
export async function importVouchers(
  services: ImportServices,
  file: {
    readonly productId: number;
    readonly batch: string;
    readonly rows: AsyncIterable<VoucherRow>;
    readonly signal?: AbortSignal;
  },
  onRefused: (line: number, because: RefusedBecause) => void,
): Promise<Imported> {
  const key = await fingerprintKey(services);
  const today = services.wallTime.dayOf(services.clock.now()).date;
  const refused = new Map<RefusedBecause, number>();
  let imported = 0;

  const refuseRow = (line: number, because: RefusedBecause) => {
    refused.set(because, (refused.get(because) ?? 0) + 1);
    onRefused(line, because);
  };
  const store = async (rows: readonly ReadRow[]) => {
    const { productId, batch } = file;
    const set = { productId, batch, key, rows };
    const left = await services.database.transaction((tx) => storeSet(tx, services.secretBox, set));
    for (const { line, because } of left) refuseRow(line, because);
    imported += rows.length - left.length;
  };

  let set: ReadRow[] = [];
  for await (const row of file.rows) {
    if (file.signal?.aborted === true) return { imported, refused };
    const read = readRow(row, today);
    if (typeof read === "string") refuseRow(row.line, read);
    else set.push(read);
    if (set.length === setSize) {
      await store(set);
      set = [];
    }
  }
  // Also with nothing to store: an unknown product is refused.
  await store(set);
  return { imported, refused };
}

interface ReadRow {
  readonly line: number;
  readonly voucher: Voucher;
}

const codeShape = /^[0-9A-Za-z][0-9A-Za-z .:/_-]{0,98}[0-9A-Za-z]$/;
/** Of a serial, and of the PIN beside a code. */
const besideShape = /^[0-9A-Za-z .:/_-]{1,50}$/;

function readRow({ line, code, pin = "", serial, expiresOn }: VoucherRow, today: string): ReadRow | RefusedBecause {
  if (code === "") return "no code";
  if (!codeShape.test(code)) return "unreadable code";
  if (pin !== "" && !besideShape.test(pin)) return "unreadable pin";
  if (serial !== "" && !besideShape.test(serial)) return "unreadable serial";
  if (expiresOn !== "" && !isDate(expiresOn)) return "unreadable date";
  if (expiresOn !== "" && expiresOn < today) return "expired";
  return { line, voucher: { code, pin: pin || null, serial: serial || null, expiresOn: expiresOn || null } };
}

function isDate(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

interface RefusedRow {
  readonly line: number;
  readonly because: RefusedBecause;
}

/** @returns the rows that the product's category could not hand over, and those that were there already */
async function storeSet(
  tx: Tx,
  secretBox: SecretBox,
  set: { readonly productId: number; readonly batch: string; readonly key: Buffer; readonly rows: readonly ReadRow[] },
): Promise<readonly RefusedRow[]> {
  const { productId, batch, key } = set;
  const shelf = await claimVoucherShelf(tx, productId);
  const refused: RefusedRow[] = [];
  const vouchers: (NewVoucher & { readonly line: number })[] = [];
  for (const { line, voucher } of set.rows) {
    const because = unfitFor(shelf, voucher);
    if (because !== null) {
      refused.push({ line, because });
      continue;
    }
    const fingerprint = fingerprintOf(key, shelf, voucher.code);
    const sealed = sealVoucher(secretBox, voucher, { productId, fingerprint });
    vouchers.push({ line, fingerprint, sealed, expiresOn: voucher.expiresOn });
  }
  const fresh = await insertStock(tx, { productId, batch, vouchers });
  // A code twice in one set is new once: the first takes the place.
  const known = vouchers.filter(({ fingerprint }) => !fresh.delete(fingerprint.toString("hex")));
  const elsewhere = await listElsewhere(tx, { productId, vouchers: known });
  for (const { line, fingerprint } of known) {
    refused.push({ line, because: elsewhere.has(fingerprint.toString("hex")) ? "of another product" : "duplicate" });
  }
  return refused;
}

/** Why the product's category could not hand the voucher over whole, or why it is no voucher of the product's. */
function unfitFor({ category, attributes }: Shelf, voucher: Voucher): RefusedBecause | null {
  const isCard = hasPinsBeside(category);
  if (voucher.pin && !isCard) return "pin beside a code that is all its category hands over";
  if (!hasRoomFor(category, voucher)) return "code too long for the category";
  // Each brand of gift cards has codes of its own.
  return isCard ? null : wrongFormat(formatOf(attributes), voucher);
}

/** However it is grouped, it is the same code. */
function fingerprintOf(key: Buffer, { slug }: Shelf, code: string): Buffer {
  return createHmac("sha256", key)
    .update(`${slug}/${code.replace(/[ -]/g, "")}`)
    .digest();
}

/** The key of fingerprints, made where there is none yet. */
async function fingerprintKey({ database, secretBox, randomness }: ImportServices): Promise<Buffer> {
  const identity = fingerprintKeyIdentity;
  const fresh = () => secretBox.seal(Buffer.from(randomness(keyBytes)).toString("base64"), identity);
  const sealed = await findOrInsertKey(database, fresh);
  return Buffer.from(secretBox.open(sealed, identity), "base64");
}
