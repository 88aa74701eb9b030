import { Compile } from "typebox/compile";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { lockWallets } from "../wallet/queries.ts";
import { goodsOf } from "./goods.ts";
import { insertIncident } from "./incident-queries.ts";
import type { FinalOutcome, Purchase } from "./purchase.ts";
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

/**
 * Ends a pending purchase as a person found out, by the door through which every other goes: refund, event and attempt
 * are in one commit, the person's name and evidence among them. Then the incident, for the audit. Whoever holds the
 * purchase's lease finds the door shut. Safe to repeat. @throws Refusal VALIDATION_ERROR, also for goods of another shape
 * than the category hands over; where it has ended already
 */
export async function resolveReview(
  services: { readonly database: Database; readonly catalogue: Catalogue; readonly settle: Settle },
  purchase: Purchase,
  finding: Finding,
): Promise<Purchase> {
  const { outcome, by } = finding;
  const evidence = finding.evidence.trim();
  if (evidence.length < evidenceLengthMin) {
    throw refuseField("VALIDATION_ERROR", "evidence", "Say what it rests on: the supplier's statement, a ticket.");
  }
  if (by.trim() === "" || by.length > byLengthMax) throw refuseField("VALIDATION_ERROR", "by", "Say who you are.");
  if (purchase.status !== "pending") throw hasEnded(purchase);
  if (outcome.status === "successful") await checkGoods(services.catalogue, purchase, outcome.fulfilment);
  const ended = await services.settle(purchase, outcome, { epoch: null, evidence: `${by}: ${evidence}` });
  if (ended.status === "pending") {
    throw refuse("VALIDATION_ERROR", { message: "It was sent on to another supplier meanwhile: look at it again." });
  }
  if (ended.status !== outcome.status) throw hasEnded(ended);
  const { wallet, attempt, supplier } = purchase;
  await services.database.transaction(async (tx) => {
    await lockWallets(tx, [wallet]);
    await insertIncident(tx, purchase, { kind: "review", attempt, supplier, saidBy: by, evidence });
  });
  return ended;
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
