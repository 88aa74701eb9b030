import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { viewOf } from "../../http/catalogue-view.ts";
import { principalOf } from "../../http/request-context.ts";
import type { RouteServices } from "../../http/services.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import { legacyRoute } from "../endpoint.ts";
import { dataPlansOf, plans } from "../plan-lists.ts";

/** `/api/network`: the data plans of `/api/user` alone, by network. */
export function legacyNetworkRoute(app: FastifyInstance, services: RouteServices): void {
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
