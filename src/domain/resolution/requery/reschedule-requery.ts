import { dayMs, type Instant } from "../../../kernel/clock.ts";
import { batcher } from "../../../platform/database/batcher.ts";
import { isValueRefused } from "../../../platform/database/database-errors.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { persistRetryMs, supplierReferenceOf } from "../../purchases/settle.ts";
import { type ForeignAnswerServices, recordForeignAnswer } from "../late-result.ts";
import { insertUnread, unreadIdentity } from "../review/unread-queries.ts";
import { type Deferral, updatePendingDue } from "./pending-queries.ts";

/** Seconds until the next question, by how many were asked; the last one repeats. */
const waitsSeconds = [5, 10, 20, 40, 80, 300];
/** The fewest questions before a person decides, even a day later: the supplier may have been away all the time. */
const questionsMin = 6;

/** The answer about a pending purchase. */
export interface RequeryAttempt {
  /** The epoch of the lease under which the supplier was asked. */
  readonly epoch: number;
  /** How many times the supplier was asked so far. */
  readonly tries: number;
  readonly answer: Extract<VendOutcome, { readonly kind: "unknown" }>;
}

/**
 * When to ask about a pending purchase again: after 5, 10, 20, 40, 80 s, then every five minutes. A day after it was
 * made it goes to a person, or at once where asking can never tell: tries never run out into a refund.
 */
export function nextRequery(exchange: {
  readonly tries: number;
  readonly ageMs: number;
  readonly askNobody: boolean;
}): {
  readonly step: "requery" | "review";
  readonly dueSeconds: number;
} {
  const { tries, ageMs, askNobody } = exchange;
  const dueSeconds = waitsSeconds[Math.min(tries, waitsSeconds.length - 1)] ?? 300;
  return { step: askNobody || (ageMs >= dayMs && tries >= questionsMin) ? "review" : "requery", dueSeconds };
}

/** Never throws: what gets lost comes due again when the lease that was taken runs out. */
export interface RescheduleRequery {
  /** Records when to ask next, and what the supplier calls the attempt. */
  (purchase: Purchase, exchange: RequeryAttempt): Promise<void>;
  /**
   * Puts a purchase that nobody was asked to vend, or nobody would yet, into the queue. Only for who alone could have sent
   * it: who claimed it there, or the request that made it.
   */
  requeue(purchase: Purchase, unsent: Unsent): Promise<void>;
}

interface Unsent {
  readonly epoch: number;
  /** Why. */
  readonly evidence: string;
}

/** In place of words that the database does not take. */
export const unstorable = "its answer cannot be stored: look the purchase up there";

/** As long as a breaker stays open at first. */
const queuedSeconds = 30;

export function openRescheduleRequery(options: ForeignAnswerServices): RescheduleRequery {
  const ageMsOf = ({ purchasedAt }: Purchase) => options.clock.now() - purchasedAt;
  const send = batcher<Deferral, null>({
    async run(items) {
      // First: whoever is to look at it must find it.
      const unread = items.flatMap((item) => item.unread ?? []);
      if (unread.length > 0) await insertUnread(options.database, unread, options.clock.now());
      await updatePendingDue(options.database, items);
      return items.map(() => null);
    },
    sizeMax: 256,
    waitingMax: 20_000,
    retryMs: persistRetryMs,
  });

  async function record(purchase: Purchase, deferral: Omit<Deferral, "wallet" | "id">): Promise<void> {
    const { wallet, id, supplier } = purchase;
    if (deferral.step === "review") {
      const transactionId = options.transactionIds.format(id, wallet.mode);
      options.log.warn({ event: "purchase.in_review", transactionId, supplier, ageMs: ageMsOf(purchase) });
    }
    try {
      await send({ wallet, id, ...deferral }).catch((error: unknown) => {
        if (!isValueRefused(error)) throw error;
        options.log.error({ event: "purchase.answer_not_stored", purchaseId: String(id) });
        return send({ wallet, id, ...deferral, providerReference: null, evidence: unstorable });
      });
    } catch (error) {
      const { providerReference, evidence } = deferral;
      const supplierReference = supplierReferenceOf(options.transactionIds, purchase);
      options.log.error({
        event: "requery.schedule_failed",
        supplier,
        supplierReference,
        providerReference,
        evidence,
        error: String(error),
      });
    }
  }

  async function rescheduleRequery(purchase: Purchase, { epoch, tries, answer }: RequeryAttempt): Promise<void> {
    const { attempt, supplier } = purchase;
    if (answer.ofAnother !== undefined && supplier !== null) {
      const source = `answer of ${supplier}`;
      // The incident comes first: after a stop in between, the purchase comes due again and the incident is kept again.
      await recordForeignAnswer(options, purchase, { attempt, supplier, source, evidence: answer.evidence });
    }
    const next = nextRequery({ tries, ageMs: ageMsOf(purchase), askNobody: answer.askNobody === true });
    const { evidence, providerReference = null, received = null } = answer;
    const { wallet, id } = purchase;
    const { unread: reported = "", hasVended = false } = answer;
    const isForPerson = next.step === "review";
    const place = unreadIdentity(wallet.merchantId, id);
    const unread =
      reported === "" || supplier === null || !(isForPerson || hasVended)
        ? null
        : { wallet, id, attempt, epoch, supplier, sealed: options.secretBox.seal(reported, place), isForPerson };
    await record(purchase, { epoch, providerReference, evidence, received, unread, ...next });
  }

  return Object.assign(rescheduleRequery, {
    requeue: (purchase: Purchase, unsent: Unsent) =>
      record(purchase, {
        ...unsent,
        step: "queued",
        providerReference: null,
        received: null,
        dueSeconds: queuedSeconds,
      }),
  });
}

/** A live purchase that is not settled in its own request is asked about within seconds, then ever less often. */
function livePendingSeconds(ageMs: number): number {
  if (ageMs < 60_000) return 10;
  return ageMs < 300_000 ? 60 : 300;
}

/**
 * In how many seconds, from 1, a client should look at a pending purchase again. In sandbox that is when it resolves.
 */
export function nextCheckSeconds(purchase: Purchase, now: Instant, sandboxPendingSeconds: number): number {
  if (purchase.wallet.mode === "live") return livePendingSeconds(now - purchase.purchasedAt);
  const dueMs = purchase.purchasedAt + sandboxPendingSeconds * 1_000;
  return Math.max(1, Math.ceil((dueMs - now) / 1_000));
}
