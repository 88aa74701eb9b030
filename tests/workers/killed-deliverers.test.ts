import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { Program } from "../../rigs/base/program.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import { closing } from "../support/closing.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { ownDatabase } from "../support/merchants.ts";
import { startChildProgram } from "../support/programs.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueEvent, enqueueMany } from "../support/webhooks.ts";

const { fresh, database } = closing(await ownDatabase());
const receiver = closing(await startReceiver((response) => answer(response)));
let answer: (response: ServerResponse) => unknown;
const atOnce = (response: ServerResponse) => response.end("OK");
const soon = (response: ServerResponse) => setTimeout(() => response.end("OK"), 5);

const programs: Program[] = [];
async function startWorker(): Promise<Program> {
  const program = await startChildProgram("tests/support/crash/webhook-worker.ts", [fresh.url]);
  programs.push(program);
  await program.saying("running");
  return program;
}

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.end("SIGKILL")));
});

/** More than the suite has time for: `WEBHOOK_KILLS=20 WEBHOOK_EVENTS=100000 npm run test:all killed-deliverers`. */
const kills = Number(process.env.WEBHOOK_KILLS ?? 3);
const events = Number(process.env.WEBHOOK_EVENTS ?? 3_000);
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
  answer = soon;
  const ids = await enqueueAll(20 * kills);
  // What a merchant may have in flight, and what was answered and not yet recorded.
  const inFlightMax = merchants * 10 + 512;
  for (let kill = 0; kill < kills; kill++) {
    const program = await startWorker();
    const before = receiver.received.length;
    await waitUntil(() => receiver.received.length > before + 60, "some deliveries", 20);
    await program.end("SIGKILL");
    await fresh.pool.query("update webhook_outbox set leased_until = now() where leased_until is not null");
  }
  await startWorker();
  await waitUntil(async () => (await nowDue()) === 0, "the rest", timeout / 1_000);
  const got = received();
  expect(new Set(got)).toEqual(ids);
  expect(got.length - ids.size).toBeLessThanOrEqual(kills * inFlightMax);
  const { rows } = await fresh.pool.query("select count(*), count(distinct delivery_id) as ids from webhook_attempts");
  expect(rows[0]).toEqual({ count: String(ids.size), ids: String(ids.size) });
});

test("three workers on one database send nothing twice", { timeout }, async () => {
  answer = soon;
  await startWorker();
  await startWorker();
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

const timesReceived = (id: string) => received().filter((each) => each === id).length;
const attemptsOf = async (id: string) =>
  (await fresh.pool.query("select attempt, successful from webhook_attempts where delivery_id = $1", [id])).rows;
const deliveriesTo = async ({ merchantId }: WalletKey) =>
  (await fresh.pool.query("select epoch from webhook_outbox where abs(wallet_id) = $1", [merchantId])).rowCount;

/** A worker that is stopped in the middle of an attempt until its lease is over. Meanwhile its request is answered. */
async function freeze(wallet: WalletKey) {
  const unanswered: ServerResponse[] = [];
  answer = (response) => unanswered.push(response);
  await setEndpoint(database, wallet, receiver.url);
  const worker = await startWorker();
  const id = await enqueueEvent(database, wallet);
  await waitUntil(() => timesReceived(id) === 1, "the attempt", 30);
  process.kill(worker.pid, "SIGSTOP");
  unanswered.forEach(atOnce);
  answer = atOnce;
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
  expect([timesReceived(id), await attemptsOf(id)]).toEqual([2, logged]);
});

test("a frozen worker records its attempt when it wakes, as nobody else came, and does not send it again", async () => {
  const wallet = walletKey(2);
  const { worker, id } = await freeze(wallet);
  // Or else it might be the first to come itself, before it has read the answer.
  await fresh.pool.query("update webhook_outbox set due_at = now() + interval '1 hour'");
  process.kill(worker.pid, "SIGCONT");
  await waitUntil(async () => (await deliveriesTo(wallet)) === 0, "the attempt to be recorded", 30);
  expect([timesReceived(id), await attemptsOf(id)]).toEqual([1, [{ attempt: 1, successful: true }]]);
});
