import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { administrate, type FreshDatabase, stockedDatabase, testServiceRole } from "../support/database.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";

// The server has fewer connections than the process needs, and answers on those that there are.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const logged: { event?: string; connections?: string; pool?: string; message?: string }[] = [];

interface Limited {
  readonly app: TestApp;
  readonly fresh: FreshDatabase;
  /** From now on the process gets so many connections, and has lost those whose last statement is such a one. */
  limit(connections: number, lost?: string): Promise<void>;
}

/** A process whose role may have so many connections. */
async function openLimited(options: Parameters<typeof startApp>[0] = {}): Promise<Limited> {
  logged.length = 0;
  const fresh = await stockedDatabase();
  undo.push(() => fresh.drop());
  const role = `test_${randomBytes(6).toString("hex")}`;
  await administrate(fresh.ownerUrl, `create role ${role} login password '${role}' in role ${testServiceRole}`);
  undo.push(() => administrate(fresh.ownerUrl, `drop role ${role}`));
  const url = fresh.url.replace(/\/\/[^/?]*@/, `//${role}:${role}@`);
  const app = await startApp({
    ...options,
    database: { ...fresh, url },
    log: pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
  });
  const stopWatching = app.services.startWatching();
  undo.push(() => app.close());
  undo.push(stopWatching);
  undo.push(() => administrate(fresh.ownerUrl, `alter role ${role} connection limit -1`));
  return {
    app,
    fresh,
    async limit(connections, lost = "%") {
      await administrate(fresh.ownerUrl, `alter role ${role} connection limit ${connections}`);
      await administrate(
        fresh.ownerUrl,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}' and query like '${lost}'`,
      );
    },
  };
}

/** Buys so many at one time. */
async function buyMany(app: TestApp, from: number, count: number) {
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const body = { product_id: 1002, phone: "08031234567", reference: `few-${from + i}` };
      const answer = await app.call(app.merchant.testKey, "/data/purchase", { body });
      return { reference: body.reference, ...answer, tookMs: performance.now() - startedAt };
    }),
  );
  return { answers, slowestMs: Math.max(...answers.map(({ tookMs }) => tookMs)) };
}

const ready = async (app: TestApp) => (await fetch(`${app.url}/readyz`)).status;

/** The process finds so often that it can't be had, each time anew. */
async function findOut(times: number, app: TestApp): Promise<void> {
  for (let time = 0; time < times; time++) {
    await buyMany(app, 3_000 + time, 1);
    await ready(app);
  }
}

test.each([
  ["none", 0, "%"],
  ["one", 1, "%"],
  ["those that read", 0, "%accept_purchases%"],
])(
  "with %s of its connections left what is not sold is refused with 503 within seconds, and nothing of it is there",
  async (_name, connections, lost) => {
    const { app, fresh, limit } = await openLimited();
    await buyMany(app, 1_000, 4);
    await limit(connections, lost);
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { answers, slowestMs } = await buyMany(app, round * 20, 20);
      for (const { reference, status, body, headers } of answers) {
        seen.add(`${status} ${body.code ?? ""} ${headers.get("retry-after") ?? ""}`);
        if (status === 201) continue;
        expect((await fresh.pool.query("select 1 from purchases where reference = $1", [reference])).rows).toEqual([]);
      }
      expect(slowestMs, [...seen].join(", ")).toBeLessThan(5_000);
    }
    seen.delete("201  ");
    const refused = "503 MAINTENANCE 2";
    expect([refused]).toEqual(expect.arrayContaining([...seen]));
    // The one connection may be that which charges: it sells all while requests that were leased before are left.
    if (connections === 0) expect(seen).toContain(refused);
    await expect.poll(() => ready(app)).toBe(503);
    await limit(-1, "nothing");
    await expect.poll(() => ready(app)).toBe(200);
    expect((await buyMany(app, 2_000, 20)).answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  },
);

test("a charged purchase whose end finds no connection is never told as refused", async () => {
  const supplier = openFakeSupplier();
  supplier.answer = vended;
  const { app, fresh, limit } = await openLimited({ suppliers: [supplier] });
  const buyLive = (reference: string) =>
    app.call(app.merchant.liveKey, "/data/purchase", { body: { product_id: 1002, phone: "08031234567", reference } });
  expect((await buyLive("before")).status).toBe(201);
  await limit(0, "%settle_purchases%");
  const bought = buyLive("charged");
  const charged = async () => (await fresh.pool.query("select status from purchases where reference = 'charged'")).rows;
  await expect.poll(charged).toEqual([{ status: "pending" }]);
  await limit(-1, "nothing");
  expect(await bought).toMatchObject({ status: 201, body: { status: "successful" } });
});

test("the log says once how many connections there are of those that are needed, and once that they are back", async () => {
  const { app, limit } = await openLimited();
  await buyMany(app, 0, 1);
  await limit(0, "%accept_purchases%");
  const lines = () => logged.filter(({ event }) => /connections|away|back/.test(event ?? ""));
  await expect.poll(() => lines().length).toBeGreaterThan(0);
  await findOut(4, app);
  const reason = expect.stringMatching(/^too many connections for role/);
  expect(lines()).toMatchObject([
    { event: "database.few_connections", pool: "batched", connections: "7 of 8", reason },
  ]);
  await limit(-1, "nothing");
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()[1]).toMatchObject({ event: "database.connections_again", pool: "batched", connections: "8 of 8" });
});

test("the log says once that the database is away, and once that it is back and after how many seconds", async () => {
  const { app, limit } = await openLimited();
  await expect.poll(() => ready(app)).toBe(200);
  await limit(0);
  // Connections are cut one after the other: a look in that moment rightly says that some are missing.
  const lines = () => {
    const events = logged.map(({ event }) => event ?? "").filter((event) => /connections|away|back/.test(event));
    return events.slice(Math.max(0, events.indexOf("database.away")));
  };
  await expect.poll(() => lines()[0]).toBe("database.away");
  await findOut(4, app);
  expect(lines()).toEqual(["database.away"]);
  await limit(-1);
  await expect.poll(lines).toContain("database.back");
  expect(lines().filter((event) => event !== "database.connections_again")).toEqual(["database.away", "database.back"]);
});
