import { countOne, quietThrottle } from "../../../domain/identity/people/throttle.ts";
import { priceText } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { addRoute, changeRoute, readProductRoutes } from "../../../domain/suppliers/routing/arrange-routes.ts";
import { readCost } from "../../../domain/suppliers/routing/cost-text.ts";
import { fallingCosts, isLower, type TypedCost } from "../../../domain/suppliers/routing/falling-costs.ts";
import type { Cost } from "../../../domain/suppliers/routing/route.ts";
import { costOf } from "../../../domain/suppliers/routing/route-table.ts";
import { assert } from "../../../kernel/assert.ts";
import { dayMs } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refused } from "../../kit/form.ts";
import { matrix, type StaffVisit } from "../access.ts";
import type { TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";

/** A cost that falls, by which prices are judged: a person of the catalogue asks for it, and an admin approves. */
export const costChange: TwoPeople = {
  kind: "lower cost",
  subjects: ({ product, supplier }) => [`route of ${product} to ${supplier}`],
  ask: matrix.change_suppliers.roles,
  approve: ["admin"],
  by: () => ({
    async readFacts(db, { product, supplier }) {
      const { rows } = await readProductRoutes(db, product as ProductId);
      const present = rows.find((row) => row.supplier === supplier);
      return {
        "Cost now": present === undefined ? "no route" : priceText(costOf(present)),
        "Code now": present?.supplierCode ?? null,
      };
    },
    async carryOut(database, { fields: { product, supplier, code, cost: typed, enabled, seen } }) {
      const cost = readCost(String(typed));
      assert(cost !== null, "the cost was read before it was asked for");
      const route = {
        ...{ productId: product as ProductId, supplier: String(supplier), supplierCode: String(code) },
        ...{ cost, enabled: enabled === true },
      };
      await (typeof seen === "string" ? changeRoute(database, { ...route, seen }) : addRoute(database, route));
      return `${route.supplier} takes ${priceText(cost)} for one.`;
    },
  }),
};

/** Whether a person may store a cost alone: one that falls a second time in a day is an admin's too, however little it falls. */
export async function mayLowerAlone(
  { people, database }: OperatorServices,
  visit: StaffVisit,
  route: TypedCost,
  before: Cost | null,
): Promise<boolean> {
  if (visit.staff.role === "admin") return true;
  if ((await fallingCosts(database, [route])).length > 0) return false;
  if (before === null || !isLower(before, route.cost)) return true;
  const once = quietThrottle(`cost lowered at ${route.supplier}`, route.productId, dayMs);
  return (await countOne(database, people.clock, once)) !== null;
}

/** @throws Refusal VALIDATION_ERROR where one of many costs falls and who stores them is no admin */
export async function refuseFalling(
  { database }: OperatorServices,
  visit: StaffVisit,
  routes: readonly TypedCost[],
): Promise<void> {
  if (visit.staff.role === "admin") return;
  const [first, ...more] = await fallingCosts(database, routes);
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const message = `The cost of product ${first.productId}${others} falls by a tenth or more: an admin has to do this.`;
  throw refused(message);
}
