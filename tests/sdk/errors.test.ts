import type { ServerResponse } from "node:http";
import { describe, test } from "vitest";
import { startAnswering } from "../support/answering-server.ts";
import { closing } from "../support/closing.ts";
import { isAtHand } from "../support/program-languages.ts";
import { judge } from "../support/sdk-judges.ts";
import { sdkClients } from "../support/sdk-languages.ts";

/** What a server does with one request. The last of a case is done with every later one. */
type Step = (response: ServerResponse, reference: string | null) => void;

const json = { "content-type": "application/json" };
const says =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));
const refuses = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  says(status, { status: "error", code, message: "Text.", ...more }, headers);
const sells =
  (status = 201, end = "successful"): Step =>
  (response, reference) =>
    void response.writeHead(status, json).end(JSON.stringify({ reference, status: end, code: "OUT_OF_STOCK" }));
const breaks: Step = (response) => void response.destroy();
const staysAway: Step = () => {};
const cutShort: Step = (response) => {
  response.writeHead(201, { ...json, "content-length": "500" }).write('{"status": "succ');
  response.destroy();
};
const page =
  (status: number): Step =>
  (response) =>
    void response.writeHead(status, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");

interface Expected {
  /** The error's class without its ending, or the transaction's status. */
  readonly outcome: string;
  readonly tries: number;
  readonly charged?: "no" | "unknown";
  readonly code?: string;
  readonly retryAfter?: number;
  readonly fields?: object;
  /** Seconds that the first wait lasts at least. */
  readonly firstWait?: number;
}

interface Case {
  readonly operation?: string;
  readonly parameters?: object;
  readonly steps: readonly [Step, ...Step[]];
  readonly expected: Expected;
}

const fields = { phone: ["Must be a Nigerian mobile number."] };
const unknown = (tries: number) => ({ outcome: "NoAnswer", tries, charged: "unknown", code: "NO_ANSWER" }) as const;
const refused = (outcome: string, code: string, tries = 1) => ({ outcome, code, tries, charged: "no" }) as const;

const cases: Readonly<Record<string, Case>> = {
  "wrong key": { steps: [refuses(401, "UNAUTHORIZED")], expected: refused("Access", "UNAUTHORIZED") },
  "key revoked after a try without an answer": {
    steps: [breaks, refuses(401, "UNAUTHORIZED")],
    expected: { ...refused("Access", "UNAUTHORIZED", 2), charged: "unknown" },
  },
  "account suspended": {
    steps: [refuses(403, "ACCOUNT_SUSPENDED")],
    expected: refused("Access", "ACCOUNT_SUSPENDED"),
  },
  "empty wallet": {
    steps: [refuses(402, "INSUFFICIENT_BALANCE")],
    expected: refused("InsufficientBalance", "INSUFFICIENT_BALANCE"),
  },
  "wrong field": {
    steps: [refuses(400, "INVALID_PHONE", { errors: fields })],
    expected: { ...refused("InvalidRequest", "INVALID_PHONE"), fields },
  },
  "reference of another purchase": {
    steps: [refuses(409, "REFERENCE_CONFLICT")],
    expected: refused("Conflict", "REFERENCE_CONFLICT"),
  },
  "sale that failed": { steps: [sells(422, "failed")], expected: { outcome: "failed", tries: 1 } },
  "sale that is pending": { steps: [sells(202, "pending")], expected: { outcome: "pending", tries: 1 } },
  "429 once, Retry-After 2": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "2" }), sells()],
    expected: { outcome: "successful", tries: 2, firstWait: 2 },
  },
  "429 on and on": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "1" })],
    expected: { ...refused("RateLimit", "RATE_LIMITED", 4), retryAfter: 1 },
  },
  "429, Retry-After 3600": {
    steps: [refuses(429, "RATE_LIMITED", {}, { "retry-after": "3600" })],
    expected: { ...refused("RateLimit", "RATE_LIMITED"), retryAfter: 3600 },
  },
  "503 once": { steps: [refuses(503, "MAINTENANCE"), sells()], expected: { outcome: "successful", tries: 2 } },
  "503 on and on": { steps: [refuses(503, "MAINTENANCE")], expected: refused("Unavailable", "MAINTENANCE", 4) },
  "503 after a try without an answer": {
    steps: [breaks, refuses(503, "MAINTENANCE")],
    expected: { ...refused("Unavailable", "MAINTENANCE", 4), charged: "unknown" },
  },
  "connection broken once": { steps: [breaks, sells()], expected: { outcome: "successful", tries: 2 } },
  "connection broken on and on": { steps: [breaks], expected: unknown(4) },
  "answer late once": { steps: [staysAway, sells()], expected: { outcome: "successful", tries: 2 } },
  "answer cut short once": { steps: [cutShort, sells()], expected: { outcome: "successful", tries: 2 } },
  "500 on and on": {
    steps: [refuses(500, "INTERNAL_ERROR")],
    expected: { ...unknown(4), code: "INTERNAL_ERROR" },
  },
  "no JSON: a proxy's 502": { steps: [page(502)], expected: unknown(4) },
  "no JSON: a proxy's 403": { steps: [page(403)], expected: unknown(4) },
  "JSON of a proxy: 502 without a code": { steps: [says(502, { message: "Bad gateway" })], expected: unknown(4) },
  "JSON of a proxy: 504 without a code": { steps: [says(504, { message: "Timed out" })], expected: unknown(4) },
  "JSON of a proxy: 503 with a number as its code": { steps: [says(503, { code: 14 })], expected: unknown(4) },
  "JSON of a proxy: 503 once": {
    steps: [says(503, { message: "No backend" }), refuses(400, "INVALID_PHONE")],
    expected: { ...refused("InvalidRequest", "INVALID_PHONE", 2), charged: "unknown" },
  },
  "no purchase: a read is repeated": {
    operation: "getTransaction",
    parameters: { reference: "sale-1" },
    steps: [breaks, sells()],
    expected: { outcome: "successful", tries: 2 },
  },
  "no purchase: a read without an answer": {
    operation: "getTransaction",
    parameters: { reference: "sale-1" },
    steps: [breaks],
    expected: { ...unknown(4), charged: "no" },
  },
  "no purchase: a verification is repeated": {
    operation: "verifyMeter",
    parameters: { biller: "ikeja-electric", meter_number: "45012345678", meter_type: "prepaid" },
    steps: [breaks, says(200, { verified: true })],
    expected: { outcome: "read", tries: 2 },
  },
  "no purchase: what would be done twice is not repeated": {
    operation: "resetSandbox",
    parameters: {},
    steps: [breaks],
    expected: { ...unknown(1), charged: "no" },
  },
};

/** References by language and case, one for each request that came. */
const seen = new Map<string, (string | null)[]>();
const server = closing(
  await startAnswering((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, place = "", name = ""] = /^\/(\w+\/(\d+))\//.exec(request.url ?? "") ?? [];
      const body = Buffer.concat(chunks).toString();
      const reference = body === "" ? "sale-1" : ((JSON.parse(body) as { reference?: string }).reference ?? null);
      const references = seen.get(place) ?? [];
      seen.set(place, [...references, reference]);
      const { steps } = Object.values(cases)[Number(name)] as Case;
      (steps[references.length] ?? steps.at(-1))?.(response, reference);
    });
  }),
);

interface Verdict {
  readonly outcome: string;
  readonly reference?: string | null;
  readonly kept: readonly string[];
  readonly waits: readonly number[];
}

const airtime = { network: "MTN", phone: "08031234567", amount: "100.00" };

describe.concurrent("each SDK tries as often as is safe, and says the same of money and reference", () => {
  for (const language of sdkClients) {
    const there = isAtHand(language);
    test.runIf(there)(
      `in ${language.name}${there ? "" : " (not installed here)"}`,
      { timeout: 180_000 },
      async (own) => {
        const lines = Object.values(cases).map(({ operation = "buyAirtime", parameters = airtime }, n) => ({
          url: `http://127.0.0.1:${server.port}/${language.name}/${n}`,
          kind: "call",
          language: language.name,
          operation,
          parameters,
        }));
        const verdicts = (await judge(language, lines)) as readonly Verdict[];
        for (const [n, [what, { operation, expected }]] of Object.entries(cases).entries()) {
          const { tries, firstWait = 0, ...said } = expected;
          const { kept, waits, ...verdict } = verdicts[n] as Verdict;
          const references = seen.get(`${language.name}/${n}`) ?? [];
          own.expect({ what, tries: references.length, ...verdict }).toMatchObject({ what, tries, ...said });
          own.expect({ what, wait: waits.length }).toEqual({ what, wait: tries - 1 });
          if (firstWait > 0) own.expect(waits[0], what).toBeGreaterThanOrEqual(firstWait);
          if (operation !== undefined) continue;
          // One reference: the one that was kept before anything was sent, in every try and in the error.
          const each = [...references, ...(verdict.reference === undefined ? [] : [verdict.reference])];
          own.expect({ what, kept, each: [...new Set(each)] }).toEqual({ what, kept, each: kept });
          own.expect({ what, kept: kept.length }).toEqual({ what, kept: 1 });
        }
      },
    );
  }
});
