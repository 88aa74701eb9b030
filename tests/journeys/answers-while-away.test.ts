import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { openDatabaseWay } from "../support/database-way.ts";
import { rawText } from "../support/fake-supplier.ts";

// Some suppliers say it once: what they said while the database was away must not be forgotten.

const awayMs = 12_000;
const logged: string[] = [];
let answerAll = () => {};
const answered = new Promise<void>((resolve) => {
  answerAll = resolve;
});
const calls: string[] = [];

/** Vends to numbers that end in 1 and declines the others; asked again it knows nothing. */
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
const app = closing(
  await startApp({
    suppliers: [sayingItOnce],
    database: { ...fresh, url: way.url },
    log: pino({ level: "error" }, { write: (line: string) => void logged.push(line) }),
  }),
);
afterAll(async () => {
  await way.open();
});

test("a yes and a no that come while the database is away end their purchases when it is back", async () => {
  const buy = (phone: string) => {
    const body = { reference: `to-${phone}`, network: "MTN", phone, amount: "100.00" };
    return app.call(app.merchant.liveKey, "/airtime/purchase", { body });
  };
  const [yes, no] = [buy("08031234561"), buy("08031234562")];
  await expect.poll(() => calls.length).toBe(2);
  await way.refuse();
  answerAll();
  await new Promise((resolve) => setTimeout(resolve, awayMs));
  await way.open();
  expect(await yes).toMatchObject({ status: 201, body: { status: "successful", provider_reference: "SUP-1" } });
  expect(await no).toMatchObject({ status: 422, body: { status: "failed", refunded: true } });
  expect(logged).toEqual([]);
}, 60_000);
