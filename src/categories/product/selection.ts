import type { ProductId } from "../../kernel/ids.ts";
import type { Network } from "../../kernel/phone.ts";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";
import type { BillerSelector, Claim, PurchaseIntent } from "../category.ts";
import { integerOf } from "../fields.ts";
import type { Product } from "./product.ts";

/** Selects by id. `claims` are what else the client said of the product; they must hold (`checkClaims`). */
export function byProduct(productId: number | string, claims: readonly Claim[] = []): BillerSelector {
  return { by: "product", productId: integerOf(productId) as ProductId, claims };
}

/** Selects the biller's one product that fits every claim. */
export function byBiller(biller: string, claims: readonly Claim[] = []): BillerSelector {
  return { by: "biller", biller, field: "biller", claims };
}

export function claimBiller(slug: string): Claim {
  return { field: "biller", holds: (product) => product.biller.slug === slug };
}

export function claimNetwork(network: Network): Claim {
  return { field: "network", holds: (product) => product.biller.network === network };
}

/** Refuses a product id that comes with a biller, network or type of another product. @throws Refusal VALIDATION_ERROR */
export function checkClaims(requested: PurchaseIntent, product: Product): void {
  const broken = requested.selector.claims.find((claim) => !claim.holds(product));
  if (broken === undefined) return;
  throw refuseField("VALIDATION_ERROR", broken.field, `Does not fit the product ${product.id}, "${product.name}".`);
}

/**
 * The refusal of a request in which nothing says what to buy. It is told of the product id and of what else is `absent`
 * that could stand for it: a form shows the message beside the field that it asks for.
 */
export function refuseNothingSelected(alternative: string, absent: readonly ("biller" | "network")[]): Refusal {
  const message = `Send product_id, or ${alternative}.`;
  const errors = Object.fromEntries(["product_id", ...absent].map((field) => [field, [message]]));
  return refuse("VALIDATION_ERROR", { message, errors });
}
