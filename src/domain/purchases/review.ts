import { isDeepStrictEqual } from "node:util";
import { Compile } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { lockWallets } from "../wallet/queries.ts";
import { goodsOf } from "./goods.ts";
import { insertIncident, listAttempts, listIncidents } from "./incident-queries.ts";
import type { FinalOutcome, Purchase } from "./purchase.ts";
import { openFulfilment } from "./sealed-fulfilment.ts";
import type { Settle } from "./settle.ts";

/** What a person found out, and how. */
export interface Finding {
  readonly outcome: FinalOutcome;
  /** Who says so. */
  readonly by: string;
  /** What it rests on: the supplier's statement, a ticket, a call. */
  readonly evidence: string;
}

const evidenceLengthMin = 10;
const byLengthMax = 100;

interface ReviewServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly settle: Settle;
  readonly secretBox: SecretBox;
}

/**
 * Ends a pending purchase as a person found out, by the door through which every other goes: refund, event and attempt
 * are in one commit, the person's name and evidence among them. Then the incident, for the audit. Whoever holds the
 * purchase's lease finds the door shut. Safe to repeat: the same finding writes the incident that is missing, and else
 * nothing. @throws Refusal VALIDATION_ERROR, also for goods of another shape than the category hands over; where it has
 * ended already, and not by this finding
 */
export async function resolveReview(services: ReviewServices, purchase: Purchase, given: Finding): Promise<Purchase> {
  const finding = { ...given, evidence: given.evidence.trim() };
  const { outcome, by, evidence } = finding;
  if (evidence.length < evidenceLengthMin) {
    throw refuseField("VALIDATION_ERROR", "evidence", "Say what it rests on: the supplier's statement, a ticket.");
  }
  if (by.trim() === "" || by.length > byLengthMax) throw refuseField("VALIDATION_ERROR", "by", "Say who you are.");
  if (purchase.status !== "pending") {
    if (!(await endedBy(services, purchase, finding))) throw hasEnded(purchase);
    if (!(await isRecorded(services, purchase))) await record(services, purchase, finding);
    return purchase;
  }
  if (outcome.status === "successful") await checkGoods(services.catalogue, purchase, outcome.fulfilment);
  const ended = await services.settle(purchase, outcome, { epoch: null, evidence: wordsOf(finding) });
  if (ended.status === "pending") {
    throw refuse("VALIDATION_ERROR", { message: "It was sent on to another supplier meanwhile: look at it again." });
  }
  if (ended.status !== outcome.status) throw hasEnded(ended);
  await record(services, purchase, finding);
  return ended;
}

/** What the attempt keeps of it. */
function wordsOf({ by, evidence }: Finding): string {
  return `${by}: ${evidence}`;
}

function record({ database }: ReviewServices, purchase: Purchase, { by, evidence }: Finding): Promise<boolean> {
  const { wallet, attempt, supplier } = purchase;
  return database.transaction(async (tx) => {
    await lockWallets(tx, [wallet]);
    return insertIncident(tx, purchase, { kind: "review", attempt, supplier, saidBy: by, evidence });
  });
}

async function isRecorded({ database }: ReviewServices, { wallet, id, attempt }: Purchase): Promise<boolean> {
  const incidents = await listIncidents(database, wallet, id);
  return incidents.some((incident) => incident.kind === "review" && incident.attempt === attempt);
}

/** Whether it was this finding that ended the purchase: the same person, words, outcome and goods. */
async function endedBy(
  { database, secretBox }: ReviewServices,
  purchase: Purchase,
  finding: Finding,
): Promise<boolean> {
  const { outcome } = finding;
  if (outcome.status !== purchase.status) return false;
  if ((outcome.providerReference ?? purchase.providerReference) !== purchase.providerReference) return false;
  const attempts = await listAttempts(database, purchase.wallet, purchase.id);
  const past = attempts.find(({ attempt }) => attempt === purchase.attempt);
  if (past?.evidence !== wordsOf(finding)) return false;
  return outcome.status === "failed"
    ? outcome.errorCode === purchase.errorCode
    : isDeepStrictEqual(openFulfilment(secretBox, purchase), outcome.fulfilment);
}

/** Handing nothing over is a person's to say: the customer may have got it from the supplier. */
async function checkGoods(catalogue: Catalogue, purchase: Purchase, fulfilment: JsonObject | null): Promise<void> {
  const { category } = goodsOf(catalogue.peek() ?? (await catalogue.load()), purchase);
  if (fulfilment === null) return;
  const faults = Compile(category.fulfilment).Errors(fulfilment);
  if (faults.length === 0) return;
  const said = faults.map(({ instancePath, message }) => `${instancePath || "they"} ${message}`);
  const message = `These are no goods of ${category.slug}: ${[...new Set(said)].slice(0, 3).join("; ")}.`;
  throw refuse("VALIDATION_ERROR", { message });
}

function hasEnded({ status }: Purchase) {
  return refuse("VALIDATION_ERROR", { message: `It has ended already: ${status}. A final status never changes.` });
}
