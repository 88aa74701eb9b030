import { refuse } from "../../kernel/problems.ts";
import { tableName } from "./dump-text.ts";

/** How many INSERT and COPY there are of each table, by its name as it is written. */
export type StatementCounts = Map<string, number>;

/** As every program writes them: at the beginning of a line. */
const statementLines = new RegExp(
  `^(?:(?:insert|replace)\\s+(?:(?:low_priority|delayed|high_priority|ignore)\\s+)*into|copy)\\s+${tableName}(?=\\s*\\(|\\s+values)`,
  "gim",
);

export function countStatement(counts: StatementCounts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Counts the INSERT and COPY of a text by its lines alone, whatever they stand in. */
export function countLines(counts: StatementCounts, text: string): void {
  for (const [, name = ""] of text.matchAll(statementLines)) countStatement(counts, name);
}

/** What a program writes at the end of a dump, where it has written that at its beginning. */
const ends: readonly (readonly [begin: RegExp, end: RegExp, said: string])[] = [
  [/^-- (?:MySQL|MariaDB) dump \d/gm, /^-- Dump completed/gm, "-- Dump completed"],
  [/^--\r?\n-- PostgreSQL database dump\r?$/gm, /^-- PostgreSQL database dump complete/gm, "database dump complete"],
  [/SET @OLD_CHARACTER_SET_CLIENT *=/g, /SET CHARACTER_SET_CLIENT *=/g, "SET CHARACTER_SET_CLIENT"],
  [/^START TRANSACTION;/gm, /^COMMIT;/gm, "COMMIT"],
];

/**
 * Compares a dump that was read with its text: what its program ends it with must be there, and as many INSERT and COPY
 * must have been read as begin a line. @throws Refusal VALIDATION_ERROR
 */
export function requireWholeDump({
  file,
  text,
  counts,
}: {
  readonly file: string;
  readonly text: string;
  readonly counts: StatementCounts;
}): void {
  for (const [begin, end, said] of ends) {
    if (occurrences(text, begin) <= occurrences(text, end)) continue;
    throw wrong(`The file ${file} was cut off: it does not end with “${said}”. Export it again.`);
  }
  const there: StatementCounts = new Map();
  countLines(there, text);
  for (const [name, count] of there) {
    const read = counts.get(name) ?? 0;
    if (count <= read) continue;
    throw wrong(
      `${file} has ${count} INSERT or COPY of ${name}, and ${read} were read: a quote before one of them is never closed.`,
    );
  }
}

function occurrences(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _found of text.matchAll(pattern)) count += 1;
  return count;
}

function wrong(message: string) {
  return refuse("VALIDATION_ERROR", { message });
}
