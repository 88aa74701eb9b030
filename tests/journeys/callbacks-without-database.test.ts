import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openDatabaseWay } from "../support/database-way.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";

// A supplier that calls while the database is away must learn that it has to call again.

const under = connectorsUnderTest.find(({ name }) => name === "vtpass")!;
const logged: string[] = [];

const fresh = closing(await stockedDatabase());
const way = closing(await openDatabaseWay(fresh.url));
const bench = closing(await openBench(under, movableClock(Date.now())));
// No workers: what ends here ends because the supplier called.
const app = closing(
  await startApp({
    suppliers: [bench.connector],
    database: { ...fresh, url: way.url },
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
  }),
);
afterAll(async () => {
  await way.open();
});

async function call(requestId: string) {
  const { headers, body } = bench.stub.callback(requestId, "vended");
  const { addressSecret } = under.callbacks!.genuine({ headers, body }, 0);
  const address = `${app.url}/supplier-callbacks/vtpass/${addressSecret}`;
  const answer = await fetch(address, { method: "POST", headers, body });
  const said = (await answer.json()) as { code?: string };
  return { status: answer.status, code: said.code, retryAfter: answer.headers.get("retry-after") };
}

test("a callback that could not be stored is to be repeated, and then ends its purchase", async () => {
  bench.stub.play = "pending_then_vended";
  bench.stub.pendingRequeries = 0;
  const body = { reference: "called", network: "MTN", phone: "08031234567", amount: "100.00" };
  expect((await app.call(app.merchant.liveKey, "/airtime/purchase", { body })).status).toBe(202);
  const requestId = [...bench.stub.records.keys()].at(-1)!;
  await way.refuse();
  const away = await call(requestId);
  expect(away).toEqual({ status: 503, code: "MAINTENANCE", retryAfter: "2" });
  expect(logged).toEqual([]);
  await way.open();
  await expect.poll(async () => (await call(requestId)).status, { timeout: 15_000 }).toBe(200);
  await app.services.receiveCallback.idle();
  const { body: present } = await app.call(app.merchant.liveKey, "/transactions/called");
  expect(present).toMatchObject({ status: "successful" });
}, 60_000);
