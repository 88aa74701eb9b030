import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";

type ClaimOutcome = "sold" | "out_of_stock" | "withdrawn";

const claimVouchers = statement("claim_vouchers", "select claim_vouchers($1, $2, $3, $4) as outcome");

/** Sells to an attempt, or with a null quantity asks what it came to. Safe to repeat. */
export async function claimStock(
  db: Queryable,
  claim: {
    readonly attempt: string;
    readonly productId: number;
    readonly quantity: number | null;
    readonly day: string;
  },
): Promise<ClaimOutcome> {
  const { attempt, productId, quantity, day } = claim;
  const [row] = await db.query<{ outcome: ClaimOutcome }>(claimVouchers, [attempt, productId, quantity, day]);
  return row?.outcome ?? "withdrawn";
}

interface SealedVoucher {
  readonly productId: number;
  readonly fingerprint: Buffer;
  readonly sealed: string;
}

const listVouchersOfAttempt = statement(
  "list_vouchers_of_attempt",
  `select product_id as "productId", fingerprint, sealed
     from vouchers
    where sold_to = $1 and sold_to is not null
    order by number`,
);

export function listSoldTo(db: Queryable, attempt: string): Promise<SealedVoucher[]> {
  return db.query<SealedVoucher>(listVouchersOfAttempt, [attempt]);
}

const insertVoucherThreshold = statement(
  "insert_voucher_threshold",
  `insert into voucher_thresholds (product_id, low_at)
   values ($1, $2)
       on conflict (product_id) do update set low_at = excluded.low_at`,
);

export async function insertThreshold(db: Queryable, productId: number, lowAt: number): Promise<void> {
  await db.query(insertVoucherThreshold, [productId, lowAt]);
}

interface StockRow {
  readonly productId: number;
  readonly code: string;
  readonly name: string;
  readonly unsold: bigint;
  readonly expired: bigint;
  readonly sold: bigint;
  readonly lowAt: number;
}

const listVoucherStock = statement(
  "list_voucher_stock",
  `select v.product_id as "productId",
          p.code,
          p.name,
          count(*) filter (where v.sold_to is null and (v.expires_on is null or v.expires_on >= $1)) as unsold,
          count(*) filter (where v.sold_to is null and v.expires_on < $1) as expired,
          count(*) filter (where v.sold_to is not null) as sold,
          coalesce(t.low_at, $2::integer) as "lowAt"
     from vouchers v
     join products p on p.id = v.product_id
     left join voucher_thresholds t on t.product_id = v.product_id
    group by v.product_id, p.code, p.name, t.low_at
    order by v.product_id`,
);

/** Every product that ever had vouchers. Reads them all: for a person who asks, not for a purchase. */
export function listStock(db: Queryable, day: string, usualThreshold: number): Promise<StockRow[]> {
  return db.query<StockRow>(listVoucherStock, [day, usualThreshold]);
}

// One import of a product at a time, so that numbers run on; purchases and the catalogue's readers are not kept waiting.
const claimProductShelf = statement(
  "claim_product_shelf",
  `select b.slug, b.category, locked.attributes
     from (select p.id, p.biller_slug, p.attributes from products p where p.id = $1 for no key update) locked
     join billers b on b.slug = locked.biller_slug`,
);

export interface Shelf {
  /** The biller's. */
  readonly slug: string;
  readonly category: string;
  /** The product's. */
  readonly attributes: JsonObject;
}

const findProductShelf = statement(
  "find_product_shelf",
  `select b.slug, b.category, p.attributes
     from products p
     join billers b on b.slug = p.biller_slug
    where p.id = $1`,
);

/** Null for an unknown product. */
export async function findShelf(db: Queryable, productId: number): Promise<Shelf | null> {
  const [row] = await db.query<Shelf>(findProductShelf, [productId]);
  return row ?? null;
}

/** Locks the product's shelf against other imports until the transaction ends. Null for an unknown product. */
export async function claimShelf(tx: Tx, productId: number): Promise<Shelf | null> {
  const [row] = await tx.query<Shelf>(claimProductShelf, [productId]);
  return row ?? null;
}

export interface NewVoucher {
  readonly fingerprint: Buffer;
  readonly sealed: string;
  /** `YYYY-MM-DD`, or null where it never expires. */
  readonly expiresOn: string | null;
}

const insertVouchers = statement(
  "insert_vouchers",
  `insert into vouchers (product_id, number, fingerprint, sealed, expires_on, batch)
   select $1, last.number + row_number() over (order by i.ordinal), i.fingerprint, i.sealed, i.expires_on, $2
     from unnest($3::bytea[], $4::text[], $5::date[]) with ordinality as i (fingerprint, sealed, expires_on, ordinal)
    cross join (select coalesce(max(v.number), 0) as number from vouchers v where v.product_id = $1) last
    order by i.ordinal
       on conflict (fingerprint) do nothing
   returning fingerprint`,
);

/** Puts vouchers on the shelf, which the caller holds. @returns the fingerprints, in hex, of those that were new */
export async function insertStock(
  tx: Tx,
  shelf: { readonly productId: number; readonly batch: string; readonly vouchers: readonly NewVoucher[] },
): Promise<Set<string>> {
  const { productId, batch, vouchers } = shelf;
  const rows = await tx.query<{ fingerprint: Buffer }>(insertVouchers, [
    productId,
    batch,
    fingerprintsOf(vouchers),
    arrayOf(vouchers.map(({ sealed }) => sealed)),
    arrayOf(vouchers.map(({ expiresOn }) => expiresOn)),
  ]);
  return new Set(rows.map(({ fingerprint }) => fingerprint.toString("hex")));
}

const listKnownVouchers = statement(
  "list_known_vouchers",
  `select fingerprint, product_id as "productId"
     from vouchers
    where fingerprint = any($1::bytea[])`,
);

/** @returns of the fingerprints, in hex, that are on a shelf or were sold from one, which product's it is */
export async function listKnown(
  db: Queryable,
  vouchers: readonly Pick<NewVoucher, "fingerprint">[],
): Promise<ReadonlyMap<string, number>> {
  if (vouchers.length === 0) return new Map();
  const rows = await db.query<{ fingerprint: Buffer; productId: number }>(listKnownVouchers, [
    fingerprintsOf(vouchers),
  ]);
  return new Map(rows.map(({ fingerprint, productId }) => [fingerprint.toString("hex"), productId]));
}

function fingerprintsOf(vouchers: readonly Pick<NewVoucher, "fingerprint">[]): string {
  return arrayOf(vouchers.map(({ fingerprint }) => `\\x${fingerprint.toString("hex")}`));
}

const insertVoucherKey = statement(
  "insert_voucher_key",
  `insert into voucher_keys (name, sealed)
   values ('fingerprint', $1)
   on conflict (name) do nothing`,
);

const findVoucherKey = statement("find_voucher_key", "select sealed from voucher_keys where name = 'fingerprint'");

/** The sealed key of fingerprints; `fresh` becomes it where there is none yet. */
export async function findOrInsertKey(db: Queryable, fresh: () => string): Promise<string> {
  const [known] = await db.query<{ sealed: string }>(findVoucherKey);
  if (known !== undefined) return known.sealed;
  const sealed = fresh();
  await db.query(insertVoucherKey, [sealed]);
  const [row] = await db.query<{ sealed: string }>(findVoucherKey);
  return row?.sealed ?? sealed;
}
