import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openDatabaseWay } from "../support/database-way.ts";

// A client that reads while the database is away is told to try again soon: nothing can have happened.

const logged: string[] = [];

const fresh = closing(await stockedDatabase());
const way = closing(await openDatabaseWay(fresh.url));
const app = closing(
  await startApp({
    database: { ...fresh, url: way.url },
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
  }),
);
afterAll(async () => {
  await way.open();
});

const paths = [
  "/wallet/balance",
  "/transactions",
  "/transactions/order-1",
  "/bulk/order-2",
  "/beneficiaries",
  "/webhook",
  "/webhook/deliveries",
  "/billers",
];

/** Everything that can be read, at one time. */
async function readAll() {
  const startedAt = performance.now();
  const answers = await Promise.all(paths.map((path) => app.call(app.merchant.testKey, path)));
  const reply = answers.map(({ status, body, headers }) => [status, body.code, headers.get("retry-after")]);
  return { told: reply, tookMs: performance.now() - startedAt };
}

const isOpen = async () => (await app.call(app.merchant.testKey, "/wallet/balance")).status;
const tryAgain = [503, "MAINTENANCE", "2"];

/** What is remembered needs no database for most of a second. */
function withoutRemembered(reply: readonly unknown[][]): unknown[][] {
  return reply.filter((_, index) => paths[index] !== "/billers");
}

test("a read whose connections are refused is told to try again, and no fault is logged", async () => {
  await expect.poll(isOpen).toBe(200);
  await way.refuse();
  const { told: reply } = await readAll();
  expect(withoutRemembered(reply)).toEqual(withoutRemembered(paths.map(() => tryAgain)));
  const later = await readAll();
  expect(later.told).toEqual(paths.map(() => tryAgain));
  expect(logged).toEqual([]);
  await way.open();
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(200);
}, 60_000);

test("a read that nobody answers is told to try again within seconds", async () => {
  await expect.poll(isOpen).toBe(200);
  way.silence();
  const first = await readAll();
  expect(withoutRemembered(first.told)).toEqual(withoutRemembered(paths.map(() => tryAgain)));
  expect(first.tookMs).toBeLessThan(25_000);
  const later = await readAll();
  expect(later.told).toEqual(paths.map(() => tryAgain));
  expect(later.tookMs).toBeLessThan(12_000);
  await way.open();
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(200);
}, 90_000);
