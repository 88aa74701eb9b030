import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { describe, test } from "vitest";
import { type AnsweringServer, startAnswering } from "../support/answering-server.ts";
import { isAtHand, type ProgramLanguage } from "../support/program-languages.ts";
import { judge } from "../support/sdk-judges.ts";
import { sdkClients } from "../support/sdk-languages.ts";

/** What a server does with one request. The last of a case is done with every later one. */
export type Step = (response: ServerResponse, reference: string | null) => unknown;

const json = { "content-type": "application/json" };
export const says =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));
export const refuses = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  says(status, { status: "error", code, message: "Text.", ...more }, headers);
export const sells =
  (status = 201, end = "successful"): Step =>
  (response, reference) =>
    void response.writeHead(status, json).end(JSON.stringify({ reference, status: end, code: "OUT_OF_STOCK" }));
export const breaks: Step = (response) => void response.destroy();
export const staysAway: Step = () => {};
export const cutShort: Step = (response) => {
  response.writeHead(201, { ...json, "content-length": "500" }).write('{"status": "succ');
  response.destroy();
};
export const page =
  (status: number, headers: Record<string, string> = {}): Step =>
  (response) =>
    void response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Bad gateway</h1>");
/** Bytes that never end, slowly enough that each one comes in time. */
export const drips: Step = async (response) => {
  response.writeHead(201, json);
  for (let byte = 0; byte < 200 && !response.destroyed; byte += 1) {
    response.write(" ");
    await delay(100);
  }
};
/** So does its head. */
export const dripsItsHead: Step = async ({ socket }) => {
  socket?.write("HTTP/1.1 201 Created\r\n");
  for (let byte = 0; byte < 100 && socket?.writable; byte += 1) {
    socket?.write(`x-${byte}: 1\r\n`);
    await delay(100);
  }
  socket?.destroy();
};
const filler = `"filler": "${"x".repeat(5 * 1024 * 1024)}"}`;
export const tooLong: Step = (response, reference) =>
  void response.writeHead(201, json).end(`{"reference": "${reference}", "status": "successful", ${filler}`);
/** As on a connection that two processes share. */
export const sellsAnother: Step = (response) =>
  void response.writeHead(201, json).end('{"reference": "sale-2", "status": "successful"}');

interface Expected {
  /** The error's class without its ending, or the transaction's status. */
  readonly outcome: string;
  readonly tries: number;
  readonly charged?: "no" | "unknown";
  readonly code?: string;
  readonly reference?: string | null;
  readonly retryAfter?: number;
  readonly fields?: object;
  /** Seconds that the first wait lasts at least. */
  readonly firstWait?: number;
  /** Seconds that all waits last together. */
  readonly waited?: number;
  /** Part of the error's message. */
  readonly says?: string;
}

export interface Case {
  readonly operation?: string;
  readonly parameters?: object;
  readonly steps: readonly [Step, ...Step[]];
  readonly expected: Expected;
}

interface Verdict {
  readonly outcome: string;
  readonly reference?: string | null;
  readonly message?: string;
  readonly kept: readonly string[];
  readonly waits: readonly number[];
}

/** What is over only when a client gives up. */
const endless: readonly Step[] = [staysAway, drips, dripsItsHead];
const airtime = { network: "MTN", phone: "08031234567", amount: "100.00" };

/** A server that plays a case at each address, and remembers the reference of each request. */
async function startScripted(cases: readonly Case[]) {
  const seen = new Map<string, (string | null)[]>();
  const server = await startAnswering((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, place = "", name = ""] = /^\/(\w+\/(\d+))\//.exec(request.url ?? "") ?? [];
      const body = Buffer.concat(chunks).toString();
      const reference = body === "" ? "sale-1" : ((JSON.parse(body) as { reference?: string }).reference ?? null);
      const references = seen.get(place) ?? [];
      seen.set(place, [...references, reference]);
      const { steps } = cases[Number(name)] as Case;
      (steps[references.length] ?? steps.at(-1))?.(response, reference);
    });
  });
  return { server, seen };
}

/** Each client of an SDK meets each case, and all come to the same verdict. */
export function describeCases(promise: string, named: Readonly<Record<string, Case>>): void {
  describe.concurrent(promise, () => {
    for (const language of sdkClients) {
      const there = isAtHand(language);
      const name = `in ${language.name}${there ? "" : " (not installed here)"}`;
      test.runIf(there)(name, { timeout: 180_000 }, async ({ expect }) => {
        const { server, seen } = await startScripted(Object.values(named));
        const verdicts = await ask(language, server, named).finally(() => server.close());
        for (const [n, [what, { operation, expected }]] of Object.entries(named).entries()) {
          const { tries, firstWait = 0, waited, says: part = "", ...said } = expected;
          const { kept, waits, message = "", ...verdict } = verdicts[n] as Verdict;
          const references = seen.get(`${language.name}/${n}`) ?? [];
          expect({ what, tries: references.length, ...verdict }).toMatchObject({ what, tries, ...said });
          expect({ what, wait: waits.length }).toEqual({ what, wait: tries - 1 });
          expect({ what, message }).toMatchObject({ what, message: expect.stringContaining(part) });
          if (firstWait > 0) expect(waits[0], what).toBeGreaterThanOrEqual(firstWait);
          if (waited !== undefined)
            expect(
              waits.reduce((sum, each) => sum + each, 0),
              what,
            ).toBeCloseTo(waited, 1);
          if (operation !== undefined) continue;
          // One reference: the one that was kept before anything was sent, in every try and in the error.
          const each = [...references, ...(verdict.reference === undefined ? [] : [verdict.reference])];
          expect({ what, kept, each: [...new Set(each)] }).toEqual({ what, kept, each: kept });
          expect({ what, kept: kept.length }).toEqual({ what, kept: 1 });
        }
      });
    }
  });
}

async function ask(language: ProgramLanguage, { port }: AnsweringServer, named: Readonly<Record<string, Case>>) {
  const lines = Object.values(named).map(({ operation = "buyAirtime", parameters = airtime, steps }, n) => ({
    url: `http://127.0.0.1:${port}/${language.name}/${n}`,
    kind: "call",
    language: language.name,
    operation,
    parameters,
    timeout: steps.some((step) => endless.includes(step)) ? 3 : 20,
  }));
  return (await judge(language, lines)) as readonly Verdict[];
}
