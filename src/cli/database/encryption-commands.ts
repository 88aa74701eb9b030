import { setTimeout as delay } from "node:timers/promises";
import { alertColumns } from "../../domain/alerts/sealed-queries.ts";
import { fundingColumns } from "../../domain/funding/sealed-queries.ts";
import { emailColumns } from "../../domain/identity/emails/sealed-queries.ts";
import { totpSeedColumns } from "../../domain/identity/people/sealed-queries.ts";
import { fulfilmentColumns } from "../../domain/purchases/fulfilment/sealed-queries.ts";
import { unreadColumns } from "../../domain/resolution/review/unread-queries.ts";
import { changeSecretColumns } from "../../domain/staff/sealed-queries.ts";
import { credentialColumns } from "../../domain/suppliers/sealed-queries.ts";
import { voucherColumns } from "../../domain/suppliers/vouchers/sealed-queries.ts";
import { webhookSecretColumns } from "../../domain/webhooks/endpoints/sealed-queries.ts";
import { resealColumn } from "../../platform/sealing/sealed-columns.ts";
import {
  changeSealingKey,
  listProcessesLacking,
  presentSealingKey,
  sealingKeyFollowedMs,
} from "../../platform/sealing/sealing-key.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printStep, printTable, progressBar } from "../printing.ts";

/** Every column that holds secrets. */
const sealedColumns = [
  ...webhookSecretColumns,
  ...fulfilmentColumns,
  ...unreadColumns,
  ...voucherColumns,
  ...credentialColumns,
  ...fundingColumns,
  ...totpSeedColumns,
  ...emailColumns,
  ...alertColumns,
  ...changeSecretColumns,
];

/** A row that was written while its window went by is met on the next round. */
const roundsMax = 3;

/** Commands about the keys that secrets in the database are encrypted under. */
export function addEncryptionCommands(keys: OperatorCommand): void {
  keys
    .command("add")
    .description("encryption: put a new key before those in the data directory; restart the service, then rotate")
    .does(add);
  keys.command("status").description("encryption: what is sealed under which key").does(status);
  keys
    .command("rotate")
    .description(
      "encryption: bring every secret under the first key; works while the service runs, and again when stopped",
    )
    .does(rotate);
}

async function add({ addKey, secretBox }: Session, options: JsonOption): Promise<void> {
  if (addKey === null) {
    throw wrong(
      "ENCRYPTION_KEY is set: put a new key of openssl rand -base64 32 before the others there, and restart.",
    );
  }
  // Refuses where the directory is not the one of this database's service.
  await secretBox();
  const { file } = await addKey();
  if (options.json) printJson({ file });
  else printLine(`A new key stands first in ${file}. Restart the service, then: keys rotate`);
}

interface Sealed {
  readonly place: string;
  /** Null: not sealed at all. */
  readonly key_id: string | null;
  readonly rows: number;
}

async function count({ database }: Session): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const column of sealedColumns) {
    printStep(`counting ${column.name}`);
    const counts = await column.count(database);
    found.push(...counts.map(({ keyId, rows }) => ({ place: column.name, key_id: keyId, rows: Number(rows) })));
  }
  printStep("");
  return found;
}

async function status(session: Session, options: JsonOption): Promise<void> {
  const box = await session.secretBox();
  const present = await presentSealingKey(session.database, box);
  const sealed = await count(session);
  const shownKey = (keyId: string | null) => (keyId === null || box.keyIds.includes(keyId) ? "" : "LACKING");
  if (options.json) {
    for (const keyId of box.keyIds) printJson({ key_id: keyId, seals: keyId === present });
    for (const row of sealed) printJson({ ...row });
    return;
  }
  printTable(
    ["what", "key", "rows", ""],
    sealed.map((row) => [row.place, row.key_id ?? "not sealed", String(row.rows), shownKey(row.key_id)]),
  );
  printLine(`Secrets are sealed under ${present} now; the keys given are ${box.keyIds.join(", ")}.`);
}

async function rotate(session: Session, options: JsonOption): Promise<number> {
  const box = await session.secretBox();
  const [goal = "", ...others] = box.keyIds;
  await switchTo(session, box, goal);
  let remaining: readonly Sealed[] = [];
  let changed = 0;
  for (let round = 0; round < roundsMax; round++) {
    const before = await count(session);
    const closed = await reseal(session, box, before);
    remaining = (await count(session)).filter((row) => row.key_id !== goal);
    changed += sum(before.filter((row) => row.key_id !== goal)) - sum(remaining);
    if (sum(remaining) <= closed) break;
  }
  return print({ goal, others, changed, remaining }, options);
}

/** @throws Refusal while a process runs that lacks the key: it could not read what the others seal */
async function switchTo({ database, addKey }: Session, box: SecretBox, goal: string): Promise<void> {
  const lacking = await listProcessesLacking(database, goal);
  if (lacking.length > 0) {
    const where = lacking.map(({ address }) => address).join(", ");
    // Without ENCRYPTION_KEY the key stands in the data directory, which is read at the start.
    const first = addKey === null ? "put it first in their ENCRYPTION_KEY, restart them" : "restart the service";
    throw wrong(`Processes run without key ${goal} (at ${where}): ${first}, then rotate.`);
  }
  if ((await presentSealingKey(database, box)) === goal) return;
  await database.transaction((tx) => changeSealingKey(tx, goal));
  box.sealUnder(goal);
  // Whatever was sealed before they followed is on its way to the database for a moment longer.
  await delay(2 * sealingKeyFollowedMs);
}

/** @returns how many rows none of our keys opens */
async function reseal({ database }: Session, box: SecretBox, counts: readonly Sealed[]): Promise<number> {
  const progress = progressBar(sum(counts));
  let done = 0;
  let closed = 0;
  try {
    for (const column of sealedColumns) {
      const onRows = (rows: number) => {
        done += rows;
        progress.update(done);
      };
      closed += await resealColumn(database, { box, column, onRows });
    }
  } finally {
    progress.stop();
  }
  return closed;
}

function print(
  found: {
    readonly goal: string;
    readonly others: readonly string[];
    readonly changed: number;
    readonly remaining: readonly Sealed[];
  },
  options: JsonOption,
): number {
  const { goal, others, changed, remaining } = found;
  const left = (keyId: string) => sum(remaining.filter((row) => row.key_id === keyId));
  if (options.json) {
    printJson({ key_id: goal, changed });
    for (const keyId of others) printJson({ key_id: keyId, rows: left(keyId), removable: left(keyId) === 0 });
  } else {
    printLine(`Secrets are sealed under ${goal} now; ${changed} were brought there.`);
    for (const keyId of others.filter((other) => left(other) === 0)) {
      printLine(`Nothing is sealed under ${keyId} any more; you may remove it. Backups of before still need it.`);
    }
    for (const { place, key_id: keyId, rows } of remaining) {
      const why = keyId === null || others.includes(keyId) ? "run this again" : "no key given here opens them";
      printLine(`${rows} ${place} are under ${keyId ?? "no key"} still: ${why}.`);
    }
  }
  return remaining.length === 0 ? 0 : 1;
}

function sum(rows: readonly Sealed[]): number {
  return rows.reduce((total, row) => total + row.rows, 0);
}
