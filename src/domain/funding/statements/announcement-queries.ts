import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { SlipType } from "./slip.ts";

export type AnnouncementState = "waiting" | "credited" | "withdrawn" | "closed";

/** A bank transfer that a merchant says it sent. */
export interface AnnouncedTransfer {
  readonly number: number;
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly bank: string;
  readonly senderName: string;
  readonly slipType: SlipType | null;
  readonly announcedBy: string;
  readonly announcedAt: Instant;
  readonly state: AnnouncementState;
  /** The line of a statement that it was found to be. */
  readonly lineNumber: number | null;
  /** Why it was closed. */
  readonly endedBecause: string | null;
}

const columns = `
          t.number,
          t.merchant_id as "merchantId",
          t.amount,
          t.bank,
          t.sender_name as "senderName",
          t.slip_type as "slipType",
          t.announced_by as "announcedBy",
          t.announced_at as "announcedAt",
          case when t.ended is not null then t.ended
               when c.id is not null then 'credited'
               else 'waiting'
          end as state,
          t.line_number as "lineNumber",
          t.ended_because as "endedBecause"`;

// Of a credit that was taken back, it waits again.
const withCredits = `
     left join statement_lines l on l.number = t.line_number
     left join wallet_credits c on c.id = l.credit_id and c.taken_back_at is null`;

const insertTransfer = statement(
  "insert_announced_transfer",
  `insert into announced_transfers (merchant_id, amount, bank, sender_name, slip_type, announced_by, announced_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   returning number`,
);

const insertSlip = statement(
  "insert_transfer_slip",
  "insert into transfer_slips (transfer_number, sealed) values ($1, $2)",
);

/** `seal`: its slip, sealed for its number; null where it has none. @returns its number */
export async function insertAnnouncement(
  tx: Tx,
  given: Omit<AnnouncedTransfer, "number" | "state" | "lineNumber" | "endedBecause">,
  seal: ((number: number) => string) | null,
): Promise<number> {
  const { merchantId, amount, bank, senderName, slipType, announcedBy, announcedAt } = given;
  const values = [merchantId, amount, bank, senderName, slipType, announcedBy, new Date(announcedAt)];
  const [row] = await tx.query<{ number: number }>(insertTransfer, values);
  assert(row !== undefined, "an announcement is kept");
  if (seal !== null) await tx.query(insertSlip, [row.number, seal(row.number)]);
  return row.number;
}

const findOne = statement(
  "find_announced_transfer",
  `select ${columns}
     from announced_transfers t
     ${withCredits}
    where t.number = $1`,
);

export async function findAnnouncement(db: Queryable, number: number): Promise<AnnouncedTransfer | null> {
  return (await db.query<AnnouncedTransfer>(findOne, [number]))[0] ?? null;
}

const findSealed = statement("find_transfer_slip", "select sealed from transfer_slips where transfer_number = $1");

const lockTransfers = statement(
  "find_announced_transfers_for_update",
  `select 1
     from announced_transfers t
    where t.number = any ($1::integer[])
    order by t.number
      for update`,
);

const listByNumbers = statement(
  "list_announced_transfers_by_number",
  `select ${columns}
     from announced_transfers t
     ${withCredits}
    where t.number = any ($1::integer[])`,
);

/** Locks announcements in the order of their numbers, then reads them. */
export async function lockAnnouncements(tx: Tx, numbers: readonly number[]): Promise<AnnouncedTransfer[]> {
  await tx.query(lockTransfers, [arrayOf(numbers)]);
  return tx.query<AnnouncedTransfer>(listByNumbers, [arrayOf(numbers)]);
}

/** Null where it has none, or it was deleted by its age. */
export async function findSlip(db: Queryable, number: number): Promise<string | null> {
  return (await db.query<{ sealed: string }>(findSealed, [number]))[0]?.sealed ?? null;
}

const waitingNumbers = `
     select w.number
       from announced_transfers w
      where w.line_number is null and w.ended is null
      union all
     select w.number
       from wallet_credits u
       join statement_lines o on o.credit_id = u.id
       join announced_transfers w on w.line_number = o.number
      where u.taken_back_at is not null and w.ended is null`;

const listWaiting = statement(
  "list_waiting_announced_transfers",
  `select ${columns}
     from (${waitingNumbers}) waiting
     join announced_transfers t on t.number = waiting.number
     ${withCredits}
    where ($2::integer is null or t.number < $2)
    order by t.number desc
    limit $1`,
);

const listAll = statement(
  "list_announced_transfers",
  `select ${columns}
     from announced_transfers t
     ${withCredits}
    where ($2::integer is null or t.number < $2)
      and ($3::integer is null or t.merchant_id = $3)
    order by t.number desc
    limit $1`,
);

interface Place {
  readonly limit: number;
  readonly before: number | null;
}

/** Announcements that wait for their money, the latest first, below a number. */
export function listWaitingAnnouncements(db: Queryable, { limit, before }: Place): Promise<AnnouncedTransfer[]> {
  return db.query<AnnouncedTransfer>(listWaiting, [limit, before]);
}

/** All of them, or a merchant's, the latest first, below a number. */
export function listAnnouncements(
  db: Queryable,
  merchantId: MerchantId | null,
  { limit, before }: Place,
): Promise<AnnouncedTransfer[]> {
  return db.query<AnnouncedTransfer>(listAll, [limit, before, merchantId]);
}

const countWaiting = statement(
  "count_waiting_announced_transfers",
  `select count(*)::integer as count
     from announced_transfers
    where merchant_id = $1 and line_number is null and ended is null`,
);

export async function countWaitingAnnouncements(db: Queryable, merchantId: MerchantId): Promise<number> {
  return (await db.query<{ count: number }>(countWaiting, [merchantId]))[0]?.count ?? 0;
}

const updateEnded = statement(
  "update_announced_transfer_ended",
  `update announced_transfers t
      set ended = $2,
          ended_because = $3,
          ended_at = now()
    where t.number = $1
      and t.ended is null
      and ($4::integer is null or t.merchant_id = $4)
      and not exists (
            select 1
              from statement_lines l
              join wallet_credits c on c.id = l.credit_id
             where l.number = t.line_number and c.taken_back_at is null
          )
   returning 1`,
);

/** `merchantId`: whose it must be; null for anybody's. @returns whether it waited, and does no longer */
export async function updateAnnouncementEnded(
  db: Queryable,
  number: number,
  ended: {
    readonly as: "withdrawn" | "closed";
    readonly because: string | null;
    readonly merchantId: MerchantId | null;
  },
): Promise<boolean> {
  return (await db.query(updateEnded, [number, ended.as, ended.because, ended.merchantId])).length > 0;
}

const updateUnmatched = statement(
  "update_announced_transfers_unmatched",
  "update announced_transfers set line_number = null where line_number = $1",
);

const updateMatched = statement(
  "update_announced_transfer_matched",
  `update announced_transfers
      set line_number = $2
    where number = $1 and merchant_id = $3 and ended is null`,
);

/** Says which locked announcement a line was, in the transaction of its credit; null: none. What it was before, it is no more. */
export async function updateAnnouncementMatched(
  tx: Tx,
  line: { readonly number: number; readonly merchantId: MerchantId },
  announcement: number | null,
): Promise<void> {
  await tx.query(updateUnmatched, [line.number]);
  if (announcement !== null) await tx.query(updateMatched, [announcement, line.number, line.merchantId]);
}

const deleteSlips = statement(
  "delete_old_transfer_slips",
  `delete from transfer_slips
    where transfer_number in (
            select s.transfer_number
              from transfer_slips s
              join announced_transfers t on t.number = s.transfer_number
             where t.announced_at < $1
             order by s.transfer_number
             limit $2
          )
   returning 1`,
);

export async function deleteSlipsBefore(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(deleteSlips, [new Date(before), limit])).length;
}

const listNames = statement(
  "list_merchants_of_transfers",
  "select id, name, status from merchants where id = any ($1::integer[])",
);

/** Merchants by their numbers, of those that there are. */
export async function listMerchantsOf(
  db: Queryable,
  ids: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, { readonly name: string; readonly status: string }>> {
  const rows = await db.query<{ id: MerchantId; name: string; status: string }>(listNames, [arrayOf(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}
