import { randomInt } from "node:crypto";
import fc from "fast-check";
import { Pool } from "undici";
import { beforeEach, describe, expect, test } from "vitest";
import { type ExampleRequest, exampleRequests } from "../../scripts/generate/example-requests.ts";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type FuzzRequest, fuzzRequests } from "../support/fuzz-requests.ts";
import { type ExampleAnswers, sendExample } from "../support/send-example.ts";

// FUZZ_SECONDS: how long all operations together; FUZZ_RUNS: requests per operation, however long they take; FUZZ_SEED:
// the seed of a run to repeat.
const seconds = Number(process.env.FUZZ_SECONDS ?? 15);
const runs = Number(process.env.FUZZ_RUNS ?? seconds * 10);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
/** So many are sent however long they take: no requests would have shown nothing. */
const sentMin = 10;

const document = await describeApi();
const requests = exampleRequests(document);
/** The reset comes last: it would leave too little for the purchases of the others. */
const names = [...new Set(requests.map(({ operation }) => operation.operationId))].sort(
  (one, other) => Number(one === "resetSandbox") - Number(other === "resetSandbox"),
);
/** Each operation's share, however slow the machine is. */
const timeMaxMs = process.env.FUZZ_RUNS === undefined ? (seconds * 1_000) / names.length : 3_600_000;

const answers: ExampleAnswers = new Map();
const keys = { sandbox: "", live: "", unknown: `ds_test_${"x".repeat(38)}`, none: "" };

process.stdout.write(`fuzz test: FUZZ_SEED=${seed} FUZZ_RUNS=${runs}\n`);
// With workers: a run of ten thousand requests an operation outlasts what is pending.
const app = closing(await startApp({ workers: true }));
const { testKey, liveKey } = await app.createMerchant({ testCredit: kobo(100_000_000_000n) });
Object.assign(keys, { sandbox: testKey, live: liveKey });
const pool = closing(new Pool(app.url, { connections: 4 }));
// What the paths name is there, until somebody deletes it.
for (const request of requests) {
  const isUndoing = request.method === "DELETE" || request.operation.operationId === "resetSandbox";
  if (!isUndoing) await sendExample(ready(), request, answers);
}

/** The app with the fuzzed merchant in the place of its own. */
function ready(): TestApp {
  return { ...app, merchant: { ...app.merchant, testKey: keys.sandbox } };
}

async function send({ method, path, key, contentType, body }: FuzzRequest) {
  const response = await pool.request({
    method: method as "GET",
    path,
    headers: {
      ...(key === "none" ? {} : { authorization: `Bearer ${keys[key]}` }),
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.statusCode, text: await response.body.text() };
}

/** What no supplier delivers live, and what is switched off, is refused with 503, and that is described. */
function isRefusal(status: number, { key, path }: FuzzRequest, text: string): boolean {
  const isUnavailable = /"code":"(PRODUCT|BILLER)_UNAVAILABLE"/.test(text);
  const isLegacy = !path.startsWith("/api/v1/");
  return status === 503 && (isUnavailable || (isLegacy && key === "live"));
}

/** Whatever was done to the webhook: it is set, and no attempt is under way. */
beforeEach(async () => {
  const body = { url: "https://example.com/webhooks", enabled: true, events: ["*"] };
  const saved = await app.call(keys.sandbox, "/webhook", { method: "PUT", body });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  await app.fresh.pool.query("delete from webhook_outbox");
});

describe("whatever is sent, the answer is described and no fault of ours", () => {
  test.each(names)("%s only answers as described", { timeout: 180_000 + timeMaxMs }, async (operationId) => {
    const examples = requests.filter(({ operation }) => operation.operationId === operationId);
    const seen = new Map<number, number>();
    const began = performance.now();
    let sent = 0;
    const check = async (request: FuzzRequest): Promise<void> => {
      if (sent >= sentMin && performance.now() - began > timeMaxMs) return;
      sent += 1;
      const { status, text } = await send(request);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status >= 500 && !isRefusal(status, request, text)) throw new Error(`${status}: ${text}`);
      app.throwFaults();
    };
    const arbitrary = fuzzRequests(document, { examples, known: (name) => knownOf(examples[0], name) });
    await fc.assert(fc.asyncProperty(arbitrary, check), { seed, numRuns: runs });
    // Requests that were all turned away would have shown nothing. The rarest success is one in ten.
    if (sent >= 100) expect(count(seen, 299), `only ${[...seen.keys()]}`).toBeGreaterThan(0);
  });
});

function count(seen: ReadonlyMap<number, number>, statusMax: number): number {
  return [...seen].reduce((sum, [status, times]) => sum + (status <= statusMax ? times : 0), 0);
}

/** What stands for a path's parameter: what an example before it was answered, or the example's own. */
function knownOf(request: ExampleRequest | undefined, name: string): string {
  const { example = "", source = null } = request?.parameters.find((parameter) => parameter.name === name) ?? {};
  const answer = source === null ? undefined : answers.get(source.operationId);
  return source === null ? example : String((answer as Record<string, unknown>)[source.pointer.slice(1)]);
}
