import type { Command } from "commander";
import type { Instant } from "../kernel/clock.ts";
import { orComplain } from "./arguments.ts";
import { wrong } from "./failures.ts";
import type { Session } from "./session.ts";

/** Days that a command is about, from the first to the last, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export function spanned<Spanned extends Command>(command: Spanned): Spanned {
  return command
    .requiredOption("--from <date>", "the first day, such as 2026-11-01", dateWord)
    .requiredOption("--to <date>", "the last day, it included", dateWord);
}

function dateWord(text: string): string {
  return orComplain(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null, "It must be a date such as 2026-11-01.");
}

/** Whole days in the deployment's zone. @throws Refusal VALIDATION_ERROR */
export function spanOf(
  { wallTime }: Pick<Session, "wallTime">,
  span: Span,
): { readonly from: Instant; readonly before: Instant } {
  const from = wallTime.startOfDay(span.from);
  const last = wallTime.startOfDay(span.to);
  if (from === null || last === null) throw wrong("There is no such day.");
  if (from > last) throw wrong("--from must not come after --to.");
  return { from, before: wallTime.dayOf(last).end };
}
