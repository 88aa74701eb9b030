import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase, openPool, statement, type Tx } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());
const options = { connectionString: fresh.url, connectionsMax: 2, applicationName: "test" } as const;
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));

const ownPid = statement("own_pid", "select pg_backend_pid() as pid");
const terminate = statement("terminate_backend", "select pg_terminate_backend($1)");
const one = statement("one", "select 1 as one");

async function endConnectionOf(tx: Tx): Promise<void> {
  const [row] = await tx.query<{ pid: number }>(ownPid);
  await database.query(terminate, [row?.pid]);
  // Long enough for the end to arrive while no statement is under way: nobody but the transaction can hear of it.
  await sleep(100);
}

test("a connection that dies between two statements of a transaction fails the transaction, not the process", async () => {
  const broken = database.transaction(async (tx) => {
    await endConnectionOf(tx);
    await tx.query(one);
  });
  await expect(broken).rejects.toThrow();
  expect(await database.query(one)).toEqual([{ one: 1 }]);
});

test("nothing is taken for committed when the connection died before the commit", async () => {
  await expect(database.transaction(endConnectionOf)).rejects.toThrow();
  // The dead connection is not handed out again.
  const answers = await Promise.all([1, 2].map(() => database.transaction((tx) => tx.query(one))));
  expect(answers).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

test("a connection that dies while it is handed from one holder to the next does not end the process", async () => {
  const pool = openPool({
    connectionString: fresh.url,
    connectionsMax: 1,
    applicationName: "handed",
    plans: "ordinary",
  });
  const kept = await pool.connect();
  const next = openDatabase(pool).transaction((tx) => tx.query(one));
  await sleep(10); // it waits for the only connection
  kept.release();
  // The server's last words, in the same turn: nobody has had the time to listen.
  expect(() => kept.emit("error", new Error("terminating connection"))).not.toThrow();
  expect(await next).toEqual([{ one: 1 }]);
  await pool.end();
});

test("a statement that is given up does not go on behind our back, past the pool", async () => {
  const pool = openPool({
    connectionString: fresh.url,
    connectionsMax: 1,
    applicationName: "given up",
    plans: "ordinary",
  });
  const hasty = openDatabase(pool);
  const slow = { ...statement("sleep", "select pg_sleep(60)"), secondsMax: 0.2 };
  for (let i = 0; i < 3; i++) await expect(hasty.query(slow)).rejects.toThrow(/timeout/);
  const count = statement(
    "count_given_up",
    "select count(*)::integer as n from pg_stat_activity where application_name = 'given up' and state = 'active'",
  );
  let left = 3;
  for (let look = 0; look < 50 && left > 0; look++) {
    await sleep(100);
    left = (await database.query<{ n: number }>(count))[0]?.n ?? 0;
  }
  expect(left).toBe(0);
  await hasty.close();
});
