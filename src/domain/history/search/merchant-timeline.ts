import type { Instant } from "../../../kernel/clock.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { listEntriesOf, type PurchaseEntry } from "../../purchases/buying/legacy-queries.ts";
import type { Channel, Purchase } from "../../purchases/purchase.ts";
import { listByReference } from "../../request-log/list.ts";
import type { LoggedRequest } from "../../request-log/logged-request.ts";
import { type EndedAttempt, listAttempts } from "../../resolution/incident-queries.ts";
import { findWaiting, type Waiting } from "../../resolution/review/review-queries.ts";
import type { DeliveryId, EventName } from "../../webhooks/events/event.ts";
import {
  type DueWebhook,
  listTriesOf,
  listWebhooksOfPurchase,
  type WebhookTry,
} from "../../webhooks/events/purchase-webhook-queries.ts";

/** One step of a purchase as its merchant may see it: no supplier's name, no supplier's words. */
export interface MerchantStep {
  /** Null for what is still to come and has no time. */
  readonly at: Instant | null;
  readonly state: "done" | "waiting" | "failed";
  readonly title: string;
  readonly detail: string | null;
  /** What a step of the wallet moved, and the balances around it. */
  readonly moved?: { readonly amount: Kobo; readonly before: Kobo; readonly after: Kobo };
  /** What a step of a webhook tried to deliver, and where. */
  readonly delivery?: { readonly id: DeliveryId; readonly event: EventName; readonly url: string };
}

/** Reads all that happened to a purchase, as its merchant may see it, in the order of its causes. */
export async function readMerchantTimeline(database: Queryable, purchase: Purchase): Promise<readonly MerchantStep[]> {
  const steps = await readHistory(database, purchase);
  return steps.flatMap((step) => {
    const words = wordsOf(step, purchase);
    return words === null ? [] : [{ ...words, at: step.at }];
  });
}

type Words = Omit<MerchantStep, "at">;

function wordsOf(step: Step, { channel }: Purchase): Words | null {
  switch (step.kind) {
    case "request":
      return step.of === null ? { state: "done", title: bought[channel], detail: null } : requestWords(step.of, step);
    case "wallet":
      return entryWords(step.of);
    case "attempt":
      return attemptWords(step.of);
    case "end":
      return endWords(step.of);
    case "event":
      return null;
    case "try":
      return tryWords(step.of);
    case "due":
      return { state: "waiting", title: `Next try of webhook ${step.of.event}`, detail: null };
    case "next":
      return nextWords(step.of);
  }
}

const bought: Readonly<Record<Channel, string>> = {
  api: "Bought with the API",
  dashboard: "Bought in the console",
  bulk: "Bought in a bulk order",
  legacy: "Bought with the older API",
};

function requestWords(of: LoggedRequest, { isOrigin }: { readonly isOrigin: boolean }): Words {
  const { status, code: problem, address, method, path, durationMs } = of;
  const isRefused = (status ?? 0) >= 400 && status !== 422;
  const code = problem === null ? "" : ` ${problem}`;
  const answer = status === null ? "closed before our answer" : `${status}${code}`;
  return {
    state: isRefused ? "failed" : "done",
    title: isOrigin ? "Request received" : method === "GET" ? "You asked for the result" : "Request received again",
    detail: `${method} ${path}${address === null ? "" : ` from ${address}`}: ${answer} after ${durationMs} ms`,
  };
}

function entryWords({ kind, delta, balanceAfter }: PurchaseEntry): Words {
  const titles = { purchase: "Wallet charged", refund: "Refunded to your wallet", reversal: "Refunded later" };
  const title = { ...titles, goodwill: "Refunded as goodwill" }[kind];
  const amount = (delta < 0n ? -delta : delta) as Kobo;
  return {
    state: "done",
    title,
    detail: null,
    moved: { amount, before: subtract(balanceAfter, delta), after: balanceAfter },
  };
}

function attemptWords({ attempt, verdict }: EndedAttempt): Words {
  const isVended = verdict === "vended";
  const title = isVended ? "Supplier delivered" : "Supplier declined";
  return { state: isVended ? "done" : "failed", title, detail: attempt === 1 ? null : `Attempt ${attempt}` };
}

function endWords({ status, errorCode }: Purchase): Words {
  const isGood = status === "successful";
  return { state: isGood ? "done" : "failed", title: isGood ? "Delivered" : "Failed", detail: errorCode };
}

function tryWords({ id, event, url, attempt, httpStatus, error, durationMs }: WebhookTry): Words {
  const isTaken = error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const answer = error ?? `Your server answered ${httpStatus}`;
  return {
    state: isTaken ? "done" : "failed",
    title: isTaken ? "Webhook delivered" : "Webhook failed",
    detail: `${answer} after ${durationMs} ms${attempt === 1 ? "" : `, attempt ${attempt}`}`,
    delivery: { id, event, url },
  };
}

/** What happens next to a pending purchase. */
function nextWords({ step, tries }: Waiting): Words {
  if (step === "review") {
    const detail = "The supplier hasn’t said whether this was delivered. A person is checking.";
    return { state: "waiting", title: "In review", detail };
  }
  const detail = tries === 0 ? null : `Asked ${tries} ${tries === 1 ? "time" : "times"} so far`;
  return { state: "waiting", title: "We ask the supplier for the result", detail };
}

type Happening =
  /** The one that made the purchase, which may not be in the log, and those that asked for it. */
  | { readonly kind: "request"; readonly of: LoggedRequest | null; readonly isOrigin: boolean }
  | { readonly kind: "wallet"; readonly of: PurchaseEntry }
  | { readonly kind: "attempt"; readonly of: EndedAttempt }
  | { readonly kind: "end"; readonly of: Purchase }
  /** The event was stored for the endpoint. */
  | { readonly kind: "event"; readonly of: DueWebhook }
  | { readonly kind: "try"; readonly of: WebhookTry }
  /** The event's next attempt. */
  | { readonly kind: "due"; readonly of: DueWebhook }
  /** How a pending purchase waits. */
  | { readonly kind: "next"; readonly of: Waiting };

/** Something that happened to a purchase. Null: still to come, and nobody knows when. */
export type Step = { readonly at: Instant | null } & Happening;

/**
 * Reads what happened to a purchase in the order of its causes: requests, charge, attempts, end, money given back,
 * webhooks, and what is still to come. A step's time is never before that of its cause: the events of one commit carry
 * the process's clock and the database's, of which either may be behind. Reads by key alone.
 */
export async function readHistory(database: Queryable, purchase: Purchase): Promise<readonly Step[]> {
  const { wallet, id, reference, purchasedAt, completedAt } = purchase;
  const [requests, entries, attempts, waiting, webhooks] = await Promise.all([
    listByReference(database, wallet, reference),
    listEntriesOf(database, purchase),
    listAttempts(database, wallet, id),
    findWaiting(database, purchase),
    listWebhooksOfPurchase(database, wallet, id),
  ]);
  const tries = webhooks.length === 0 ? [] : await listTriesOf(database, wallet, webhooks);
  const bought = requests.find(({ method, purchaseId }) => method === "POST" && purchaseId === id) ?? null;
  const [charges, returns] = [entries.filter(isCharge), entries.filter((entry) => !isCharge(entry))];

  let latest = Math.min(purchasedAt, bought === null ? purchasedAt : cameAt(bought));
  const after = (at: Instant): Instant => {
    latest = Math.max(latest, at);
    return latest;
  };
  const begun = latest;
  const steps: Step[] = [{ at: begun, kind: "request", of: bought, isOrigin: true }];
  for (const of of charges) steps.push({ at: after(of.at), kind: "wallet", of });
  for (const of of attempts) steps.push({ at: after(of.endedAt), kind: "attempt", of });
  if (completedAt !== null) steps.push({ at: after(completedAt), kind: "end", of: purchase });
  const ended = latest;
  for (const of of returns) steps.push({ at: Math.max(ended, of.at), kind: "wallet", of });
  for (const of of webhooks) steps.push({ at: Math.max(ended, of.enqueuedAt), kind: "event", of });
  for (const of of tries) steps.push({ at: Math.max(ended, of.at), kind: "try", of });
  for (const of of webhooks) if (of.nextAttemptAt !== null) steps.push({ at: of.nextAttemptAt, kind: "due", of });
  for (const of of requests) if (of !== bought) steps.push({ at: cameAt(of), kind: "request", of, isOrigin: false });
  if (waiting !== null) {
    const at = waiting.step === "review" ? null : after(waiting.dueAt);
    steps.push({ at, kind: "next", of: waiting });
  }
  return inOrder(steps);
}

/** By time; what has the same one stays in the order that it is given in, and what has none comes last. */
export function inOrder<Timed extends { readonly at: Instant | null }>(steps: readonly Timed[]): Timed[] {
  const place = ({ at }: Timed) => at ?? Number.MAX_SAFE_INTEGER;
  return steps.toSorted((one, other) => place(one) - place(other));
}

function isCharge({ kind }: PurchaseEntry): boolean {
  return kind === "purchase";
}

function cameAt({ at, durationMs }: LoggedRequest): Instant {
  return at - durationMs;
}
