import { batcher } from "../../platform/batcher.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import type { Deferral } from "./pending-queries.ts";
import { updatePendingDue } from "./pending-queries.ts";
import type { Purchase } from "./purchase.ts";

/** Seconds until the next question, by how many were asked; the last one repeats. */
const waitsSeconds = [5, 10, 20, 40, 80, 300];
/** 5 + 10 + 20 + 40 + 80 s and then every five minutes: after this many questions a day has passed. */
const questionsMax = 5 + 287;

/**
 * When to ask about a pending purchase again. After a day it goes to a person: tries never run out into a refund.
 * `tries`: questions asked so far.
 */
export function nextQuestion(tries: number): { readonly step: "requery" | "review"; readonly dueSeconds: number } {
  const dueSeconds = waitsSeconds[Math.min(tries, waitsSeconds.length - 1)] ?? 300;
  return { step: tries >= questionsMax ? "review" : "requery", dueSeconds };
}

/**
 * Records when to ask next, and what the supplier calls the attempt, in the background: if it gets lost, the lease that
 * was taken runs out instead. What asking cannot settle goes to a person at once.
 */
export type PutOff = (
  purchase: Purchase,
  asked: {
    readonly epoch: number;
    readonly tries: number;
    readonly answer: Extract<VendOutcome, { readonly kind: "unknown" }>;
  },
) => void;

export function openPutOff(options: { readonly database: Database; readonly log: Logger }): PutOff {
  const send = batcher<Deferral, null>({
    async run(items) {
      await updatePendingDue(options.database, items);
      return items.map(() => null);
    },
    sizeMax: 256,
    waitingMax: 20_000,
  });
  return (purchase, asked) => {
    const { wallet, id } = purchase;
    const { epoch, tries, answer } = asked;
    const next = nextQuestion(tries);
    const step = answer.askNobody === true ? "review" : next.step;
    send({ wallet, id, epoch, ...next, step, providerReference: answer.providerReference ?? null }).catch(
      (error: unknown) => options.log.warn({ event: "purchase.put_off_failed", error: String(error) }),
    );
  };
}
