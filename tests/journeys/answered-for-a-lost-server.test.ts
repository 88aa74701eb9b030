import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { openAnsweringPooler } from "../support/answering-pooler.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";

// A pooler, or a coordinator, that answers for a server it has lost: connections stay, and everything but charges goes on.

const fresh = closing(await stockedDatabase());
const pooler = closing(await openAnsweringPooler(fresh.url));
const app = closing(await startApp({ database: { ...fresh, url: pooler.url } }));

afterEach(() => pooler.find());

const statements = ["accept_purchases"];
const buy = async (reference: string) => {
  const startedAt = performance.now();
  const body = { product_id: 1002, phone: "08031234567", reference };
  const answer = await app.call(app.merchant.testKey, "/data/purchase", { body });
  return { ...answer, code: answer.body.code as string, seconds: (performance.now() - startedAt) / 1_000 };
};
const ready = async () => (await fetch(`${app.url}/readyz`)).status;
const find = async (reference: string) => app.call(app.merchant.testKey, `/transactions/${reference}`);

/** Asks all the while, as the service's own watch does, and buys until an answer comes at once. */
async function untilRefused(reference: string): Promise<Awaited<ReturnType<typeof buy>>> {
  for (let nth = 0; nth < 60; nth++) {
    await ready();
    const answer = await Promise.race([buy(`${reference}-${nth}`), delay(1_000)]);
    if (answer !== undefined) return answer;
  }
  throw new Error("nothing is refused");
}

test.each([
  { sqlState: "08006", isCarriedOut: true },
  { sqlState: "57P01", isCarriedOut: false },
])(
  "$sqlState for a charge that was sent leaves it open; the process isn't ready, and the next ones are refused at once",
  async (loss) => {
    const [sent, next] = [`sent-${loss.sqlState}`, `next-${loss.sqlState}`];
    expect((await buy(`before-${loss.sqlState}`)).status).toBe(201);
    expect(await ready()).toBe(200);
    pooler.lose({ ...loss, statements });
    const open = buy(sent);
    await expect.poll(ready).toBe(503);
    const refused = await untilRefused(next);
    expect([refused.status, refused.code]).toEqual([503, "MAINTENANCE"]);
    expect(refused.headers.get("retry-after")).toBe("2");
    // What isn't seen may be on its way, and what is read elsewhere goes on.
    expect((await find(`${next}-none`)).status).toBe(503);
    expect((await app.call(app.merchant.testKey, "/wallet/balance")).status).toBe(200);
    const { status, code } = await open;
    expect([status, code]).toEqual([500, "INTERNAL_ERROR"]);
    expect(await ready()).toBe(503);
    pooler.find();
    await expect.poll(ready).toBe(200);
    const again = await buy(sent);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, loss.isCarriedOut ? "true" : null]);
    expect((await find(`${next}-none`)).status).toBe(404);
    await app.checkBooks();
  },
);

test("a charge that waits behind those that were lost was never sent: it is refused, and its reference is free", async () => {
  pooler.lose({ sqlState: "08006", statements, isCarriedOut: false });
  // Two commits go out, and what comes while they are lost waits for them. One after the other: what comes at once is one.
  const calls = Array.from({ length: 12 }, async (_, nth) => {
    await delay(nth * 40);
    return buy(`waits-${nth}`);
  });
  const answers = await Promise.all(calls);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500, 503]));
  pooler.find();
  await expect.poll(ready).toBe(200);
  for (const [nth, { status }] of answers.entries()) {
    if (status === 503) expect((await find(`waits-${nth}`)).status).toBe(404);
  }
});

test.each(["08006", "57P03"])(
  "a process that sells nothing just then is not ready either while charges would be lost (%s)",
  async (sqlState) => {
    expect(await ready()).toBe(200);
    pooler.lose({ sqlState, statements, isCarriedOut: false });
    await expect.poll(ready).toBe(503);
    pooler.find();
    await expect.poll(ready).toBe(200);
    expect((await buy(`after-${sqlState}`)).status).toBe(201);
  },
);

test("a single connection that was cut refuses nobody", async () => {
  expect((await buy("uncut")).status).toBe(201);
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%accept_purchases%' and pid <> pg_backend_pid()";
  await fresh.pool.query(cut);
  const answers = await Promise.all(["cut-1", "cut-2", "cut-3"].map(buy));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
});
