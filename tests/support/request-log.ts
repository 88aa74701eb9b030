import { type AnsweredRequest, openRequestLog } from "../../src/domain/request-log/request-log.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { ApiKeyId, WalletKey } from "../../src/kernel/ids.ts";
import type { Queryable } from "../../src/platform/database/database.ts";

/** A request as the HTTP side notes it. */
export function answered(wallet: WalletKey, wish: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    principal: { ...wallet, keyId: 1 as ApiKeyId },
    method: "POST",
    url: "/api/v1/merchant/data/purchase",
    endpoint: "/api/v1/merchant/data/purchase",
    namedReference: undefined,
    status: wish.code === undefined || wish.code === null ? 201 : 422,
    code: null,
    durationMs: 12.4,
    address: "203.0.113.9",
    requestId: "client-1",
    body: undefined,
    purchase: null,
    ...wish,
  };
}

/** A request log with a clock to set, and what it counted as dropped. */
export function logUnderTest(database: Queryable, at: number, rowsPerSecondMax?: number) {
  const time = { at, now: () => time.at };
  const dropped = { failed: 0, good: 0 };
  const requestLog = openRequestLog({
    database,
    clock: time,
    wallTime: wallTime("Africa/Lagos"),
    randomness: (length) => new Uint8Array(length).fill(7),
    metrics: {
      count: (_name, labels, by = 1) => {
        dropped[labels?.answer as "failed" | "good"] += by;
      },
    },
    ...(rowsPerSecondMax === undefined ? {} : { rowsPerSecondMax }),
  });
  /** As the HTTP side does it. */
  function note(request: AnsweredRequest): void {
    const isFailed = request.code !== null || request.status === null;
    if (requestLog.takes(isFailed)) requestLog.note(request);
    else if (isFailed) requestLog.miss(request);
  }
  return { requestLog, note, time, dropped };
}
