import { assert } from "../../kernel/assert.ts";
import { StartError } from "../../kernel/start-error.ts";
import { type Queryable, statement } from "../database/database.ts";
import type { Logger } from "../telemetry/log.ts";
import type { SecretBox } from "./secret-box.ts";

/** How soon a process seals under another key once an operator said so, at the latest. */
export const sealingKeyFollowedMs = 1_000;
const pollMs = 400;

const insertSealingKey = statement(
  "insert_sealing_key",
  `insert into sealing_key (key_id)
   values ($1)
       on conflict (only_one) do nothing`,
);

const findSealingKey = statement("find_sealing_key", `select key_id as "keyId" from sealing_key`);

const updateSealingKey = statement(
  "update_sealing_key",
  `update sealing_key
      set key_id = $1
    where key_id <> $1`,
);

/** The key that everybody seals under; the box's first one where nobody has sealed yet. */
export async function presentSealingKey(db: Queryable, box: SecretBox): Promise<string> {
  const [known] = await db.query<{ keyId: string }>(findSealingKey);
  if (known !== undefined) return known.keyId;
  await db.query(insertSealingKey, [box.keyIds[0]]);
  const [row] = await db.query<{ keyId: string }>(findSealingKey);
  assert(row !== undefined, "a sealing key that is stored stays stored");
  return row.keyId;
}

/** Has everybody seal under this key within `sealingKeyFollowedMs`. They all must hold it. */
export async function changeSealingKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(updateSealingKey, [keyId]);
}

const listLacking = statement(
  "list_processes_lacking_key",
  `select coalesce(host(client_addr), 'this machine') as address, count(*)::integer as connections
     from pg_stat_activity
    where datname = current_database()
      and application_name ~ '^dispense (ordinary|batched)'
      and $1 <> all (string_to_array(application_name, ' '))
    group by client_addr
    order by 1`,
);

/** Where processes run that are connected now and do not hold the key: they would neither follow nor open. */
export function listProcessesLacking(
  db: Queryable,
  keyId: string,
): Promise<{ readonly address: string; readonly connections: number }[]> {
  return db.query(listLacking, [keyId]);
}

/**
 * Makes the box seal under the key that everybody seals under, now and whenever an operator changes it.
 * @returns how to stop @throws StartError when the box lacks the key: what it sealed, nobody else could open
 */
export async function followSealingKey(options: {
  readonly database: Queryable;
  readonly box: SecretBox;
  readonly log: Logger;
}): Promise<() => void> {
  const { database, box, log } = options;
  const present = await presentSealingKey(database, box);
  if (!box.sealUnder(present)) {
    throw new StartError(
      `Secrets in this database are sealed under key ${present}, and none of the keys given is that one (${box.keyIds.join(", ")}): add it to ENCRYPTION_KEY, after the new one if you want to rotate.`,
    );
  }
  const follow = async () => {
    const keyId = await presentSealingKey(database, box);
    if (!box.sealUnder(keyId)) log.error({ event: "sealing_key.lacking", keyId });
  };
  // A lost connection is noticed by whoever needs it; without one nothing is written either.
  const timer = setInterval(() => void follow().catch(() => undefined), pollMs);
  timer.unref();
  return () => clearInterval(timer);
}
