import type { Logger } from "pino";
import { pino } from "pino";
import { type LogOutput, logOutput } from "./log-output.ts";

export type { Logger };

const standardOutput = 1;

/** What a log line must never show, wherever a careless call may put it. */
const secretPaths = [
  "authorization",
  "key",
  "token",
  "pin",
  "pins",
  "code",
  "lpa",
  "secret",
  "password",
  "fulfilment",
].flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]);

/** One JSON line per event, on standard output unless another one is given. */
export function openLog(options: { readonly level: string; readonly output?: LogOutput }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: [...secretPaths, 'req.headers["x-api-key"]'], censor: "[redacted]" },
    },
    options.output ?? logOutput(standardOutput),
  );
}
