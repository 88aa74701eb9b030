import type { Network } from "../../../kernel/phone.ts";
import type { StartingPart, StartingProduct } from "../starting-product.ts";
import { codeOf, describe, fixed, naira, percent } from "../starting-product.ts";

/** One plan of a network. `legacyPlanId` is what clients of older systems call it. */
type PlanRow = readonly [
  id: number,
  legacyPlanId: number,
  size: string,
  days: number,
  /** The price of a reseller's plan; the face value of a retail plan. */
  nairaAmount: number,
  isSample?: boolean,
];

/** A network's plans of one type, all of them retail or all of them resellers'. */
export interface PlanList {
  readonly planType: string;
  /** The word in their names, where the plan type alone would give them the names of other plans. */
  readonly named?: string;
  /** The word in their codes, where these were shipped under another plan type: suppliers' routes use the codes. */
  readonly coded?: string;
  readonly rows: readonly PlanRow[];
}

/** A network's data plans. Retail plans have a face value and sell at a percentage; resellers' have a price alone. */
export function dataPlans(network: {
  readonly slug: string;
  readonly network: Network;
  readonly name: string;
  readonly retailPercent: number;
  readonly retail: PlanList;
  readonly resellers: readonly PlanList[];
}): StartingPart {
  const biller = `${network.slug}-data`;
  function plan(list: PlanList, row: PlanRow): Omit<StartingProduct, "price"> {
    const { planType, named = planType, coded = planType } = list;
    const [id, legacyPlanId, size, days, , isSample = false] = row;
    const validity = days === 1 ? "1 day" : `${days} days`;
    return {
      id,
      code: codeOf(network.slug, coded, size, `${days}d`),
      biller,
      name: `${network.name} ${size} ${named} (${validity})`,
      plan: size,
      planType,
      validity,
      legacyPlanId,
      description: describe(isSample),
    };
  }
  const retail = network.retail.rows.map((row) => ({
    ...plan(network.retail, row),
    face: naira(row[4]),
    price: percent(network.retailPercent),
  }));
  const resellers = network.resellers.flatMap((list) =>
    list.rows.map((row) => ({ ...plan(list, row), price: fixed(row[4]) })),
  );
  return {
    billers: [
      {
        slug: biller,
        name: `${network.name} Data`,
        category: "data",
        network: network.network,
        customerField: "phone",
        customerLabel: "Phone number",
        supportsBulk: true,
      },
    ],
    products: [...resellers, ...retail],
  };
}
