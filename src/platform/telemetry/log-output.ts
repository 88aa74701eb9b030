import { writeSync } from "node:fs";
import { terminalText } from "../../kernel/mask-secrets.ts";
import { operatorCommand } from "../operator-call.ts";

const pauseMs = 10;
const attemptsMax = 100;

/** Where log lines go, one call a line. */
export interface LogOutput {
  write(line: string): void;
}

/**
 * Writes lines to a file descriptor, at once and in order. A line that can't be written is lost: a terminal that was
 * closed, a full disk behind the redirection or a reader that stands still must not stop the service (pino's own
 * output tries such a line again for ever, also while the process exits). A full pipe is waited for one second, and
 * after a second in vain not again until it takes something.
 */
export function logOutput(descriptor: number): LogOutput {
  let patient = true;
  return {
    write(line) {
      let rest: Uint8Array = Buffer.from(line);
      for (let attempt = 0; rest.length > 0 && attempt < (patient ? attemptsMax : 1); attempt++) {
        try {
          rest = rest.subarray(writeSync(descriptor, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
          if (patient) pause();
        }
      }
      patient = rest.length === 0;
    },
  };
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

const charactersMax = 32_768;
const waitMs = 200;

/**
 * Gathers lines and writes many by one system call, which costs as much as a line. A line waits for 200 ms at most. A
 * process that is killed loses those; whoever stops in order calls `flush` last.
 */
export function bufferedOutput(output: LogOutput, charactersAtOnce = charactersMax): LogOutput & { flush(): void } {
  let cached = "";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (cached === "") return;
    const lines = cached;
    cached = "";
    output.write(lines);
  }

  return {
    write(line) {
      if (cached.length + line.length > charactersAtOnce) flush();
      cached += line;
      timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
  };
}

/** Turns the JSON lines of a log into lines for a person at a terminal. */
export function plainOutput(output: LogOutput): LogOutput {
  return { write: (line) => output.write(plainLine(line)) };
}

/** Warnings and what is worse. */
export const warnFrom = 40;
const errorFrom = 50;

/** The advice of `docs/operations/reference.md`, in a few words, for events whose lines have no sentence with it. */
const advice: Readonly<Record<string, string>> = {
  "clock.skewed": "synchronise the clocks of this machine and of the database's (NTP)",
  "database.away": "see whether PostgreSQL runs and can be reached; purchases are refused until it is back",
  "database.connection_lost": "nothing, if it does not come again: connections are made anew",
  "database.few_connections": "raise max_connections or the role's CONNECTION LIMIT, or lower DATABASE_POOL",
  "database.no_commits": "look at the primary: it is read-only, or waits for a standby",
  "database.not_durable": "switch it on in PostgreSQL's settings: a power cut loses purchases without it",
  "pending.over_an_hour": `look at the supplier, then at: ${operatorCommand} review list`,
  "purchase.in_review": `decide it: ${operatorCommand} review list`,
  "refund.late": "see whether the database keeps up",
  "sealing_key.lacking": "give this process the ENCRYPTION_KEY that the others have",
  "standby.passed_by": "reports are read at the primary; see docs/operations/run.md, A standby to read from",
  "supplier.balance_low": "pay money in at the supplier",
  "supplier.breaker_opened": `look at the supplier: ${operatorCommand} supplier check NAME`,
  "supplier.silent": `look at the supplier: ${operatorCommand} supplier check NAME`,
  "supplier.unusable": `mend its settings: ${operatorCommand} supplier check NAME`,
  "vouchers.low": `add stock: ${operatorCommand} vouchers import FILE --product ID`,
  "work.overdue": "start a worker (ROLE=worker or all): none runs, or none keeps up",
};
const usualAdvice = "see docs/operations/reference.md, The log";

/** A log line as a person reads it, with what to do about a warning or an error. */
function plainLine(json: string): string {
  const { level, time, event, message, advice: todo, ...fields } = parsed(json);
  const isProblem = typeof level === "number" && level >= warnFrom;
  const words = [
    typeof time === "string" ? time.slice(11, 19) : null,
    isProblem ? (level >= errorFrom ? "ERROR" : "warning") : null,
    message === undefined || isProblem ? event : null,
    message,
    message === undefined || isProblem ? fieldsText(fields) : null,
  ];
  const found = words.filter((word) => typeof word === "string" && word !== "").join(" ");
  const advised = isProblem && message === undefined && todo !== undefined ? `\n         do: ${todo}` : "";
  return `${terminalText(found).replaceAll("\n", " ")}${advised}\n`;
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json);
  } catch {
    return { message: json };
  }
}

function fieldsText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

/** What to do about an event, in few words. */
export function adviceOn(event: unknown): string {
  return (typeof event === "string" ? advice[event] : undefined) ?? usualAdvice;
}
