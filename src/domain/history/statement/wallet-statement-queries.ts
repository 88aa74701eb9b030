import type { Instant } from "../../../kernel/clock.ts";
import { type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** Kinds of ledger entries, as merchants read them: goodwill is an adjustment that names its purchase. */
export const entryKinds = ["top_up", "purchase", "refund", "reversal", "adjustment", "sandbox_reset"] as const;
export type EntryKind = (typeof entryKinds)[number];

/**
 * The part of a wallet's ledger that a statement shows: its entries are numbered without a gap, so these two numbers are
 * the whole range. `openingSeq` is the last entry before it, `closingSeq` the last one in it.
 */
export interface StatementRange {
  readonly openingSeq: bigint;
  readonly closingSeq: bigint;
  readonly openingBalance: Kobo;
  readonly closingBalance: Kobo;
}

const findRange = statement(
  "find_statement_range",
  `select opening_seq as "openingSeq",
          closing_seq as "closingSeq",
          opening_balance as "openingBalance",
          closing_balance as "closingBalance"
     from find_statement_range($1, $2, $3)`,
);

/** From one instant to before another; null leaves that end open. Null when there is no such wallet. */
export async function findStatementRange(
  db: Queryable,
  wallet: WalletKey,
  { from, before }: { readonly from: Instant | null; readonly before: Instant | null },
): Promise<StatementRange | null> {
  const values = [walletIdOf(wallet), timestampOf(from), timestampOf(before)];
  const [row] = await db.query<StatementRange>(findRange, values);
  return row ?? null;
}

function timestampOf(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

export interface EntryRow {
  readonly seq: bigint;
  readonly at: Instant;
  readonly kind: EntryKind;
  readonly delta: Kobo;
  readonly balanceAfter: Kobo;
  readonly purchaseId: PurchaseId | null;
  readonly reason: string | null;
  /** Null where no purchase caused the entry, or where that sandbox purchase was purged. */
  readonly reference: Reference | null;
  readonly productName: string | null;
  readonly customerRef: string | null;
}

const listEntries = statement(
  "list_statement_entries",
  `select e.seq,
          e.created_at as at,
          case e.kind when 'goodwill' then 'adjustment' else e.kind end as kind,
          e.delta,
          e.balance_after as "balanceAfter",
          e.purchase_id as "purchaseId",
          e.reason,
          p.reference,
          i.name as "productName",
          p.customer_ref as "customerRef"
     from ledger_entries e
     left join purchases p
       on p.wallet_id = e.wallet_id
      and p.id = e.purchase_id
     left join products i on i.id = p.product_id
    where e.wallet_id = $1
      and e.seq > $2
      and e.seq <= $3
    order by e.seq`,
);

/** Entries behind one number, up to another and including it, in their order. */
export function listEntriesBetween(
  db: Queryable,
  wallet: WalletKey,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<EntryRow[]> {
  return db.query<EntryRow>(listEntries, [walletIdOf(wallet), after, upTo]);
}

/** What came in and what went out, both above zero. */
export interface EntryFlow {
  readonly in: Kobo;
  readonly out: Kobo;
}

const countFlow = statement(
  "count_statement_flow",
  `select coalesce(sum(delta) filter (where delta > 0), 0)::bigint as in,
          coalesce(-sum(delta) filter (where delta < 0), 0)::bigint as out
     from ledger_entries
    where wallet_id = $1
      and seq > $2
      and seq <= $3`,
);

/** Adds up entries behind one number, up to another and including it; reads each of them. */
export async function countFlowBetween(
  db: Queryable,
  wallet: WalletKey,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<EntryFlow> {
  const [row] = await db.query<EntryFlow>(countFlow, [walletIdOf(wallet), after, upTo]);
  return row ?? { in: zeroKobo, out: zeroKobo };
}
