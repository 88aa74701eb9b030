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

/** Where merchants' money is, at one moment. */
export interface Float {
  readonly at: Instant;
  /** Wallets that hold something, and what all of them hold. */
  readonly wallets: { readonly count: bigint; readonly amount: Kobo };
  readonly inFlight: readonly InFlight[];
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
    order by 1 desc, 2 nulls last`,
};

interface FloatRow {
  readonly part: "wallets" | "in_flight";
  readonly supplier: string | null;
  readonly count: bigint;
  readonly amount: Kobo;
  readonly at: Instant;
}

/** Sums wallets and pending purchases of one mode in one snapshot. Reads no entries, and no purchase that has ended. */
export async function sumFloat(db: Queryable, mode: Mode): Promise<Float> {
  const rows = await db.query<FloatRow>(listFloat, [mode]);
  const wallets = rows.find(({ part }) => part === "wallets");
  const inFlight = rows.filter(({ part }) => part === "in_flight");
  return {
    at: wallets?.at ?? 0,
    wallets: { count: wallets?.count ?? 0n, amount: wallets?.amount ?? zeroKobo },
    inFlight: inFlight.map(({ supplier, count, amount }) => ({ supplier, purchases: count, amount })),
  };
}
