import { type Static, Type } from "typebox";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { byProduct, claimNetwork, integerOf } from "../../domain/categories/category.ts";
import { data } from "../../domain/categories/data.ts";
import type { Product } from "../../domain/categories/product.ts";
import { formatNaira } from "../../kernel/money.ts";
import {
  identField,
  mobileNumberField,
  mobileNumberOf,
  networkField,
  networkOf,
  planField,
  portedNumberField,
  portedOf,
} from "./fields.ts";
import type { LegacyPurchases } from "./purchases.ts";

const body = Type.Object({
  network: networkField,
  mobile_number: mobileNumberField,
  plan: planField,
  Ported_number: Type.Optional(portedNumberField),
  ident: Type.Optional(identField),
});

const text = Type.String();

/** `/api/data`: a data plan for a phone number. */
export const legacyData: LegacyPurchases = {
  category: data,
  title: "mobile data",
  body,
  answer: {
    payment_medium: Type.Literal("MAIN WALLET"),
    plan: Type.Integer(),
    plan_type: text,
    duration: text,
    plan_name: text,
  },
  read(request: Static<typeof body>, catalogue) {
    const plan = integerOf(request.plan);
    const ported = portedOf(request.Ported_number);
    const productId = productIdOf(plan, catalogue);
    const phone = mobileNumberOf(request.mobile_number);
    return {
      ...data.read({ product_id: productId, phone, ...(ported ? {} : { ported }) } as never),
      selector: byProduct(productId, [claimNetwork(networkOf(request.network))]),
      details: { plan, ported },
    };
  },
  fieldsOf: (purchase, { product }) => ({
    payment_medium: "MAIN WALLET",
    plan: purchase.details.plan ?? planIdOf(product),
    plan_type: product.planType ?? "",
    duration: product.validity ?? "",
    plan_name: product.plan ?? product.name,
    plan_amount: formatNaira(purchase.total),
  }),
};

/** A plan's number in older systems, or a product's id: ids begin where those numbers end. Unknown ones stay as sent. */
function productIdOf(plan: number, catalogue: CatalogueSnapshot): number {
  return catalogue.findLegacyPlan(plan)?.id ?? plan;
}

/** What these clients know a plan by. */
export function planIdOf(product: Product): number {
  return product.legacyPlanId ?? product.id;
}
