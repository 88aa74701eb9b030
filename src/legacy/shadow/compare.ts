import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { comparePlanLists, type Difference } from "./compare-plan-lists.ts";
import type { PredictedAnswer } from "./predicted-answers.ts";
import { chargedOf, type Outcome, outcomeOf, soldOf, wordsOf } from "./read-answer.ts";

export type Comparison =
  | { readonly kind: "same" }
  | { readonly kind: "different"; readonly differences: readonly Difference[] }
  | { readonly kind: "not_compared"; readonly reason: string };

/** What the old deployment answered. */
export interface OldAnswer {
  readonly status: number;
  /** Null: it was no JSON object. */
  readonly json: JsonObject | null;
}

/** What only a supplier, or the old deployment's own books, can answer. */
const incomparable: Readonly<Record<string, string>> = {
  "GET /api/data": "it lists what was sold over there",
  "GET /api/topup": "it lists what was sold over there",
  "GET /api/validateiuc": "a verification asks a supplier",
  "GET /api/validatemeter": "a verification asks a supplier",
};

const planLists: readonly string[] = ["/api/user", "/api/network"];
/** In their answers `plan_amount` is the value that was bought. */
const ofFaceValue: readonly string[] = ["/api/topup"];
/** Nothing is known then, neither that it would be sold nor that it would not. */
const faults: readonly string[] = ["INTERNAL_ERROR", "MAINTENANCE"];

/**
 * Compares what became of a request, what it cost and what was bought. Ids, balances and times differ by nature, and a
 * supplier's word is not predicted: what Dispense would accept is the same as a success and as what is pending.
 */
export function compareAnswers(method: string, old: OldAnswer, here: PredictedAnswer): Comparison {
  const { route, code } = here;
  if (route === null) return notCompared("there is no such path here");
  if (method !== "GET" && method !== "POST") return notCompared("only GET and POST are compared");
  if (route.endsWith("/:id")) return notCompared("it asks for a purchase by the old deployment's number");
  const reason = incomparable[`${method} ${route}`];
  if (reason !== undefined) return notCompared(reason);
  if (code === "UNAUTHORIZED") {
    return old.status === 401 || old.status === 403 ? { kind: "same" } : notCompared("the token is unknown here");
  }
  if (code !== null && faults.includes(code)) return notCompared(`Dispense could not work it out (${code})`);
  if (old.json === null) return notCompared(`the old deployment answered no JSON (HTTP ${old.status})`);
  if (here.isReplay) return notCompared("its reference came before, and here the first purchase is answered again");
  const answers = { route, old: old.json, oldStatus: old.status, here };
  return planLists.includes(route) ? compareReads(answers) : comparePurchases(answers);
}

interface Answers {
  readonly route: string;
  readonly old: JsonObject;
  readonly oldStatus: number;
  readonly here: PredictedAnswer;
}

function comparePurchases({ route, old, oldStatus, here }: Answers): Comparison {
  const outcome = outcomeOf(oldStatus, old);
  if (outcome === null) return notCompared(`the old deployment's answer says no status (HTTP ${oldStatus})`);
  const wasSold = outcome === "success" || outcome === "pending";
  const answer = JSON.parse(here.text) as JsonObject;
  if (here.code !== null) {
    return wasSold ? different([refusedHere(outcome, here, answer)]) : { kind: "same" };
  }
  if (!wasSold) return soldHere(outcome, old);
  const isFaceValue = ofFaceValue.includes(route);
  const [there, ours] = [chargedOf(old, isFaceValue), chargedOf(answer, isFaceValue)];
  const differences: Difference[] = [];
  if (there !== null && ours !== null && there !== ours) {
    differences.push({ kind: "price", old: formatNaira(there), here: formatNaira(ours) });
  }
  const [soldThere, soldHereAs] = [soldOf(route, old), soldOf(route, answer)];
  for (const part of ["network", "biller", "product"] as const) {
    const [one, other] = [soldThere[part], soldHereAs[part]];
    if (one !== undefined && other !== undefined && one !== other) {
      differences.push({ kind: part, old: one, here: other });
    }
  }
  return differences.length === 0 ? { kind: "same" } : different(differences);
}

/** A refusal that says that the network, or what else is numbered, is another one here. */
const aboutNumbers = /^(network|cablename|disco_name|exam_name): /;

function refusedHere(outcome: Outcome, { code }: PredictedAnswer, answer: JsonObject): Difference {
  const words = wordsOf(answer);
  const isNumbering = code === "NETWORK_MISMATCH" || aboutNumbers.test(words);
  const kind = isNumbering ? "network" : `status: ${outcome} → refused ${code}`;
  return { kind, old: outcome, here: `refused ${code}: ${words}` };
}

/** Words by which older scripts refuse for their own wallet. */
const aboutBalance = /insufficient|low balance|wallet balance|not enough|fund your/i;

function soldHere(outcome: Outcome, old: JsonObject): Comparison {
  const words = wordsOf(old);
  if (aboutBalance.test(words)) return notCompared("the old deployment's wallet did not pay for it");
  return different([{ kind: `status: ${outcome} → accepted`, old: `${outcome}: ${words}`, here: "accepted" }]);
}

/** `/api/user` and `/api/network`: the prices of the plans that both have. */
function compareReads({ old, oldStatus, here }: Answers): Comparison {
  if (here.code !== null || oldStatus >= 400) {
    if (here.code !== null && oldStatus >= 400) return { kind: "same" };
    const [there, ours] = [`HTTP ${oldStatus}`, here.code === null ? "answered" : `refused ${here.code}`];
    return different([{ kind: `status: ${there} → ${ours}`, old: `${there} ${wordsOf(old)}`, here: ours }]);
  }
  const differences = comparePlanLists(old, JSON.parse(here.text) as JsonObject);
  if (differences === null) return notCompared("the old deployment's list holds no plans that can be read");
  return differences.length === 0 ? { kind: "same" } : different(differences);
}

function different(differences: readonly Difference[]): Comparison {
  return { kind: "different", differences };
}

function notCompared(reason: string): Comparison {
  return { kind: "not_compared", reason };
}
