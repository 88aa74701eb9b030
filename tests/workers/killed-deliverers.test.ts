import { afterAll, beforeAll, expect, test } from "vitest";
import type { Program } from "../../rig/program.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { startChildProgram } from "../support/child-program.ts";
import type { FreshDatabase } from "../support/database.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { ownDatabase } from "../support/merchants.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueMany } from "../support/webhooks.ts";

const worker = "tests/support/crash/webhook-worker.ts";
let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
let receiver: Receiver;
const programs: Program[] = [];
const start = async () => {
  const program = await startChildProgram(worker, [fresh.url]);
  programs.push(program);
  await program.saying("running");
  return program;
};

beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
  receiver = await startReceiver((response) => setTimeout(() => response.end("OK"), 5));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end("SIGKILL")));
  await receiver.close();
  await drop();
});

/** More than the suite has time for: `WEBHOOK_KILLS=20 WEBHOOK_EVENTS=100000 npm run test:all killed-deliverers`. */
const kills = Number(process.env.WEBHOOK_KILLS ?? 3);
const events = Number(process.env.WEBHOOK_EVENTS ?? 10_000);
const timeout = 60_000 + 5_000 * kills + events * 3;

const merchants = 20;
async function enqueueAll(each: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let merchant = 1; merchant <= merchants; merchant++) {
    const wallet = walletKey(merchant);
    await setEndpoint(database, wallet, receiver.url);
    for (const id of await enqueueMany(database, wallet, each)) ids.add(id);
  }
  return ids;
}
const received = () => receiver.received.map(({ headers }) => headers["webhook-id"] as string);
const nowDue = async () => Number((await fresh.pool.query("select count(*) from webhook_outbox")).rows[0].count);

test("workers that are killed lose nothing, and repeat at most what was in flight", { timeout }, async () => {
  const ids = await enqueueAll(20 * kills);
  // What a merchant may have in flight, and what was answered and not yet recorded.
  const inFlightMax = merchants * 10 + 512;
  for (let kill = 0; kill < kills; kill++) {
    const program = await start();
    const before = receiver.received.length;
    await waitUntil(() => receiver.received.length > before + 60, "some deliveries", 20);
    await program.end("SIGKILL");
    await fresh.pool.query("update webhook_outbox set leased_until = now() where leased_until is not null");
  }
  await start();
  await waitUntil(async () => (await nowDue()) === 0, "the rest", timeout / 1_000);
  const got = received();
  expect(new Set(got)).toEqual(ids);
  expect(got.length - ids.size).toBeLessThanOrEqual(kills * inFlightMax);
  const { rows } = await fresh.pool.query("select count(*), count(distinct delivery_id) as ids from webhook_attempts");
  expect(rows[0]).toEqual({ count: String(ids.size), ids: String(ids.size) });
});

test("three workers on one database send nothing twice", { timeout }, async () => {
  await start();
  await start();
  const before = receiver.received.length;
  const ids = await enqueueAll(Math.ceil(events / merchants));
  await waitUntil(async () => (await nowDue()) === 0, "all of them", timeout / 1_000);
  const got = received().slice(before);
  expect(new Set(got)).toEqual(ids);
  // On a machine that is out of breath an attempt may fail and be made again: each is in the log, and nothing else was sent.
  const { rows } = await fresh.pool.query(
    `select count(*)::integer as attempts, (count(*) filter (where successful))::integer as successful
       from webhook_attempts
      where delivery_id = any ($1)`,
    [[...ids]],
  );
  expect(rows[0]).toEqual({ attempts: got.length, successful: ids.size });
});
