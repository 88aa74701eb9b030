import { type Logger, pino } from "pino";
import { adviceOn, type LogOutput, logOutput, plainOutput, warnFrom } from "./log-output.ts";

export type { Logger };

const standardOutput = 1;

/** Fields that a log line must never show, wherever a careless call may put them. */
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
  "unread",
].flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]);

const redact = { paths: [...secretPaths, 'req.headers["x-api-key"]'], censor: "[redacted]" };

/** Warnings and errors say what to do, before what they tell otherwise. */
const advising = {
  mixin: ({ event }: { readonly event?: unknown }, level: number) =>
    level >= warnFrom ? { advice: adviceOn(event) } : {},
};

/** How lines look: as JSON for programs, or plain for a person at a terminal. */
export type LogFormat = "json" | "plain";

/** One line per event, as JSON and on standard output unless said otherwise. */
export function openLog(options: {
  readonly level: string;
  readonly format?: LogFormat;
  /** False for lines that are made of known facts alone: looking for secrets costs as much as writing the line. */
  readonly redacts?: boolean;
  readonly output?: LogOutput;
}): Logger {
  const output = options.output ?? logOutput(standardOutput);
  return pino(
    {
      level: options.level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(options.redacts === false ? {} : { redact, ...advising }),
    },
    options.format === "plain" ? plainOutput(output) : output,
  );
}
