import type { RequestLog } from "../../domain/request-log/request-log.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";

/** The request log's bound is one of rows between two flushes: by this it is one of rows in a second. */
const pollMsUsual = 1_000;

/** Writes every second what was noted for the request log, until stopped. What fails is dropped, and counted. */
export function startWritingRequestLog({
  requestLog,
  log,
  pollMs = pollMsUsual,
}: {
  readonly requestLog: Pick<RequestLog, "flush">;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  return startWatch({
    look: () => requestLog.flush(),
    pollMs,
    onError: (error) => log.warn({ event: "request_log.not_written", error: String(error) }),
  });
}
