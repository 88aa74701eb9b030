import type { Instant } from "../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";

/** Something that is wrong, under a name that stays as long as it lasts. */
export interface Condition {
  /** `breaker gladtidings data`. */
  readonly name: string;
  /** What is wrong, and what to do. */
  readonly sentence: string;
}

/** Something that is wrong now, and people were told of. */
export interface Alert extends Condition {
  readonly beganAt: Instant;
  readonly saidAt: Instant;
}

const listAll = statement(
  "list_alerts",
  `select name, sentence, began_at as "beganAt", said_at as "saidAt"
     from alerts
    order by began_at, name`,
);

/** What is wrong now, the oldest first. */
export function listAlerts(db: Queryable): Promise<Alert[]> {
  return db.query<Alert>(listAll);
}

const insertNew = statement(
  "insert_alerts",
  `insert into alerts (name, sentence, began_at, said_at, seen_at)
   select i.name, i.sentence, $3, $3, $3
     from unnest($1::text[], $2::text[]) as i (name, sentence)
    order by i.name
       on conflict (name) do nothing
   returning name, sentence, began_at as "beganAt", said_at as "saidAt"`,
);

/** Enters what has begun. @returns what was not there before */
export function insertAlerts(tx: Tx, present: readonly Condition[], now: Instant): Promise<Alert[]> {
  const [names, sentences] = [present.map(({ name }) => name), present.map(({ sentence }) => sentence)];
  return tx.query<Alert>(insertNew, [arrayOf(names), arrayOf(sentences), new Date(now)]);
}

const updateAllSeen = statement(
  "update_alerts_seen",
  `update alerts a
      set seen_at = $3,
          sentence = i.sentence
     from unnest($1::text[], $2::text[]) as i (name, sentence)
    where a.name = i.name`,
);

export async function updateSeen(tx: Tx, present: readonly Condition[], now: Instant): Promise<void> {
  const [names, sentences] = [present.map(({ name }) => name), present.map(({ sentence }) => sentence)];
  await tx.query(updateAllSeen, [arrayOf(names), arrayOf(sentences), new Date(now)]);
}

const updateLasting = statement(
  "update_alerts_said_again",
  `update alerts
      set said_at = $1
    where said_at <= $2
      and seen_at = $1
   returning name, sentence, began_at as "beganAt", said_at as "saidAt"`,
);

/** Takes those that were said last before a moment and last still, to be said again. */
export function updateSaidAgain(tx: Tx, now: Instant, saidBefore: Instant): Promise<Alert[]> {
  return tx.query<Alert>(updateLasting, [new Date(now), new Date(saidBefore)]);
}

const deleteUnseen = statement(
  "delete_alerts_that_are_over",
  `delete from alerts
    where seen_at <= $1
   returning name, sentence, began_at as "beganAt", said_at as "saidAt"`,
);

/** Ends those that were not seen since a moment. */
export function deleteOver(tx: Tx, seenBefore: Instant): Promise<Alert[]> {
  return tx.query<Alert>(deleteUnseen, [new Date(seenBefore)]);
}

const insertSignSeen = statement(
  "insert_alert_sign",
  `insert into alert_signs (name, sentence, seen_at)
   values ($1, $2, now())
       on conflict (name) do update
          set sentence = excluded.sentence,
              seen_at = excluded.seen_at`,
);

/** Notes what this process alone can see. */
export async function insertSign(db: Queryable, { name, sentence }: Condition): Promise<void> {
  await db.query(insertSignSeen, [name, sentence]);
}

const listSeen = statement(
  "list_alert_signs",
  `select name, sentence
     from alert_signs
    where seen_at > now() - make_interval(secs => $1)`,
);

export function listSigns(db: Queryable, withinSeconds: number): Promise<Condition[]> {
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
