import type { SourceFile } from "./source-text.ts";

/** One rule of the house that neither compiler, Biome nor cruiser can hold. */
export interface TidyRule {
  readonly name: string;
  /** Which rule of STYLE.md it keeps. */
  readonly style: number;
  readonly applies: (path: string) => boolean;
  /** What is wrong with the file; empty when nothing is. */
  readonly faults: (file: SourceFile) => readonly string[];
  /** A file that must turn the rule red, and one that must not: [path, text]. */
  readonly red: readonly [string, string];
  readonly green: readonly [string, string];
}

export const inside =
  (...folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(folder));

export const isSql = (path: string): boolean => path.endsWith(".sql");
export const isHandWritten = (file: SourceFile): boolean =>
  !/^(\/\/|--|#|<!--|%%|\/\*).*\bgenerated\b/i.test(file.text.split("\n", 1)[0] ?? "");
export const lineCount = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

/** Lines on which the pattern is found in the code (comments do not count), as `line 7: new Date()`. */
export function findIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(new RegExp(pattern, "g"))].map(
    (match) => `line ${lineCount(text.slice(0, match.index)) + (text[match.index - 1] === "\n" ? 1 : 0)}: ${match[0]}`,
  );
}

export const inCode =
  (pattern: RegExp) =>
  (file: SourceFile): string[] =>
    findIn(file.code, pattern);

export const inSql =
  (pattern: RegExp) =>
  (file: SourceFile): string[] =>
    file.sql.flatMap(({ text }) => [...text.matchAll(new RegExp(pattern, "g"))].map((match) => match[0].trim()));
