import { type PurchaseId, type WalletId, type WalletKey, walletIdOf, walletOfId } from "../../../kernel/ids.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import type { UnreadAnswer } from "../review/unread-queries.ts";

/** A pending purchase that this process leased. */
export interface PendingClaim {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  /** Proves the lease: every later claim raises it. */
  readonly epoch: number;
  /** `queued`: no supplier was asked to vend yet, and the holder of this claim may ask. */
  readonly step: "queued" | "dispatch" | "requery" | "reroute";
  /** How often its supplier was asked what became of it, this time included; 0 where it is sent now. */
  readonly tries: number;
  /** As `VendRequest.notReceivedMs`. */
  readonly notReceivedMs: number | null;
}

const claimDue = statement(
  "claim_due_purchases",
  `select c.wallet_id as "walletId",
          c.purchase_id as id,
          c.epoch,
          c.step,
          c.tries,
          c.not_received_ms as "notReceivedMs"
     from claim_due_purchases($1, $2, $3, $4) c`,
);

type ClaimRow = { readonly walletId: WalletId } & Omit<PendingClaim, "wallet">;

/** Leases pending purchases whose time has come. Skips what another worker holds. */
export async function claimPendingDue(
  db: Queryable,
  options: {
    readonly groups: readonly number[];
    readonly perGroup: number;
    readonly limit: number;
    readonly leaseSeconds: number;
  },
): Promise<PendingClaim[]> {
  const rows = await db.query<ClaimRow>(claimDue, [
    arrayOf(options.groups),
    options.perGroup,
    options.limit,
    options.leaseSeconds,
  ]);
  return rows.map(({ walletId, ...claim }) => ({ ...claim, wallet: walletOfId(walletId) }));
}

/** The present attempt of a pending purchase. */
type PresentAttempt = Pick<Purchase, "wallet" | "id" | "attempt">;

const claimOne = statement(
  "claim_purchase",
  `update inflight f
      set epoch = f.epoch + 1,
          tries = f.tries + 1,
          step = 'requery',
          due_at = now() + make_interval(secs => $4)
    where f.wallet_id = $1
      and f.purchase_id = $2
      and f.attempt = $3
      and f.step <> 'queued'
   returning f.epoch`,
);

/**
 * Takes the lease of one pending purchase, whoever holds it. @returns its epoch; null where it is not pending at that
 * attempt any more, or nobody was asked yet
 */
export async function claimPending(
  db: Queryable,
  { wallet, id, attempt }: PresentAttempt,
  leaseSeconds: number,
): Promise<number | null> {
  const values = [walletIdOf(wallet), id, attempt, leaseSeconds];
  const [row] = await db.query<Pick<PendingClaim, "epoch">>(claimOne, values);
  return row?.epoch ?? null;
}

const findStep = statement(
  "find_pending_step",
  `select f.step, extract(epoch from now() - f.not_received_since)::float8 * 1000 as "notReceivedMs"
     from inflight f
    where f.wallet_id = $1 and f.purchase_id = $2 and f.attempt = $3`,
);

/** How far the present attempt of a pending purchase is. */
export type PendingStep = Pick<PendingCount, "step"> & Pick<PendingClaim, "notReceivedMs">;

/** Null where it is not pending at that attempt any more. */
export async function findPendingStep(
  db: Queryable,
  { wallet, id, attempt }: PresentAttempt,
): Promise<PendingStep | null> {
  return (await db.query<PendingStep>(findStep, [walletIdOf(wallet), id, attempt]))[0] ?? null;
}

// The first time counts, until the supplier says something else.
const noteReceived = statement(
  "update_not_received_since",
  `update inflight f
      set not_received_since = (select now() where not $4)
    where f.wallet_id = $1
      and f.purchase_id = $2
      and f.attempt = $3
      and (f.not_received_since is null) <> $4`,
);

/** Records whether the supplier says that it received the present attempt of a pending purchase. */
export async function updateReceived(
  db: Queryable,
  { wallet, id, attempt }: PresentAttempt,
  received: boolean,
): Promise<void> {
  await db.query(noteReceived, [walletIdOf(wallet), id, attempt, received]);
}

// The inflight row first, as settling does. One that only lacked a reference leaves review.
const nameAttempt = statement(
  "update_provider_reference",
  `with named as (
     update inflight f
        set step = case when f.step = 'review' then 'requery' else f.step end
      where f.wallet_id = $1
        and f.purchase_id = $2
        and f.attempt = $3
     returning f.purchase_id
   )
   update purchases p
      set provider_reference = $4
     from named n
    where p.wallet_id = $1
      and p.id = n.purchase_id
      and p.status = 'pending'
      and p.provider_reference is null`,
);

/** Records what the supplier calls the present attempt of a pending purchase, where it was not known. */
export async function updateProviderReference(
  db: Queryable,
  { wallet, id, attempt }: PresentAttempt,
  providerReference: string,
): Promise<void> {
  await db.query(nameAttempt, [walletIdOf(wallet), id, attempt, providerReference]);
}

/** When to ask about a pending purchase next, decided by the holder of its lease. */
export interface Deferral {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly epoch: number;
  readonly step: "queued" | "requery" | "review";
  readonly dueSeconds: number;
  /** The supplier's reference of the attempt; null where it did not tell one. */
  readonly providerReference: string | null;
  /** Whether the supplier says that it received the attempt; null where it did not say. */
  readonly received: boolean | null;
  /** Its answer, redacted: kept until the next one, for whoever has to decide. */
  readonly evidence: string;
  /** The same to the letter, sealed, where goods may be in it that nobody could make out. */
  readonly unread?: UnreadAnswer | null;
}

const answerCharactersMax = 2_000;

// The inflight row first, as settling does: whoever holds it may touch the purchase.
const deferPending = statement(
  "update_inflight_due",
  `with deferred as (
     update inflight f
        set due_at = t.due_at,
            step = i.step,
            last_answer = i.evidence,
            not_received_since = case
              when i.received then null
              when not i.received then coalesce(f.not_received_since, t.now)
              else f.not_received_since
            end
       from unnest(
              $1::integer[], $2::bigint[], $3::integer[], $4::text[], $5::integer[],
              $6::text[], $7::text[], $8::boolean[]
            ) as i (
              wallet_id, purchase_id, epoch, step, due_seconds, provider_reference, evidence, received
            )
      cross join lateral (select now(), now() + make_interval(secs => i.due_seconds) as due_at) t
      where f.wallet_id = any (array[i.wallet_id]) -- see settle_purchases
        and f.purchase_id = i.purchase_id
        and f.epoch = i.epoch
     returning i.wallet_id, i.purchase_id, i.provider_reference
   )
   update purchases p
      set provider_reference = d.provider_reference
     from deferred d
    where d.provider_reference is not null
      and p.wallet_id = d.wallet_id
      and p.id = d.purchase_id
      and p.status = 'pending'
      and p.provider_reference is distinct from d.provider_reference`,
);

/** Puts pending purchases off. Those whose lease was lost, or that ended meanwhile, are left alone. */
export async function updatePendingDue(db: Queryable, items: readonly Deferral[]): Promise<void> {
  const column = (read: (item: Deferral) => string | number | bigint | boolean | null) => arrayOf(items.map(read));
  await db.query(deferPending, [
    arrayOf(items.map(({ wallet }) => walletIdOf(wallet))),
    column((item) => item.id),
    column((item) => item.epoch),
    column((item) => item.step),
    column((item) => item.dueSeconds),
    column((item) => item.providerReference),
    column((item) => item.evidence.slice(0, answerCharactersMax)),
    column((item) => item.received),
  ]);
}

/**
 * How many live purchases are pending in a step, how many of them are due now, and how many pending since before a given
 * moment.
 */
export interface PendingCount {
  readonly step: "queued" | "dispatch" | "requery" | "reroute" | "review";
  readonly all: number;
  readonly due: number;
  readonly late: number;
  readonly oldestId: PurchaseId | null;
}

const countPending = statement(
  "count_pending",
  `select f.step,
          count(*)::integer as "all",
          (count(*) filter (where f.due_at <= now() and f.step <> 'review'))::integer as due,
          (count(*) filter (where f.purchase_id < $1))::integer as late,
          min(f.purchase_id) as "oldestId"
     from inflight f
    where f.wallet_id > 0
    group by f.step`,
);

/** Counts what is in flight: thousands of rows at most. */
export async function countPendingBefore(db: Queryable, before: PurchaseId): Promise<PendingCount[]> {
  return db.query<PendingCount>(countPending, [before]);
}

const findOldestDue = statement(
  "find_oldest_due",
  `select extract(epoch from now() - min(f.due_at))::float8 as "overdueSeconds"
     from inflight f
    where f.due_at <= now() and f.step <> 'review'`,
);

/** For how many seconds the oldest due row has been waiting; 0 when nothing is due. */
export async function findOverdueSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ overdueSeconds: number | null }>(findOldestDue);
  return row?.overdueSeconds ?? 0;
}

const moveToReview = statement(
  "update_to_review",
  `update inflight f
      set step = 'review',
          epoch = f.epoch + 1
    where f.wallet_id = $1
      and f.purchase_id = $2
      and f.attempt = $3
      and f.step in ('requery', 'review')
   returning 1`,
);

/**
 * Has a pending purchase wait for a person, whoever holds its lease. @returns false where it is not pending at that attempt
 * any more, or is being sent
 */
export async function updateToReview(tx: Tx, { wallet, id, attempt }: PresentAttempt): Promise<boolean> {
  return (await tx.query(moveToReview, [walletIdOf(wallet), id, attempt])).length > 0;
}
