import { Type } from "typebox";
import { type Instant, parseInstant, type WallTime } from "../../kernel/clock.ts";
import { refuseField } from "../../kernel/problems.ts";
import { instantMessage } from "../schemas/schemas.ts";

const dateProblem = { maxLength: "INVALID_DATE", type: "INVALID_DATE" };

function dateFilter(description: string, example: string) {
  const notes = { description, examples: [example], "x-problem": dateProblem, "x-message": instantMessage };
  return Type.Optional(Type.String({ maxLength: 40, ...notes }));
}

/** The time that a list is narrowed to. */
export const dateFilters = {
  from: dateFilter("From this instant on: ISO 8601 with offset, or a date.", "2026-11-20"),
  to: dateFilter(
    "Up to the end of this second, or date: ISO 8601 with offset, or a date.",
    "2026-11-20T18:00:00+01:00",
  ),
};

/**
 * The first instant of the range, or the first one behind it. `to` is inclusive, to the end of what it names: answers
 * tell times to the second, so a second means the whole of it. A plus sign that was not percent-encoded arrives as a
 * space. @throws Refusal INVALID_DATE
 */
export function instantFilter(field: "from" | "to", value: string | undefined, zone: WallTime): Instant | null {
  if (value === undefined) return null;
  const text = value.replace(/ (?=\d{2}:\d{2}$)/, "+");
  const instant = parseInstant(text, zone, field === "from" ? "start" : "end");
  if (instant === null) throw refuseField("INVALID_DATE", field, instantMessage);
  return field === "to" && text.includes("T") ? instant + namedMs(text) : instant;
}

/** How long the minute, second or millisecond is that an instant names. */
function namedMs(text: string): number {
  if (text.includes(".")) return 1;
  return /T\d{2}:\d{2}:/.test(text) ? 1_000 : 60_000;
}
