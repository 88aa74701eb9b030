import { pino } from "pino";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";

// A database that answers, and cannot: short of something, or told to wait for no lock, as here.

const logged: string[] = [];

const fresh = closing(await stockedDatabase());
const { rows } = await fresh.pool.query<{ name: string }>("select current_database() as name");
await fresh.pool.query(`alter database ${rows[0]?.name} set lock_timeout = '200ms'`);
const app = closing(
  await startApp({
    database: fresh,
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
  }),
);

test("a purchase that the database refused is told to try again, as nothing was created, and the log says why", async () => {
  const buy = () => {
    const body = { product_id: 1002, phone: "08031234567", reference: "refused-1" };
    return app.call(app.merchant.testKey, "/data/purchase", { body });
  };
  const client = await fresh.pool.connect();
  await client.query("begin");
  await client.query("lock table purchases in access exclusive mode");
  const refused = await buy();
  expect(refused).toMatchObject({ status: 503, body: { code: "MAINTENANCE" } });
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { event: "request.refused_by_database", sqlState: "55P03" },
  ]);
  await client.query("commit");
  client.release();
  expect((await fresh.pool.query("select 1 from purchases")).rows).toEqual([]);
  expect(await buy()).toMatchObject({ status: 201, body: { status: "successful" } });
});
