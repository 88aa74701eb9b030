import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../kernel/clock.ts";
import { type PassedOn, passOn } from "../../platform/outbound-http/pass-on.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Comparison, compareAnswers } from "./compare.ts";
import type { Predict, PredictedAnswer } from "./predicted-answers.ts";
import { jsonOf } from "./read-answer.ts";
import type { ComparedRequest } from "./report.ts";

export interface ShadowOptions {
  /** Where the old deployment is. */
  readonly old: URL;
  readonly predict: Predict;
  readonly onCompared: (compared: ComparedRequest) => void;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly log: Pick<Logger, "error">;
  /** Where not two minutes: the tests are less patient. */
  readonly deadlineMs?: number;
}

export interface ShadowServer {
  readonly port: number;
  /** Takes no new connection, waits for the answers that are under way, each up to its deadline, then closes. */
  close(): Promise<void>;
}

/** Longer than any older client waits. */
const usualDeadlineMs = 120_000;
const copiedBytesMax = 512 * 1_024;
/** Requests that are compared at a time, each with two copies at most. More are passed on without. */
const comparedMax = 500;
const connectionsMax = 10_000;
/** Longer than a reverse proxy keeps its connections, so that it never sends on one that is just closing. */
const keepAliveMs = 75_000;

/**
 * Answers each request as the old deployment does, and compares that with what Dispense would have answered. A client
 * waits for the old deployment alone, and a fault of the comparison reaches nobody but the report.
 */
export async function openShadowServer(
  options: ShadowOptions,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<ShadowServer> {
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  const server = createServer({ keepAliveTimeout: keepAliveMs, maxHeaderSize: 65_536 }, (incoming, outgoing) => {
    // A proxy that sends one request behind the other on a connection would never let it end.
    if (isClosing) outgoing.shouldKeepAlive = false;
    const shadowed = shadow(options, incoming, outgoing, underWay.size < comparedMax).finally(() =>
      underWay.delete(shadowed),
    );
    underWay.add(shadowed);
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      while (underWay.size > 0) await Promise.all(underWay);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function shadow(
  options: ShadowOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isCompared: boolean,
): Promise<void> {
  const { old, clock, monotonicMs, deadlineMs = usualDeadlineMs } = options;
  const at = clock.now();
  let predicted: Promise<PredictedAnswer | string> = Promise.resolve("its request did not come whole");
  // Worked out when the request is in, as a sale would be: what came within the same half minute counts.
  const onBody = (body: Buffer | null) => {
    predicted = body === null ? Promise.resolve("its body is too large") : predictedOf(options, incoming, body);
  };
  const bytesMax = isCompared ? copiedBytesMax : 0;
  const passing = { origin: old, deadlineMs, copiedBytesMax: bytesMax, monotonicMs };
  const passed = await passOn(incoming, outgoing, passing, onBody);
  const here = isCompared ? await predicted : "too many requests were under way";
  const known = typeof here === "string" ? null : here;
  options.onCompared({
    at,
    method: incoming.method ?? "",
    url: incoming.url ?? "",
    route: known?.route ?? null,
    merchant: known?.merchant ?? null,
    keyEnd: known?.keyEnd ?? null,
    sent: known?.sent ?? null,
    oldStatus: passed.status,
    hereStatus: known?.status ?? null,
    oldMs: passed.tookMs,
    comparison: await comparisonOf(incoming.method ?? "", passed, here).catch((error: unknown) => {
      options.log.error({ event: "shadow.not_compared", error: String(error) });
      return { kind: "not_compared", reason: "the comparison failed: see the log" };
    }),
  });
}

/** What Dispense would answer, or why that is not known. */
async function predictedOf(
  { predict, log }: ShadowOptions,
  { method = "", url = "", headers, socket }: IncomingMessage,
  body: Buffer,
): Promise<PredictedAnswer | string> {
  try {
    return await predict({ method, url, headers, body, address: socket.remoteAddress ?? "" });
  } catch (error) {
    log.error({ event: "shadow.not_predicted", error: String(error) });
    return "Dispense could not work it out: see the log";
  }
}

async function comparisonOf(
  method: string,
  { status, headers, body, fault }: PassedOn,
  here: PredictedAnswer | string,
): Promise<Comparison> {
  if (fault !== null) return { kind: "not_compared", reason: fault };
  if (typeof here === "string") return { kind: "not_compared", reason: here };
  if (body === null) return { kind: "not_compared", reason: "the old deployment's answer is too large" };
  const json = await jsonOf(body, headers["content-encoding"]);
  return compareAnswers(method, { status: status ?? 0, json }, here);
}
