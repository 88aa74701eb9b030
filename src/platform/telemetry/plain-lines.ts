import { terminalText } from "../../kernel/terminal-text.ts";
import type { LogOutput } from "./log-output.ts";

/** Turns the JSON lines of a log into lines for a person at a terminal. */
export function plainOutput(output: LogOutput): LogOutput {
  return { write: (line) => output.write(plainLine(line)) };
}

/** Warnings and what is worse. */
export const warnFrom = 40;
const errorFrom = 50;

/** The advice of `docs/operations.md`, in a few words, for events whose lines have no sentence with it. */
const advice: Readonly<Record<string, string>> = {
  "clock.skewed": "synchronise the clocks of this machine and of the database's (NTP)",
  "database.away": "see whether PostgreSQL runs and can be reached; purchases are refused until it is back",
  "database.connection_lost": "nothing, if it does not come again: connections are made anew",
  "database.few_connections": "raise max_connections or the role's CONNECTION LIMIT, or lower DATABASE_POOL",
  "database.no_commits": "look at the primary: it is read-only, or waits for a standby",
  "database.not_durable": "switch it on in PostgreSQL's settings: a power cut loses purchases without it",
  "pending.over_an_hour": "look at the supplier, then at: npm run operator -- review list",
  "purchase.in_review": "decide it: npm run operator -- review list",
  "refund.late": "see whether the database keeps up",
  "sealing_key.lacking": "give this process the ENCRYPTION_KEY that the others have",
  "supplier.balance_low": "pay money in at the supplier",
  "supplier.breaker_opened": "look at the supplier: npm run operator -- supplier check NAME",
  "supplier.silent": "look at the supplier: npm run operator -- supplier check NAME",
  "supplier.unusable": "mend its settings: npm run operator -- supplier check NAME",
  "vouchers.low": "add stock: npm run operator -- vouchers import FILE --product ID",
  "work.overdue": "start a worker (ROLE=worker or all): none runs, or none keeps up",
};
const usualAdvice = "see docs/operations.md, The log";

/** A log line as a person reads it, with what to do about a warning or an error. */
export function plainLine(json: string): string {
  const { level, time, event, message, advice: todo, ...fields } = parsed(json);
  const isProblem = typeof level === "number" && level >= warnFrom;
  const words = [
    typeof time === "string" ? time.slice(11, 19) : null,
    isProblem ? (level >= errorFrom ? "ERROR" : "warning") : null,
    message === undefined || isProblem ? event : null,
    message,
    message === undefined || isProblem ? fieldsText(fields) : null,
  ];
  const told = words.filter((word) => typeof word === "string" && word !== "").join(" ");
  const advised = isProblem && message === undefined && todo !== undefined ? `\n         do: ${todo}` : "";
  return `${terminalText(told).replaceAll("\n", " ")}${advised}\n`;
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
