import { expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { listApiKeys } from "../../../src/domain/merchants/key-queries.ts";
import { openKeyUses } from "../../../src/domain/merchants/keyring.ts";
import type { ApiKeyId } from "../../../src/kernel/ids.ts";
import { parseAddress } from "../../../src/platform/address.ts";
import type { Queryable } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

const own = closing(await ownDatabase());

const noon = Date.parse("2026-11-20T12:00:00Z");

/** A merchant's sandbox key, and a clock of its own. */
async function setUp() {
  const merchant = await newMerchant(own.database, { approved: true });
  const keys = await listApiKeys(own.database, merchant.id);
  const time = { at: noon, now: () => time.at };
  let statements = 0;
  const database: Queryable = {
    query: (statement, values) => {
      statements += 1;
      return own.database.query(statement, values);
    },
  };
  const read = async () => (await listApiKeys(own.database, merchant.id)).map((row) => [row.used_at, row.used_from]);
  return { ids: keys.map(({ id }) => id), time, database, read, statements: () => statements };
}

const address = (text: string) => () => parseAddress(text);

test("the latest use of each key is kept, all of them in one statement", async () => {
  const { ids, time, database, read, statements } = await setUp();
  const [first, second] = ids as [ApiKeyId, ApiKeyId];
  const uses = openKeyUses({ database, clock: time });
  expect(await read()).toEqual([
    [null, null],
    [null, null],
  ]);
  uses.note(first, address("203.0.113.9"));
  time.at += 5_000;
  uses.note(first, address("203.0.113.10"));
  uses.note(second, address("2001:db8::7"));
  await uses.flush();
  expect(await read()).toEqual([
    [noon + 5_000, "203.0.113.10"],
    [noon + 5_000, "2001:db8::7"],
  ]);
  await uses.flush();
  expect(statements()).toBe(1);
});

test("an earlier use, of another process, does not come over a later one", async () => {
  const { ids, time, database, read } = await setUp();
  const [here, there] = [openKeyUses({ database, clock: time }), openKeyUses({ database, clock: time })];
  here.note(ids[0] as ApiKeyId, address("203.0.113.9"));
  time.at += 2_000;
  there.note(ids[0] as ApiKeyId, address("198.51.100.1"));
  await there.flush();
  await here.flush();
  expect((await read())[0]).toEqual([noon + 2_000, "198.51.100.1"]);
});

test("a request of the same second costs nothing: its address is not even read", async () => {
  const { ids, time, database } = await setUp();
  const uses = openKeyUses({ database, clock: time });
  let calls = 0;
  for (let i = 0; i < 1_000; i++) {
    time.at += 10;
    uses.note(ids[0] as ApiKeyId, () => {
      calls += 1;
      return null;
    });
  }
  expect(calls).toBe(10);
});

test("what the database did not take is written the next time, unless a later use came", async () => {
  const { ids, time, database, read } = await setUp();
  const [first, second] = ids as [ApiKeyId, ApiKeyId];
  let isAway = true;
  const flaky: Queryable = {
    query: (statement, values) =>
      isAway ? Promise.reject(new Error("Connection terminated unexpectedly")) : database.query(statement, values),
  };
  const uses = openKeyUses({ database: flaky, clock: time });
  uses.note(first, address("203.0.113.9"));
  uses.note(second, address("203.0.113.9"));
  const failing = uses.flush();
  time.at += 3_000;
  uses.note(second, address("203.0.113.10"));
  await expect(failing).rejects.toThrow("Connection terminated");
  isAway = false;
  await uses.flush();
  expect(await read()).toEqual([
    [noon, "203.0.113.9"],
    [noon + 3_000, "203.0.113.10"],
  ]);
});
