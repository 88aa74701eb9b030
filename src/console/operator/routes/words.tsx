import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import { type RouteFacts, readRouteFacts } from "../../../domain/suppliers/routing/explain-routes.ts";
import type { RouteOrder } from "../../../domain/suppliers/routing/route.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { Status } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

export const routesPath = "/operator/routes";

export function productRoutesPath({ id }: Pick<Product, "id">): string {
  return `${routesPath}/${id}`;
}

/** The product that a page's address names. @throws Refusal NOT_FOUND */
export async function productAt({ catalogue }: OperatorServices, visit: StaffVisit): Promise<Product> {
  const id = (wholeNumber(visit.param("product")) ?? 0) as ProductId;
  const product = (await catalogue.current()).findProduct(id);
  if (product === null) throw refuse("NOT_FOUND");
  return product;
}

/** What the choice of these products' routes depends on, as the processes have stored it. */
export function factsOf(services: OperatorServices, productIds: readonly ProductId[]): Promise<RouteFacts> {
  const { reads, people, wallTime, routing } = services;
  const complaintAbout = async ({ name }: { readonly name: string }) =>
    (await routing.connectorOf(name)) === null ? "this process can’t speak to the supplier: check it" : null;
  return readRouteFacts({ database: reads, clock: people.clock, wallTime, complaintAbout }, productIds);
}

export const orderNames: Readonly<Record<RouteOrder, string>> = {
  priority: "In this order",
  cost: "Cheapest first",
  weight: "By weight",
};

/** Why a route is left out, without the words that say so. */
export function reasonText(why: string): string {
  return why.replace(/^left out: (?:the |its )?/, "");
}

/** The state of a route that is left out: what a person stopped is no alarm. */
export function LeftOut({ why }: { readonly why: string }) {
  if (why.endsWith("the route is off")) return <Status kind="quiet">Route off</Status>;
  return <Status kind={why.endsWith("is disabled") ? "stop" : "bad"}>Left out</Status>;
}

export function OffOffer({ product }: { readonly product: Product }) {
  if (isOnOffer(product)) return null;
  return <Flash kind="note">This product is off offer: sales are refused before a route is looked for.</Flash>;
}
