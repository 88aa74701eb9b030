import type { FastifyRequest } from "fastify";
import type { Product } from "../categories/product/product.ts";
import type { Buyer, CatalogueSnapshot } from "../domain/catalogue/snapshot.ts";
import type { Reach } from "../domain/suppliers/routing/routing.ts";
import { principalOf } from "./request-context.ts";
import type { RouteServices } from "./services.ts";

/** The catalogue, who looks at it, and what could be sold at this moment in the key's mode. */
export interface CatalogueView {
  readonly snapshot: CatalogueSnapshot;
  readonly buyer: Buyer;
  readonly reach: Reach;
}

/** The catalogue as the request's merchant sees it. */
export async function viewOf(
  services: Pick<RouteServices, "catalogue" | "routing">,
  request: FastifyRequest,
): Promise<CatalogueView> {
  const { catalogue, routing } = services;
  const buyer = principalOf(request);
  const reach = await routing.reach(buyer.mode);
  return { snapshot: await catalogue.current(), buyer, reach };
}

/** Whether a purchase would be accepted now, as far as the catalogue and the suppliers decide it. */
export function isOnSale(product: Product, { reach }: CatalogueView): boolean {
  return product.available && product.biller.status !== "unavailable" && reach.isServed(product);
}
