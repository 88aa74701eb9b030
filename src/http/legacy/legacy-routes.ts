import type { FastifyInstance } from "fastify";
import type { BodyReader } from "../body-reader.ts";
import type { Authentication } from "../plugins/authenticate.ts";
import type { FaultLog } from "../plugins/errors.ts";
import { type RouteTable, refuseUnknownPaths } from "../plugins/not-found.ts";
import { legacyData } from "./data.ts";
import { openLegacyEndpoint } from "./endpoint.ts";
import { renderLegacyErrors } from "./errors.ts";
import { type LegacyPurchaseServices, legacyPurchaseRoutes } from "./purchases.ts";
import { legacyTopup } from "./topup.ts";
import { type LegacyUserServices, legacyUserRoutes } from "./user.ts";

export type LegacyServices = Authentication &
  LegacyPurchaseServices &
  LegacyUserServices & { readonly log: FaultLog; readonly bodyReader: BodyReader };

/**
 * The three endpoints that older clients know, at the host's root: their form over the merchant API's own functions. Of
 * what else older services have below `/api` these clients are told in their own form that it is not here.
 */
export async function legacyRoutes(app: FastifyInstance, services: LegacyServices, routes: RouteTable): Promise<void> {
  const endpoints = [
    {
      prefix: "/api/data",
      successor: "/api/v1/merchant/data/purchase",
      aliases: legacyData.aliases,
      add: (legacy: FastifyInstance) => legacyPurchaseRoutes(legacy, services, legacyData),
    },
    {
      prefix: "/api/topup",
      successor: "/api/v1/merchant/airtime/purchase",
      aliases: legacyTopup.aliases,
      add: (legacy: FastifyInstance) => legacyPurchaseRoutes(legacy, services, legacyTopup),
    },
    {
      prefix: "/api/user",
      successor: "/api/v1/merchant/wallet/balance",
      aliases: {},
      add: (legacy: FastifyInstance) => legacyUserRoutes(legacy, services),
    },
  ];
  app.addHook("preClose", (done) => {
    // Nobody waits at a server that has never listened.
    if (app.server.listening) services.heldAnswers.release();
    done();
  });
  await app.register(
    (legacy, _options, done) => {
      renderLegacyErrors(legacy, services.log);
      refuseUnknownPaths(legacy, routes);
      done();
    },
    { prefix: "/api" },
  );
  for (const { prefix, successor, aliases, add } of endpoints) {
    await app.register(
      (legacy, _options, done) => {
        openLegacyEndpoint(legacy, { services, routes, successor, aliases });
        add(legacy);
        done();
      },
      { prefix },
    );
  }
}
