import { dayMs } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { AnnouncedTransfer } from "./announcement-queries.ts";
import type { KeptLine } from "./line-queries.ts";
import { merchantsNamedIn } from "./transfer-reference.ts";

/** By what a line is thought to be a merchant's, the surest first. */
export type MatchedBy = "reference" | "amount_and_sender" | "amount";

/** The merchant that a line may be of. A person decides: nothing is credited by it. */
export interface Proposal {
  readonly merchantId: MerchantId;
  readonly announcement: AnnouncedTransfer | null;
  readonly by: MatchedBy;
}

/** A bank books late, and people tell of it late. */
const apartMs = 7 * dayMs;

type Line = Pick<KeptLine, "number" | "narration" | "bankReference" | "amount" | "paidOn">;

/**
 * Proposes whose lines are, by the reference that their merchant was given, and without one by amount, sender and time of
 * what merchants say they sent. Each announcement for one line at most; where two fit alike, neither.
 */
export function matchLines(
  lines: readonly Line[],
  announcements: readonly AnnouncedTransfer[],
): ReadonlyMap<number, Proposal> {
  const proposals = new Map<number, Proposal>();
  const free = new Map(announcements.map((one) => [one.number, one]));
  const fits = (line: Line) => [...free.values()].filter((one) => isAlike(line, one));
  const propose = (line: Line, by: MatchedBy, merchantId: MerchantId, announcement: AnnouncedTransfer | null) => {
    proposals.set(line.number, { merchantId, announcement, by });
    if (announcement !== null) free.delete(announcement.number);
  };
  const unnamed: Line[] = [];
  for (const line of lines) {
    const named = merchantsNamedIn(`${line.narration} ${line.bankReference}`);
    const [merchantId, ...others] = named;
    if (merchantId === undefined) unnamed.push(line);
    // One that names two merchants is for a person alone.
    else if (others.length === 0)
      propose(line, "reference", merchantId, fits(line).find((one) => one.merchantId === merchantId) ?? null);
  }
  for (const by of ["amount_and_sender", "amount"] as const) {
    const isLike = (line: Line, one: AnnouncedTransfer) => by === "amount" || namesSender(line, one);
    const open = unnamed.filter(({ number }) => !proposals.has(number));
    const found = open.map((line) => ({ line, fitting: fits(line).filter((one) => isLike(line, one)) }));
    const timesFitting = new Map<number, number>();
    for (const { number } of found.flatMap(({ fitting }) => fitting))
      timesFitting.set(number, (timesFitting.get(number) ?? 0) + 1);
    for (const { line, fitting } of found) {
      const [one, ...others] = fitting;
      if (one !== undefined && others.length === 0 && timesFitting.get(one.number) === 1)
        propose(line, by, one.merchantId, one);
    }
  }
  return proposals;
}

function isAlike({ amount, paidOn }: Line, one: AnnouncedTransfer): boolean {
  return amount === one.amount && Math.abs(Date.parse(`${paidOn}T12:00:00Z`) - one.announcedAt) <= apartMs;
}

/** Whether a narration has the sender's name: two of its words, or the only one. */
function namesSender({ narration }: Line, { senderName }: AnnouncedTransfer): boolean {
  const words = wordsOf(senderName);
  const said = new Set(wordsOf(narration));
  return words.length > 0 && words.filter((word) => said.has(word)).length >= Math.min(2, words.length);
}

function wordsOf(text: string): readonly string[] {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u);
  return [...new Set(words.filter((word) => word.length > 2 && !common.has(word)))];
}

/** Words of which half the companies' names are made, or the narrations. */
const common = new Set(["LTD", "LIMITED", "NIG", "NIGERIA", "ENTERPRISES", "VENTURES", "GLOBAL", "THE", "AND", "FROM"]);
