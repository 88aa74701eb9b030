import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type Queryable, type Statement, statement, type Tx } from "../../../platform/database/database.ts";

/** Money that a payment provider paid to the company's bank, of what it held for us. */
export interface Settlement {
  /** The statement's line. */
  readonly number: number;
  readonly provider: string;
  readonly amount: Kobo;
}

const insertEntry = statement(
  "insert_settlement_entry",
  `insert into funding_entries (debit_account, credit_account, amount, provider, line_number, booked_at)
   values (case when $4 then 'provider' else 'bank' end, case when $4 then 'bank' else 'provider' end, $3, $2, $1, now())`,
);

/** Moves a locked line's amount from what its provider holds to the bank; `isReversal`: back. */
export async function insertSettlementEntry(
  tx: Tx,
  { number, provider, amount }: Settlement,
  isReversal: boolean,
): Promise<void> {
  await tx.query(insertEntry, [number, provider, amount, isReversal]);
}

/** What a payment provider has still to pay to the company's bank, and what it paid last. */
export interface Clearing {
  /** By our books. Below zero where it paid more than they have. */
  readonly holding: Kobo;
  readonly last: { readonly number: number; readonly amount: Kobo; readonly paidOn: string } | null;
}

const findClearing: Statement = {
  name: "find_payment_provider_clearing",
  secondsMax: 600,
  text: `select (
            select coalesce(
                     sum(case 'provider' when e.debit_account then e.amount when e.credit_account then -e.amount end), 0
                   )::bigint
              from funding_entries e
             where e.provider = $1
          ) as holding,
          l.number,
          l.amount,
          l.paid_on::text as "paidOn"
     from (values (1)) as one (row)
     left join lateral (
            select s.number, s.amount, s.paid_on
              from statement_lines s
             where s.settlement_of = $1
             order by s.paid_on desc, s.number desc
             limit 1
          ) l
       on true`,
};

interface ClearingRow {
  readonly holding: Kobo;
  readonly number: number | null;
  readonly amount: Kobo;
  readonly paidOn: string;
}

/** Reads all entries of the provider. */
export async function findProviderClearing(db: Queryable, provider: string): Promise<Clearing> {
  const [row] = await db.query<ClearingRow>(findClearing, [provider]);
  const { holding = zeroKobo, number = null, amount = zeroKobo, paidOn = "" } = row ?? {};
  return { holding, last: number === null ? null : { number, amount, paidOn } };
}
