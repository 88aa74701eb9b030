import type { Ask, Exchange } from "../conversation.ts";
import type { Question } from "../dialect.ts";
import { evidenceCharactersMax } from "../evidence/redacted-json.ts";

/** A page of a hundred transfers with their senders. */
export const listBytesMax = 4 * 1024 * 1024;

/** Questions that follow one another within one deadline. */
export interface Talk {
  ask(question: Question, replyBytesMax?: number): Promise<Exchange>;
  /** The first and the last question with their answers, redacted. */
  evidence(): string;
}

export function openTalk(ask: Ask, monotonicMs: () => number, deadlineMs: number): Talk {
  const endsAt = monotonicMs() + deadlineMs;
  const said: string[] = [];
  return {
    async ask(question, replyBytesMax) {
      const exchange = await ask(question, Math.max(0, endsAt - monotonicMs()), replyBytesMax);
      said.push(exchange.evidence);
      return exchange;
    },
    evidence: () => inShort(said),
  };
}

/** The first and the last of what was asked and answered. */
export function inShort(said: readonly string[]): string {
  const [first = "", ...others] = said;
  const last = others.at(-1);
  if (last === undefined) return first;
  return `${first.slice(0, evidenceCharactersMax / 2)}; then ${last}`.slice(0, evidenceCharactersMax);
}
