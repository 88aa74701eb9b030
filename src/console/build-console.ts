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

export type ConsoleServices = Omit<MerchantServices, "reads" | "exportFile" | "format" | "assetUrl"> & {
  readonly log: Logger;
};

/**
 * The consoles, as a table of contents: every page and form of them, each with its line of the access matrix. @returns all
 * routes behind the log-in, for the tests that walk the matrix
 */
export async function buildConsole(app: FastifyInstance, given: ConsoleServices): Promise<readonly MerchantRoute[]> {
  const routes: MerchantRoute[] = [];
  const assets = readAssets();
  const services = { ...given, format: momentFormat(given.timeZone), assetUrl: assets.url };
  const realm = merchantRealm(services);
  const plugin: FastifyPluginAsync = async (console) => {
    await console.register(cookies);
    renderFailures(console, services, realm.home);
    assetRoutes(console, assets, services.people.company);
    await console.register(async (pages) => {
      meetRequests(pages, services, realm);
      readForms(pages);
      merchantConsole(guestRoutes(pages, services), { app: pages, services, realm, routes }, services);
    });
  };
  await app.register(plugin);
  return routes;
}
