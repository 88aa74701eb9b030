import type { Instant } from "../../../kernel/clock.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import type { LoggedRequest } from "../../request-log/logged-request.ts";
import type { EndedAttempt } from "../../resolution/incident-queries.ts";
import type { Waiting } from "../../resolution/review/review-queries.ts";
import type { DeliveryId } from "../../webhooks/events/event.ts";
import type { WebhookTry } from "../../webhooks/events/purchase-webhook-queries.ts";
import { readHistory, type Step } from "./history.ts";
import type { PurchaseEntry } from "./search-queries.ts";

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
  readonly delivery?: { readonly id: DeliveryId; readonly url: string };
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
      return step.of === null ? { state: "done", title: `Ordered by ${channel}`, detail: null } : requestWords(step.of);
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
      return { state: "waiting", title: `Next try of ${step.of.event}`, detail: null };
    case "next":
      return nextWords(step.of);
  }
}

function requestWords({ status, code: problem, address, method, path, durationMs }: LoggedRequest): Words {
  const isRefused = (status ?? 0) >= 400 && status !== 422;
  const answer = status === null ? "the client left before the answer" : `${status}`;
  const code = problem === null ? "" : ` ${problem}`;
  return {
    state: isRefused ? "failed" : "done",
    title: `${method === "GET" ? "Asked for" : "Request"}${address === null ? "" : ` from ${address}`}`,
    detail: `${method} ${path}, ${answer}${code} in ${durationMs} ms`,
  };
}

function entryWords({ kind, delta, balanceAfter }: PurchaseEntry): Words {
  const title = { purchase: "Wallet charged", refund: "Wallet refunded", reversal: "Refunded later" }[kind];
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
  return { state: isVended ? "done" : "failed", title, detail: `attempt ${attempt}` };
}

function endWords({ status, errorCode }: Purchase): Words {
  const isGood = status === "successful";
  return { state: isGood ? "done" : "failed", title: isGood ? "Successful" : "Failed", detail: errorCode };
}

function tryWords({ id, event, url, attempt, httpStatus, error, durationMs }: WebhookTry): Words {
  const isTaken = error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  const answer = error ?? `${httpStatus} from your server`;
  return {
    state: isTaken ? "done" : "failed",
    title: `Webhook ${event}`,
    detail: `attempt ${attempt}: ${answer} in ${durationMs} ms`,
    delivery: { id, url },
  };
}

/** What happens next to a pending purchase. */
function nextWords({ step, tries }: Waiting): Words {
  if (step === "review") {
    const detail = "The supplier has not said what became of it.";
    return { state: "waiting", title: "A person looks at it", detail };
  }
  const detail = tries === 0 ? null : `asked ${tries} ${tries === 1 ? "time" : "times"} so far`;
  return { state: "waiting", title: "The supplier is asked what became of it", detail };
}
