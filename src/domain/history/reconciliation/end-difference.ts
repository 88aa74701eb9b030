import { assert } from "../../../kernel/assert.ts";
import { kobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { withLastStep } from "../../../platform/database/joined-database.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { creditMerchant } from "../../members/new-merchants/create-merchants.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { updateToReview } from "../../resolution/requery/pending-queries.ts";
import { reverseAsFound } from "../../resolution/reversal.ts";
import { resolveTogether } from "../../resolution/review/resolve-together.ts";
import type { ReviewServices } from "../../resolution/review/review.ts";
import { listSalesByIds, type NamedSale } from "../../resolution/review/review-queries.ts";
import {
  type DifferenceEnd,
  findMovedBy,
  type KeptDifference,
  listDifferencesByIds,
  updateDifferencesEnded,
} from "./difference-queries.ts";

/** What can be done where we were wrong. */
export type Act = NonNullable<DifferenceEnd["act"]>;

/** Acts that move or waive money: a second person approves them, as every difference that is written off. */
export function needsTwo({ endedAs, act }: Pick<DifferenceEnd, "endedAs" | "act">): boolean {
  return endedAs === "written_off" || (endedAs === "ours" && act !== "review");
}

/**
 * What our side can do about a difference, by its sale as it is now: end a pending one as fulfilled, or have a person look;
 * refund one that the supplier never charged; take back what was refunded although the supplier charges it; or take the
 * supplier's amount as right. Only about the attempt that the difference is about.
 */
export function actsFor(
  { kind, attempt, note }: Pick<KeptDifference, "kind" | "attempt" | "note">,
  sale: NamedSale | null,
  products: CatalogueSnapshot,
): readonly Act[] {
  if (kind === "amounts_differ") return ["accept"];
  if (sale === null) return [];
  const { purchase, step } = sale;
  // Whichever attempt it was: the merchant has the money back, and the customer what was bought.
  if (kind === "theirs_only" && purchase.refundedAt !== null && !isRepeated(note)) return ["take_back"];
  if (attempt !== purchase.attempt) return [];
  if (kind === "ours_only") return purchase.status === "successful" && purchase.refundedAt === null ? ["refund"] : [];
  if (purchase.status !== "pending" || isRepeated(note)) return [];
  if (step !== "review" && step !== "requery") return [];
  return soldProductOf(products, purchase).category.byHand === null ? ["fulfil", "review"] : ["review"];
}

/** Charged a second time: the sale itself is right. */
function isRepeated(note: string): boolean {
  return note.includes("charged once more");
}

/** The sale that a difference is about, as it is now; null where it is about none of ours. */
export async function saleOfDifference(db: Database, { purchaseId }: KeptDifference): Promise<NamedSale | null> {
  return purchaseId === null ? null : ((await listSalesByIds(db, [purchaseId]))[0] ?? null);
}

const reasonMin = 10;
const reasonMax = 400;
const caseMax = 60;

/** @throws Refusal with what is missing at its field */
export function checkEnd({
  endedAs,
  reason,
  caseNumber,
}: Pick<DifferenceEnd, "endedAs" | "reason" | "caseNumber">): void {
  if (reason.length < reasonMin || reason.length > reasonMax) {
    throw refuseField("VALIDATION_ERROR", "reason", `Say why in ${reasonMin} to ${reasonMax} characters.`);
  }
  if (endedAs !== "theirs") return;
  if (caseNumber === null || caseNumber.length > caseMax) {
    throw refuseField(
      "VALIDATION_ERROR",
      "case_number",
      `The supplier’s number of the claim, up to ${caseMax} characters.`,
    );
  }
}

/** The differences to be ended, all of them open. @throws Refusal VALIDATION_ERROR where one of them is not */
export async function openDifferences(db: Database, ids: readonly number[]): Promise<readonly KeptDifference[]> {
  const found = await listDifferencesByIds(db, ids);
  const open = found.filter(({ end }) => end === null);
  if (ids.length === 0 || open.length < ids.length) throw endedMeanwhile();
  return open;
}

function endedMeanwhile() {
  return refuse("VALIDATION_ERROR", { message: "Someone ended this difference already. Nothing was changed." });
}

/**
 * Takes differences to their end, with what it moves in the same transaction: all of them or none, each once. An act about a
 * sale is for one difference alone. Locks what the act locks.
 * @throws Refusal VALIDATION_ERROR where one has ended, or its sale is no longer what the act is for
 */
export async function endDifferences(
  services: ReviewServices,
  ids: readonly number[],
  end: DifferenceEnd,
): Promise<void> {
  const { database } = services;
  checkEnd(end);
  const differences = await openDifferences(database, ids);
  const ending = withLastStep(database, async (tx) => {
    if ((await updateDifferencesEnded(tx, ids, end)) < ids.length) throw endedMeanwhile();
  });
  if (end.act === null || end.act === "accept") {
    if (end.act === "accept" && differences.some(({ kind }) => kind !== "amounts_differ")) throw noLonger();
    return ending.transaction(async () => {});
  }
  const [difference] = differences;
  assert(difference !== undefined && ids.length === 1, "an act is about one sale");
  const sale = await saleOfDifference(database, difference);
  const products = await services.catalogue.current();
  if (sale === null || !actsFor(difference, sale, products).includes(end.act)) throw noLonger();
  // Another upload may name the same sale by another amount.
  const before = await findMovedBy(database, sale.purchase.id, end.act);
  if (before !== null) {
    throw refuse("VALIDATION_ERROR", { message: `Difference ${before} did this to the sale already. It’s done once.` });
  }
  await act({ ...services, database: ending }, sale.purchase, { act: end.act, difference, end });
}

function noLonger() {
  return refuse("VALIDATION_ERROR", {
    message: "The sale changed meanwhile, so this can’t be done. Look at it again.",
  });
}

interface Doing {
  readonly act: Exclude<Act, "accept">;
  readonly difference: KeptDifference;
  readonly end: DifferenceEnd;
}

/** Each in one transaction of the services' database. */
async function act(services: ReviewServices, purchase: Purchase, { act: what, difference, end }: Doing): Promise<void> {
  const { database, transactionIds } = services;
  const finding = { by: end.endedBy, evidence: `reconciliation with ${difference.supplier}: ${end.reason}` };
  switch (what) {
    case "fulfil": {
      const outcome = {
        status: "successful",
        providerReference: difference.providerReference,
        fulfilment: null,
      } as const;
      await resolveTogether(services, [{ purchase, outcome, line: null }], finding);
      return;
    }
    case "review":
      return database.transaction(async (tx) => {
        if (!(await updateToReview(tx, purchase))) throw noLonger();
      });
    case "refund":
      return reverseAsFound(services, purchase, finding);
    case "take_back": {
      const reason = `${transactionIds.format(purchase.id, "live")} was delivered after all`;
      const amount = kobo(-purchase.total);
      await creditMerchant({ database }, { merchantId: purchase.wallet.merchantId, mode: "live", amount, reason });
      return;
    }
  }
}
