import type { Instant } from "../../kernel/clock.ts";
import { type PurchaseId, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";

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

// The first of several: by the next one's yes, the customer had it already.
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
