import type { FastifyReply } from "fastify";
import type { Bought, BuyCommand } from "../domain/buying/buy.ts";
import { isAwaited } from "./request-context.ts";

/** How buying learns whether its client still waits, and reports that the purchase was accepted. */
export type Watch = Pick<BuyCommand, "isAwaited" | "onAccepted">;

/** For how long suppliers are still waited for once the service stops: most answer within that. */
const graceMs = 2_500;

/** Requests that wait for a supplier, and are answered without it when the service stops. */
export interface EarlyAnswers {
  /**
   * Buys. Where the service stops, or `over` resolves, before the supplier has answered, it returns the purchase as it
   * was charged: pending. The supplier goes on, and the outcome is sent as an event. An outcome that is being stored as
   * part of this answer is waited for.
   */
  buying(reply: FastifyReply, buy: (watch: Watch) => Promise<Bought>, over?: Promise<void>): Promise<Bought>;
  /** Asks a supplier something that changes nothing. @throws what `refusal` makes, where the service stops before */
  asking<T>(reply: FastifyReply, ask: () => Promise<T>, refusal: () => Error): Promise<T>;
  /** The service stops: whoever waits is answered soon. */
  stop(): void;
}

/** `onError` gets the error of a purchase that was answered before it failed. */
export function openEarlyAnswers(options: { readonly onError: (error: unknown) => void }): EarlyAnswers {
  const waiting = new Set<() => void>();
  let isStopping = false;
  let isOver = false;

  function wait(giveUp: () => void): void {
    if (isOver) giveUp();
    else waiting.add(giveUp);
  }

  function leave(reply: FastifyReply, giveUp: (() => void) | null): void {
    if (giveUp !== null) waiting.delete(giveUp);
    // A later request on this connection would find nobody.
    if (isStopping) reply.header("connection", "close");
  }

  return {
    buying(reply, buy, over) {
      return new Promise((resolve, reject) => {
        let giveUp: (() => void) | null = null;
        let isAnswered = false;
        const watch = openWatch(reply, (bought) => {
          giveUp = () => {
            if (!isAnswered && watch.giveUp()) answer(() => resolve(bought));
          };
          wait(giveUp);
          void over?.then(giveUp);
        });
        function answer(settle: () => void): void {
          if (isAnswered) return;
          isAnswered = true;
          leave(reply, giveUp);
          settle();
        }
        buy(watch).then(
          (ended) => answer(() => resolve(ended)),
          (error: unknown) => {
            if (isAnswered) options.onError(error);
            answer(() => reject(error));
          },
        );
      });
    },
    asking(reply, ask, refusal) {
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(refusal());
        if (isOver) return giveUp();
        waiting.add(giveUp);
        ask()
          .finally(() => leave(reply, giveUp))
          .then(resolve, reject);
      });
    },
    stop() {
      isStopping = true;
      setTimeout(() => {
        isOver = true;
        for (const giveUp of waiting) giveUp();
      }, graceMs).unref();
    },
  };
}

/** A watch whose answer may go out before the purchase has ended. */
interface OpenWatch extends Watch {
  /** Stops waiting for the outcome. @returns false where an outcome is being stored as part of this answer */
  giveUp(): boolean;
}

function openWatch(reply: FastifyReply, onAccepted: (bought: Bought) => void): OpenWatch {
  let isTelling = false;
  let isGivenUp = false;
  const isThere = isAwaited(reply);
  return {
    onAccepted,
    isAwaited() {
      if (isGivenUp || !isThere()) return false;
      isTelling = true;
      return true;
    },
    giveUp() {
      isGivenUp = !isTelling;
      return isGivenUp;
    },
  };
}
