import cookies from "@fastify/cookie";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Logger } from "../platform/telemetry/log.ts";
import { meetRequests } from "./kit/arrival.ts";
import { assetRoutes, readAssets } from "./kit/assets.ts";
import { renderFailures } from "./kit/failures.tsx";
import { readForms } from "./kit/form.ts";
import { guestRoutes } from "./kit/guest.ts";
import { momentFormat } from "./kit/parts/text.tsx";
import type { MerchantRoute } from "./merchant/access.ts";
import { merchantConsole } from "./merchant/merchant-console.ts";
import { merchantRealm } from "./merchant/realm.tsx";
import type { MerchantServices } from "./merchant/services.ts";
import type { OperatorRoute } from "./operator/access.ts";
import { operatorConsole } from "./operator/operator-console.ts";
import { operatorRealm } from "./operator/realm.tsx";
import type { OperatorServices } from "./operator/services.ts";

type Made = "reads" | "openFeed" | "exportFile" | "format" | "assetUrl";

export type ConsoleServices = Omit<MerchantServices, Made> &
  Omit<OperatorServices, Made> & {
    readonly log: Logger;
  };

/** All routes behind each login. */
export interface ConsoleRoutes {
  readonly merchant: readonly MerchantRoute[];
  readonly operator: readonly OperatorRoute[];
}

/**
 * The consoles, as a table of contents: every page and form of them, each with its line of the access matrix. @returns all
 * routes behind the log-in, for the tests that walk the matrix
 */
export async function buildConsole(app: FastifyInstance, given: ConsoleServices): Promise<ConsoleRoutes> {
  const merchantRoutes: MerchantRoute[] = [];
  const operatorRoutes: OperatorRoute[] = [];
  const assets = readAssets();
  const services = { ...given, format: momentFormat(given.timeZone), assetUrl: assets.url };
  const merchants = merchantRealm(services);
  const staff = operatorRealm(services);
  const plugin: FastifyPluginAsync = async (console) => {
    await console.register(cookies);
    renderFailures(console, services, merchants.home);
    assetRoutes(console, assets, services.people.company);
    // Each in a place of its own: its pages know the cookie of its own realm alone.
    await console.register(async (pages) => {
      meetRequests(pages, services, merchants);
      readForms(pages);
      const places = { app: pages, services, realm: merchants, routes: merchantRoutes };
      merchantConsole(guestRoutes(pages, services), places, services);
    });
    await console.register(async (pages) => {
      renderFailures(pages, services, staff.home);
      meetRequests(pages, services, staff);
      readForms(pages);
      operatorConsole(
        guestRoutes(pages, services),
        { app: pages, services, realm: staff, routes: operatorRoutes },
        services,
      );
    });
  };
  await app.register(plugin);
  return { merchant: merchantRoutes, operator: operatorRoutes };
}
