import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { ChangeId } from "../../staff/change-queries.ts";
import type { BankReference } from "../../wallet/credit-queries.ts";

export type LineState = "open" | "credited" | "set_aside" | "settlement";

/** A line of a statement, and what became of it. */
export interface KeptLine {
  readonly number: number;
  readonly accountNumber: string;
  readonly bank: string;
  readonly paidOn: string;
  readonly amount: Kobo;
  readonly bankReference: BankReference;
  readonly narration: string;
  readonly importId: number;
  readonly line: number;
  readonly state: LineState;
  /** The credit that it became, or that was entered by hand under its reference; null where there is none. */
  readonly creditId: number | null;
  readonly merchantId: MerchantId | null;
  /** What waits for a second person about it. */
  readonly requestId: ChangeId | null;
  readonly setAsideBecause: string | null;
  /** The payment provider that paid it to us, of what it held. */
  readonly settlementOf: string | null;
  readonly endedBy: string | null;
  readonly endedAt: Instant | null;
}

const lineColumns = `
          l.number,
          l.account_number as "accountNumber",
          a.bank,
          l.paid_on::text as "paidOn",
          l.amount,
          l.bank_reference as "bankReference",
          l.narration,
          l.import_id as "importId",
          l.line,
          case when l.set_aside_because is not null then 'set_aside'
               when l.settlement_of is not null then 'settlement'
               when c.id = l.credit_id then 'credited'
               else 'open'
          end as state,
          c.id as "creditId",
          c.merchant_id as "merchantId",
          s.change_id as "requestId",
          l.set_aside_because as "setAsideBecause",
          l.settlement_of as "settlementOf",
          l.ended_by as "endedBy",
          l.ended_at as "endedAt"`;

// Its own credit, else the one that has its reference. A credit that was taken back leaves its line open.
const besideLines = `
     join bank_accounts a using (account_number)
     left join lateral (
       select w.id, w.merchant_id
         from wallet_credits w
        where w.taken_back_at is null
          and (w.id = l.credit_id or w.bank_reference = l.bank_reference)
        order by w.id = l.credit_id desc nulls last
        limit 1
     ) c on true
     left join change_subjects s on s.subject = 'bank reference ' || l.bank_reference`;

const openNumbers = `
     select o.number
       from statement_lines o
      where o.credit_id is null and o.set_aside_because is null and o.settlement_of is null
      union all
     select o.number
       from wallet_credits w
       join statement_lines o on o.credit_id = w.id
      where w.taken_back_at is not null`;

const listOpen = statement(
  "list_open_statement_lines",
  `select ${lineColumns}
     from (${openNumbers}) open_line
     join statement_lines l on l.number = open_line.number
     ${besideLines}
    where ($2::integer is null or l.number < $2)
    order by l.number desc
    limit $1`,
);

const listEnded = statement(
  "list_ended_statement_lines",
  `select ${lineColumns}
     from statement_lines l
     ${besideLines}
    where ($2::integer is null or l.number < $2)
      and case $3
            when 'set_aside' then l.set_aside_because is not null
            when 'settlement' then l.settlement_of is not null
            else c.id = l.credit_id
          end
    order by l.number desc
    limit $1`,
);

/** Lines of one state, the latest first, below a number. */
export function listStatementLines(
  db: Queryable,
  state: LineState,
  { limit, before }: { readonly limit: number; readonly before: number | null },
): Promise<KeptLine[]> {
  return state === "open"
    ? db.query<KeptLine>(listOpen, [limit, before])
    : db.query<KeptLine>(listEnded, [limit, before, state]);
}

const listByNumbers = statement(
  "list_statement_lines_by_number",
  `select ${lineColumns}
     from statement_lines l
     ${besideLines}
    where l.number = any ($1::integer[])
    order by l.number`,
);

export function listLinesByNumber(db: Queryable, numbers: readonly number[]): Promise<KeptLine[]> {
  return db.query<KeptLine>(listByNumbers, [arrayOf(numbers)]);
}

const lockLines = statement(
  "find_statement_lines_for_update",
  `select 1
     from statement_lines l
    where l.number = any ($1::integer[])
    order by l.number
      for update`,
);

/** Locks lines in the order of their numbers, then reads them: of two who end one, the second one sees what the first did. */
export async function lockStatementLines(tx: Tx, numbers: readonly number[]): Promise<KeptLine[]> {
  await tx.query(lockLines, [arrayOf(numbers)]);
  return listLinesByNumber(tx, numbers);
}

const findOfCredit = statement(
  "find_statement_line_of_credit",
  "select number from statement_lines where credit_id = $1",
);

/** The line that a credit was booked for; null for one that was entered by hand. */
export async function findLineOfCredit(db: Queryable, creditId: number): Promise<number | null> {
  return (await db.query<{ number: number }>(findOfCredit, [creditId]))[0]?.number ?? null;
}

const updateCredited = statement(
  "update_statement_line_credited",
  `update statement_lines
      set credit_id = $2,
          set_aside_because = null,
          ended_by = $3,
          ended_at = now(),
          event_due = $4
    where number = $1`,
);

interface CreditedLine {
  readonly number: number;
  readonly creditId: number;
  readonly by: string;
  /** Whether its merchant is due the event and email. */
  readonly eventDue: boolean;
}

/** Marks a locked line as credited, in the transaction of its credit. */
export async function updateLineCredited(tx: Tx, { number, creditId, by, eventDue }: CreditedLine): Promise<void> {
  await tx.query(updateCredited, [number, creditId, by, eventDue]);
}

const updateEnded = statement(
  "update_statement_line_ended",
  `update statement_lines
      set credit_id = null,
          set_aside_because = $2,
          settlement_of = $3,
          ended_by = case when num_nonnulls($2::text, $3::text) > 0 then $4 end,
          ended_at = case when num_nonnulls($2::text, $3::text) > 0 then now() end,
          event_due = false
    where number = $1`,
);

/** Ends a locked line otherwise than by a credit, in one of the two ways; with neither it is open again. */
export async function updateLineEnded(
  tx: Tx,
  number: number,
  { setAsideBecause = null, settlementOf = null }: Partial<Pick<KeptLine, "setAsideBecause" | "settlementOf">>,
  by: string,
): Promise<void> {
  await tx.query(updateEnded, [number, setAsideBecause, settlementOf, by]);
}

const updateLinked = statement(
  "update_statement_lines_linked",
  `update statement_lines l
      set credit_id = c.id,
          ended_by = $1,
          ended_at = now()
     from wallet_credits c
    where l.credit_id is null
      and l.set_aside_because is null
      and l.settlement_of is null
      and c.bank_reference = l.bank_reference
      and c.amount = l.amount
      and c.taken_back_at is null
      and not exists (
            select 1
              from statement_lines o
             where o.credit_id = c.id
          )
      and not exists (
            select 1
              from statement_lines o
             where o.bank_reference = l.bank_reference
               and o.number < l.number
               and o.credit_id is null
          )
   returning 1`,
);

/** Ends open lines whose transfer was credited by hand before, by its reference and amount. Moves no money. @returns how many */
export async function linkLinesToCredits(tx: Tx, by: string): Promise<number> {
  return (await tx.query(updateLinked, [by])).length;
}

/** A credited line that its merchant was not informed of. */
export interface UnannouncedLine {
  readonly number: number;
  readonly merchantId: MerchantId;
}

const listUnannounced = statement(
  "list_unannounced_statement_lines",
  `select l.number,
          c.merchant_id as "merchantId"
     from statement_lines l
     join wallet_credits c on c.id = l.credit_id
    where l.event_due
    order by l.ended_at
    limit $1`,
);

/** Oldest first. */
export function listUnannouncedLines(db: Queryable, limit: number): Promise<UnannouncedLine[]> {
  return db.query<UnannouncedLine>(listUnannounced, [limit]);
}

/** What a merchant gets to know of a credited line. */
export interface FundedLine extends Pick<KeptLine, "accountNumber" | "paidOn" | "amount" | "narration"> {
  readonly creditId: number;
  readonly bankReference: BankReference;
  readonly reason: string;
  readonly balanceAfter: Kobo;
  readonly creditedAt: Instant;
  /** As its merchant announced it; null where it announced nothing. */
  readonly senderName: string | null;
  readonly senderBank: string | null;
}

const updateAnnounced = statement(
  "update_statement_line_announced",
  `update statement_lines l
      set event_due = false
     from wallet_credits c
     join ledger_entries e
       on e.wallet_id = c.merchant_id and e.seq = c.entry_seq
    where l.number = $1
      and l.event_due
      and c.id = l.credit_id
   returning c.id as "creditId", l.account_number as "accountNumber", l.paid_on::text as "paidOn", l.amount,
             l.narration, l.bank_reference as "bankReference", c.reason, e.balance_after as "balanceAfter",
             c.booked_at as "creditedAt",
             (
               select t.sender_name
                 from announced_transfers t
                where t.line_number = l.number
             ) as "senderName",
             (
               select t.bank
                 from announced_transfers t
                where t.line_number = l.number
             ) as "senderBank"`,
);

/** Marks a line as announced, in the transaction that announces it. Null when another process did. */
export async function updateLineAnnounced(tx: Tx, number: number): Promise<FundedLine | null> {
  return (await tx.query<FundedLine>(updateAnnounced, [number]))[0] ?? null;
}
