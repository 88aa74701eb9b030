import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import type { Product } from "../../categories/product/product.ts";
import { listPage, noFilter } from "../../domain/history/lists/list.ts";
import { soldProductOf } from "../../domain/purchases/purchase.ts";
import { viewOf } from "../../http/catalogue-view.ts";
import { pageField } from "../../http/merchant/list-filters.ts";
import { principalOf, publicUrlOf, walletOf } from "../../http/request-context.ts";
import { integer, nullable } from "../../http/schemas/schemas.ts";
import { pageMax } from "../../kernel/page.ts";
import { forReaders } from "../../platform/database/database.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { legacyRoute } from "../operation.ts";
import { dataPlansOf, plans } from "../plan-lists.ts";
import { type LegacyPurchases, soldKindOf } from "../purchases.ts";
import type { LegacyServices } from "../services.ts";
import { soldAnswer, soldRow } from "../sold.ts";

const perPage = 20;

const query = Type.Object({
  page: Type.Optional(
    pageField({ maximum: pageMax, problem: "INVALID_PAGE", description: `Counts from 1; ${perPage} purchases each.` }),
  ),
});

const pageLink = nullable(
  Type.String({
    maxLength: 400,
    description: "Where the page beside this one is; null where there is none.",
    examples: ["https://pay.example.ng/api/data/?page=2"],
  }),
);

/** Lists what the account bought of the endpoint's category, newest first, as Django REST framework pages a list. */
export function legacyListRoute(
  app: FastifyInstance,
  services: LegacyServices,
  endpoint: LegacyPurchases & { readonly path: string },
): void {
  const { category, operation: words, path, fieldsOf } = endpoint;
  const database = forReaders(services.database);
  legacyRoute(app, {
    method: "GET",
    task: "ask",
    notes: {
      id: `legacyList${words.noun}`,
      summary: `List the last purchases: ${words.noun.toLowerCase()}`,
      description: "Newest first, by whichever door they came, each as its `POST` answers it in its present state.",
      querystring: query,
      responses: {
        200: Type.Object({
          count: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "How many there are in all.", 1),
          next: pageLink,
          previous: pageLink,
          results: Type.Array(soldRow(soldKindOf(endpoint)), { maxItems: perPage }),
        }),
      },
    },
    async handler(request) {
      const page = Number((request.query as Static<typeof query>).page ?? 1);
      const catalogue = await services.catalogue.current();
      const filter = { ...noFilter, productIds: idsOf(catalogue.products, category.slug) };
      const { purchases, meta } = await listPage(database, walletOf(request), filter, { page, perPage }).catch(
        refuseWhenAway,
      );
      const { legacy } = principalOf(request);
      const linkTo = (other: number) => `${publicUrlOf(request)}${path}/?page=${other}`;
      return {
        count: meta.total,
        next: page < meta.last_page ? linkTo(page + 1) : null,
        previous: page > 1 ? linkTo(page - 1) : null,
        results: purchases.map((purchase) => {
          const soldProduct = soldProductOf(catalogue, purchase);
          const own = fieldsOf(purchase, soldProduct, { legacy, delivered: null });
          return soldAnswer(purchase, soldProduct, { own, zone: services.wallTime }).body;
        }),
      };
    },
  });
}

function idsOf(products: readonly Product[], category: string): number[] {
  return products.filter(({ biller }) => biller.category === category).map(({ id }) => id);
}

/** `/api/network`: the data plans of `/api/user` alone, by network. */
export function legacyNetworkRoute(app: FastifyInstance, services: LegacyServices): void {
  legacyRoute(app, {
    method: "GET",
    task: "read",
    notes: {
      id: "legacyGetNetworks",
      summary: "Data plans by network, as older clients read them",
      description: "Every data plan that can be bought now, at this account's price, as `/api/user` lists it.",
      responses: {
        200: Type.Object({ MTN_PLAN: plans, GLO_PLAN: plans, AIRTEL_PLAN: plans, "9MOBILE_PLAN": plans }),
      },
    },
    async handler(request) {
      const view = await viewOf(services, request).catch(refuseWhenAway);
      const of = dataPlansOf(view, principalOf(request).legacy.networks.data);
      return { MTN_PLAN: of("MTN"), GLO_PLAN: of("GLO"), AIRTEL_PLAN: of("AIRTEL"), "9MOBILE_PLAN": of("9MOBILE") };
    },
  });
}
