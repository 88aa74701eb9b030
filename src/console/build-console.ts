import cookies from "@fastify/cookie";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Logger } from "../platform/telemetry/log.ts";
import { meetRequests } from "./kit/arrival.ts";
import { assetRoutes } from "./kit/assets.ts";
import { renderFailures } from "./kit/failures.tsx";
import { readForms } from "./kit/form.ts";
import type { GateServices } from "./kit/gate.ts";
import { guestRoutes } from "./kit/guest.ts";
import { accountRoutes, type ConsoleRoute, modeRoutes } from "./kit/routes.ts";
import { entrance } from "./merchant/entrance/entrance.ts";
import { type MerchantPageServices, merchantConsole } from "./merchant/merchant-console.ts";

export type ConsoleServices = GateServices &
  MerchantPageServices & {
    readonly log: Logger;
  };

/**
 * The consoles, as a table of contents: every page and form of them, each with its line of the access matrix. @returns all
 * routes behind the log-in, for the tests that walk the matrix
 */
export async function buildConsole(app: FastifyInstance, services: ConsoleServices): Promise<readonly ConsoleRoute[]> {
  const routes: ConsoleRoute[] = [];
  const plugin: FastifyPluginAsync = async (console) => {
    await console.register(cookies);
    renderFailures(console, services);
    assetRoutes(console, services.people.company);
    await console.register(async (pages) => {
      meetRequests(pages, services);
      readForms(pages);
      entrance(guestRoutes(pages, services), services);
      const places = { services, routes };
      merchantConsole(modeRoutes(pages, places), accountRoutes(pages, places), services);
    });
  };
  await app.register(plugin);
  return routes;
}
