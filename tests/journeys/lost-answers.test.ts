import { afterEach, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openDatabaseWay } from "../support/database-way.ts";

// What changes something besides a purchase, while the database goes away: at its commit, or before anything was sent.
const fresh = closing(await stockedDatabase());
const way = closing(await openDatabaseWay(fresh.url));
const app = closing(await startApp({ database: { ...fresh, url: way.url } }));
afterEach(() => way.open());

const save = (number: string) =>
  app.call(app.merchant.testKey, "/beneficiaries", {
    method: "POST",
    body: { label: number, category: "data", customer_ref: number },
  });
const saved = async () => (await fresh.pool.query("select customer_ref from beneficiaries")).rows.length;

test("a change whose commit's answer is lost is told as one that may have been done", async () => {
  way.cutCommit("after");
  const answer = await save("08031234567");
  expect(answer).toMatchObject({
    status: 500,
    body: {
      code: "INTERNAL_ERROR",
      message: "The database did not say whether this was done: look before you repeat it.",
    },
  });
  expect(await saved()).toBe(1);
});

test("a change that finds no connection is refused as not done, with when to try again", async () => {
  await expect.poll(async () => (await app.call(app.merchant.testKey, "/wallet/balance")).status).toBe(200);
  const before = await saved();
  await way.refuse();
  const answer = await save("08031234568");
  expect([answer.status, answer.body.code, answer.headers.get("retry-after")]).toEqual([503, "MAINTENANCE", "2"]);
  expect(await saved()).toBe(before);
});
