import path from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { startStandbyOf } from "../../rigs/base/own-postgres.ts";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { closeDay } from "../../src/domain/history/closed-days/close-day.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { openReadings } from "../../src/main/services/reading-services.ts";
import { openDatabase, openPool, type Queryable, statement } from "../../src/platform/database/database.ts";
import { openReadingStandby } from "../../src/platform/database/reading-standby.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { freshDatabase } from "../support/database.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { middayZone } from "../support/midday.ts";
import { operate } from "../support/operate.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

// A primary and its streaming standby, and who reads there.

const scratch = await makeScratchDirectory();
const programs = openPrograms();
closing({
  async close() {
    programs.killAll();
    await scratch.remove();
  },
});
const primary = closing(await startOwnPostgres({ migrated: true }));
await loadStartingCatalogue(openDatabase(primary.pool));
const running = { url: primary.url, folder: path.dirname(primary.socket), pid: primary.pid };
const standby = closing(await startStandbyOf(running, `${scratch.folder}/standby`));
const onStandby = openPool({
  connectionString: standby.url,
  connectionsMax: 2,
  applicationName: "test",
  plans: "ordinary",
});
closing({ close: () => onStandby.end() });

const logged: { readonly event: string; readonly reason?: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
const undo: (() => Promise<void>)[] = [];
closing({ close: async () => void (await Promise.all(undo.map((step) => step()))) });
const clock = { now: () => Date.now() };
const ordinary = (connectionString: string) =>
  closing(openDatabase(openPool({ connectionString, connectionsMax: 2, applicationName: "test", plans: "ordinary" })));
const [database, older] = [ordinary(primary.url), ordinary(standby.url)];
const readings = await openReadings({
  config: { readDatabaseUrl: standby.url },
  primary: database,
  ...{ clock, log, undo },
});
const supplier = openFakeSupplier();
supplier.answer = vended;
const console = closing(
  await startConsole(
    {
      database: { url: primary.url, ownerUrl: primary.url, pool: primary.pool, drop: async () => {} },
      suppliers: [supplier],
      timeZone: middayZone,
    },
    undefined,
    { readings },
  ),
);
const { app } = console;
const finance = await console.staff("finance");
const zone = wallTime(middayZone);
const today = zone.dayOf(Date.now());

const replay = {
  pause: () => onStandby.query("select pg_wal_replay_pause()"),
  resume: () => onStandby.query("select pg_wal_replay_resume()"),
};
afterEach(() => replay.resume());

/** Until what the primary has now is on the standby, and the last look at it is forgotten. */
async function untilCaughtUp(): Promise<void> {
  const { rows } = await primary.pool.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn");
  const reached = "select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached";
  await expect.poll(async () => (await onStandby.query(reached, [rows[0]?.lsn])).rows[0].reached).toBe(true);
  await expect.poll(async () => (await readings.reports()).asOf).not.toBeNull();
}

async function sell(reference: string): Promise<void> {
  const body = { product_id: 1002, phone: "08031234567", reference };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
}
/** How many a report says are sold today, and what it says of its age. */
async function reported() {
  const { status, text } = await finance.get("/operator/reports?by=day&days=1");
  expect(status).toBe(200);
  const sold = Number(/([\d,]+) sold,/.exec(text)?.[1]);
  return { sold, age: /As of <time[^>]*>[\d:]{8}<\/time>, (\d+ s) ago/.exec(text)?.[1] ?? null };
}
const balance = async () => (await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance;

test("reports, closed days and the file of sales are the standby's and say its age; requeries and balances never", async () => {
  await sell("sold-before");
  await closeDay(
    { database, wallTime: zone, clock: { now: () => today.end + 3_600_000 } },
    zone.dayOf(today.start - 1),
  );
  await untilCaughtUp();
  const before = { ...(await reported()), balance: await balance() };
  expect(before).toMatchObject({ sold: 1, age: expect.any(String) });
  await replay.pause();
  await sell("made-later");
  const { sold, age } = await reported();
  expect([sold, age]).toEqual([1, expect.any(String)]);
  expect((await finance.get(`/operator/reports.csv?by=day&from=${today.date}&to=${today.date}`)).text).toMatch(
    /,1,0,0,0,/,
  );
  const { text: file } = await finance.get("/operator/sales.csv?days=1");
  expect([file.includes("sold-before"), file.includes("made-later")]).toEqual([true, false]);
  for (const path of ["/operator/closed-days", `/operator/closed-days/${zone.dayOf(today.start - 1).date}`]) {
    expect([path, (await finance.get(path)).text]).toEqual([path, expect.stringMatching(/As of <time/)]);
  }
  // Everything else is as of now.
  expect((await finance.get("/operator/sales")).text).toContain("made-later");
  expect((await app.call(app.merchant.liveKey, "/transactions/made-later")).body.status).toBe("successful");
  expect((await app.call(app.merchant.liveKey, "/transactions")).body.transactions[0].reference).toBe("made-later");
  expect(await balance()).not.toBe(before.balance);
  await replay.resume();
  await expect.poll(reported).toMatchObject({ sold: 2 });
  expect(logged.map(({ event }) => event)).toEqual(["standby.read"]);
});

test("the command report reads there as well, and says so beside its figures", async () => {
  await untilCaughtUp();
  const urls = { DATABASE_URL: primary.url, TIME_ZONE: middayZone };
  const words = ["report", "--from", today.date, "--to", today.date, "--json"];
  const there = await operate(words, { ...urls, READ_DATABASE_URL: standby.url });
  const here = await operate(words, urls);
  expect([there.code, there.lines]).toEqual([0, here.lines]);
  expect(there.error).toMatch(/^As of .*, read at the standby\.\n$/);
  expect(here.error).toBe("");
});

/** Looks anew each time, at the standby that is given. */
function looking(at: Queryable) {
  const reasons: (string | null)[] = [];
  let nowMs = 0;
  const open = openReadingStandby({
    ...{ primary: database, standby: at, clock: { now: () => nowMs } },
    onChange: (reason) => void reasons.push(reason),
  });
  return {
    reasons,
    /** How old it is; null where the primary is read. */
    async ageMs(): Promise<number | null> {
      nowMs += 10_000;
      const { asOf } = await open();
      return asOf === null ? null : nowMs - asOf;
    },
  };
}

/** The same, but that whatever is behind is so by another minute. */
const aMinuteOlder: Queryable = {
  async query<Row>(...given: Parameters<Queryable["query"]>) {
    const rows = await older.query<Row & { readonly behindSeconds?: number }>(...given);
    return rows.map((row) => ({
      ...row,
      ...((row.behindSeconds ?? 0) > 0 && { behindSeconds: 60 + (row.behindSeconds ?? 0) }),
    }));
  },
};

test("a standby that is behind by more than a minute is passed by, but not one whose primary commits nothing", async () => {
  const { ageMs, reasons } = looking(aMinuteOlder);
  await expect.poll(ageMs).toBe(0);
  await replay.pause();
  await sell("older");
  expect(await ageMs()).toBeNull();
  await replay.resume();
  await expect.poll(ageMs).toBe(0);
  expect(reasons.at(0)).toBeNull();
  expect(new Set(reasons)).toEqual(new Set([null, "it is more than 60 s behind"]));
});

test("a standby that has not seen the primary's migrations is passed by until it has", async () => {
  await untilCaughtUp();
  const { ageMs, reasons } = looking(older);
  expect(await ageMs()).not.toBeNull();
  await replay.pause();
  const newer =
    "insert into applied_migrations (name, hash, release, oldest_release) values ('9999_new.sql', '', '9.9.9', '0.0.0')";
  await primary.pool.query(newer);
  expect(await ageMs()).toBeNull();
  await replay.resume();
  await expect.poll(ageMs).not.toBeNull();
  await primary.pool.query("delete from applied_migrations where name = '9999_new.sql'");
  expect(reasons.slice(0, 3)).toEqual([null, "it has another release's tables", null]);
});

test("what is no standby of this very database is passed by: the primary itself, another one, one without our tables", async () => {
  const another = closing(await freshDatabase());
  const cases = [
    [primary.url, /^it is no standby$/],
    [another.url, /^it is another database's$/],
    [another.url.replace(/\/\w+(\?|$)/, "/postgres$1"), /applied_migrations/],
    ["postgresql://nobody@127.0.0.1:1/none", /ECONNREFUSED/],
  ] as const;
  for (const [url, reason] of cases) {
    const { ageMs, reasons } = looking(ordinary(url));
    expect(await ageMs()).toBeNull();
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  }
});

const whereSlowly = (name: string, secondsMax: number) => ({
  ...statement(name, "select case when pg_is_in_recovery() then pg_sleep(60)::text else 'primary' end as here"),
  secondsMax,
});

test("what the standby breaks off is read again at the primary, and what takes too long there is not", async () => {
  await untilCaughtUp();
  const { reads } = await readings.reports();
  await expect(reads.query(whereSlowly("find_where_hastily", 1))).rejects.toThrow(/timeout/);
  let found: unknown;
  const broken = reads.query(whereSlowly("find_where_slowly", 50)).then((rows) => {
    found = rows;
  });
  const end = `select pg_terminate_backend(pid)
                 from pg_stat_activity
                where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`;
  await expect.poll(() => onStandby.query(end).then(() => found)).toEqual([{ here: "primary" }]);
  await broken;
});

test("a standby alone is refused as a database to sell from", async () => {
  const { service } = {
    service: programs.start(["start"], { DATA_DIR: scratch.folder, PORT: "0", DATABASE_URL: standby.url }),
  };
  expect(await service.ended).toEqual({
    code: 1,
    error: expect.stringMatching(
      /^The database \S+ is read-only, as a standby is: set DATABASE_URL to the primary\.\n$/,
    ),
  });
});

test("a standby that is away changes nothing but who is read, and it is read again when it is back", async () => {
  await untilCaughtUp();
  logged.length = 0;
  const { sold } = await reported();
  await standby.kill();
  await sell("away");
  await expect.poll(reported).toEqual({ sold: sold + 1, age: null });
  await standby.start();
  await expect.poll(async () => (await reported()).age).not.toBeNull();
  expect(logged.map(({ event }) => event)).toEqual(["standby.passed_by", "standby.read"]);
});
