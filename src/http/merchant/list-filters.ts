import { Type } from "typebox";
import { integerField } from "../../categories/fields.ts";
import { type Instant, parseInstant, type WallTime } from "../../kernel/clock.ts";
import { offsetMax, type Page, pageMax } from "../../kernel/page.ts";
import { type ProblemCode, refuseField } from "../../kernel/problems.ts";
import { instantMessage } from "../schemas/schemas.ts";

/** A filter that must be one of a list; a repeated parameter counts as a wrong value. */
export function choiceFilter<Value extends string>(
  values: readonly Value[],
  problem: ProblemCode,
  description = "Only these.",
) {
  return Type.Optional(
    Type.Unsafe<Value>({
      type: "string",
      enum: [...values],
      description,
      examples: [values[0]],
      "x-problem": { enum: problem, type: problem },
      "x-message": `Must be one of ${values.join(", ")}.`,
    }),
  );
}

/** A filter by a name that something has. None is empty: an empty list would look like an answer. */
export function textFilter(description: string, example: string) {
  return Type.Optional(text({ minLength: 1, description, example }));
}

/** A search for words; without any it finds everything. */
export function wordsFilter(description: string, example: string) {
  return Type.Optional(text({ minLength: 0, description, example }));
}

/** PostgreSQL has no text with a NUL character: asking it for one would be a fault of ours. */
function text({ minLength, description, example }: { minLength: number; description: string; example: string }) {
  return Type.String({ pattern: "^[^\\u0000]*$", minLength, maxLength: 100, description, examples: [example] });
}

/** A whole number from 1 in a query string, with its own error code for whatever else it is. */
export function pageField(options: { maximum: number; problem: ProblemCode; description: string }) {
  const { maximum, problem, description } = options;
  return Type.Unsafe<number | string>({
    ...integerField({ minimum: 1, maximum, description, examples: [1] }),
    "x-problem": { "x-range": problem, pattern: problem, type: problem },
  });
}

const depth = offsetMax.toLocaleString("en-US");
const pageDescription = `Counts from 1. A page of transactions, or of deliveries that are filtered, must not begin more than ${depth} rows deep, else it is refused with \`INVALID_PAGE\`: narrow transactions with \`from\` and \`to\`, deliveries with \`max_id\`.`;

/** What every paged list takes. */
export const pageFilters = {
  page: Type.Optional(pageField({ maximum: pageMax, problem: "INVALID_PAGE", description: pageDescription })),
  per_page: Type.Optional(
    pageField({ maximum: 100, problem: "INVALID_PER_PAGE", description: "1 to 100; 20 unless told." }),
  ),
};

/** Reads `page` and `per_page` that their schema has accepted. */
export function pageOf(query: { page?: number | string; per_page?: number | string }): Page {
  return { page: Number(query.page ?? 1), perPage: Number(query.per_page ?? 20) };
}

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
