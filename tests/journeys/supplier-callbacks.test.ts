import { beforeEach, expect, test } from "vitest";
import { failuresPerMinuteMax } from "../../src/http/plugins/authenticate.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";

const under = connectorsUnderTest.find(({ name }) => name === "vtpass")!;

const bench = closing(await openBench(under, movableClock(Date.now())));
// No workers: what ends here ends because the supplier called.
const app = closing(await startApp({ suppliers: [bench.connector] }));

beforeEach(() => {
  bench.stub.play = "pending_then_vended";
  bench.stub.pendingRequeries = 0;
});

async function buy(reference: string): Promise<string> {
  const body = { reference, network: "MTN", phone: "08031234567", amount: "100.00" };
  const answer = await app.call(app.merchant.liveKey, "/airtime/purchase", { body });
  expect(answer).toMatchObject({ status: 202, body: { status: "pending" } });
  return [...bench.stub.records.keys()].at(-1)!;
}

type Word = "vended" | "declined" | "pending";

async function call(requestId: string, word: Word, address?: string): Promise<{ status: number; body: unknown }> {
  const { headers, body } = bench.stub.callback(requestId, word);
  const { addressSecret } = under.callbacks!.genuine({ headers, body }, 0);
  const path = address ?? `vtpass/${addressSecret}`;
  const answer = await fetch(`${app.url}/supplier-callbacks/${path}`, { method: "POST", headers, body });
  return { status: answer.status, body: await answer.json() };
}

async function statusOf(reference: string): Promise<JsonObject> {
  await app.services.receiveCallback.idle();
  const { body } = await app.call(app.merchant.liveKey, `/transactions/${reference}`);
  return body as JsonObject;
}

test("a supplier that calls ends a pending purchase at once, and is answered as it wants to be", async () => {
  const requestId = await buy("called");
  expect(await call(requestId, "vended")).toEqual({ status: 200, body: { response: "success" } });
  expect(await statusOf("called")).toMatchObject({ status: "successful", provider_reference: expect.any(String) });
  expect(bench.stub.vends(requestId)).toBe(1);
});

test("a call about a failure refunds, by the supplier's own word when it is asked", async () => {
  bench.stub.play = "pending_then_declined";
  const requestId = await buy("called-failed");
  await call(requestId, "declined");
  expect(await statusOf("called-failed")).toMatchObject({ status: "failed", refunded: true, total_deducted: "0.00" });
});

test("calls that come at once, twice and out of order end a purchase once", async () => {
  const requestId = await buy("called-often");
  const words: Word[] = ["vended", "pending", "vended", "pending", "vended"];
  for (const answer of await Promise.all(words.map((word) => call(requestId, word)))) expect(answer.status).toBe(200);
  expect(await statusOf("called-often")).toMatchObject({ status: "successful" });
  await call(requestId, "pending");
  expect(await statusOf("called-often")).toMatchObject({ status: "successful" });
  const { rows } = await app.fresh.pool.query(
    "select status, count(*) from supplier_callbacks group by supplier_reference, status having count(*) > 1",
  );
  expect(rows).toEqual([]);
  const attempts = await app.fresh.pool.query(
    `select a.verdict from vend_attempts a join purchases p on p.id = a.purchase_id where p.reference = 'called-often'`,
  );
  expect(attempts.rows).toEqual([{ verdict: "vended" }]);
});

test("a call that lies changes nothing: the supplier is asked, not believed", async () => {
  bench.stub.pendingRequeries = 1_000;
  const requestId = await buy("lied-about");
  expect((await call(requestId, "vended")).status).toBe(200);
  expect(await statusOf("lied-about")).toMatchObject({ status: "pending" });
  bench.stub.pendingRequeries = 0;
  await call(requestId, "declined");
  expect(await statusOf("lied-about")).toMatchObject({ status: "successful" });
});

test.each(["vtpass", "vtpass/", "vtpass/guess", "nobody/guess", "told"])(
  "whoever calls at %s is told nothing and changes nothing",
  async (address) => {
    const reference = `forged-${address.replaceAll("/", ".")}`;
    const requestId = await buy(reference);
    expect(await call(requestId, "vended", address)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await statusOf(reference)).toMatchObject({ status: "pending" });
    await call(requestId, "vended");
    expect(await statusOf(reference)).toMatchObject({ status: "successful" });
  },
);

test("what is kept of a purchase and its calls names no customer, and no credential", async () => {
  const { rows } = await app.fresh.pool.query(
    `select evidence from supplier_callbacks union all select evidence from vend_attempts`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { evidence } of rows) expect(evidence).not.toMatch(/08031234567|8031234567|SK_test|vt-api|reseller@/);
  expect(rows.some(({ evidence }) => evidence.includes("POST /requery"))).toBe(true);
});

test("forged calls fill no log: of a source the first is told at once, then how many there were", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "warn", output: { write: (line) => void lines.push(line) } });
  const own = await startApp({ suppliers: [bench.connector], log });
  const statuses: number[] = [];
  // More calls than two minutes allow: the limit counts by minutes of the clock, and one may begin meanwhile.
  for (let i = 0; i < 2 * failuresPerMinuteMax + 10; i++) {
    const answer = await fetch(`${own.url}/supplier-callbacks/vtpass/guess-${i}`, { method: "POST", body: "{}" });
    statuses.push(answer.status);
    await answer.arrayBuffer();
  }
  await own.close();
  const reply = statuses.filter((status) => status === 404).length;
  expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - reply);
  expect(reply).toBeLessThan(statuses.length);
  const forged = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "security.callback_forged");
  expect(forged.map(({ source, count }) => [source, count])).toEqual([
    ["127.0.0.1", 1],
    ["127.0.0.1", statuses.length - 1],
  ]);
  expect(forged[0].about).toEqual([expect.stringMatching(/^vtpass: ./)]);
});
