import type { Product } from "../../../categories/product/product.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { freeTurn } from "../../../platform/work-loop.ts";
import type { ListedAmount } from "../../../providers/contract.ts";
import { readCatalogue } from "../../catalogue/catalogue.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import { change, putRoute } from "../administration.ts";
import { listSuppliers } from "../queries.ts";
import { type LineFault, refuseFaults } from "../route-lists/line-faults.ts";
import type { Cost, Supplier, SupplierRoute } from "../routing/route.ts";
import { catalogueTurn, findingsOf, readOwnRoutes } from "./ask-differences.ts";
import {
  type ChangeKind,
  isOtherValue,
  isSameCost,
  isShrunk,
  isStorableCode,
  type OwnRoute,
  type Shrunk,
} from "./compare.ts";
import { findStoredList, updateDifferences } from "./queries.ts";

/** A difference that the operator accepted, as its file has it. */
export interface AcceptedLine {
  readonly line: number;
  readonly kind: ChangeKind;
  /** Of a changed cost: `off` takes the cost and switches the route off. */
  readonly verdict: "yes" | "off";
  readonly category: string;
  readonly supplierCode: string;
  /** Null where the file names none. */
  readonly productId: ProductId | null;
  /** Of a new route. */
  readonly priority: number;
  /** What the route is to cost; null where the file says none. */
  readonly cost: Cost | null;
  /** What it cost when the file was written. */
  readonly costBefore: Cost | null;
  /** What one unit is worth, as the supplier lists it. */
  readonly face: ListedAmount | null;
}

export interface Accepted {
  readonly added: number;
  readonly repriced: number;
  readonly switchedOff: number;
  /** Lines whose change was there already. */
  readonly already: number;
  /** The routes that were added or got another cost, and are on. */
  readonly routes: readonly PlainRoute[];
}

type PlainRoute = Omit<SupplierRoute, "weight">;

/** What a line comes to. */
type Plan =
  | {
      readonly kind: "added" | "repriced" | "switched_off";
      readonly route: PlainRoute;
      readonly enabled: boolean | null;
    }
  | { readonly kind: "already" }
  | { readonly kind: "fault"; readonly sentence: string };

/**
 * Applies the accepted differences, all or none. Safe to repeat: what is there already is left alone, and a route that
 * somebody else changed since the file was written is a fault. The supplier's list is then asked for anew.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR that names every fault by its line (those among them that reading the file
 * found), and where more than half of a category's routes would be switched off as gone, unless that is meant
 */
export function acceptDifferences(
  database: Database,
  given: {
    readonly supplier: string;
    readonly lines: readonly AcceptedLine[];
    readonly faults: readonly LineFault[];
    readonly mayShrink: boolean;
  },
): Promise<Accepted> {
  const { supplier, lines } = given;
  return change(database, async (tx) => {
    const suppliers = await tx.query<Supplier>(listSuppliers);
    if (!suppliers.some(({ name }) => name === supplier)) {
      throw refuse("NOT_FOUND", { message: "There is no such supplier." });
    }
    const routes = await readOwnRoutes(tx, supplier);
    const { findProduct } = await readCatalogue(tx);
    const byProduct = new Map(routes.map((route) => [route.product.id, route]));
    const plans = lines.map((line) => {
      const product = line.productId === null ? null : findProduct(line.productId);
      return planOf({
        line,
        product,
        supplier,
        present: product === null ? null : (byProduct.get(product.id) ?? null),
      });
    });
    refuseFaults([...given.faults, ...findRepeated(lines), ...faultsAmong(plans, lines)]);
    if (!given.mayShrink) refuseShrinking(lines, plans, routes);
    for (const plan of plans) if ("route" in plan) await putRoute(tx, plan.route, plan.enabled);
    await strike(tx, supplier, lines);
    await freeTurn(tx, catalogueTurn(supplier), 0);
    return summaryOf(plans, byProduct);
  });
}

/** Takes what was accepted out of the differences that are kept. */
async function strike(tx: Tx, supplier: string, lines: readonly AcceptedLine[]): Promise<void> {
  const kept = await findStoredList(tx, supplier);
  if (kept === null || kept.differences === null) return;
  const accepted = new Set(lines.map(({ kind, category, supplierCode }) => `${kind} ${category} ${supplierCode}`));
  const left = kept.differences.filter((row) => !accepted.has(`${row.change} ${row.category} ${row.supplier_code}`));
  const counts = { ...kept.counts };
  for (const { change: kind } of kept.differences) counts[kind] -= 1;
  for (const { change: kind } of left) counts[kind] += 1;
  await tx.query(updateDifferences, findingsOf(supplier, counts, left));
}

interface Planning {
  readonly line: AcceptedLine;
  readonly product: Product | null;
  readonly supplier: string;
  /** The supplier's route of the product. */
  readonly present: OwnRoute | null;
}

function planOf(planning: Planning): Plan {
  const { line, product } = planning;
  if (line.productId === null) return fault("product_id must say which product of ours it is.");
  if (product === null) return fault(`There is no product ${line.productId}.`);
  if (product.biller.category !== line.category) {
    return fault(`Product ${product.id} is ${product.biller.category}, and the supplier lists ${line.category}.`);
  }
  return line.kind === "new" ? planNew(planning, product) : planChange(planning);
}

function planNew({ line, supplier, present }: Planning, product: Product): Plan {
  const { supplierCode, cost, priority, face } = line;
  if (!isStorableCode(supplierCode)) return fault("supplier_code must have 1 to 200 characters.");
  if (cost === null) return fault("The list says no cost: say in cost_new what the supplier takes.");
  if (isOtherValue(face, product)) return fault(`Product ${product.id} is worth something else than is listed.`);
  if (present === null) {
    return { kind: "added", enabled: null, route: { productId: product.id, supplier, supplierCode, cost, priority } };
  }
  if (present.supplierCode === supplierCode && isSameCost(present.cost, cost)) return { kind: "already" };
  return fault(`Product ${product.id} goes to ${supplier} already, under the code ${present.supplierCode}.`);
}

function planChange({ line, present }: Planning): Plan {
  const switchesOff = line.kind === "gone" || line.kind === "value_changed";
  if (present === null) return switchesOff ? { kind: "already" } : fault("There is no such route any more.");
  if (present.supplierCode !== line.supplierCode) {
    return fault(`The route has the code ${present.supplierCode} by now.`);
  }
  if (switchesOff) return present.enabled ? switchedOff(present, present.cost) : { kind: "already" };
  const { cost, costBefore } = line;
  if (cost === null || costBefore === null) return fault("cost_old and cost_new must stand as they were written.");
  const isThere = isSameCost(present.cost, cost);
  if (!isThere && !isSameCost(present.cost, costBefore)) {
    return fault("The route has another cost by now: ask for the list again.");
  }
  if (line.verdict === "off" && present.enabled) return switchedOff(present, cost);
  return isThere ? { kind: "already" } : { kind: "repriced", enabled: null, route: plain(present, cost) };
}

function fault(sentence: string): Plan {
  return { kind: "fault", sentence };
}

function switchedOff(route: OwnRoute, cost: Cost): Plan {
  return { kind: "switched_off", enabled: false, route: plain(route, cost) };
}

function plain({ product, supplier, supplierCode, priority }: OwnRoute, cost: Cost): PlainRoute {
  return { productId: product.id, supplier, supplierCode, cost, priority };
}

function faultsAmong(plans: readonly Plan[], lines: readonly AcceptedLine[]): LineFault[] {
  return lines.flatMap(({ line }, index) => {
    const plan = plans[index];
    return plan?.kind === "fault" ? { line, sentence: `Line ${line}: ${plan.sentence}` } : [];
  });
}

/** A product has one route to a supplier, so two lines of one product contradict each other. */
function* findRepeated(lines: readonly AcceptedLine[]): Generator<LineFault> {
  const seen = new Map<ProductId, number>();
  for (const { productId, line } of lines) {
    if (productId === null) continue;
    const before = seen.get(productId);
    if (before === undefined) seen.set(productId, line);
    else yield { line, sentence: `Product ${productId} is accepted in line ${before} and in line ${line}.` };
  }
}

function refuseShrinking(lines: readonly AcceptedLine[], plans: readonly Plan[], routes: readonly OwnRoute[]): void {
  const gone = lines.filter(({ kind }, index) => kind === "gone" && plans[index]?.kind === "switched_off");
  const on = routes.filter(({ enabled }) => enabled);
  for (const [category, away] of grouped(gone, (line) => line.category)) {
    const all = on.filter(({ product }) => product.biller.category === category).length;
    const shrunk: Shrunk = { category, gone: away.length, routes: all };
    if (!isShrunk(shrunk)) continue;
    const message = `${away.length} of the ${all} routes of ${category} would be switched off as gone: was the list cut short? If it is meant, tick “Many may be gone”, or give --many-gone. No route was set.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
}

function summaryOf(plans: readonly Plan[], before: ReadonlyMap<ProductId, OwnRoute>): Accepted {
  const count = (kind: Plan["kind"]) => plans.filter((plan) => plan.kind === kind).length;
  return {
    added: count("added"),
    repriced: count("repriced"),
    switchedOff: count("switched_off"),
    already: count("already"),
    routes: plans.flatMap((plan) =>
      plan.kind === "added" || (plan.kind === "repriced" && before.get(plan.route.productId)?.enabled)
        ? plan.route
        : [],
    ),
  };
}
