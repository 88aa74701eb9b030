import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Bought, BuyCommand } from "../domain/purchases/buying/buy.ts";
import type { PurchaseKey } from "../domain/purchases/buying/legacy-queries.ts";
import type { Purchase } from "../domain/purchases/purchase.ts";
import { type MerchantId, walletName } from "../kernel/ids.ts";
import { type Refusal, refuse } from "../kernel/problems.ts";
import type { Metric, Metrics } from "../platform/telemetry/metrics.ts";
import { isAwaited, leavePlace, setPlace } from "./request-context.ts";

/** How buying learns whether its client still waits, and reports that the purchase was accepted. */
export type Watch = Pick<BuyCommand, "isAwaited" | "onAccepted">;

/** Requests that wait for a supplier: each until its own patience is over, and then it is answered without. */
export interface Waiting {
  /**
   * Buys. Where the service stops before the supplier has answered, it returns the purchase as it was charged: pending.
   * The supplier goes on, and the outcome is sent as an event. An outcome that is being stored as part of this answer is
   * waited for.
   */
  buying(reply: FastifyReply, buy: (watch: Watch) => Promise<Bought>): Promise<Bought>;
  /**
   * Buys, and waits until the purchase has ended, the hold is over, the client is gone or the service stops: older
   * clients take a pending purchase for sold, or for failed. What the sandbox sells is not waited for.
   */
  holding(reply: FastifyReply, buy: (watch: Watch) => Promise<Bought>): Promise<Bought>;
  /** Asks a supplier something that changes nothing. @throws what `refusal` makes, where the service stops before */
  asking<T>(reply: FastifyReply, ask: () => Promise<T>, refusal: () => Error): Promise<T>;
  /** To be called with every purchase that ends in this process. */
  ended(purchase: Purchase): void;
  /** The service stops: held answers go out at once, all others soon. */
  stop(): void;
  /** Resolves when no look at the database is under way. */
  idle(): Promise<void>;
}

/** For how long suppliers are still waited for once the service stops: most answer within that. */
const graceMs = 2_500;
/** How long the end of a purchase goes unnoticed that another process, or an operator, brought about. */
const usualPollMs = 500;
/** The connections that a process takes bound it as well: a held answer costs a few kilobytes. */
const waitingMax = 5_000;
/** Requests of one merchant in this process that are not answered yet. */
export const inWorkMax = 2_000;

export const waitingMetrics: readonly Metric[] = [
  {
    name: "dispense_legacy_held_answers",
    kind: "gauge",
    help: "Answers of the legacy endpoints that wait for the end of their purchase.",
    together: "sum",
  },
];

export interface WaitingOptions {
  /** Reads which of these purchases have ended. */
  readonly listEnded: (keys: readonly PurchaseKey[]) => Promise<readonly Purchase[]>;
  readonly pollMs?: number;
  /** How long a legacy answer is held, from the request's arrival; 0: not at all. */
  readonly holdMs?: number | undefined;
  readonly metrics: Metrics;
  /** Gets what failed behind an answer: a look at the database, or a purchase that was answered before. */
  readonly onError: (error: unknown) => void;
}

export function openWaiting({ holdMs = 0, ...options }: WaitingOptions): Waiting {
  const ends = openEnds(options);
  const patiences = new Set<{ readonly isHold: boolean; readonly end: () => void }>();
  let hold = holdMs;
  let state: "open" | "stopping" | "over" = "open";

  /** Waits; `over` resolves after so many milliseconds or once the client is gone, with 0 only when the service stops. */
  async function patiently<T>(reply: FastifyReply, ms: number, wait: (over: Promise<void>) => Promise<T>): Promise<T> {
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const patience = { isHold: ms > 0, end };
    const timer = patience.isHold ? setTimeout(end, ms) : undefined;
    if (patience.isHold) reply.raw.once("close", end);
    if (state === "over") end();
    patiences.add(patience);
    try {
      return await wait(over);
    } finally {
      clearTimeout(timer);
      patiences.delete(patience);
      // A later request on this connection would find nobody.
      if (state !== "open") reply.header("connection", "close");
    }
  }

  const { onError } = options;
  const buying: Waiting["buying"] = (reply, buy) =>
    patiently(reply, 0, (over) => boughtBefore(over, isAwaited(reply), { buy, onError }));

  return {
    buying,
    holding(reply, buy) {
      if (hold === 0) return buying(reply, buy);
      return patiently(reply, hold, async (over) => {
        const bought = await boughtBefore(over, isAwaited(reply), { buy, onError });
        const { purchase } = bought;
        if (purchase.status !== "pending" || purchase.supplier === null) return bought;
        // From here on nothing works on the request: it is in nobody's way.
        leavePlace(reply.request);
        return { ...bought, purchase: await ends.endOf(purchase, over) };
      });
    },
    asking: (reply, ask, refusal) =>
      patiently(reply, 0, (over) => Promise.race([ask(), over.then(() => Promise.reject(refusal()))])),
    ended: ends.ended,
    stop() {
      state = "stopping";
      hold = 0;
      for (const { isHold, end } of patiences) if (isHold) end();
      setTimeout(() => {
        state = "over";
        for (const { end } of patiences) end();
      }, graceMs).unref();
    },
    idle: ends.idle,
  };
}

/** What `buy` brings, or the purchase as it was charged where `over` comes first. */
function boughtBefore(
  over: Promise<void>,
  isThere: () => boolean,
  { buy, onError }: { readonly buy: (watch: Watch) => Promise<Bought>; readonly onError: (error: unknown) => void },
): Promise<Bought> {
  let isStoredAsAnswered = false;
  let isGivenUp = false;
  return new Promise((resolve, reject) => {
    const watch: Watch = {
      isAwaited() {
        if (isGivenUp || !isThere()) return false;
        isStoredAsAnswered = true;
        return true;
      },
      onAccepted: (charged) =>
        void over.then(() => {
          if (isStoredAsAnswered) return;
          isGivenUp = true;
          resolve(charged);
        }),
    };
    buy(watch).then(resolve, (error: unknown) => {
      if (isGivenUp) onError(error);
      reject(error);
    });
  });
}

/** The ends of purchases: of those that end in this process at once, of others by one statement for all, now and then. */
function openEnds({ listEnded, pollMs = usualPollMs, metrics, onError }: WaitingOptions) {
  const waiting = new Map<(known: Purchase) => void, Purchase>();
  const ends = new EventEmitter().setMaxListeners(0);
  let isLooking = false;
  let look: Promise<void> = Promise.resolve();

  const nameOf = ({ wallet, id }: Purchase) => `${walletName(wallet)} ${id}`;
  const ended = (purchase: Purchase) => void ends.emit(nameOf(purchase), purchase);
  const measure = () => metrics.set("dispense_legacy_held_answers", waiting.size);

  async function lookNow(): Promise<void> {
    for (const purchase of await listEnded([...waiting.values()])) ended(purchase);
  }

  function lookLater(): void {
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => {
      look = lookNow()
        .catch(onError)
        .then(() => {
          isLooking = false;
          if (waiting.size > 0) lookLater();
        });
    }, pollMs);
  }

  /** The purchase as it ended; as it was where `over` comes first, or where too many answers are held already. */
  function endOf(purchase: Purchase, over: Promise<void>): Promise<Purchase> {
    if (waiting.size >= waitingMax) return Promise.resolve(purchase);
    return new Promise((resolve) => {
      const goOn = (known: Purchase) => {
        ends.off(nameOf(purchase), goOn);
        waiting.delete(goOn);
        measure();
        resolve(known);
      };
      ends.on(nameOf(purchase), goOn);
      waiting.set(goOn, purchase);
      measure();
      void over.then(() => goOn(purchase));
      lookLater();
    });
  }

  return { ended, endOf, idle: () => look };
}

export interface RequestsInWork {
  /** Counts a request until it is answered or held (`leavePlace`). Why it is refused, else null. */
  begin(request: FastifyRequest, merchantId: MerchantId): Refusal | null;
}

/** Bounds how many requests of a merchant wait at once. */
export function requestsInWork(max = inWorkMax): RequestsInWork {
  const counts = new Map<MerchantId, number>();
  const add = (merchantId: MerchantId, by: 1 | -1) => {
    const count = (counts.get(merchantId) ?? 0) + by;
    if (count > 0) counts.set(merchantId, count);
    else counts.delete(merchantId);
  };
  return {
    begin(request, merchantId) {
      if ((counts.get(merchantId) ?? 0) >= max) {
        const message = `More than ${max} of your requests are being answered.`;
        return refuse("RATE_LIMITED", { message, meta: { limit: "in_work" }, retryAfterSeconds: 1 });
      }
      add(merchantId, 1);
      setPlace(request, () => add(merchantId, -1));
      return null;
    },
  };
}
