import type { Instant } from "../../kernel/clock.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Queryable, Statement } from "../../platform/database.ts";

/** Pending purchases of one supplier. */
export interface InFlight {
  /** Null: no supplier has them, as in the sandbox. */
  readonly supplier: string | null;
  readonly purchases: bigint;
  /** What merchants were charged for them. */
  readonly amount: Kobo;
}

/** Our own money at one supplier, paid to it beforehand. */
export interface HeldBySupplier {
  readonly supplier: string;
  /** As it told last, and when; null where it has told none. */
  readonly balance: Kobo | null;
  readonly toldAt: Instant | null;
}

/** Where merchants' money is, at one moment, and what suppliers hold for us. */
export interface Float {
  readonly at: Instant;
  /** Wallets that hold something, and what all of them hold. */
  readonly wallets: { readonly count: bigint; readonly amount: Kobo };
  readonly inFlight: readonly InFlight[];
  /** Every supplier; in the sandbox none. */
  readonly suppliers: readonly HeldBySupplier[];
}

// One statement, so one snapshot: a purchase that is charged meanwhile is in neither sum or in both. What is in flight is
// looked up purchase by purchase, whatever the planner expects: the table of purchases may have millions of rows.
const listFloat: Statement = {
  name: "list_float",
  secondsMax: 600,
  text: `select 'wallets' as part,
          null as supplier,
          count(*) filter (where w.balance > 0) as count,
          coalesce(sum(w.balance), 0)::bigint as amount,
          now() as at
     from wallets w
    where w.mode = $1
    union all
   select 'in_flight', p.supplier, count(*), sum(p.total)::bigint, now()
     from inflight f
    cross join lateral (
            select p.supplier, p.total
              from purchases p
             where p.bucket = f.bucket
               and p.merchant_id = f.merchant_id
               and p.mode = f.mode
               and p.id = f.purchase_id
               and p.id > 0
             limit 1
          ) p
    where f.mode = $1
    group by p.supplier
    union all
   select 'supplier', s.name, null, b.balance, b.told_at
     from suppliers s
     left join supplier_balances b
       on b.supplier = s.name
    where $1 = 'live'
    order by 1 desc, 2 nulls last`,
};

type FloatRow =
  | { readonly part: "wallets"; readonly count: bigint; readonly amount: Kobo; readonly at: Instant }
  | { readonly part: "in_flight"; readonly supplier: string | null; readonly count: bigint; readonly amount: Kobo }
  | { readonly part: "supplier"; readonly supplier: string; readonly amount: Kobo | null; readonly at: Instant | null };

/** Sums wallets and pending purchases of one mode in one snapshot, beside suppliers' last known balances. Reads no entries, and no purchase that has ended. */
export async function sumFloat(db: Queryable, mode: Mode): Promise<Float> {
  const rows = await db.query<FloatRow>(listFloat, [mode]);
  const wallets = rows.find((row) => row.part === "wallets");
  const inFlight = rows.filter((row) => row.part === "in_flight");
  const suppliers = rows.filter((row) => row.part === "supplier");
  return {
    at: wallets?.at ?? 0,
    wallets: { count: wallets?.count ?? 0n, amount: wallets?.amount ?? zeroKobo },
    inFlight: inFlight.map(({ supplier, count, amount }) => ({ supplier, purchases: count, amount })),
    suppliers: suppliers.map(({ supplier, amount, at }) => ({ supplier, balance: amount, toldAt: at })),
  };
}
