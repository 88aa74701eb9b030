import type { Instant } from "../../kernel/clock.ts";
import { type PurchaseId, type WalletId, type WalletKey, walletIdOf, walletOfId } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { Purchase } from "../purchases/purchase.ts";

/** Something that an operator has to know about a purchase beyond its attempts. */
export interface Incident {
  /**
   * `contradiction`: a word that comes after the end, or after a reroute, and says something else. `another_purchase`: an
   * answer or a callback that is about another purchase.
   */
  readonly kind: "late_reversal" | "contradiction" | "review" | "another_purchase";
  readonly attempt: number;
  readonly supplier: string | null;
  /** The supplier's callback or requery, or a person. */
  readonly source: string;
  /** Redacted. */
  readonly evidence: string;
}

// The same word again is not another incident.
const insertPurchaseIncident = statement(
  "insert_purchase_incident",
  `insert into purchase_incidents (
     wallet_id, purchase_id, number, kind, attempt, supplier, source, evidence, at
   )
   select $1, $2,
          (
            select coalesce(max(i.number), 0) + 1
              from purchase_incidents i
             where i.wallet_id = $1 and i.purchase_id = $2
          ),
          $3, $4, $5, $6, $7, $8
    where not exists (
            select 1
              from purchase_incidents i
             where i.wallet_id = $1
               and i.purchase_id = $2
               and i.kind = $3
               and i.attempt = $4
               and i.supplier is not distinct from $5
          )
   returning number`,
);

const evidenceLengthMax = 4_000;

/** Records an incident. The caller holds the wallet's lock. @returns false where it is recorded already */
export async function insertIncident(
  tx: Tx,
  { wallet, id }: Pick<Purchase, "wallet" | "id">,
  incident: Incident,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query(insertPurchaseIncident, [
    walletIdOf(wallet),
    id,
    incident.kind,
    incident.attempt,
    incident.supplier,
    incident.source,
    incident.evidence.slice(0, evidenceLengthMax),
    new Date(now),
  ]);
  return rows.length > 0;
}

const insertReviewIncidents = statement(
  "insert_review_incidents",
  `insert into purchase_incidents (wallet_id, purchase_id, number, kind, attempt, supplier, source, evidence, at)
   select i.wallet_id, i.purchase_id,
          (
            select coalesce(max(n.number), 0) + 1
              from purchase_incidents n
             where n.wallet_id = i.wallet_id and n.purchase_id = i.purchase_id
          ),
          'review', i.attempt, i.supplier, i.source, i.evidence, $7
     from unnest($1::integer[], $2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::text[])
            as i (wallet_id, purchase_id, attempt, supplier, source, evidence)`,
);

/**
 * Records what a person found out about purchases that end in this transaction. Locks no wallet: where another incident
 * of one of them is recorded at that instant, the transaction fails as a whole.
 */
export async function insertFound(
  tx: Tx,
  found: readonly { readonly purchase: Purchase; readonly source: string; readonly evidence: string }[],
  now: Instant,
): Promise<void> {
  const column = (read: (each: (typeof found)[number]) => string | number | bigint | null) => arrayOf(found.map(read));
  await tx.query(insertReviewIncidents, [
    column(({ purchase }) => walletIdOf(purchase.wallet)),
    column(({ purchase }) => purchase.id),
    column(({ purchase }) => purchase.attempt),
    column(({ purchase }) => purchase.supplier),
    column(({ source }) => source),
    column(({ evidence }) => evidence.slice(0, evidenceLengthMax)),
    new Date(now),
  ]);
}

const updateRefundedPurchase = statement(
  "update_purchase_refunded",
  `update purchases
      set refunded_at = now()
    where wallet_id = $1 and id = $2 and status = 'successful'`,
);

/** Marks a sale that its supplier took back, in the transaction that credits the wallet, whose lock the caller holds. */
export async function updateRefunded(tx: Tx, { wallet, id }: Pick<Purchase, "wallet" | "id">): Promise<void> {
  await tx.query(updateRefundedPurchase, [walletIdOf(wallet), id]);
}

const listPurchaseIncidents = statement(
  "list_purchase_incidents",
  `select i.kind, i.attempt, i.supplier, i.source, i.evidence, i.at
     from purchase_incidents i
    where i.wallet_id = $1 and i.purchase_id = $2
    order by i.number`,
);

export async function listIncidents(
  db: Queryable,
  wallet: WalletKey,
  id: PurchaseId,
): Promise<(Incident & { readonly at: Instant })[]> {
  return db.query(listPurchaseIncidents, [walletIdOf(wallet), id]);
}

/** An incident, and whose it is. */
export interface IncidentRow extends Incident {
  readonly wallet: WalletKey;
  readonly purchaseId: PurchaseId;
  readonly at: Instant;
}

const listIncidentsLatest = statement(
  "list_latest_purchase_incidents",
  `select i.wallet_id as "walletId", i.purchase_id as "purchaseId", i.kind, i.attempt, i.supplier, i.source, i.evidence,
          i.at
     from purchase_incidents i
    order by i.at desc
    limit $1`,
);

/** The latest incidents, whoever's they are. */
export async function listLatestIncidents(db: Queryable, limit: number): Promise<IncidentRow[]> {
  type Row = Omit<IncidentRow, "wallet"> & { readonly walletId: WalletId };
  const rows = await db.query<Row>(listIncidentsLatest, [limit]);
  return rows.map(({ walletId, ...incident }) => ({ ...incident, wallet: walletOfId(walletId) }));
}

/** One attempt of a purchase that has ended. */
export interface EndedAttempt {
  readonly attempt: number;
  readonly supplier: string;
  /** The supplier's code for the product, from its route. */
  readonly supplierCode: string | null;
  readonly supplierReference: string;
  /** The supplier's reference of the attempt; null where it told none. */
  readonly providerReference: string | null;
  readonly verdict: "vended" | "declined";
  readonly evidence: string;
  readonly cost: bigint | null;
  /** The cost in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreignCost: string | null;
  readonly routeReason: string | null;
  readonly endedAt: Instant;
}

const listPurchaseAttempts = statement(
  "list_vend_attempts",
  `select a.attempt,
          a.supplier,
          a.supplier_code as "supplierCode",
          a.supplier_reference as "supplierReference",
          a.provider_reference as "providerReference",
          a.verdict,
          a.evidence,
          a.cost,
          a.foreign_cost as "foreignCost",
          a.route_reason as "routeReason",
          a.ended_at as "endedAt"
     from vend_attempts a
    where a.wallet_id = $1 and a.purchase_id = $2
    order by a.attempt`,
);

export async function listAttempts(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<EndedAttempt[]> {
  return db.query<EndedAttempt>(listPurchaseAttempts, [walletIdOf(wallet), id]);
}

// The first of several. Later ones were second deliveries.
const findContradicted = statement(
  "find_contradicted_attempt",
  `select a.attempt, a.supplier, a.evidence
     from vend_attempts a
     join purchase_incidents i
       on i.wallet_id = a.wallet_id and i.purchase_id = a.purchase_id
      and i.attempt = a.attempt
      and i.kind = 'contradiction'
    where a.wallet_id = $1 and a.purchase_id = $2
    order by a.attempt
    limit 1`,
);

export type ContradictedAttempt = Pick<EndedAttempt, "attempt" | "supplier" | "evidence">;

/** The attempt of a purchase whose supplier has said something else than how it ended; null for none. */
export async function findContradictedAttempt(
  db: Queryable,
  wallet: WalletKey,
  id: PurchaseId,
): Promise<ContradictedAttempt | null> {
  const [row] = await db.query<ContradictedAttempt>(findContradicted, [walletIdOf(wallet), id]);
  return row ?? null;
}
