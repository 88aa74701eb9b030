import type { Instant } from "../../../kernel/clock.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { listByReference } from "../../request-log/list.ts";
import type { LoggedRequest } from "../../request-log/logged-request.ts";
import { type EndedAttempt, listAttempts } from "../../resolution/incident-queries.ts";
import { findWaiting, type Waiting } from "../../resolution/review/review-queries.ts";
import {
  type DueWebhook,
  listTriesOf,
  listWebhooksOfPurchase,
  type WebhookTry,
} from "../../webhooks/events/purchase-webhook-queries.ts";
import { listEntriesOf, type PurchaseEntry } from "./search-queries.ts";

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
