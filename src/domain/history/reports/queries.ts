import type { Instant } from "../../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type Queryable, type Statement, statement } from "../../../platform/database/database.ts";
import type { EntryRow } from "../statement/wallet-statement-queries.ts";

/** Pending purchases of one supplier. */
export interface InFlight {
  /** Null: no supplier has them, as in the sandbox. */
  readonly supplier: string | null;
  readonly purchases: bigint;
  /** What merchants were charged for them. */
  readonly amount: Kobo;
}

/** Our own money at one supplier, paid to it beforehand. */
export interface SupplierMoney {
  readonly supplier: string;
  /** As it told last, and when; null where it has told none. */
  readonly balance: Kobo | null;
  readonly reportedAt: Instant | null;
}

/** Where merchants' money is, at one moment, and what suppliers hold for us. */
export interface Float {
  readonly at: Instant;
  /** Wallets that hold something, and what all of them hold. */
  readonly wallets: { readonly count: bigint; readonly amount: Kobo };
  readonly inFlight: readonly InFlight[];
  /** Every supplier; in the sandbox none. */
  readonly suppliers: readonly SupplierMoney[];
  readonly moneyIn: MoneyIn;
}

/** What a payment provider holds for us. */
export interface ProviderMoney {
  readonly provider: string;
  /** Less what it kept, gave back and paid to our bank. Below zero where it paid more than our books have. */
  readonly holding: Kobo;
  /** What it paid to our bank last, and noon of that day; null where it paid nothing yet. */
  readonly last: { readonly amount: Kobo; readonly at: Instant } | null;
}

/** What came in by bank transfer; all of it nothing in the sandbox. */
export interface MoneyIn {
  readonly providers: readonly ProviderMoney[];
  /** Payments to nobody's account. */
  readonly suspense: { readonly payments: bigint; readonly amount: Kobo };
  /** What merchants owe, as it was taken back after they had spent it. */
  readonly debts: { readonly wallets: bigint; readonly amount: Kobo };
}

// One statement, so one snapshot: a purchase that is charged meanwhile is in neither sum or in both. What is in flight is
// looked up purchase by purchase, whatever the planner expects: the table of purchases may have millions of rows.
const listFloat: Statement = {
  name: "list_float",
  secondsMax: 600,
  text: `with holdings as materialized (
     select m.provider,
            sum(case 'provider' when m.debit_account then m.amount when m.credit_account then -m.amount end) as amount
       from funding_entries m
      group by m.provider
   )
   select 'wallets' as part,
          null as supplier,
          count(*) filter (where w.balance > 0) as count,
          coalesce(sum(w.balance), 0)::bigint as amount,
          now() as at
     from wallets w
    where (w.wallet_id > 0) = ($1 = 'live')
    union all
   select 'in_flight', p.supplier, count(*), sum(p.total)::bigint, now()
     from inflight f
    cross join lateral (
            select p.supplier, p.total
              from purchases p
             where p.wallet_id = f.wallet_id
               and p.id = f.purchase_id
             limit 1
          ) p
    where (f.wallet_id > 0) = ($1 = 'live')
    group by p.supplier
    union all
   select 'supplier', s.name, null, b.balance, b.reported_at
     from suppliers s
    cross join lateral (
            select max(o.balance) as balance, max(o.reported_at) as reported_at
              from supplier_balances o
             where o.supplier = s.name
          ) b
    where $1 = 'live'
    union all
   select 'provider', v.name, null, coalesce((select h.amount from holdings h where h.provider = v.name), 0)::bigint, now()
     from payment_providers v
    where $1 = 'live'
    union all
   select 'settlement', v.name, null, l.amount, l.paid_on::timestamp at time zone 'UTC' + interval '12 hours'
     from payment_providers v
    cross join lateral (
            select s.amount, s.paid_on
              from statement_lines s
             where s.settlement_of = v.name
             order by s.paid_on desc, s.number desc
             limit 1
          ) l
    where $1 = 'live'
    union all
   select 'suspense', null, count(*), coalesce(sum(p.credited - least(p.taken_back, p.credited)), 0)::bigint, now()
     from payments p
    where p.state = 'unmatched' and $1 = 'live'
    union all
   select 'debts', null, count(*), coalesce(sum(w.debt), 0)::bigint, now()
     from wallets w
    where w.debt > 0 and $1 = 'live'
    order by 1 desc, 2 nulls last`,
};

type FloatRow =
  | { readonly part: "wallets"; readonly count: bigint; readonly amount: Kobo; readonly at: Instant }
  | { readonly part: "in_flight"; readonly supplier: string | null; readonly count: bigint; readonly amount: Kobo }
  | { readonly part: "provider"; readonly supplier: string; readonly amount: Kobo }
  | { readonly part: "settlement"; readonly supplier: string; readonly amount: Kobo; readonly at: Instant }
  | { readonly part: "suspense" | "debts"; readonly count: bigint; readonly amount: Kobo }
  | { readonly part: "supplier"; readonly supplier: string; readonly amount: Kobo | null; readonly at: Instant | null };

/**
 * Sums wallets and pending purchases of one mode in one snapshot, beside suppliers' last known balances and what payment
 * providers hold. Reads no purchase that has ended, no entry of a wallet, and every entry of money that came in.
 */
export async function sumFloat(db: Queryable, mode: Mode): Promise<Float> {
  const rows = await db.query<FloatRow>(listFloat, [mode]);
  const wallets = rows.find((row) => row.part === "wallets");
  const inFlight = rows.filter((row) => row.part === "in_flight");
  const suppliers = rows.filter((row) => row.part === "supplier");
  const providers = rows.filter((row) => row.part === "provider");
  const settlements = rows.filter((row) => row.part === "settlement");
  const counted = rows.flatMap((row) => (row.part === "suspense" || row.part === "debts" ? [row] : []));
  const sumOf = (part: "suspense" | "debts") =>
    counted.find((row) => row.part === part) ?? { count: 0n, amount: zeroKobo };
  const [suspense, debts] = [sumOf("suspense"), sumOf("debts")];
  return {
    at: wallets?.at ?? 0,
    wallets: { count: wallets?.count ?? 0n, amount: wallets?.amount ?? zeroKobo },
    inFlight: inFlight.map(({ supplier, count, amount }) => ({ supplier, purchases: count, amount })),
    suppliers: suppliers.map(({ supplier, amount, at }) => ({ supplier, balance: amount, reportedAt: at })),
    moneyIn: {
      providers: providers.map(({ supplier: provider, amount: holding }) => {
        const last = settlements.find(({ supplier }) => supplier === provider);
        return { provider, holding, last: last === undefined ? null : { amount: last.amount, at: last.at } };
      }),
      suspense: { payments: suspense.count, amount: suspense.amount },
      debts: { wallets: debts.count, amount: debts.amount },
    },
  };
}

/** How much a supplier may still have to be asked about. */
interface OpenAtSupplier {
  /** Pending live purchases that were sent to the supplier, also those in review and those that it declined. */
  readonly purchases: number;
  /** Attempts that the supplier sent a callback about and has not been asked about yet. */
  readonly questions: number;
}

// When a purchase went on to the next supplier, a late answer of the one before still counts.
const countOpen = statement(
  "count_open_at_supplier",
  `select (
            select count(*)::integer
              from inflight f
              join purchases p
                on p.wallet_id = f.wallet_id and p.id = f.purchase_id
             where p.wallet_id > 0
               and (
                     p.supplier = $1
                     or exists (
                          select 1
                            from vend_attempts a
                           where a.wallet_id = f.wallet_id
                             and a.purchase_id = f.purchase_id
                             and a.supplier = $1
                        )
                   )
          ) as purchases,
          (select count(*)::integer from callback_questions q where q.supplier = $1) as questions`,
);

/** Counts what another account would be asked about if the supplier's credentials were replaced now. */
export async function countOpenAt(db: Queryable, supplier: string): Promise<OpenAtSupplier> {
  const [row] = await db.query<OpenAtSupplier>(countOpen, [supplier]);
  return row ?? { purchases: 0, questions: 0 };
}

/** One movement of a wallet; `delta` is below zero where the wallet paid. */
export interface LedgerEntry extends Pick<EntryRow, "at" | "delta" | "balanceAfter" | "purchaseId" | "reason"> {
  readonly kind: string;
  /** The bank's reference of the transfer that was credited. */
  readonly bankReference: string | null;
}

const listEntries = statement(
  "list_last_ledger_entries",
  `select e.created_at as at,
          e.kind,
          e.delta,
          e.balance_after as "balanceAfter",
          e.purchase_id as "purchaseId",
          e.reason,
          c.bank_reference as "bankReference"
     from ledger_entries e
     left join wallet_credits c
       on c.merchant_id = e.wallet_id and c.entry_seq = e.seq
    where e.wallet_id = $1
    order by e.seq desc
    limit $2`,
);

/** A wallet's last entries, the newest first. */
export function listLastEntries(db: Queryable, wallet: WalletKey, limit: number): Promise<LedgerEntry[]> {
  return db.query<LedgerEntry>(listEntries, [walletIdOf(wallet), limit]);
}
