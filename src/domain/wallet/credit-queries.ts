import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";

/** A bank's name for a transfer, as two of them are compared: in capitals and without spaces. */
export type BankReference = string & { readonly bankReference: true };

/** A credit of a live wallet by an operator, which is booked. */
export interface WalletCredit {
  readonly id: number;
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
  readonly bankReference: BankReference | null;
  /** The person who booked it alone, or asked another one to agree: as the audit log names people. */
  readonly requestedBy: string;
  /** Null: one person booked it alone. */
  readonly approvedBy: string | null;
  readonly bookedAt: Instant;
  /** It was booked by mistake, and its amount was taken back. */
  readonly wasUndone: boolean;
}

const creditColumns = `
          id,
          merchant_id as "merchantId",
          amount,
          reason,
          bank_reference as "bankReference",
          requested_by as "requestedBy",
          approved_by as "approvedBy",
          booked_at as "bookedAt",
          taken_back_at is not null as "wasUndone"`;

const lockReference = statement(
  "find_lock_of_bank_reference",
  "select pg_advisory_xact_lock(hashtextextended('bank reference ' || $1, 0))",
);

/** Waits for whoever books or asks for a credit with the same bank reference, and keeps others waiting until the transaction ends. */
export async function lockBankReference(tx: Tx, bankReference: BankReference): Promise<void> {
  await tx.query(lockReference, [bankReference]);
}

const lockPerson = statement(
  "find_lock_of_credits_alone",
  "select pg_advisory_xact_lock(hashtextextended('credits alone: ' || $1, 0))",
);

const sumAlone = statement(
  "sum_credits_booked_alone",
  `select coalesce(sum(amount), 0)::bigint as total
     from wallet_credits
    where approved_by is null
      and booked_at > now() - interval '24 hours'
      and lower(btrim(regexp_replace(normalize(requested_by, nfkc), '\\s+', ' ', 'g'))) = $1`,
);

/** What a person booked alone in the last 24 hours, kept from growing until the transaction ends. `nameKey`: see `nameKey`. */
export async function sumBookedAlone(tx: Tx, nameKey: string): Promise<Kobo> {
  await tx.query(lockPerson, [nameKey]);
  const [row] = await tx.query<{ total: Kobo }>(sumAlone, [nameKey]);
  return row?.total ?? zeroKobo;
}

/** A credit that is booked with an entry of its wallet. */
export interface NewCredit extends Pick<WalletCredit, "merchantId" | "amount" | "bankReference"> {
  /** Undefined where the wallet has none: that is refused. */
  readonly entrySeq: bigint | undefined;
}

const insertBooked = statement(
  "insert_wallet_credits",
  `insert into wallet_credits (
     merchant_id, amount, bank_reference, entry_seq, reason, requested_by, approved_by
   )
   select c.merchant_id, c.amount, c.bank_reference, c.entry_seq, $5, $6, $7
     from unnest($1::integer[], $2::bigint[], $3::text[], $4::bigint[])
       as c (merchant_id, amount, bank_reference, entry_seq)
   returning ${creditColumns}`,
);

/** Stores credits in the transaction of their wallets' entries. */
export function insertCredits(
  tx: Tx,
  credits: readonly NewCredit[],
  about: Pick<WalletCredit, "reason" | "requestedBy" | "approvedBy">,
): Promise<WalletCredit[]> {
  return tx.query<WalletCredit>(insertBooked, [
    arrayOf(credits.map(({ merchantId }) => merchantId)),
    arrayOf(credits.map(({ amount }) => amount)),
    arrayOf(credits.map(({ bankReference }) => bankReference)),
    arrayOf(credits.map(({ entrySeq }) => entrySeq ?? null)),
    about.reason,
    about.requestedBy,
    about.approvedBy,
  ]);
}

const findByReference = statement(
  "find_wallet_credit_by_bank_reference",
  `select ${creditColumns}
     from wallet_credits
    where bank_reference = $1
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

/** Locks a credit: of two who take it back at once, the second one sees what the first one did. */
export async function findCreditForUpdate(tx: Tx, id: number): Promise<WalletCredit | null> {
  const [row] = await tx.query<WalletCredit>(findForUpdate, [id]);
  return row ?? null;
}

const listRecent = statement(
  "list_recent_wallet_credits",
  `select ${creditColumns}
     from wallet_credits
    where ($2::integer is null or id < $2)
    order by id desc
    limit $1`,
);

/** Credits, the newest first, below a number. */
export function listCredits(db: Queryable, limit: number, before: number | null): Promise<WalletCredit[]> {
  return db.query<WalletCredit>(listRecent, [limit, before]);
}
