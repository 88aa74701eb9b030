import type { FastifyReply } from "fastify";
import type { Bought } from "../../domain/buying/buy.ts";
import type { EarlyAnswers, Watch } from "../early-answers.ts";
import { outOfWork } from "../plugins/requests-in-work.ts";
import type { EndedPurchases } from "./ended-purchases.ts";

/** Answers that wait for the end of their purchase: older clients take one that is on its way for sold, or for failed. */
export interface HeldAnswers {
  /**
   * Buys, and waits until the purchase has ended, the time is over, the client is gone or the service stops. What the
   * sandbox sells is not waited for. @throws what `buy` throws
   */
  holding(reply: FastifyReply, buy: (watch: Watch) => Promise<Bought>): Promise<Bought>;
  /** Answers everybody who waits, and lets nobody wait from now on. */
  release(): void;
}

export function openHeldAnswers(options: {
  readonly ends: Pick<EndedPurchases, "awaitEnd">;
  readonly earlyAnswers: Pick<EarlyAnswers, "buying">;
  /** From the request's arrival; 0 lets nobody wait. */
  readonly holdMs: number;
}): HeldAnswers {
  const { ends, earlyAnswers } = options;
  const patiences = new Set<Patience>();
  let { holdMs } = options;

  return {
    async holding(reply, buy) {
      if (holdMs === 0) return earlyAnswers.buying(reply, buy);
      const patience = openPatience(reply, holdMs);
      patiences.add(patience);
      try {
        const bought = await earlyAnswers.buying(reply, buy, patience.over);
        const { purchase } = bought;
        if (purchase.status !== "pending" || purchase.supplier === null) return bought;
        // From here on the request is in nobody's way: it has been carried out and waits.
        const ended = await outOfWork(reply.request, () => ends.awaitEnd(purchase, patience.over));
        return { ...bought, purchase: ended };
      } finally {
        patience.end();
        patiences.delete(patience);
      }
    },
    release() {
      holdMs = 0;
      for (const patience of patiences) patience.end();
    },
  };
}

interface Patience {
  readonly over: Promise<void>;
  end(): void;
}

/** Is over after so long, or when nobody waits for the answer any more. */
function openPatience(reply: FastifyReply, ms: number): Patience {
  let resolve: () => void = () => {};
  const over = new Promise<void>((done) => {
    resolve = done;
  });
  const end = () => {
    clearTimeout(timer);
    reply.raw.off("close", end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  reply.raw.once("close", end);
  return { over, end };
}
