import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { type Network, networks } from "../../kernel/phone.ts";
import { nearestKobo, networkIn, volumeIn } from "./read-answer.ts";

/** A point in which both answers differ. */
export interface Difference {
  /** What differs; for a status with both: `status: success → refused NETWORK_MISMATCH`. */
  readonly kind: string;
  readonly old: string;
  readonly here: string;
}

/** A plan as a list has it. */
interface ListedPlan {
  readonly price: Kobo;
  readonly network: string | null;
  readonly volume: string | null;
}

/** Rows that are looked at in one list, and levels below its top. */
const rowsMax = 20_000;
const depthMax = 5;

/**
 * Compares the lists of plans in two answers, wherever in them they stand: plans that the old deployment sells and we do
 * not, under their number, and those that both have at another price, of another network or volume. Null where the old
 * answer has none.
 */
export function comparePlanLists(old: JsonObject, here: JsonObject): readonly Difference[] | null {
  const [there, ours] = [plansIn(old), plansIn(here)];
  if (there.size === 0) return null;
  const ofPlans = [...there].flatMap(([name, plan]) => differencesOf(name, plan, ours.get(name)));
  return [...ofPlans, ...percentDifferences(old, here)];
}

function differencesOf(name: string, plan: ListedPlan, ours: ListedPlan | undefined): Difference[] {
  if (ours === undefined) return [{ kind: "list: plan is not sold here", old: `${name} listed`, here: "not listed" }];
  const points: readonly (readonly [string, string | null, string | null])[] = [
    ["price", formatNaira(plan.price), formatNaira(ours.price)],
    ["network", plan.network, ours.network],
    ["product", plan.volume, ours.volume],
  ];
  return points
    .filter(([, one, other]) => one !== null && other !== null && one !== other)
    .map(([part, one, other]) => ({ kind: `list: ${part}`, old: `${name} ${one}`, here: `${name} ${other}` }));
}

/** What airtime costs, in percent of its value: `topuppercentage`, of the networks that both name. */
function percentDifferences(old: JsonObject, here: JsonObject): Difference[] {
  return networks.flatMap((network) => {
    const [one, other] = [percentIn(old, network), percentIn(here, network)];
    if (one === null || other === null || one === other) return [];
    const [there, ours] = [`airtime ${network} ${formatNaira(one)}`, `airtime ${network} ${formatNaira(other)}`];
    return [{ kind: "list: airtime percentage", old: there, here: ours }];
  });
}

/** In hundredths of a percent, read as an amount is. */
function percentIn(answer: JsonObject, network: Network): Kobo | null {
  const percentages = answer.topuppercentage as JsonObject | undefined;
  const ofNetwork = percentages?.[network] as JsonObject | undefined;
  return nearestKobo(ofNetwork?.VTU);
}

/** By `plan 7` or `bouquet 4004`: the numbers that clients buy by. */
function plansIn(answer: JsonObject): ReadonlyMap<string, ListedPlan> {
  const plans = new Map<string, ListedPlan>();
  collect(answer, plans, 0);
  return plans;
}

function collect(value: Json | undefined, plans: Map<string, ListedPlan>, depth: number): void {
  if (typeof value !== "object" || value === null || depth > depthMax) return;
  const row = Array.isArray(value) ? null : planOf(value as JsonObject);
  if (row !== null) {
    if (plans.size < rowsMax) plans.set(row.name, row.plan);
    return;
  }
  for (const inner of Object.values(value)) collect(inner as Json, plans, depth + 1);
}

function planOf(row: JsonObject): { readonly name: string; readonly plan: ListedPlan } | null {
  const bouquet = row.cableplan_id;
  const number = bouquet ?? row.dataplan_id;
  const price = nearestKobo(row.plan_amount);
  if ((typeof number !== "string" && typeof number !== "number") || price === null) return null;
  const volume = volumeIn(row.plan);
  return {
    name: `${bouquet == null ? "plan" : "bouquet"} ${number}`,
    plan: { price, network: networkIn(row), volume },
  };
}
