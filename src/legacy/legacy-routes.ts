import type { FastifyInstance } from "fastify";
import { type RouteTable, refuseUnknownPaths } from "../http/plugins/errors.ts";
import { legacyBillpayment } from "./endpoints/billpayment.ts";
import { legacyCablesub } from "./endpoints/cablesub.ts";
import { legacyData } from "./endpoints/data.ts";
import { legacyEpin } from "./endpoints/epin.ts";
import { legacyListRoute, legacyNetworkRoute } from "./endpoints/lists.ts";
import { legacyRechargepin } from "./endpoints/rechargepin.ts";
import { legacyTopup } from "./endpoints/topup.ts";
import { legacyUserRoutes } from "./endpoints/user.ts";
import { legacyValidateIuc, legacyValidateMeter, legacyValidationRoute } from "./endpoints/validations.ts";
import { renderLegacyErrors } from "./errors.ts";
import { openLegacyEndpoint } from "./operation.ts";
import { type LegacyPurchases, legacyPurchaseRoutes } from "./purchases.ts";
import type { Aliases } from "./read-bodies.ts";
import type { LegacyServices } from "./services.ts";

/** A path at the host's root, with all that is below it. */
interface LegacyEndpoint {
  readonly prefix: string;
  /** The endpoint to use instead, below the merchant API's prefix. */
  readonly successor: string;
  readonly aliases?: Aliases;
  readonly add: (legacy: FastifyInstance, services: LegacyServices) => void;
}

/** The endpoints that older clients know, at the host's root: their form over the merchant API's own functions. */
const endpoints: readonly LegacyEndpoint[] = [
  selling("/api/data", "/data/purchase", legacyData, { isListed: true }),
  selling("/api/topup", "/airtime/purchase", legacyTopup, { isListed: true }),
  selling("/api/cablesub", "/cable/purchase", legacyCablesub),
  selling("/api/billpayment", "/electricity/purchase", legacyBillpayment),
  selling("/api/epin", "/education/purchase", legacyEpin),
  selling("/api/rechargepin", "/recharge-pin/purchase", legacyRechargepin),
  {
    prefix: "/api/validateiuc",
    successor: "/cable/verify",
    add: (legacy, services) => legacyValidationRoute(legacy, services, legacyValidateIuc),
  },
  {
    prefix: "/api/validatemeter",
    successor: "/electricity/verify",
    add: (legacy, services) => legacyValidationRoute(legacy, services, legacyValidateMeter),
  },
  { prefix: "/api/network", successor: "/billers", add: legacyNetworkRoute },
  { prefix: "/api/user", successor: "/wallet/balance", add: legacyUserRoutes },
];

function selling(
  prefix: string,
  successor: string,
  purchases: LegacyPurchases,
  { isListed = false }: { readonly isListed?: boolean } = {},
): LegacyEndpoint {
  return {
    prefix,
    successor,
    aliases: purchases.aliases,
    add(legacy, services) {
      legacyPurchaseRoutes(legacy, services, purchases);
      if (isListed) legacyListRoute(legacy, services, { ...purchases, path: prefix });
    },
  };
}

/** Registers the legacy endpoints. Any other path below `/api` is answered "not found" in the legacy form. */
export async function legacyRoutes(app: FastifyInstance, services: LegacyServices, routes: RouteTable): Promise<void> {
  await app.register(
    (legacy, _options, done) => {
      renderLegacyErrors(legacy, services.log);
      refuseUnknownPaths(legacy, routes);
      done();
    },
    { prefix: "/api" },
  );
  for (const { prefix, successor, aliases = {}, add } of endpoints) {
    await app.register(
      (legacy, _options, done) => {
        openLegacyEndpoint(legacy, { routes, services, successor: `/api/v1/merchant${successor}`, aliases });
        add(legacy, services);
        done();
      },
      { prefix },
    );
  }
}
