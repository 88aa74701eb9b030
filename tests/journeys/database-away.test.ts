import { pino } from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openDatabaseWay } from "../support/database-way.ts";
import { rawText } from "../support/fake-supplier.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";

// The database is away: whoever reads tries again soon, a supplier that calls calls again, and what suppliers said
// meanwhile is not forgotten.

const awayMs = 12_000;
const logged: string[] = [];
let answerAll = () => {};
const answered = new Promise<void>((resolve) => {
  answerAll = resolve;
});
const calls: string[] = [];

/** Some suppliers say it once. Vends to numbers that end in 1 and declines the others; asked again it knows nothing. */
const sayingItOnce: Connector = {
  name: "saying-it-once",
  async vend(request: VendRequest): Promise<VendOutcome> {
    calls.push(request.supplierReference);
    await answered;
    if (request.phone?.endsWith("1") === true) {
      return { kind: "vended", providerReference: "SUP-1", fulfilment: { kind: "topup" } };
    }
    return { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
  },
  requery: async () => ({ kind: "unknown", evidence: "nothing to ask by", askNobody: true }),
};

const fresh = closing(await stockedDatabase());
const way = closing(await openDatabaseWay(fresh.url));
const under = connectorsUnderTest.find(({ name }) => name === "vtpass")!;
const bench = closing(await openBench(under, movableClock(Date.now())));
// No workers: what ends here ends because a supplier said so.
const app = closing(
  await startApp({
    suppliers: [sayingItOnce, bench.connector],
    database: { ...fresh, url: way.url },
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
  }),
);
// The one sells MTN's airtime, the other GLO's.
await fresh.pool.query("delete from supplier_routes where (supplier = 'saying-it-once') <> (product_id = 2001)");
await app.feel("routes");

const isOpen = async () => (await app.call(app.merchant.testKey, "/wallet/balance")).status;
beforeEach(async () => {
  await way.open();
  await vi.waitUntil(async () => (await isOpen()) === 200, { timeout: 60_000 });
});

const buy = (phone: string, network: string) => {
  const body = { reference: `to-${phone}`, network, phone, amount: "100.00" };
  return app.call(app.merchant.liveKey, "/airtime/purchase", { body });
};

const paths = [
  "/wallet/balance",
  "/transactions",
  "/transactions/order-1",
  "/bulk/order-2",
  "/beneficiaries",
  "/webhook",
  "/webhook/deliveries",
  "/billers",
];

/** Everything that can be read, at one time. */
async function readAll() {
  const startedAt = performance.now();
  const answers = await Promise.all(paths.map((path) => app.call(app.merchant.testKey, path)));
  const replies = answers.map(({ status, body, headers }) => [status, body.code, headers.get("retry-after")]);
  return { replies, tookMs: performance.now() - startedAt };
}

const tryAgain = paths.map(() => [503, "MAINTENANCE", "2"]);

/** What is remembered needs no database for most of a second. */
function withoutRemembered(replies: readonly unknown[][]): unknown[][] {
  return replies.filter((_, index) => paths[index] !== "/billers");
}

test("a read whose connections are refused is told to try again, and no fault is logged", async () => {
  await way.refuse();
  expect(withoutRemembered((await readAll()).replies)).toEqual(withoutRemembered(tryAgain));
  expect((await readAll()).replies).toEqual(tryAgain);
  expect(logged).toEqual([]);
});

test("a callback that could not be stored is to be repeated, and then ends its purchase", async () => {
  bench.stub.play = "pending_then_vended";
  bench.stub.pendingRequeries = 0;
  expect((await buy("08051234567", "GLO")).status).toBe(202);
  const { headers, body } = bench.stub.callback([...bench.stub.records.keys()].at(-1)!, "vended");
  const { addressSecret } = under.callbacks!.genuine({ headers, body }, 0);
  const call = () => fetch(`${app.url}/supplier-callbacks/vtpass/${addressSecret}`, { method: "POST", headers, body });
  await way.refuse();
  const away = await call();
  const { code } = (await away.json()) as { code?: string };
  expect([away.status, code, away.headers.get("retry-after")]).toEqual([503, "MAINTENANCE", "2"]);
  expect(logged).toEqual([]);
  await way.open();
  await expect.poll(async () => (await call()).status).toBe(200);
  await app.services.receiveCallback.idle();
  expect((await app.call(app.merchant.liveKey, "/transactions/to-08051234567")).body.status).toBe("successful");
});

test("a yes and a no that come while the database is away end their purchases when it is back", async () => {
  const [yes, no] = [buy("08031234561", "MTN"), buy("08031234562", "MTN")];
  await expect.poll(() => calls.length).toBe(2);
  await way.refuse();
  answerAll();
  await new Promise((resolve) => setTimeout(resolve, awayMs));
  await way.open();
  expect(await yes).toMatchObject({ status: 201, body: { status: "successful", provider_reference: "SUP-1" } });
  expect(await no).toMatchObject({ status: 422, body: { status: "failed", refunded: true } });
  expect(logged).toEqual([]);
});

test("a read that nobody answers is told to try again within seconds", async () => {
  way.silence();
  const first = await readAll();
  expect(withoutRemembered(first.replies)).toEqual(withoutRemembered(tryAgain));
  expect(first.tookMs).toBeLessThan(25_000);
  const later = await readAll();
  expect(later.replies).toEqual(tryAgain);
  expect(later.tookMs).toBeLessThan(12_000);
  await way.open();
});
