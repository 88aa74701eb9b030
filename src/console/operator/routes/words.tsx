import type { Product } from "../../../categories/product/product.ts";
import { type RouteFacts, readRouteFacts } from "../../../domain/suppliers/routing/explain-routes.ts";
import type { Cost, RouteOrder } from "../../../domain/suppliers/routing/route.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { formatHundredths } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import { Money, Status } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

export const routesPath = "/operator/routes";

export function productRoutesPath({ id }: Pick<Product, "id">): string {
  return `${routesPath}/${id}`;
}

/** The product that a page's address names. @throws Refusal NOT_FOUND */
export async function productAt({ catalogue }: OperatorServices, visit: StaffVisit): Promise<Product> {
  const text = visit.param("product");
  const id = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  const product = (await catalogue.current()).findProduct(id as ProductId);
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

/** What a supplier takes for one unit. */
export function CostText({ cost }: { readonly cost: Cost }) {
  if (cost.kind === "fixed") return <Money amount={cost.kobo} />;
  if (cost.kind === "percent") return <span class="money">{`${Number(cost.basisPoints) / 100}%`}</span>;
  return <span class="money">{`${formatHundredths(cost.hundredths)} ${cost.currency}`}</span>;
}

/** Why a route is left out, without the words that say so. */
export function reasonText(why: string): string {
  return why.replace(/^left out: (?:the |its )?/, "");
}

/** The state of a route that is left out: what a person stopped is no alarm. */
export function LeftOut({ why }: { readonly why: string }) {
  if (why.endsWith("the route is off")) return <Status kind="quiet">Route off</Status>;
  return <Status kind={why.endsWith("is disabled") ? "stop" : "bad"}>Left out</Status>;
}
