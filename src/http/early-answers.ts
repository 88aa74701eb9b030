import type { FastifyReply } from "fastify";
import type { Bought, BuyCommand } from "../domain/purchases/buy.ts";
import { isAwaited } from "./request-context.ts";

/** What a purchase is told by whoever waits for its answer. */
export type Watch = Pick<BuyCommand, "isAwaited" | "onAccepted">;

/** For how long suppliers are still waited for once the service stops: most answer within that. */
const graceMs = 2_500;

/** Requests that wait for a supplier, and are answered without it when the service stops. */
export interface EarlyAnswers {
  /** Buys; where the service stops before the supplier has spoken, the purchase as it was charged: pending. */
  buying(reply: FastifyReply, buy: (watch: Watch) => Promise<Bought>): Promise<Bought>;
  /** Asks a supplier something that changes nothing. @throws what `refusal` makes, where the service stops before */
  asking<T>(reply: FastifyReply, ask: () => Promise<T>, refusal: () => Error): Promise<T>;
  /** The service stops: whoever waits is answered soon. */
  stop(): void;
}

/** `onError` is told what a purchase came to that was answered before. */
export function openEarlyAnswers(options: { readonly onError: (error: unknown) => void }): EarlyAnswers {
  const waiting = new Set<() => void>();
  let isStopping = false;
  let isOver = false;

  /** `over` resolves when the service has stopped for long enough. Not one for all: it would keep all that ever waited. */
  async function beside<T>(reply: FastifyReply, work: (over: Promise<void>) => Promise<T>): Promise<T> {
    let resolve: () => void = () => {};
    const over = new Promise<void>((done) => {
      resolve = done;
    });
    if (isOver) resolve();
    waiting.add(resolve);
    try {
      return await work(over);
    } finally {
      waiting.delete(resolve);
      // What comes later on this connection would find nobody.
      if (isStopping) reply.header("connection", "close");
    }
  }

  return {
    buying: (reply, buy) => beside(reply, (over) => untilTold(reply, buy, { over, onError: options.onError })),
    asking: (reply, ask, refusal) =>
      beside(reply, (over) =>
        Promise.race([
          ask(),
          over.then(() => {
            throw refusal();
          }),
        ]),
      ),
    stop() {
      isStopping = true;
      setTimeout(() => {
        isOver = true;
        for (const resolve of waiting) resolve();
      }, graceMs).unref();
    },
  };
}

/**
 * What the supplier said, or, once the time is over, the purchase as it was charged: the supplier goes on, and what it
 * says is owed as an event. An end that is being stored as told by this answer is waited for.
 */
export async function untilTold(
  reply: FastifyReply,
  buy: (watch: Watch) => Promise<Bought>,
  { over, onError }: { readonly over: Promise<void>; readonly onError: (error: unknown) => void },
): Promise<Bought> {
  let isTelling = false;
  let isAnswered = false;
  const isThere = isAwaited(reply);
  let accept: (bought: Bought) => void = () => {};
  const accepted = new Promise<Bought>((resolve) => {
    accept = resolve;
  });
  const buying = buy({
    onAccepted: accept,
    isAwaited() {
      if (isAnswered || !isThere()) return false;
      isTelling = true;
      return true;
    },
  });
  const early = await Promise.race([buying.then(() => null), over.then(() => accepted)]);
  if (early === null || isTelling) return buying;
  isAnswered = true;
  buying.catch(onError);
  return early;
}
