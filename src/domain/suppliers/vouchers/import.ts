import { createHmac } from "node:crypto";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import { isShortened } from "../../../kernel/typed-text.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { hasPinsBeside, hasRoomFor } from "../../../providers/voucher-stock/connector.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import { findOrInsertKey, insertStock, listKnown, type NewVoucher, type Shelf } from "./queries.ts";
import { claimVoucherShelf, findVoucherShelf } from "./stock.ts";
import {
  fingerprintKeyIdentity,
  formatOf,
  judgeRounded,
  sealVoucher,
  type Voucher,
  type VoucherRow,
  type WrongFormat,
  wrongFormat,
} from "./voucher-format.ts";

export interface ImportServices {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly randomness: Randomness;
}

export type RefusedBecause =
  /** In this product's stock already, or sold from it: that is no fault. */
  | "duplicate"
  /** The code stands in the file before. */
  | "repeated in the file"
  /** In the stock of another product of the same biller, or sold from it. */
  | "of another product"
  | "no code"
  | "unreadable code"
  /** Longer than the category delivers: once sold, the voucher and its customer would wait for a person. */
  | "code too long for the category"
  | "unreadable pin"
  /** The product's category delivers codes alone: the customer would lack the PIN. */
  | "pin beside a code that is all its category hands over"
  | "unreadable serial"
  | "unreadable date"
  | "expired"
  | "spoilt by a spreadsheet"
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
  file: VoucherFile & { readonly batch: string; readonly signal?: AbortSignal },
  onRefused: (line: number, because: RefusedBecause) => void,
): Promise<Imported> {
  const { database } = services;
  const { productId, batch, signal } = file;
  const refused = new Map<RefusedBecause, number>();
  let imported = 0;

  const refuseRow = ({ line, because }: RefusedRow) => {
    refused.set(because, (refused.get(because) ?? 0) + 1);
    onRefused(line, because);
  };
  const storeSealed = async (vouchers: readonly SealedRow[]) => {
    const known = await database.transaction((tx) => storeSet(tx, { productId, batch, vouchers }));
    known.forEach(refuseRow);
    imported += vouchers.length - known.length;
  };
  const set: SealedRow[] = [];
  // While the database stores a set, the next one is read and sealed; before a transaction, as one that idles is ended.
  let storing = Promise.resolve();
  const store = async () => {
    await storing;
    storing = storeSealed(set.splice(0));
    storing.catch(() => {}); // awaited below, or by the next set
  };

  for await (const row of sealRows(services, file)) {
    if (signal?.aborted === true) break;
    if ("because" in row) refuseRow(row);
    else set.push(row);
    if (set.length === setSize) await store();
  }
  if (signal?.aborted !== true && set.length > 0) await store();
  await storing;
  return { imported, refused };
}

/** Rows for one product. */
export interface VoucherFile {
  readonly productId: number;
  readonly rows: AsyncIterable<VoucherRow>;
  /** Numbers that end in zeros after the fifteenth digit are right as they are. */
  readonly isNotRounded?: boolean;
}

/**
 * Judges each row of a file and encrypts the vouchers among them; whether they are in the stock already it doesn't know.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the product's category hands over no vouchers
 */
export async function* sealRows(
  services: ImportServices,
  { productId, rows, isNotRounded = false }: VoucherFile,
): AsyncGenerator<SealedRow | RefusedRow> {
  const shelf = await findVoucherShelf(services.database, productId);
  const place = { productId, shelf, key: await fingerprintKey(services) };
  const today = services.wallTime.dayOf(services.clock.now()).date;
  for await (const [row, isRounded] of judgeRounded(rows)) {
    const { line } = row;
    const read = isRounded && !isNotRounded ? "spoilt by a spreadsheet" : readRow(row, today);
    const sealed = typeof read === "string" ? read : sealRow(services.secretBox, { line, voucher: read }, place);
    yield typeof sealed === "string" ? { line, because: sealed } : sealed;
  }
}

export type SealedRow = NewVoucher & { readonly line: number };

const codeShape = /^[0-9A-Za-z][0-9A-Za-z .:/_-]{0,98}[0-9A-Za-z]$/;
/** The shape of a serial, and of the PIN beside a code. */
const besideShape = /^[0-9A-Za-z .:/_-]{1,50}$/;

function readRow({ code, pin = "", serial, expiresOn }: VoucherRow, today: string): Voucher | RefusedBecause {
  if (code === "") return "no code";
  if ([code, pin, serial].some(isShortened)) return "spoilt by a spreadsheet";
  if (!codeShape.test(code)) return "unreadable code";
  if (pin !== "" && !besideShape.test(pin)) return "unreadable pin";
  if (serial !== "" && !besideShape.test(serial)) return "unreadable serial";
  if (expiresOn !== "" && !isDate(expiresOn)) return "unreadable date";
  if (expiresOn !== "" && expiresOn < today) return "expired";
  return { code, pin: pin || null, serial: serial || null, expiresOn: expiresOn || null };
}

function isDate(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

export interface RefusedRow {
  readonly line: number;
  readonly because: RefusedBecause;
}

/** Encrypts a voucher for its place; one that the product's category could not hand over is refused instead. */
function sealRow(
  secretBox: SecretBox,
  { line, voucher }: { readonly line: number; readonly voucher: Voucher },
  { productId, shelf, key }: { readonly productId: number; readonly shelf: Shelf; readonly key: Buffer },
): SealedRow | RefusedBecause {
  const because = unfitFor(shelf, voucher);
  if (because !== null) return because;
  const fingerprint = fingerprintOf(key, shelf, voucher.code);
  const sealed = sealVoucher(secretBox, voucher, { productId, fingerprint });
  return { line, fingerprint, sealed, expiresOn: voucher.expiresOn };
}

/** @returns the rows that were there already */
async function storeSet(
  tx: Tx,
  set: { readonly productId: number; readonly batch: string; readonly vouchers: readonly SealedRow[] },
): Promise<readonly RefusedRow[]> {
  const { productId, vouchers } = set;
  await claimVoucherShelf(tx, productId);
  const fresh = await insertStock(tx, set);
  // A code twice in one set is new once: the first takes the place.
  const known = vouchers.filter(({ fingerprint }) => !fresh.delete(fingerprint.toString("hex")));
  const productOf = await listKnown(tx, known);
  return known.map(({ line, fingerprint }) => ({
    line,
    because: productOf.get(fingerprint.toString("hex")) === productId ? "duplicate" : "of another product",
  }));
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
