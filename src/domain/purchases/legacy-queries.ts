import type { Reference, WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { Purchase } from "./purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "./queries.ts";

/** A legacy request that came without a reference. */
export interface LegacyRequest {
  readonly wallet: WalletKey;
  /** Of what it asks for. */
  readonly fingerprint: string;
  /** The one that was made for it. */
  readonly reference: Reference;
}

const claimLegacy = statement(
  "claim_legacy_requests",
  "select ordinal from claim_legacy_requests($1, $2, $3, $4, $5, $6)",
);

/**
 * Whether each request may go on: not when the same was let through within the window. No two of a call may be equal.
 * One commit; safe to repeat.
 */
export async function claimLegacyRequests(
  db: Queryable,
  requests: readonly LegacyRequest[],
  windowSeconds: number,
): Promise<readonly boolean[]> {
  const rows = await db.query<{ readonly ordinal: bigint }>(claimLegacy, [
    arrayOf(requests.map(({ wallet }) => wallet.bucket)),
    arrayOf(requests.map(({ wallet }) => wallet.merchantId)),
    arrayOf(requests.map(({ wallet }) => wallet.mode)),
    arrayOf(requests.map(({ fingerprint }) => fingerprint)),
    arrayOf(requests.map(({ reference }) => reference)),
    windowSeconds,
  ]);
  const passed = new Set(rows.map(({ ordinal }) => Number(ordinal)));
  return requests.map((_, index) => passed.has(index + 1));
}

const deleteLegacy = statement(
  "delete_legacy_request",
  `delete from legacy_requests
    where bucket = $1 and merchant_id = $2 and mode = $3 and fingerprint = $4 and reference = $5`,
);

/** Gives a request free again, unless somebody else holds it by now. */
export async function deleteLegacyRequest(db: Queryable, request: LegacyRequest): Promise<void> {
  const { wallet, fingerprint, reference } = request;
  await db.query(deleteLegacy, [wallet.bucket, wallet.merchantId, wallet.mode, fingerprint, reference]);
}

const findLegacy = statement(
  "find_legacy_purchase",
  `select ${purchaseColumns}
     from purchases p
    where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.number = $4 and p.channel = 'legacy'`,
);

/** The purchase that the legacy endpoints answered with this id; null when none of the wallet's is called so. */
export async function findLegacyPurchase(db: Queryable, wallet: WalletKey, number: bigint): Promise<Purchase | null> {
  const [row] = await db.query<PurchaseRow>(findLegacy, [wallet.bucket, wallet.merchantId, wallet.mode, number]);
  return row === undefined ? null : purchaseOf(row);
}
