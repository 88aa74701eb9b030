import type { FailureCode } from "../../../kernel/failure-codes.ts";
import { type TransactionIds, walletName } from "../../../kernel/ids.ts";
import { batcher } from "../../../platform/database/batcher.ts";
import type { Database } from "../../../platform/database/database.ts";
import { isValueRefused } from "../../../platform/database/database-errors.ts";
import { retryOnConnectionLoss } from "../../../platform/keep-trying.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { persistRetryMs, supplierReferenceOf } from "../../purchases/settle.ts";
import { dispatchDueSeconds } from "../../purchases/vend-request.ts";
import type { Routing } from "../../suppliers/routing/routing.ts";
import { lockWallets } from "../../wallet/queries.ts";
import { type ContradictedAttempt, findContradictedAttempt, insertIncident } from "../incident-queries.ts";
import type { ForeignAnswerServices } from "../late-result.ts";
import type { Declined } from "../verdict.ts";
import { listSuppliersTried, type Rerouting, updateRerouted, updateTakenBack } from "./reroute-queries.ts";

/** The result of trying to reroute a purchase to another supplier. */
export type Rerouted =
  /** The next attempt is recorded, and its supplier was not asked yet. */
  | { readonly kind: "rerouted"; readonly purchase: Purchase }
  /** No supplier is left, none could do better, or the attempt cannot be stored: the decline is final. */
  | { readonly kind: "none_left" }
  /** Somebody else holds the lease. */
  | { readonly kind: "lost" };

/**
 * Begins the next attempt at a purchase whose present one was declined, in a commit of its own. Only for the holder of
 * its lease. `sends`: whether the caller sends it at once, within its lease, or leaves it to a worker. `tried`: who has
 * declined it before, where the caller remembers; else it is read.
 */
type RerouteOne = (
  purchase: Purchase,
  declined: Omit<Declined, "kind">,
  lease: { readonly epoch: number; readonly sends: boolean; readonly tried?: readonly string[] },
) => Promise<Rerouted>;

export type Reroute = RerouteOne & { idle(): Promise<void> };

/** Declines because of the supplier. A decline because of the customer's number would come from the next one, too. */
const suppliersFault: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "PROVIDER_DECLINED",
  "OPERATOR_UNAVAILABLE",
  "OUT_OF_STOCK",
]);

/** A customer waits; past this many suppliers the fault lies elsewhere. */
const attemptsMax = 5;

/** Many in one commit. Locks inflight rows in key order. */
export function openReroute(services: {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly routing: Pick<Routing, "choose">;
  readonly transactionIds: TransactionIds;
}): Reroute {
  const { database, catalogue, routing, transactionIds } = services;
  const send = batcher<Rerouting, boolean>({
    run: (items) => updateRerouted(database, items),
    sizeMax: 128,
    waitingMax: 20_000,
    retryMs: persistRetryMs,
    keyOf: ({ wallet, id }) => `${walletName(wallet)} ${id}`,
  });

  async function choose(purchase: Purchase, supplier: string, declinedBefore?: readonly string[]) {
    const { wallet, id, attempt, reference } = purchase;
    const before = declinedBefore ?? (await listSuppliersTried(database, wallet, id));
    // It was taken back to an attempt that others came after: their numbers, and so our references there, are used.
    if (before.length >= attempt) return null;
    const { product } = soldProductOf(await catalogue.current(), purchase);
    const tried = new Set(before).add(supplier);
    const choice = await routing.choose(product, purchase, { merchantId: wallet.merchantId, reference, tried });
    return choice.kind === "chosen" ? choice : null;
  }

  const reroute: RerouteOne = async (purchase, declined, lease) => {
    const { wallet, id, attempt } = purchase;
    const declinedBy = purchase.supplier;
    if (declinedBy === null || !suppliersFault.has(declined.errorCode)) return { kind: "none_left" };
    if (attempt >= attemptsMax) return { kind: "none_left" };
    const choice = await retryOnConnectionLoss(() => choose(purchase, declinedBy, lease.tried), persistRetryMs);
    if (choice === null) return { kind: "none_left" };
    const { supplier, supplierCode, cost, foreignCost, reason } = choice;
    const sent = send({
      wallet,
      id,
      attempt,
      epoch: lease.epoch,
      supplierReference: supplierReferenceOf(transactionIds, purchase),
      evidence: declined.evidence,
      providerReference: declined.providerReference ?? purchase.providerReference,
      supplier,
      supplierCode,
      cost,
      foreignCost,
      routeReason: reason,
      ...(lease.sends ? { step: "reroute", dueSeconds: dispatchDueSeconds } : { step: "queued", dueSeconds: 0 }),
    });
    const done = await sent.catch((error: unknown) => {
      if (isValueRefused(error)) return null;
      throw error;
    });
    if (done === null) return { kind: "none_left" };
    if (!done) return { kind: "lost" };
    return {
      kind: "rerouted",
      purchase: { ...purchase, attempt: attempt + 1, supplier, supplierCode, providerReference: null },
    };
  };
  return Object.assign(reroute, { idle: () => send.idle() });
}

/** The attempt before the present one whose supplier has taken its no back; null for none. */
export async function findContradicted(
  database: Database,
  { attempt, wallet, id }: Purchase,
): Promise<ContradictedAttempt | null> {
  if (attempt === 1) return null;
  return retryOnConnectionLoss(() => findContradictedAttempt(database, wallet, id), persistRetryMs);
}

/**
 * A supplier that declined may have taken it back since: the next one, which is queued, would vend the same again. Then
 * the purchase goes back to the attempt whose supplier said so, and waits for a person: whatever that person finds out is
 * booked there, at its name and its cost. Only for who claimed the purchase from the queue: nobody was asked to vend the
 * attempt that is given up. What the supplier had said before is kept as an incident. Locks the inflight row, then the
 * wallet. @returns whether it must not be sent
 */
export async function declineWasRetracted(
  services: ForeignAnswerServices,
  purchase: Purchase,
  epoch: number,
): Promise<boolean> {
  const { database, clock, log, transactionIds } = services;
  const { wallet, id, attempt, supplier, purchasedAt } = purchase;
  const contradicted = await findContradicted(database, purchase);
  if (contradicted === null) return false;
  const before = `declined (${contradicted.evidence}), and has said something else since`;
  const revertToAttempt = () =>
    database.transaction(async (tx) => {
      if (!(await updateTakenBack(tx, purchase, { epoch, to: contradicted.attempt, evidence: before }))) return false;
      await lockWallets(tx, [wallet]);
      const incident = {
        kind: "contradiction",
        attempt,
        supplier,
        source: `answer of ${contradicted.supplier}`,
        evidence: `not sent: ${contradicted.supplier} ${before}`,
      } as const;
      await insertIncident(tx, purchase, incident, clock.now());
      return true;
    });
  // Whatever is not held comes due again, and would be asked about as if it had been sent.
  if (await retryOnConnectionLoss(revertToAttempt, persistRetryMs)) {
    const transactionId = transactionIds.format(id, wallet.mode);
    const ageMs = clock.now() - purchasedAt;
    log.warn({ event: "purchase.in_review", transactionId, supplier: contradicted.supplier, ageMs });
  }
  return true;
}
