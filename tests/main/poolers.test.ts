import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { statement } from "../../src/platform/database/database.ts";
import { startApp } from "../support/app.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let fresh: FreshDatabase;
let scratch: ScratchDirectory;
const programs = openPrograms();

beforeAll(async () => {
  fresh = await stockedDatabase();
  scratch = await makeScratchDirectory();
});
afterAll(async () => {
  programs.killAll();
  await fresh.drop();
  await scratch.remove();
});

async function bouncer(settings: Readonly<Record<string, string | number>>): Promise<PgBouncer> {
  const started = await startPgBouncer(fresh.url, settings);
  onTestFinished(() => started.close());
  return started;
}

const start = (databaseUrl: string) =>
  programs.start(["start"], { DATA_DIR: scratch.folder, PORT: "0", DATABASE_URL: databaseUrl });

const where = hasPgBouncer ? "" : " (skipped: pgbouncer is not installed here)";

// As everybody sets it up, with what that has to be told to take any program's connections.
const usual = { pool_mode: "transaction", ignore_startup_parameters: "extra_float_digits,options" };
const unfit: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  "in transaction mode": usual,
  "in transaction mode, sessions handed out in turn": { ...usual, server_round_robin: 1, min_pool_size: 2 },
  "in statement mode": { ...usual, pool_mode: "statement" },
};

test.runIf(hasPgBouncer).each(Object.entries(unfit))(
  `a start through PgBouncer %s is refused in one sentence that says what to do${where}`,
  async (_name, settings) => {
    const { url } = await bouncer(settings);
    const place = url.slice(url.indexOf("@") + 1);
    expect(await start(url).ended).toEqual({
      code: 1,
      error:
        `${place} does not keep a session from one transaction to the next, as poolers in transaction mode do not: ` +
        "let DATABASE_URL name PostgreSQL itself, or a pooler in session mode (PgBouncer: pool_mode = session).\n",
    });
  },
);

test.runIf(hasPgBouncer)(
  `a start through a PgBouncer with too few sessions is refused with the sum, as is a second one behind its usual pool${where}`,
  async () => {
    const few = await bouncer({ pool_mode: "session", default_pool_size: 2 });
    const refused = await start(few.url).ended;
    expect(refused.code).toBe(1);
    expect(refused.error).toMatch(
      /^The service needs 50 database connections \(8 to charge, 12 to read, 20 to replace a process, 10 to run commands\), and 127\.0\.0\.1:.* gives it 2 \(.*timeout.*; max_connections .*\): raise .*, or lower DATABASE_POOL \(10 at least\) or API_PROCESSES\.\n$/,
    );
    const { url } = await bouncer({ pool_mode: "session", default_pool_size: 20 });
    const first = start(url);
    await first.saying("Dispense runs at");
    const second = await start(url).ended;
    expect(second.code).toBe(1);
    expect(second.error).toMatch(
      /^The service needs 50 database connections .* gives it 0 \(Query read timeout\): raise /,
    );
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);
  },
);

test.runIf(hasPgBouncer)(
  `through PgBouncer in session mode everything is sold, and commits are on disk although the database prefers not${where}`,
  async () => {
    const { rows } = await fresh.pool.query("select current_database() as name");
    await fresh.pool.query(`alter database ${rows[0].name} set synchronous_commit = off`);
    const { url } = await bouncer({ ...usual, pool_mode: "session" });
    const started = start(url);
    await started.saying("Dispense runs at");
    started.child.kill("SIGTERM");
    expect((await started.ended).code).toBe(0);

    const app = await startApp({ database: { ...fresh, url } });
    const bodies = Array.from({ length: 40 }, (_, i) => ({
      product_id: 1002,
      phone: i % 2 === 0 ? "08031234567" : "08031230002",
      reference: `r-${i}`,
    }));
    const answers = await Promise.all(bodies.map((body) => app.call(app.merchant.testKey, "/data/purchase", { body })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
    const commits = statement("find_commit", "select current_setting('synchronous_commit') as commit");
    const { database } = app.services;
    const reply = await Promise.all([1, 2, 3, 4].map(() => database.query<{ commit: string }>(commits)));
    expect(reply.flat().map(({ commit }) => commit)).toEqual(["on", "on", "on", "on"]);
    await app.close();
  },
);
