import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";

/** A bank's name for a transfer, as two of them are compared: in capitals and without spaces. */
export type BankReference = string & { readonly bankReference: true };

/** A credit of a live wallet by an operator. */
export interface WalletCredit {
  readonly id: number;
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
  readonly bankReference: BankReference | null;
  readonly status: "proposed" | "booked" | "withdrawn" | "expired";
  readonly needsApproval: boolean;
  readonly proposedBy: string;
  readonly proposedAt: Instant;
  readonly expiresAt: Instant;
  /** Its time is over by the database's clock, whatever `status` says of a proposal. */
  readonly isExpired: boolean;
  readonly approvedBy: string | null;
  readonly withdrawnBy: string | null;
  readonly endedAt: Instant | null;
  /** It was booked by mistake, and its amount was taken back. */
  readonly wasUndone: boolean;
}

const creditColumns = `
          id,
          merchant_id as "merchantId",
          amount,
          reason,
          bank_reference as "bankReference",
          status,
          needs_approval as "needsApproval",
          proposed_by as "proposedBy",
          proposed_at as "proposedAt",
          expires_at as "expiresAt",
          expires_at <= now() as "isExpired",
          approved_by as "approvedBy",
          withdrawn_by as "withdrawnBy",
          ended_at as "endedAt",
          taken_back_at is not null as "wasUndone"`;

// A reference that is taken inserts nothing at all: drawing a number for it would count as a change (`hasWritten`).
const insertProposal = statement(
  "insert_wallet_credit",
  `insert into wallet_credits (merchant_id, amount, reason, bank_reference, needs_approval, proposed_by)
   select $1::integer, $2::bigint, $3::text, $4::text, $5::boolean, $6::text
    where not exists (select 1 from wallet_credits c where c.bank_reference = $4 and c.status in ('proposed', 'booked') and c.taken_back_at is null)
   on conflict (bank_reference) where status in ('proposed', 'booked') and taken_back_at is null do nothing
   returning ${creditColumns}`,
);

/** The fields of a new credit. */
export type NewCredit = Pick<
  WalletCredit,
  "merchantId" | "amount" | "reason" | "bankReference" | "needsApproval" | "proposedBy"
>;

/** Proposes a credit, and waits for whoever is writing the same bank reference. Null where another credit holds it. */
export async function insertCredit(tx: Tx, credit: NewCredit): Promise<WalletCredit | null> {
  const { merchantId, amount, reason, bankReference, needsApproval, proposedBy } = credit;
  const values = [merchantId, amount, reason, bankReference, needsApproval, proposedBy];
  const [row] = await tx.query<WalletCredit>(insertProposal, values);
  return row ?? null;
}

const lockPerson = statement(
  "find_lock_of_credits_alone",
  "select pg_advisory_xact_lock(hashtextextended('credits alone: ' || $1, 0))",
);

const sumAlone = statement(
  "sum_credits_booked_alone",
  `select coalesce(sum(amount), 0)::bigint as total
     from wallet_credits
    where status = 'booked'
      and not needs_approval
      and ended_at > now() - interval '24 hours'
      and lower(btrim(regexp_replace(normalize(proposed_by, nfkc), '\\s+', ' ', 'g'))) = $1`,
);

/** What a person booked alone in the last 24 hours, kept from growing until the transaction ends. `nameKey`: see `nameKey`. */
export async function sumBookedAlone(tx: Tx, nameKey: string): Promise<Kobo> {
  await tx.query(lockPerson, [nameKey]);
  const [row] = await tx.query<{ total: Kobo }>(sumAlone, [nameKey]);
  return row?.total ?? zeroKobo;
}

const insertBooked = statement(
  "insert_booked_wallet_credits",
  `insert into wallet_credits (
     merchant_id, amount, bank_reference, entry_seq, reason, proposed_by, approved_by, needs_approval, status, ended_at
   )
   select c.merchant_id, c.amount, c.bank_reference, c.entry_seq, $5, $6, $7, $7::text is not null, 'booked', now()
     from unnest($1::integer[], $2::bigint[], $3::text[], $4::bigint[])
       as c (merchant_id, amount, bank_reference, entry_seq)`,
);

/** Credits that are booked with these entries of their wallets, in the transaction of the entries. */
export async function insertBookedCredits(
  tx: Tx,
  credits: readonly {
    readonly merchantId: MerchantId;
    readonly amount: Kobo;
    readonly bankReference: BankReference;
    /** Undefined where the wallet has none: that is refused. */
    readonly entrySeq: bigint | undefined;
  }[],
  about: { readonly reason: string; readonly proposedBy: string; readonly approvedBy: string | null },
): Promise<void> {
  await tx.query(insertBooked, [
    arrayOf(credits.map(({ merchantId }) => merchantId)),
    arrayOf(credits.map(({ amount }) => amount)),
    arrayOf(credits.map(({ bankReference }) => bankReference)),
    arrayOf(credits.map(({ entrySeq }) => entrySeq ?? null)),
    about.reason,
    about.proposedBy,
    about.approvedBy,
  ]);
}

const updateExpired = statement(
  "update_expired_wallet_credit",
  `update wallet_credits
      set status = 'expired',
          ended_at = now()
    where bank_reference = $1
      and status = 'proposed'
      and expires_at <= now()`,
);

/** Frees a bank reference whose proposal nobody approved in time. */
export async function updateExpiredCredit(tx: Tx, bankReference: BankReference): Promise<void> {
  await tx.query(updateExpired, [bankReference]);
}

const findByReference = statement(
  "find_wallet_credit_by_bank_reference",
  `select ${creditColumns}
     from wallet_credits
    where bank_reference = $1
      and status in ('proposed', 'booked')
      and taken_back_at is null`,
);

/** The credit that holds a bank reference. */
export async function findCreditOf(db: Queryable, bankReference: BankReference): Promise<WalletCredit | null> {
  const [row] = await db.query<WalletCredit>(findByReference, [bankReference]);
  return row ?? null;
}

const findOne = statement(
  "find_wallet_credit",
  `select ${creditColumns}
     from wallet_credits
    where id = $1`,
);

export async function findCredit(db: Queryable, id: number): Promise<WalletCredit | null> {
  return (await db.query<WalletCredit>(findOne, [id]))[0] ?? null;
}

const updateUndone = statement(
  "update_wallet_credit_taken_back",
  `update wallet_credits
      set taken_back_at = now(),
          taken_back_seq = $2
    where id = $1`,
);

/** Marks a credit as taken back with an entry of its wallet, in the transaction of that entry. */
export async function updateCreditUndone(tx: Tx, id: number, entrySeq: bigint): Promise<void> {
  await tx.query(updateUndone, [id, entrySeq]);
}

const findForUpdate = statement(
  "find_wallet_credit_for_update",
  `select ${creditColumns}
     from wallet_credits
    where id = $1
      for update`,
);

/** Locks a credit: of two who end it at once, the second one sees what the first one did. */
export async function findCreditForUpdate(tx: Tx, id: number): Promise<WalletCredit | null> {
  const [row] = await tx.query<WalletCredit>(findForUpdate, [id]);
  return row ?? null;
}

const updateBooked = statement(
  "update_booked_wallet_credit",
  `update wallet_credits
      set status = 'booked',
          approved_by = $2,
          entry_seq = $3,
          ended_at = now()
    where id = $1
      and status = 'proposed'
   returning ${creditColumns}`,
);

/** Marks a proposal as booked with an entry of its wallet, in the transaction of that entry. Null where it had ended. */
export async function updateBookedCredit(
  tx: Tx,
  id: number,
  { approvedBy, entrySeq }: { readonly approvedBy: string | null; readonly entrySeq: bigint },
): Promise<WalletCredit | null> {
  const [row] = await tx.query<WalletCredit>(updateBooked, [id, approvedBy, entrySeq]);
  return row ?? null;
}

const updateWithdrawn = statement(
  "update_withdrawn_wallet_credit",
  `update wallet_credits
      set status = 'withdrawn',
          withdrawn_by = $2,
          ended_at = now()
    where id = $1
      and status = 'proposed'
   returning ${creditColumns}`,
);

/** Withdraws a proposal, which frees its bank reference. Null where it had ended. */
export async function updateWithdrawnCredit(tx: Tx, id: number, withdrawnBy: string): Promise<WalletCredit | null> {
  const [row] = await tx.query<WalletCredit>(updateWithdrawn, [id, withdrawnBy]);
  return row ?? null;
}

const listProposals = statement(
  "list_proposed_wallet_credits",
  `select ${creditColumns}
     from wallet_credits
    where status = 'proposed'
      and expires_at > now()
    order by id
    limit $1`,
);

/** Proposals that can still be approved, the oldest first. */
export function listProposedCredits(db: Queryable, limit: number): Promise<WalletCredit[]> {
  return db.query<WalletCredit>(listProposals, [limit]);
}

const listRecent = statement(
  "list_recent_wallet_credits",
  `select ${creditColumns}
     from wallet_credits
    where ($2::integer is null or id < $2)
      and not (status = 'proposed' and expires_at > now())
    order by id desc
    limit $1`,
);

/** Credits that were booked, withdrawn or not approved in time, the newest first, below a number. */
export function listEndedCredits(db: Queryable, limit: number, before: number | null): Promise<WalletCredit[]> {
  return db.query<WalletCredit>(listRecent, [limit, before]);
}
