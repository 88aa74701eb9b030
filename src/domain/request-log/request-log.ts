import type { Clock, Instant, WallTime } from "../../kernel/clock.ts";
import { type PurchaseId, parseStoredReference, type Reference, walletIdOf } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";
import type { Randomness } from "../merchants/key-format.ts";
import type { Principal } from "../merchants/merchant.ts";
import { clientLeft, noEndpoint, ownIdMsBefore, ownIdMsMax, requestIdTime } from "./logged-request.ts";
import { isKeyLike, maskBody, maskPath } from "./mask-body.ts";
import { insertLoggedRequests, type NewErrors, type NewLoggedRequest } from "./queries.ts";

/** A request as it came and was answered, with nothing masked yet. */
export interface AnsweredRequest {
  /** The owner of the key that it came with, let in or not; without a key, the merchant of the member who sent it. */
  readonly principal: Pick<Principal, "merchantId" | "mode" | "keyId">;
  readonly method: string;
  readonly url: string;
  /** The route's pattern; null where there is no route. */
  readonly endpoint: string | null;
  /** The reference that the path names. */
  readonly namedReference: string | undefined;
  /** Null where the client left. */
  readonly status: number | null;
  readonly code: string | null;
  readonly durationMs: number;
  readonly address: string | null;
  readonly requestId: string;
  /** Parsed; undefined where none was read. It never changes any more. */
  readonly body: unknown;
  /** The purchase that the answer tells of. */
  readonly purchase: { readonly id: PurchaseId; readonly reference: Reference } | null;
}

export interface RequestLog {
  /** Whether one more is kept until the next flush. Else it is counted as dropped, and not to be noted. */
  takes(isFailed: boolean): boolean;
  /** Keeps a request that was taken. */
  note(request: AnsweredRequest): void;
  /** Counts a failed one that was not taken, by its code and endpoint: the errors of a day are counted all the same. */
  miss(request: Pick<AnsweredRequest, "principal" | "endpoint" | "code">): void;
  /** Writes what was noted since the last time, masked. What fails is counted as dropped. @throws its error */
  flush(): Promise<void>;
}

export const requestLogMetrics: readonly Metric[] = [
  {
    name: "dispense_request_log_dropped_total",
    kind: "counter",
    labels: ["answer"],
    help: "Requests that the request log did not keep, by answer: failed or good. More than 500 came in a second, or the database was away.",
  },
];

/** As much as a second may bring, if it is flushed each second. */
const rowsMaxUsual = 500;
/** Merchants' codes and endpoints of which errors without a row are counted at once; more occur in no second. */
const missedMax = 1_000;
/** Larger statements keep other work of the database, and the event loop, waiting longer. */
const rowsPerStatement = 100;

type Recorded = AnsweredRequest & { readonly at: Instant };

/**
 * Keeps requests until they are written, beside the requests: none waits for it or fails of it. One who flushes it once
 * a second writes up to `rowsPerSecondMax` rows in that second: above, successes make way for what failed.
 */
export function openRequestLog(options: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly randomness: Randomness;
  readonly metrics: Pick<Metrics, "count">;
  readonly rowsPerSecondMax?: number;
}): RequestLog {
  const { database, clock, wallTime, metrics, rowsPerSecondMax = rowsMaxUsual } = options;
  let failed: Recorded[] = [];
  let good: Recorded[] = [];
  const dropped = { failed: 0, good: 0 };
  const missed = openMissed(database, wallTime);
  let number = firstNumber(options.randomness);
  let flushing: Promise<void> | null = null;

  function nextNumber(): number {
    number = (number + 1) & 0x7fffffff;
    return number;
  }

  /** Counted here, and told once a second: the counter's own way takes longer than all the rest. */
  function logDropped(): void {
    for (const answer of ["failed", "good"] as const) {
      if (dropped[answer] > 0) metrics.count("dispense_request_log_dropped_total", { answer }, dropped[answer]);
      dropped[answer] = 0;
    }
  }

  async function write(requests: readonly Recorded[]): Promise<void> {
    let written = 0;
    try {
      await missed.write();
      while (written < requests.length) {
        const rows = requests.slice(written, written + rowsPerStatement).map((each) => rowOf(each, nextNumber()));
        await insertLoggedRequests(database, rows, errorsOf(rows, wallTime));
        written += rows.length;
      }
    } catch (error) {
      for (const request of requests.slice(written)) {
        const failed = isFailedOf(request);
        dropped[failed ? "failed" : "good"] += 1;
        if (failed) missed.add(request);
      }
      throw error;
    } finally {
      logDropped();
    }
  }

  return {
    takes(isFailed) {
      if (failed.length + good.length < rowsPerSecondMax) return true;
      if (isFailed && good.length > 0) {
        good.pop();
        dropped.good += 1;
        return true;
      }
      dropped[isFailed ? "failed" : "good"] += 1;
      return false;
    },
    note(request) {
      (isFailedOf(request) ? failed : good).push({ ...request, at: clock.now() });
    },
    miss: (request) => missed.add({ ...request, at: clock.now() }),
    async flush() {
      // One after the other: what comes meanwhile is bounded as always.
      while (flushing !== null) await flushing.catch(() => {});
      const requests = [...failed, ...good];
      failed = [];
      good = [];
      flushing = write(requests).finally(() => {
        flushing = null;
      });
      await flushing;
    },
  };
}

/** Counts failed requests that have no row, until they are written with the next flush. */
function openMissed(database: Queryable, wallTime: WallTime) {
  let errors: Errors = new Map();
  return {
    add(request: ErrorOf): void {
      if (errors.size < missedMax) addErrors(errors, oneError(request, wallTime, { isKept: false }));
    },
    async write(): Promise<void> {
      if (errors.size === 0) return;
      const written = errors;
      errors = new Map();
      try {
        await insertLoggedRequests(database, [], [...written.values()]);
      } catch (error) {
        for (const each of written.values()) addErrors(errors, each);
        throw error;
      }
    },
  };
}

/** Masks. Here, once a second, and not while the request is answered. */
function rowOf(request: Recorded, number: number): NewLoggedRequest {
  const { principal, at, endpoint, url, status, code, requestId, body, durationMs } = request;
  const { merchantId, mode, keyId } = principal;
  const { method, address, purchase } = request;
  const madeAt = requestIdTime(requestId);
  return {
    wallet: { merchantId, mode },
    keyId,
    at,
    number,
    method,
    endpoint: endpoint ?? noEndpoint,
    path: maskPath(url, endpoint !== null),
    status,
    code: code ?? (status === null ? clientLeft : null),
    durationMs: Math.max(0, Math.trunc(durationMs)),
    address,
    requestId,
    isRequestIdSent: madeAt === null || at < madeAt - ownIdMsBefore || at > madeAt + ownIdMsMax,
    reference: referenceOf(request),
    purchaseId: purchase?.id ?? null,
    body: maskBody(body),
  };
}

/** What the body or the path calls the purchase or bulk order; for a purchase that came without, what it is called. */
function referenceOf({ body, namedReference, purchase }: AnsweredRequest): Reference | null {
  if (purchase !== null) return purchase.reference;
  const { reference, ident } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const named = namedReference ?? reference ?? ident;
  if (typeof named !== "string" && typeof named !== "number") return null;
  return isKeyLike(String(named)) ? null : parseStoredReference(String(named));
}

type Errors = Map<string, NewErrors>;

function errorsOf(rows: readonly NewLoggedRequest[], wallTime: WallTime): NewErrors[] {
  const errors: Errors = new Map();
  for (const row of rows) {
    if (row.code !== null) addErrors(errors, oneError({ ...row, principal: row.wallet }, wallTime, { isKept: true }));
  }
  return [...errors.values()];
}

type ErrorOf = Pick<Recorded, "endpoint" | "code" | "at"> & {
  readonly principal: Pick<Principal, "merchantId" | "mode">;
};

function oneError(request: ErrorOf, wallTime: WallTime, { isKept }: { readonly isKept: boolean }): NewErrors {
  const { principal, endpoint, code, at } = request;
  const { merchantId, mode } = principal;
  return {
    ...{ wallet: { merchantId, mode }, day: wallTime.dayOf(at).date },
    ...{ endpoint: endpoint ?? noEndpoint, code: code ?? clientLeft },
    ...{ requests: 1, notKept: isKept ? 0 : 1, firstAt: at, lastAt: at },
  };
}

/** Adds errors to those of the same day, endpoint and code. */
function addErrors(errors: Errors, added: NewErrors): void {
  const { wallet, day, endpoint, code } = added;
  const key = `${walletIdOf(wallet)} ${day} ${endpoint} ${code}`;
  const known = errors.get(key);
  if (known === undefined) {
    errors.set(key, { ...added });
    return;
  }
  known.requests += added.requests;
  known.notKept += added.notKept;
  known.firstAt = Math.min(known.firstAt, added.firstAt);
  known.lastAt = Math.max(known.lastAt, added.lastAt);
}

function isFailedOf({ code, status }: Pick<AnsweredRequest, "code" | "status">): boolean {
  return code !== null || status === null;
}

/** Drawn, so that two processes do not give one merchant the same number in one millisecond. */
function firstNumber(randomness: Randomness): number {
  return randomness(4).reduce((number, byte) => number * 256 + byte, 0) & 0x7fffffff;
}
