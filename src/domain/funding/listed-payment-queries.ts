import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { wholeNumber } from "../../kernel/typed-text.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database/database.ts";
import type { Sender } from "../../providers/payments/contract.ts";
import type { ContradictionEnd, PaymentKey, PaymentState } from "./payment.ts";

/** A payment as it is stored. What is not verified has no amounts, no sender and no time of its own. */
export interface ListedPayment extends PaymentKey {
  readonly number: number;
  readonly state: PaymentState;
  /** As `PaymentQuestion` has it. */
  readonly epoch: number;
  readonly receivedAt: Instant;
  readonly receivedBy: "event" | "list" | "person";
  /** When its provider is asked next; null where there is nothing to ask. */
  readonly dueAt: Instant | null;
  /** How often it was asked since the last event. */
  readonly tries: number;
  readonly amount: Kobo | null;
  readonly fee: Kobo | null;
  readonly credited: Kobo | null;
  readonly takenBack: Kobo;
  readonly accountNumber: string | null;
  readonly accountReference: string | null;
  readonly sender: Sender | null;
  readonly paidAt: Instant | null;
  readonly evidence: string;
  /** The merchant whose live wallet was credited. */
  readonly merchantId: MerchantId | null;
  readonly creditedAt: Instant | null;
  /** Of one that is credited: whether its merchant was told. */
  readonly isAnnounced: boolean;
  /** What its provider said against what is booked, for a person to end; null where it said nothing. */
  readonly contradiction: string | null;
  /** How that was ended; all of these are null while it is open. */
  readonly contradictionEnd: ContradictionEnd | null;
  readonly contradictionNote: string | null;
  readonly contradictionEndedBy: string | null;
  readonly contradictionEndedAt: Instant | null;
}

const columns = `p.number, p.provider, p.payment_id as "paymentId", p.state, p.epoch, p.heard_at as "receivedAt",
          p.heard_by as "receivedBy", p.due_at as "dueAt", p.tries, p.amount, p.fee, p.credited,
          p.taken_back as "takenBack", p.account_number as "accountNumber",
          p.account_reference as "accountReference", p.sender, p.paid_at as "paidAt", p.evidence,
          p.wallet_id as "merchantId", p.credited_at as "creditedAt",
          not exists (select 1 from payment_announcements a where a.number = p.number) as "isAnnounced",
          p.contradiction, p.contradiction_end as "contradictionEnd", p.contradiction_note as "contradictionNote",
          p.contradiction_ended_by as "contradictionEndedBy", p.contradiction_ended_at as "contradictionEndedAt"`;

export interface PaymentFilter {
  readonly provider: string | null;
  readonly merchantId: MerchantId | null;
  readonly state: PaymentState | null;
  /** Of which something was taken back, or nothing; null for both. */
  readonly wasTakenBack: boolean | null;
  /** Only payments whose merchant owes something. */
  readonly isOwed: boolean;
  /** Only payments that their provider contradicted. */
  readonly isContradicted: boolean;
  /** When they were heard of first. */
  readonly from: Instant | null;
  readonly before: Instant | null;
  /** Numbers that a search found; null without one. */
  readonly numbers: readonly number[] | null;
}

// Planned for its values: what is null falls away, and each state but `credited` has an index of its own. Numbers follow the
// times at which payments were heard of, but for those that came at one moment.
const listNewest = statement(
  "list_payments",
  `select ${columns}
     from payments p
    where p.number < $1
      and ($2::integer is null or p.number > $2)
      and ($3::integer is null or p.number < $3)
      and ($4::text is null or p.provider = $4)
      and ($5::integer is null or p.wallet_id = $5)
      and ($6::text is null or p.state = $6)
      and ($6::text is distinct from 'heard' or p.due_at is not null)
      and ($7::boolean is null or (p.taken_back > 0) = $7)
      and (not $8::boolean or p.wallet_id in (select w.wallet_id from wallets w where w.debt > 0))
      and (not $9::boolean or p.contradiction is not null and p.contradiction_end is null)
      and ($10::timestamptz is null or p.heard_at >= $10)
      and ($11::timestamptz is null or p.heard_at < $11)
      and ($12::integer[] is null or p.number = any ($12))
    order by p.number desc
    limit $13`,
);

/** Payments that came at one moment may be numbered in another order than their times. */
const numbersApart = 1_000;

/** The newest below a number. */
export async function listPayments(
  db: Queryable,
  filter: PaymentFilter,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<ListedPayment[]> {
  const { from, before, numbers } = filter;
  const [first, last] = [await numberAt(db, from), await numberAt(db, before)];
  return db.query<ListedPayment>(listNewest, [
    below,
    from === null ? null : (first ?? numberMax) - numbersApart,
    last === null ? null : last + numbersApart,
    ...[filter.provider, filter.merchantId, filter.state, filter.wasTakenBack, filter.isOwed, filter.isContradicted],
    ...[from, before].map((at) => (at === null ? null : new Date(at))),
    numbers === null ? null : arrayOf(numbers),
    limit,
  ]);
}

export const numberMax = 2_147_483_647;

const findNumber = statement(
  "find_payment_number_at",
  `select min(f.number) as number
     from payment_providers v
    cross join unnest('{event,list,person}'::text[]) as h (heard_by)
    cross join lateral (
            select p.number
              from payments p
             where p.provider = v.name and p.heard_by = h.heard_by and p.heard_at >= $1
             order by p.heard_at
             limit 1
          ) f`,
);

async function numberAt(db: Queryable, at: Instant | null): Promise<number | null> {
  if (at === null) return null;
  const [row] = await db.query<{ number: number | null }>(findNumber, [new Date(at)]);
  return row?.number ?? null;
}

const listFound = statement(
  "list_payment_numbers_found",
  `select p.number
     from payments p
    where p.number = $1
    union
   select p.number
     from payment_providers v
     join payments p
       on p.provider = v.name
    where p.payment_id = $2
    union
   select p.number
     from payments p
    where p.sender ->> 'sessionId' = $2
    union
          (
            select p.number
              from payments p
             where lower(p.sender ->> 'name') like $3
             limit $4
          )`,
);

/** How many senders of a name are looked at. */
export const foundMax = 1_000;
/** Fewer letters would be the beginning of too many names. */
const nameLettersMin = 3;

/**
 * The payments that a number of ours, a provider's id, a session id, or the beginning of a sender's name means; by indexes
 * alone, of senders so many at most.
 */
export async function listPaymentNumbers(db: Queryable, text: string): Promise<number[]> {
  const name = text.length < nameLettersMin ? null : `${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await db.query<{ number: number }>(listFound, [paymentNumberIn(text), text, name, foundMax]);
  return rows.map(({ number }) => number);
}

/** The payment that is called so, `pay_17`, by its provider or by both banks; null where it is none, or several. */
export async function findPaymentCalled(db: Queryable, text: string): Promise<number | null> {
  const number = text.startsWith("pay_") ? paymentNumberIn(text) : null;
  const [row, ...others] = await db.query<{ number: number }>(listFound, [number, text, null, 0]);
  return others.length === 0 ? (row?.number ?? null) : null;
}

/** `pay_17`, or 17. */
function paymentNumberIn(text: string): number | null {
  return wholeNumber(text.replace(/^pay_/, ""));
}

const findByNumber = statement(
  "find_listed_payment",
  `select ${columns}\n     from payments p\n    where p.number = $1`,
);

/** Null where there is none. */
export async function findPaymentNumbered(db: Queryable, number: number): Promise<ListedPayment | null> {
  if (!Number.isInteger(number) || number < 1 || number > numberMax) return null;
  const [row] = await db.query<ListedPayment>(findByNumber, [number]);
  return row ?? null;
}

type FundingAccount = "provider" | "fees" | "suspense" | "funding" | "debts";

/** What a payment moved among the company's accounts. */
export interface PaymentEntry {
  readonly debit: FundingAccount;
  readonly credit: FundingAccount;
  readonly amount: Kobo;
  readonly at: Instant;
  /** The wallet's entry that it was booked with, and what that left; null where there is none. */
  readonly entry: bigint | null;
  readonly balanceAfter: Kobo | null;
}

const listEntries = statement(
  "list_payment_entries",
  `select f.debit_account as debit, f.credit_account as credit, f.amount, f.booked_at as at,
          f.entry_seq as entry, e.balance_after as "balanceAfter"
     from funding_entries f
     left join ledger_entries e
       on e.wallet_id = f.wallet_id and e.seq = f.entry_seq
    where f.provider = $1 and f.payment_id = $2
    order by f.number`,
);

/** In the order in which they were booked. */
export function listPaymentEntries(db: Queryable, { provider, paymentId }: PaymentKey): Promise<PaymentEntry[]> {
  return db.query<PaymentEntry>(listEntries, [provider, paymentId]);
}
