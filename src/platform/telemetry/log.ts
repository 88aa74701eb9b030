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
  /** Of one process of several: each line tells it. */
  readonly processName?: string | undefined;
}): Logger {
  const output = options.output ?? logOutput(standardOutput);
  return pino(
    {
      level: options.level,
      base: options.processName === undefined ? null : { process: options.processName },
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(options.redacts === false ? {} : { redact, ...advising }),
    },
    options.format === "plain" ? plainOutput(output) : output,
  );
}

/** Lines of a second that are written whatever the share: all of them, in all but the busiest deployments. */
export const wholeLinesPerSecond = 100;

/**
 * Where one wide line goes for each purchase, vend, delivery attempt and operator's command: all that is known of it, in
 * one place. Beyond the first hundred of a second a share is written; the lines of what went wrong are all written.
 */
export interface WideLog {
  /** Whether the next line is written: to be asked before it is put together. */
  takes(isTrouble: boolean): boolean;
  write(line: WideLine): void;
}

/**
 * Numbers of ours, labels and durations. Never a customer's number, a merchant's reference (some merchants write a phone
 * number there), a key, a URL, a supplier's words or what was delivered.
 */
export interface WideLine {
  readonly event: string;
  readonly [fact: string]: string | number | boolean | null;
}

/** `share`: of the lines without trouble beyond the first hundred of a second, from 0 to 1. `chance`: in [0, 1). */
export function openWideLog(options: {
  readonly log: Pick<Logger, "info" | "isLevelEnabled">;
  readonly share: number;
  readonly chance: () => number;
  readonly monotonicMs: () => number;
}): WideLog {
  const { log, share, chance, monotonicMs } = options;
  const isOn = log.isLevelEnabled("info");
  let second = Number.NEGATIVE_INFINITY;
  let written = 0;

  function isOfTheFirst(): boolean {
    const now = Math.floor(monotonicMs() / 1_000);
    if (now !== second) {
      second = now;
      written = 0;
    }
    written += 1;
    return written <= wholeLinesPerSecond;
  }

  return {
    takes: (isTrouble) => isOn && (isTrouble || share === 1 || isOfTheFirst() || chance() < share),
    write: (line) => log.info(line),
  };
}
