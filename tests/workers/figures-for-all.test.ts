import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { openMetrics } from "../../src/platform/telemetry/metrics.ts";
import { forAll } from "../../src/workers/figures-for-all.ts";
import { archiveWatch } from "../../src/workers/watch/measure-archive.ts";
import type { Job, Reporting } from "../../src/workers/watch.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { startWatch } from "../support/watch.ts";

const fresh = closing(await freshDatabase());
const log = { error: () => {} } as never;

// As the backup's unit does.
const unit = readFileSync(path.join(import.meta.dirname, "../../deploy/systemd/dispense-backup@.service"), "utf8");
const [, noteBackup = ""] = /--command="(.*)"/.exec(unit) ?? [];

const openOn = (connectionString: string) =>
  closing(openDatabase(openPool({ connectionString, connectionsMax: 2, applicationName: "test", plans: "ordinary" })));

test("of three processes one at a time asks the database, and all tell what it found; what is gone is told no more", async () => {
  const database = openOn(fresh.url);
  let looks = 0;
  let found: Readonly<Record<string, number>> = { a: 1, b: 2 };
  const watch: Job<Reporting> = {
    name: "post",
    everyMs: 60_000,
    open:
      ({ metrics }) =>
      async () => {
        looks += 1;
        for (const [kind, count] of Object.entries(found)) metrics.set("waiting", count, { kind });
        return undefined;
      },
  };
  const known = [{ name: "waiting", kind: "gauge", help: "What waits.", labels: ["kind"] }] as const;
  const processes = [1, 2, 3].map(() => startWatch(forAll(watch), { database, log }, openMetrics(known)));
  const shown = async () => {
    const texts = await Promise.all(processes.map(({ metrics }) => metrics.text()));
    return texts.map((text) => text.split("\n").filter((line) => line.startsWith("waiting")));
  };
  const all = (...lines: string[]) => processes.map(() => lines);
  await expect.poll(shown).toEqual(all('waiting{kind="a"} 1', 'waiting{kind="b"} 2'));
  expect(looks).toBe(1);
  found = { b: 3 };
  await fresh.pool.query("update turns set free_at = now() where name = 'figures post'");
  await expect.poll(shown).toEqual(all('waiting{kind="b"} 3'));
  expect(looks).toBe(2);
  await Promise.all(processes.map(({ stop }) => stop()));
});

test("how old the last backup is is told, of a deployment without any how old it is itself", async () => {
  await fresh.pool.query("update applied_migrations set applied_at = now() - interval '3 days'");
  const { metrics, stop } = startWatch(archiveWatch, { database: openOn(fresh.url), log });
  const seconds = async () => Number(/\ndispense_backup_age_seconds (\S+)/.exec(await metrics.text())?.[1]);
  await expect.poll(seconds).toBeGreaterThanOrEqual(3 * 86_400);
  await fresh.pool.query(noteBackup);
  await expect.poll(seconds).toBeLessThan(3_600);
  await stop();
});

test("what the server keeps for a slot that nobody reads from is told, that it threw it away, and that an archive fails", async () => {
  const settings = { wal_level: "replica", archive_mode: "on", archive_command: "true", max_slot_wal_keep_size: "1MB" };
  const own = await startOwnPostgres({ migrated: true, settings });
  onTestFinished(() => own.stop());
  const database = openOn(own.url);
  const { metrics, stop } = startWatch(archiveWatch, { database, log });
  const shown = () => metrics.text();
  await expect.poll(shown).toContain("\ndispense_archive_failing 0\n");
  await own.pool.query("select pg_create_physical_replication_slot('standby', true)");
  await own.pool.query("create table filling as select repeat('x', 1000) from generate_series(1, 4000)");
  await expect.poll(shown).toMatch(/\ndispense_replication_slot_wal_bytes\{slot="standby"\} \d{7,}\n/);
  expect(await shown()).toContain('dispense_replication_slot_lost{slot="standby"} 0\n');
  for (const change of ["alter system set archive_command = 'false'", "select pg_reload_conf()"])
    await own.pool.query(change);
  for (const piece of [1, 2, 3]) await own.pool.query(`create table piece_${piece} (); select pg_switch_wal()`);
  await own.pool.query("checkpoint");
  await expect.poll(shown).toContain('dispense_replication_slot_lost{slot="standby"} 1\n');
  await expect.poll(shown, { timeout: 20_000 }).toContain("\ndispense_archive_failing 1\n");
  await stop();
});
