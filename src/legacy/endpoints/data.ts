import { type Static, Type } from "typebox";
import { data } from "../../categories/data.ts";
import { integerOf } from "../../categories/fields.ts";
import type { Product } from "../../categories/product/product.ts";
import { byProduct, claimNetwork } from "../../categories/product/selection.ts";
import type { CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import { integer, text } from "../../http/schemas/schemas.ts";
import type { ProductId } from "../../kernel/ids.ts";
import {
  identField,
  mobileNumberField,
  mobileNumberOf,
  networkField,
  networkOf,
  phonePurchaseAliases,
  phonePurchaseAnswer,
  phonePurchaseFields,
  planField,
  portedNumberField,
  portedOf,
} from "../fields.ts";
import type { LegacyPurchases } from "../purchases.ts";
import { legacyTopup } from "./topup.ts";

const body = Type.Object({
  network: networkField,
  mobile_number: mobileNumberField,
  plan: planField,
  Ported_number: Type.Optional(portedNumberField),
  ident: Type.Optional(identField),
});

/** `/api/data`: a data plan for a phone number. */
export const legacyData: LegacyPurchases = {
  category: data,
  operation: {
    noun: "Data",
    summary: "Buy mobile data, as older clients do",
    description: "A data plan by the number that `GET /api/user` lists it under, or by its product_id.",
  },
  body,
  aliases: { ...phonePurchaseAliases, plan: ["data_plan"] },
  examples: {
    "As older clients send it": {
      network: 1,
      mobile_number: "08031234567",
      plan: 1002,
      Ported_number: true,
      ident: "legacy-data-1",
    },
  },
  answer: {
    ...phonePurchaseAnswer,
    payment_medium: Type.Literal("MAIN WALLET"),
    plan: integer(
      { minimum: 1, maximum: 2_147_483_647 },
      "As first sent; of what another door sold, the number that it is listed under.",
      1_002,
    ),
    plan_type: text(40, "What the network calls this kind of plan.", "SME"),
    duration: text(40, "How long it lasts.", "30 days"),
    plan_name: text(150, "The plan.", "1GB"),
  },
  read(request: Static<typeof body>, { catalogue, legacy }) {
    const plan = integerOf(request.plan);
    const ported = portedOf(request.Ported_number);
    const network = networkOf(request.network, legacy.networks.data);
    const product = productOf(plan, catalogue);
    const productId = product?.id ?? plan;
    const phone = mobileNumberOf(request.mobile_number);
    const requested = data.read({ product_id: productId, phone, ...(ported ? {} : { ported }) } as never);
    // The product's own network is left out, so that the intent stays what the merchant API, and an earlier version of
    // this endpoint, made of the same purchase.
    const intent = network === product?.biller.network ? requested.intent : { ...requested.intent, network };
    return {
      ...requested,
      selector: byProduct(productId, [claimNetwork(network)]),
      details: { plan, ported },
      intent,
    };
  },
  fieldsOf: (purchase, soldProduct, { legacy }) => ({
    ...phonePurchaseFields(purchase, soldProduct, legacy.networks.data),
    payment_medium: "MAIN WALLET",
    plan: purchase.details.plan ?? planIdOf(soldProduct.product),
    plan_type: soldProduct.product.planType ?? "",
    duration: soldProduct.product.validity ?? "",
    plan_name: soldProduct.product.plan ?? soldProduct.product.name,
  }),
  // Some clients ask here after whatever they bought.
  alsoFinds: [legacyTopup],
};

/** By its number in older systems, or by its id: ids begin where those numbers end. Null where nothing has either. */
function productOf(plan: number, catalogue: CatalogueSnapshot): Product | null {
  return catalogue.findLegacyPlan(plan) ?? catalogue.findProduct(plan as ProductId);
}

/** The number by which these clients know a plan. */
export function planIdOf(product: Product): number {
  return product.legacyPlanId ?? product.id;
}
