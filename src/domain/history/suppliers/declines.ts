import type { Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, purchaseTime } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { maskedWords } from "../search/timeline.ts";
import { type DeclinedAttempt, findOldestOfLast, listDeclinedAttempts } from "./health-queries.ts";

/** However much is sold, no more attempts are looked at. */
const attemptsMax = 20_000;
const declinesMax = 5_000;
const groupsMax = 12;
const wordsLengthMax = 160;

/** Declines that the supplier gave the same code or words for. */
export interface DeclineGroup {
  /** The supplier's own code; null where its answer has none. */
  readonly code: string | null;
  /** The supplier's own words, of the newest decline. */
  readonly words: string;
  readonly count: number;
  readonly lastAt: Instant;
  /** Why the newest of those sales failed that this attempt ended; null where all went on to another supplier. */
  readonly errorCode: string | null;
}

export interface Declines {
  /** Since when they were looked for: later than asked where very much was sold. */
  readonly since: Instant;
  readonly count: number;
  /** The most frequent first, at most twelve. */
  readonly groups: readonly DeclineGroup[];
}

/** A supplier's declines since a moment, by its own codes. Looks at the last 20,000 attempts at most. */
export async function readDeclines(database: Queryable, supplier: string, since: Instant): Promise<Declines> {
  const among = { from: firstPurchaseIdAt(since), attempts: attemptsMax };
  const [rows, oldest] = await Promise.all([
    listDeclinedAttempts(database, supplier, { ...among, limit: declinesMax }),
    findOldestOfLast(database, among),
  ]);
  return {
    since: oldest === null ? since : purchaseTime(oldest),
    count: rows.length,
    groups: groupsOf(rows).slice(0, groupsMax),
  };
}

function groupsOf(rows: readonly DeclinedAttempt[]): readonly DeclineGroup[] {
  const groups = new Map<string, DeclineGroup>();
  for (const { evidence, endedAt, errorCode } of rows) {
    const { code, words } = saidIn(evidence);
    // What differs by numbers alone is the same answer about another customer.
    const key = code ?? words.replace(/\d+/g, "0");
    const known = groups.get(key);
    groups.set(key, {
      ...(known ?? { code, words: maskedWords(words), lastAt: endedAt }),
      count: (known?.count ?? 0) + 1,
      errorCode: known?.errorCode ?? errorCode,
    });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

const codeNames = "error_?code|response_?code|status_?code|code";
const wordNames = [
  ...["response_description", "error_?message", "message", "description", "remark", "reason"],
  ...["api_response", "error", "status"],
];

/** The supplier's own code and words in what is kept of its answer. Cut JSON is read as far as it goes. */
export function saidIn(evidence: string): { readonly code: string | null; readonly words: string } {
  const answer = (evidence.split(" -> ").at(-1) ?? evidence).replace(/ \(\d+ ms\)$/, "");
  const code = new RegExp(`"(?:${codeNames})"\\s*:\\s*"?([\\w .-]{1,40})`, "i").exec(answer)?.[1] ?? null;
  const found = wordNames.map((name) => textAt(name, answer)).find((words) => words !== null);
  return { code: code?.trim() ?? null, words: (found ?? answer).slice(0, wordsLengthMax) };
}

function textAt(name: string, text: string): string | null {
  const [, value] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)+)`, "i").exec(text) ?? [];
  return value === undefined ? null : value.replaceAll(/\\(.)/g, "$1");
}
