import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";

export interface AuditEntry {
  readonly who: string;
  /** As it is typed, without its arguments. */
  readonly command: string;
  /** Arguments and options as JSON, without what is secret. */
  readonly details: string;
}

const appendAuditEntry = statement("append_audit_entry", "select append_audit_entry($1, $2, $3) as number");

/** Adds an entry, as the last thing that its transaction does: entries wait for each other until then. @returns its number */
export async function insertEntry(tx: Tx, { who, command, details }: AuditEntry): Promise<bigint> {
  const [row] = await tx.query<{ number: bigint }>(appendAuditEntry, [who, command, details]);
  return row?.number ?? 0n;
}

const find = statement(
  "find_audit_entry",
  `select number, at, who, command, details
     from audit_log
    where number = $1`,
);

export async function findEntry(db: Queryable, number: bigint): Promise<StoredEntry | null> {
  return (await db.query<StoredEntry>(find, [number]))[0] ?? null;
}

const findWritten = statement("find_whether_written", "select pg_current_xact_id_if_assigned() is not null as written");

/** Whether the transaction changed anything, or locked a row to do so. */
export async function hasWritten(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ written: boolean }>(findWritten);
  return row?.written === true;
}

export interface StoredEntry extends AuditEntry {
  readonly number: bigint;
  readonly at: Instant;
}

const listEntries = statement(
  "list_audit_entries",
  `select number, at, who, command, details
     from audit_log
    where number > $1
    order by number
    limit $2`,
);

/** Entries in order, after a number. */
export function listAuditEntries(db: Queryable, after: bigint, limit: number): Promise<StoredEntry[]> {
  return db.query<StoredEntry>(listEntries, [after, limit]);
}

// The expression and the condition of the two indexes that answer these.
const merchantEntries = `select number, at, who, command, details
     from audit_log
    where substring(details from '"merchant":"(mer_[0-9]+)"') = $1
      and who like 'member:%'
      and number < $2`;

const listOfMerchant = statement(
  "list_merchant_audit_entries",
  `${merchantEntries}
    order by number desc
    limit $3`,
);

const listOfMember = statement(
  "list_member_audit_entries",
  `${merchantEntries}
      and who = $4
    order by number desc
    limit $3`,
);

/** Above any entry's number. */
const afterAll = 9_223_372_036_854_775_807n;

/**
 * What the people of a merchant did there, the newest first, below a number. `merchant` is its public name, `who` one of its
 * people as entries name them.
 */
export function listMerchantEntries(
  db: Queryable,
  {
    merchant,
    who,
    before,
    limit,
  }: {
    readonly merchant: string;
    readonly who: string | null;
    readonly before: bigint | null;
    readonly limit: number;
  },
): Promise<StoredEntry[]> {
  const values = [merchant, before ?? afterAll, limit];
  return who === null
    ? db.query<StoredEntry>(listOfMerchant, values)
    : db.query<StoredEntry>(listOfMember, [...values, who]);
}

// The expression and the condition of audit_log_by_sale.
const listOfSale = statement(
  "list_sale_audit_entries",
  `select number, at, who, command, details
     from audit_log
    where substring(details from '"sale":"([A-Z0-9]+)"') = $1
      and who like 'staff:%'
    order by number desc
    limit $2`,
);

/** What people of the company did with a sale, by its transaction id: who looked, who asked. The newest first. */
export function listSaleEntries(db: Queryable, sale: string, limit: number): Promise<StoredEntry[]> {
  return db.query<StoredEntry>(listOfSale, [sale, limit]);
}

// The expression and the condition of audit_log_of_company.
const listOfCompany = statement(
  "list_company_audit_entries",
  `select number, at, who, command, details
     from audit_log
    where substring(details from '"merchant":"(mer_[0-9]+)"') = $1
      and who not like 'member:%'
    order by number desc
    limit $2`,
);

/** What the company did about a merchant, by its public name: changes, and looks of support. The newest first. */
export function listCompanyEntries(db: Queryable, merchant: string, limit: number): Promise<StoredEntry[]> {
  return db.query<StoredEntry>(listOfCompany, [merchant, limit]);
}

/** Entries that one page looks through at most, as no index leads to a part of a name. */
export const walkedEntriesMax = 50_000;

const listNewest = statement(
  "list_newest_audit_entries",
  `select w.number, w.at, w.who, w.command, w.details
     from (
            select number, at, who, command, details
              from audit_log
             where number < $1
             order by number desc
             limit $5
          ) w
    where ($2::text is null or strpos(lower(w.who), $2) > 0)
      and ($3::text is null or strpos(lower(w.command), $3) > 0 or strpos(lower(w.details), $3) > 0)
    order by w.number desc
    limit $4`,
);

/**
 * Entries below a number, the newest first, whose `who` has one text and whose command or details have another, of the
 * `walkedEntriesMax` that are looked through.
 */
export function listNewestEntries(
  db: Queryable,
  sought: {
    readonly who: string | null;
    readonly text: string | null;
    readonly before: bigint | null;
    readonly limit: number;
  },
): Promise<StoredEntry[]> {
  const { who, text, before, limit } = sought;
  const texts = [who?.toLowerCase() ?? null, text?.toLowerCase() ?? null];
  return db.query<StoredEntry>(listNewest, [before ?? afterAll, ...texts, limit, walkedEntriesMax]);
}

const findForwarded = statement("find_forwarded_audit_entry", "select number from audit_log_forwarded where id = 1");

/** The last entry that some process has written to its log. */
export async function findForwardedEntry(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ number: bigint }>(findForwarded);
  return row?.number ?? 0n;
}

const updateForwarded = statement(
  "update_forwarded_audit_entry",
  `update audit_log_forwarded
      set number = $2
    where id = 1
      and number = $1
   returning number`,
);

/** Moves on from one entry to another: true for the one process that did. */
export async function updateForwardedEntry(db: Queryable, from: bigint, to: bigint): Promise<boolean> {
  return (await db.query(updateForwarded, [from, to])).length === 1;
}

const listBroken = statement(
  "list_broken_audit_entries",
  `select a.number
     from (
            select e.number, e.at, e.who, e.command, e.details, e.previous_hash, e.hash,
                   row_number() over (order by e.number) as place,
                   lag(e.hash) over (order by e.number) as hash_before
              from audit_log e
          ) a
    where a.number <> a.place
       or a.previous_hash <> coalesce(a.hash_before, decode(repeat('00', 32), 'hex'))
       or a.hash <> audit_hash(a.previous_hash, a.number, a.at, a.who, a.command, a.details)
    order by a.number
    limit 100`,
);

/** Numbers of entries that do not follow from the one before, at most a hundred. Reads them all. */
export async function listBrokenEntries(db: Queryable): Promise<bigint[]> {
  const rows = await db.query<{ number: bigint }>({ ...listBroken, secondsMax: 3_600 });
  return rows.map(({ number }) => number);
}

const findHash = statement(
  "find_audit_hash",
  `select number, encode(hash, 'hex') as hash
     from audit_log
    where number = coalesce($1::bigint, (select max(number) from audit_log))`,
);

/** An entry's number and hash: together they name it beyond doubt. */
export interface EntryHash {
  readonly number: bigint;
  /** In hex. */
  readonly hash: string;
}

/** An entry's hash, the last one's for null; null where there is no such entry. */
export async function findEntryHash(db: Queryable, number: bigint | null): Promise<EntryHash | null> {
  const [row] = await db.query<EntryHash>(findHash, [number]);
  return row ?? null;
}

// What append_audit_entry's insert takes once it is its turn, and holds until its transaction has ended.
const findOpen = statement(
  "find_open_audit_entry",
  `select 1
     from pg_locks l
     join pg_database d
       on d.oid = l.database and d.datname = current_database()
    where l.relation = 'audit_log'::regclass
      and l.mode = 'RowExclusiveLock'
      and l.granted`,
);

/** Whether some transaction has added an entry and not ended yet. */
export async function isEntryOpen(db: Queryable): Promise<boolean> {
  return (await db.query(findOpen)).length > 0;
}
