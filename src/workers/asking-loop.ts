import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** What one claim may lease. */
export interface Claims {
  /** Names of which enough is asked already. */
  readonly exceptOf: readonly string[];
  readonly limit: number;
}

/** Asks suppliers or payment providers about what is due: none that is silent takes all places. */
export function startAskingLoop<Question>(options: {
  readonly claim: (claims: Claims) => Promise<readonly Question[]>;
  readonly whomOf: (question: Question) => string;
  readonly ask: (question: Question) => Promise<unknown>;
  readonly questionsMax: number;
  /** In one claim, and about to be exceeded by one claim at most. */
  readonly ofOneMax: number;
  readonly pollMs: number;
  /** For those who allow few questions a second: the next are claimed with the next poll, and not as soon as others end. */
  readonly isPaced?: boolean;
  readonly onError: (error: unknown, question: Question | null) => void;
}): WorkLoop {
  const { claim, whomOf, ask, questionsMax, ofOneMax, pollMs, isPaced = false, onError } = options;
  const underWay = new Map<string, number>();
  const count = (whom: string, change: number) => underWay.set(whom, (underWay.get(whom) ?? 0) + change).get(whom);

  const loop = startWorkLoop<Question>({
    async claim(free) {
      const exceptOf = [...underWay].filter(([, asking]) => asking >= ofOneMax).map(([whom]) => whom);
      const questions = await claim({ exceptOf, limit: Math.min(free, ofOneMax) });
      for (const question of questions) count(whomOf(question), 1);
      return questions;
    },
    async act(question) {
      const whom = whomOf(question);
      try {
        await ask(question);
      } finally {
        const asking = count(whom, -1);
        if (asking === 0) underWay.delete(whom);
        if (asking === ofOneMax - 1 && !isPaced) loop.wake();
      }
    },
    concurrencyMax: questionsMax,
    pollMs,
    onError,
  });
  return loop;
}
