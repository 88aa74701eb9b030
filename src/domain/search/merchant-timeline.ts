import type { Instant } from "../../kernel/clock.ts";
import { type Kobo, subtract } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { listByReference } from "../request-log/list.ts";
import type { LoggedRequest } from "../request-log/logged-request.ts";
import { listAttempts } from "../resolution/attempt-queries.ts";
import { findWaiting, type Waiting } from "../resolution/review/review-queries.ts";
import type { DeliveryId } from "../webhooks/events/event.ts";
import { listTriesOf, listWebhooksOfPurchase } from "../webhooks/events/purchase-webhook-queries.ts";
import { listEntriesOf, type PurchaseEntry } from "./timeline-queries.ts";

/** One step of a purchase as its merchant may see it: no supplier's name, no supplier's words. */
export interface MerchantStep {
  /** Null for what is still to come and has no time. */
  readonly at: Instant | null;
  readonly kind: "request" | "wallet" | "attempt" | "end" | "webhook" | "next";
  readonly state: "done" | "waiting" | "failed";
  readonly title: string;
  readonly detail: string | null;
  /** What a step of the wallet moved, and the balances around it. */
  readonly moved?: { readonly amount: Kobo; readonly before: Kobo; readonly after: Kobo };
  /** What a step of a webhook tried to deliver. */
  readonly deliveryId?: DeliveryId;
}

/** Where a step stands among the others: the process says when a purchase ended, the database all else. */
interface Ordered {
  readonly step: MerchantStep;
  readonly place: Instant;
}

/**
 * Reads all that happened to a purchase, in one order: the requests about it, wallet entries, what became of each attempt, its
 * end, and each try to tell the merchant. Reads by key alone.
 */
export async function readMerchantTimeline(database: Queryable, purchase: Purchase): Promise<readonly MerchantStep[]> {
  const { wallet, id, reference } = purchase;
  const [requests, entries, attempts, waiting, webhooks] = await Promise.all([
    listByReference(database, wallet, reference),
    listEntriesOf(database, purchase),
    listAttempts(database, wallet, id),
    findWaiting(database, purchase),
    listWebhooksOfPurchase(database, wallet, id),
  ]);
  const tries = webhooks.length === 0 ? [] : await listTriesOf(database, wallet, webhooks);
  const charge = entries.filter(({ kind }) => kind === "purchase");
  const after = entries.filter(({ kind }) => kind !== "purchase");
  const endedAt = Math.max(purchase.completedAt ?? 0, ...attempts.map((attempt) => attempt.endedAt));
  const steps: readonly Ordered[] = [
    ...requestSteps(purchase, requests),
    ...charge.map(entryStep).map(at),
    ...attempts.map(({ attempt, verdict, endedAt: when }) => at(attemptStep(attempt, verdict, when))),
    ...endSteps(purchase).map(notBefore(endedAt)),
    ...after.map(entryStep).map(notBefore(endedAt)),
    ...tries.map(tryStep).map(notBefore(endedAt)),
    ...webhooks
      .filter(({ nextAttemptAt }) => nextAttemptAt !== null)
      .map(({ event, nextAttemptAt }) =>
        at({
          ...({ at: nextAttemptAt, kind: "next", state: "waiting" } as const),
          title: `Next try of ${event}`,
          detail: null,
        }),
      ),
    ...nextSteps(waiting).map(notBefore(purchase.purchasedAt)),
  ];
  return steps.toSorted((one, other) => one.place - other.place).map(({ step }) => step);
}

function at(step: MerchantStep): Ordered {
  return { step, place: step.at ?? Number.MAX_SAFE_INTEGER };
}

function notBefore(earliest: Instant): (step: MerchantStep) => Ordered {
  return (step) => ({ step, place: Math.max(earliest, step.at ?? Number.MAX_SAFE_INTEGER) });
}

/** The requests that are in the log; where the first one is not, the purchase still says when it came. */
function requestSteps(purchase: Purchase, requests: readonly LoggedRequest[]): Ordered[] {
  const bought = requests.find(({ method }) => method === "POST");
  const steps = requests.map((request) => {
    const came = request.at - request.durationMs;
    const isRefused = (request.status ?? 0) >= 400 && request.status !== 422;
    const answer = request.status === null ? "the client left before the answer" : `${request.status}`;
    const code = request.code === null ? "" : ` ${request.code}`;
    const from = request.address === null ? "" : ` from ${request.address}`;
    return {
      // It came before its purchase was charged, whatever the clocks say.
      place: request === bought ? Math.min(came, purchase.purchasedAt - 1) : came,
      step: {
        ...({ at: came, kind: "request", state: isRefused ? "failed" : "done" } as const),
        title: `${request.method === "GET" ? "Asked for" : "Request"}${from}`,
        detail: `${request.method} ${request.path}, ${answer}${code} in ${request.durationMs} ms`,
      },
    };
  });
  if (bought !== undefined) return steps;
  const step = {
    at: purchase.purchasedAt,
    kind: "request",
    state: "done",
    title: `Ordered by ${purchase.channel}`,
    detail: null,
  } as const;
  return [{ step, place: purchase.purchasedAt - 1 }, ...steps];
}

function entryStep({ kind, at: when, delta, balanceAfter }: PurchaseEntry): MerchantStep {
  const title = { purchase: "Wallet charged", refund: "Wallet refunded", reversal: "Wallet refunded afterwards" }[kind];
  const amount = (delta < 0n ? -delta : delta) as Kobo;
  return {
    ...({ at: when, kind: "wallet", state: "done" } as const),
    title,
    detail: null,
    moved: { amount, before: subtract(balanceAfter, delta), after: balanceAfter },
  };
}

function attemptStep(attempt: number, verdict: "vended" | "declined", when: Instant): MerchantStep {
  const isVended = verdict === "vended";
  const title = isVended ? "Supplier delivered" : "Supplier declined";
  return { at: when, kind: "attempt", state: isVended ? "done" : "failed", title, detail: `attempt ${attempt}` };
}

function endSteps({ status, errorCode, completedAt }: Purchase): MerchantStep[] {
  if (completedAt === null) return [];
  const isGood = status === "successful";
  const title = isGood ? "Successful" : "Failed";
  return [{ at: completedAt, kind: "end", state: isGood ? "done" : "failed", title, detail: errorCode }];
}

function tryStep(webhook: Awaited<ReturnType<typeof listTriesOf>>[number]): MerchantStep {
  const { id, event, attempt, httpStatus, error, durationMs, at: when } = webhook;
  const isTaken = error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const answer = error ?? `${httpStatus} from your server`;
  return {
    ...({ at: when, kind: "webhook", state: isTaken ? "done" : "failed" } as const),
    title: `Webhook ${event}`,
    detail: `attempt ${attempt}: ${answer} in ${durationMs} ms`,
    deliveryId: id,
  };
}

/** What happens next to a pending purchase. */
function nextSteps(waiting: Waiting | null): MerchantStep[] {
  if (waiting === null) return [];
  const { step, tries, dueAt } = waiting;
  const words = { kind: "next", state: "waiting" } as const;
  if (step === "review") {
    return [
      { ...words, at: null, title: "A person looks at it", detail: "The supplier has not said what became of it." },
    ];
  }
  const detail = tries === 0 ? null : `asked ${tries} ${tries === 1 ? "time" : "times"} so far`;
  return [{ ...words, at: dueAt, title: "The supplier is asked what became of it", detail }];
}
