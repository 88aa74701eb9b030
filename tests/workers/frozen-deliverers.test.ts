import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Program } from "../../rig/program.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { startChildProgram } from "../support/child-program.ts";
import type { FreshDatabase } from "../support/database.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { ownDatabase } from "../support/merchants.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueEvent } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
let receiver: Receiver;
let unanswered: ServerResponse[] = [];
let answersAtOnce = false;
const programs: Program[] = [];

async function startWorker(): Promise<Program> {
  const program = await startChildProgram("tests/support/crash/webhook-worker.ts", [fresh.url]);
  programs.push(program);
  await program.saying("running");
  return program;
}

beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
  receiver = await startReceiver((response) => (answersAtOnce ? response.end("OK") : unanswered.push(response)));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end("SIGKILL")));
  await receiver.close();
  await drop();
});

const received = (id: string) => receiver.received.filter(({ headers }) => headers["webhook-id"] === id).length;
const attemptsOf = async (id: string) =>
  (await fresh.pool.query("select attempt, successful from webhook_attempts where delivery_id = $1", [id])).rows;
const deliveriesTo = async ({ merchantId }: WalletKey) =>
  (await fresh.pool.query("select epoch from webhook_outbox where abs(wallet_id) = $1", [merchantId])).rowCount;

/** A worker that is stopped in the middle of an attempt until its lease is over. Meanwhile its request is answered. */
async function freeze(wallet: WalletKey) {
  answersAtOnce = false;
  unanswered = [];
  await setEndpoint(database, wallet, receiver.url);
  const worker = await startWorker();
  const id = await enqueueEvent(database, wallet);
  await waitUntil(() => received(id) === 1, "the attempt", 30);
  process.kill(worker.pid, "SIGSTOP");
  for (const response of unanswered) response.end("OK");
  answersAtOnce = true;
  await fresh.pool.query("update webhook_outbox set leased_until = now() where abs(wallet_id) = $1", [
    wallet.merchantId,
  ]);
  return { worker, id };
}

test("a frozen worker writes nothing when it wakes, as somebody else delivered meanwhile", async () => {
  const wallet = walletKey(1);
  const { worker: frozen, id } = await freeze(wallet);
  const other = await startWorker();
  await waitUntil(async () => (await deliveriesTo(wallet)) === 0, "the other's attempt", 30);
  const logged = await attemptsOf(id);
  expect(logged).toEqual([{ attempt: 1, successful: true }]);
  await other.end("SIGKILL");
  process.kill(frozen.pid, "SIGCONT");
  // It records in the order in which attempts end: with this one it has been through with the old one.
  const next = await enqueueEvent(database, wallet, { reference: "order-2" });
  await waitUntil(async () => (await attemptsOf(next)).length === 1, "the next delivery", 30);
  expect([received(id), await attemptsOf(id)]).toEqual([2, logged]);
  await frozen.end("SIGKILL");
});

test("a frozen worker records its attempt when it wakes, as nobody else came, and does not send it again", async () => {
  const wallet = walletKey(2);
  const { worker, id } = await freeze(wallet);
  // Or else it might be the first to come itself, before it has read the answer.
  await fresh.pool.query("update webhook_outbox set due_at = now() + interval '1 hour'");
  process.kill(worker.pid, "SIGCONT");
  await waitUntil(async () => (await deliveriesTo(wallet)) === 0, "the attempt to be recorded", 30);
  expect([received(id), await attemptsOf(id)]).toEqual([1, [{ attempt: 1, successful: true }]]);
});
