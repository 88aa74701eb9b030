import type { Instant } from "../../kernel/clock.ts";
import type { Kobo } from "../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";

/** Something that is wrong, under a name that stays as long as it lasts. */
export interface Condition {
  /** `breaker gladtidings data`. */
  readonly name: string;
  /** What is wrong, and what to do. */
  readonly sentence: string;
  /** The page of the company's console where it is dealt with. */
  readonly path?: string;
  /** How many it is about, and their sum: people are told again where one of them has doubled since. */
  readonly count?: number;
  readonly amount?: Kobo;
}

/** Something that is wrong now, and people were told of. */
export interface Alert {
  readonly name: string;
  readonly sentence: string;
  readonly path: string | null;
  readonly beganAt: Instant;
  readonly notifiedAt: Instant;
}

const listAll = statement(
  "list_alerts",
  `select name, sentence, path, began_at as "beganAt", notified_at as "notifiedAt"
     from alerts
    order by began_at, name`,
);

/** What is wrong now, the oldest first. */
export function listAlerts(db: Queryable): Promise<Alert[]> {
  return db.query<Alert>(listAll);
}

const insertNew = statement(
  "insert_alerts",
  `insert into alerts (
     name, sentence, path, count, amount, notified_count, notified_amount, began_at, notified_at, seen_at
   )
   select i.name, i.sentence, i.path, i.count, i.amount, i.count, i.amount, $6, $6, $6
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
            as i (name, sentence, path, count, amount)
    order by i.name
       on conflict (name) do nothing
   returning name, sentence, path, began_at as "beganAt", notified_at as "notifiedAt"`,
);

/** Enters what has begun. @returns what was not there before */
export function insertAlerts(tx: Tx, present: readonly Condition[], now: Instant): Promise<Alert[]> {
  return tx.query<Alert>(insertNew, [...columnsOf(present), new Date(now)]);
}

function columnsOf(present: readonly Condition[]): string[] {
  return [
    arrayOf(present.map(({ name }) => name)),
    arrayOf(present.map(({ sentence }) => sentence)),
    arrayOf(present.map(({ path = null }) => path)),
    arrayOf(present.map(({ count = null }) => count)),
    arrayOf(present.map(({ amount = null }) => amount)),
  ];
}

const updateAllSeen = statement(
  "update_alerts_seen",
  `update alerts a
      set seen_at = $6,
          sentence = i.sentence,
          path = i.path,
          count = i.count,
          amount = i.amount
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
            as i (name, sentence, path, count, amount)
    where a.name = i.name`,
);

export async function updateSeen(tx: Tx, present: readonly Condition[], now: Instant): Promise<void> {
  await tx.query(updateAllSeen, [...columnsOf(present), new Date(now)]);
}

const updateLasting = statement(
  "update_alerts_notified_again",
  `update alerts
      set notified_at = $1,
          notified_count = count,
          notified_amount = amount
    where seen_at = $1
      and (notified_at <= $2 or count >= 2 * notified_count or amount >= 2 * notified_amount and notified_amount > 0)
   returning name, sentence, path, began_at as "beganAt", notified_at as "notifiedAt"`,
);

/** Takes those that last and were notified last before a moment, or are twice as much by now, to be notified again. */
export function remind(tx: Tx, now: Instant, notifiedBefore: Instant): Promise<Alert[]> {
  return tx.query<Alert>(updateLasting, [new Date(now), new Date(notifiedBefore)]);
}

const deleteUnseen = statement(
  "delete_alerts_that_are_over",
  `delete from alerts
    where seen_at <= $1
   returning name, sentence, path, began_at as "beganAt", notified_at as "notifiedAt"`,
);

/** Ends those that were not seen since a moment. */
export function deleteOver(tx: Tx, seenBefore: Instant): Promise<Alert[]> {
  return tx.query<Alert>(deleteUnseen, [new Date(seenBefore)]);
}

const insertProcessAlertSeen = statement(
  "insert_process_alert",
  `insert into process_alerts (name, sentence, seen_at)
   values ($1, $2, now())
       on conflict (name) do update
          set sentence = excluded.sentence,
              seen_at = excluded.seen_at`,
);

/** Notes what this process alone can see. */
export async function insertProcessAlert(db: Queryable, { name, sentence }: Condition): Promise<void> {
  await db.query(insertProcessAlertSeen, [name, sentence]);
}

const listSeen = statement(
  "list_alert_signs",
  `select name, sentence
     from process_alerts
    where seen_at > now() - make_interval(secs => $1)`,
);

export function listProcessAlerts(db: Queryable, withinSeconds: number): Promise<Condition[]> {
  return db.query<Condition>(listSeen, [withinSeconds]);
}

/** The addresses that alerts go to, as they are stored. */
export interface StoredSettings {
  readonly emails: readonly string[];
  /** Sealed. */
  readonly webhook: string | null;
}

const findStored = statement("find_alert_settings", "select emails, webhook from alert_settings");

export async function findSettings(db: Queryable): Promise<StoredSettings> {
  return (await db.query<StoredSettings>(findStored))[0] ?? { emails: [], webhook: null };
}

const insertStored = statement(
  "insert_alert_settings",
  `insert into alert_settings (emails, webhook, changed_at)
   values ($1, $2, $3)
       on conflict (id) do update
          set emails = excluded.emails,
              webhook = excluded.webhook,
              changed_at = excluded.changed_at`,
);

export async function insertSettings(tx: Tx, { emails, webhook }: StoredSettings, now: Instant): Promise<void> {
  await tx.query(insertStored, [arrayOf(emails), webhook, new Date(now)]);
}
