import { afterAll, describe, expect, test } from "vitest";
import { openChance } from "../../rigs/torture/chance.ts";
import { codesOf } from "../../rigs/torture/suppliers/stands.ts";
import type { Ware } from "../../rigs/torture/suppliers/wares.ts";
import { kobo } from "../../src/kernel/money.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { startApp } from "../support/app.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import {
  type ConnectorUnderTest,
  connectorServices,
  openConnector,
} from "../support/suppliers/connector-under-test.ts";
import type { Conduct } from "../support/suppliers/stub-dialect.ts";
import { startStub } from "../support/suppliers/stub-server.ts";

// The first supplier of a product says nothing for three minutes, and the second supplier is well. The clock is the
// test's, and a supplier that hangs is waited for a moment instead of half a minute.

type Silence = "502" | "hang";

const conducts: Readonly<Record<Silence, Conduct>> = {
  "502": { refused: { status: 502, body: "<html>Bad Gateway</html>" } },
  hang: { play: "slow", trap: null },
};
const patienceMs: Readonly<Record<Silence, number>> = { "502": 10_000, hang: 750 };

const outageSeconds = 180;
/** One purchase each three seconds. */
const everySeconds = 3;
const purchases = outageSeconds / everySeconds;
/** As long as a vend is waited for, half a minute, so many are under way to one that hangs. */
const hanging = Math.floor(28 / everySeconds);
const silencesMax = 10;
/** Half a minute after it opened, and a minute after that. */
const probes = 2;

const lines = 200;
/** A worker's places. */
const linesAtOnce = 64;

const table: string[] = [];
afterAll(() => console.log(["to the silent supplier, and sold at the second, of all purchases:", ...table].join("\n")));

interface Outage {
  /** Buys the next one. */
  buy(): Promise<void>;
  order(): Promise<void>;
  pass(ms: number): void;
}

interface Taken {
  /** How many purchases the silent supplier got, and the second one. */
  readonly silent: number;
  readonly sold: number;
  /** What the log says of the event. */
  said(event: string): readonly { readonly transactionId: string; readonly supplier: string }[];
}

async function inOutage(
  under: ConnectorUnderTest,
  { silence, sells }: { readonly silence: Silence; readonly sells: (ware: Ware) => boolean },
  sell: (outage: Outage) => Promise<void>,
): Promise<Taken> {
  const [ware, code] = [...codesOf(under)].find(([each]) => sells(each))!;
  const stub = await startStub(under.stub);
  Object.assign(stub, { conduct: () => conducts[silence], questions: () => "broken", slowMs: 3_600_000 });
  const http = openAllowlistedHttp({ origins: [stub.url], monotonicMs: () => performance.now() });
  let nowMs = Date.now();
  const clock = { now: () => nowMs };
  const services = { ...connectorServices(http, clock), deadlineMs: patienceMs[silence] };
  const first = openConnector(under, { baseUrl: stub.url, wrongKeys: false }, services);
  const second = openFakeSupplier("second");
  const written: string[] = [];
  const log = openLog({ level: "info", output: { write: (line) => void written.push(line) } });
  const app = await startApp({ suppliers: [first, second], clock, log });
  const { pool } = app.fresh;
  await pool.query("update supplier_routes set supplier_code = $1 where supplier = $2", [code, first.name]);
  const { id, liveKey } = await app.createMerchant({ credit: kobo(10_000_000_000n) });
  await pool.query("update merchants set limit_tier = 3 where id = $1", [id]);
  const toSilent = () => stub.log.filter(({ question }) => question === "vend").length;
  const vends = () => toSilent() + second.calls.length;
  let count = 0;
  const next = () => {
    const reference = `silent-${String(++count).padStart(6, "0")}`;
    return { reference, ...ware.body({ number: ware.numberOf(count), reference }, least) };
  };
  try {
    await sell({
      async buy() {
        const { status, body } = await app.call(liveKey, ware.path, { body: next() });
        expect([201, 202], JSON.stringify(body)).toContain(status);
      },
      async order() {
        const items = Array.from({ length: lines }, next);
        const path = ware.path.replace("purchase", "bulk");
        const { status, body } = await app.call(liveKey, path, { body: { reference: "order", items } });
        expect(status, JSON.stringify(body)).toBe(202);
        const stop = app.services.startWorkers();
        // A worker that stops gives back what it has taken and not yet sent.
        await expect.poll(vends, { interval: 100 }).toBe(lines);
        await stop();
      },
      pass(ms) {
        nowMs += ms;
      },
    });
    const said = (event: string) => written.map((line) => JSON.parse(line)).filter((line) => line.event === event);
    return { silent: toSilent(), sold: second.calls.length, said };
  } finally {
    await stub.close();
    await app.close();
    await http.close();
  }
}

const least = { ...openChance(1, "goods"), whole: (lowest: number) => lowest };

/** Of a supplier that hangs, as many are under way as are bought while it is waited for. */
async function buyThroughOutage({ buy, pass }: Outage, silence: Silence): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let n = 0; n < purchases; n++) {
    underWay.push(buy());
    if (underWay.length > (silence === "hang" ? hanging : 0)) await underWay.shift();
    pass(everySeconds * 1_000);
  }
  await Promise.all(underWay);
}

/** What a person on call needs to know. */
function expectReported(under: ConnectorUnderTest, { silent, said }: Taken): void {
  const silences = said("supplier.silent");
  expect(silences.length).toBeGreaterThan(0);
  expect(silences.length, "once a minute").toBeLessThanOrEqual(Math.ceil(outageSeconds / 60));
  const inReview = said("purchase.in_review");
  expect(inReview).toHaveLength(under.canAskUnanswered ? 0 : silent);
  expect(new Set(inReview.map(({ transactionId }) => transactionId)).size).toBe(inReview.length);
  for (const { transactionId } of inReview) expect(transactionId).toMatch(/^TXN[0-9A-Z]{26}$/);
  for (const { supplier } of [...silences, ...inReview]) expect(supplier).toBe(under.name);
}

const isInBulk = ({ category }: Ware) => category === "airtime" || category === "data";
/** How a line is handed over is no connector's doing: one that can be asked what it did not answer, and one that can't. */
const sellsInBulk = connectorsUnderTest.filter((under) => [...codesOf(under).keys()].some(isInBulk));
const two = [true, false].map((can) => sellsInBulk.find(({ canAskUnanswered }) => canAskUnanswered === can)?.name);

/** What a 502 means, each connector says itself; that nobody answers is said by what all of them send by. */
const cases = connectorsUnderTest.flatMap((under) =>
  (["502", "hang"] as const)
    .filter((silence) => silence === "502" || two.includes(under.name))
    .map((silence) => [under.name, silence, under] as const),
);

describe("of three minutes' purchases", () => {
  test.each(cases)(
    "%s, silent by %s, gets ten and the probes, and the second supplier sells the rest",
    async (name, silence, under) => {
      const sells = ({ wishes }: Ware) => wishes.includes(under.usual);
      const taken = await inOutage(under, { silence, sells }, (outage) => buyThroughOutage(outage, silence));
      const { silent, sold } = taken;
      table.push(`${name}, ${silence}, one by one: ${silent} and ${sold} of ${purchases}`);
      const underWay = silence === "hang" ? hanging : 0;
      expect(silent).toBeLessThanOrEqual(silencesMax + underWay + probes);
      expect(silent + sold).toBe(purchases);
      expectReported(under, taken);
    },
  );
});

const bulkCases = cases.filter(([name]) => two.includes(name));

describe("of a bulk order's lines", () => {
  test.each(bulkCases)(
    "%s, silent by %s, gets what a worker sends at once, and the second supplier sells the rest",
    async (name, silence, under) => {
      const { silent, sold } = await inOutage(under, { silence, sells: isInBulk }, ({ order }) => order());
      table.push(`${name}, ${silence}, in bulk: ${silent} and ${sold} of ${lines}`);
      expect(silent).toBeLessThanOrEqual(linesAtOnce + silencesMax);
      expect(silent + sold).toBe(lines);
    },
  );
});
