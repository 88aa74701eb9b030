import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type OpenDatabase,
  openDatabase,
  openPool,
  type Statement,
  statement,
} from "../../src/platform/database/database.ts";
import { isConnectionLost, isNotSent } from "../../src/platform/database/database-errors.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

let database: OpenDatabase;
let losses: Error[];

const fresh = closing(await freshDatabase());

function open(connectionString: string): OpenDatabase {
  const onLost = (error: Error) => losses.push(error);
  return openDatabase(
    openPool({ connectionString, connectionsMax: 1, applicationName: "test", plans: "batched", onLost }),
  );
}

beforeEach(() => {
  losses = [];
  database = open(fresh.url);
});
afterEach(() => database.close());

const calculate: Statement = {
  name: "calculate",
  text: "select 12 / $1::int as result, clock_timestamp() as at, pg_backend_pid() as pid from pg_sleep($2::float8)",
  isPipelined: true,
};
interface Answer {
  readonly result: number;
  readonly at: number;
  readonly pid: number;
}

async function divideBy(divisor: number, sleepSeconds = 0): Promise<Answer> {
  const [row] = await database.query<Answer>(calculate, [divisor, sleepSeconds]);
  return row as Answer;
}

function keepBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe("a pipelined statement", () => {
  test("is carried out while the program has not read the answer to the one before it", async () => {
    await divideBy(1);
    const both = Promise.all([divideBy(3), divideBy(4)]);
    await new Promise((resolve) => setImmediate(resolve));
    keepBusy(200);
    const readAt = Date.now();
    const [first, second] = await both;
    expect([first.result, second.result]).toEqual([4, 3]);
    expect(second.at).toBeLessThan(readAt);
    expect(second.pid).toBe(first.pid);
  });

  test("that the database refuses fails alone", async () => {
    const outcomes = await Promise.allSettled([divideBy(2), divideBy(0), divideBy(6)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(losses).toEqual([]);
  });

  test("fails as lost with those behind it when its connection dies, and the next one gets a new connection", async () => {
    const { pid } = await divideBy(1);
    const underWay = Promise.allSettled([divideBy(2, 60), divideBy(3)]);
    await database.query(statement("kill", "select pg_terminate_backend($1)"), [pid]);
    for (const outcome of await underWay) {
      expect(outcome.status === "rejected" && isConnectionLost(outcome.reason)).toBe(true);
    }
    expect(losses).toHaveLength(1);
    expect((await divideBy(4)).pid).not.toBe(pid);
  });

  test("gets a new connection when the last one died idle", async () => {
    const { pid } = await divideBy(1);
    await database.query(statement("kill", "select pg_terminate_backend($1)"), [pid]);
    await expect.poll(() => losses).toHaveLength(1);
    expect((await divideBy(4)).result).toBe(3);
  });

  test("is part of the transaction that it is called in", async () => {
    const setting = {
      name: "read_setting",
      text: "select current_setting('a.test', true) as value",
      isPipelined: true,
    };
    const read = database.transaction(async (tx) => {
      await tx.query(statement("set_setting", "select set_config('a.test', 'here', true)"));
      return tx.query(setting);
    });
    expect(await read).toEqual([{ value: "here" }]);
  });

  test("is answered before the database is closed", async () => {
    await divideBy(1);
    const answer = divideBy(2, 0.2);
    await Promise.all([database.close(), expect(answer).resolves.toMatchObject({ result: 6 })]);
    database = open(fresh.url);
  });
});

test("a statement is certainly not sent while no database answers, pipelined or not, nor is a transaction", async () => {
  const nowhere = open("postgresql://me@127.0.0.1:1/shop");
  const outcomes: unknown[] = [];
  for (const calls of [
    nowhere.query(calculate, [1, 0]),
    nowhere.query(statement("calculate", calculate.text), [1, 0]),
    nowhere.transaction((tx) => tx.query(calculate, [1, 0])),
  ]) {
    outcomes.push(await calls.catch((error: unknown) => [isNotSent(error), isConnectionLost(error)]));
  }
  expect(outcomes).toEqual(Array(3).fill([true, false]));
  await nowhere.close();
});
