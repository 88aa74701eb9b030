import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { documentationPages, openKeyedDocuments } from "../http/docs/pages.tsx";
import { beneficiaryRoutes } from "../http/merchant/beneficiaries.ts";
import { billerRoutes } from "../http/merchant/billers.ts";
import { bulkRoutes } from "../http/merchant/bulk/bulk.ts";
import { eventRoutes } from "../http/merchant/events.ts";
import { fundingAccountRoutes } from "../http/merchant/funding-accounts.ts";
import { purchaseRoutes } from "../http/merchant/purchases.ts";
import { transactionRoutes } from "../http/merchant/transactions.ts";
import { verificationRoutes } from "../http/merchant/verification.ts";
import { walletRoutes } from "../http/merchant/wallet.ts";
import { walletStatementRoutes } from "../http/merchant/wallet-statement.ts";
import { webhookRoutes } from "../http/merchant/webhook/webhook.ts";
import { webhookDeliveryRoutes } from "../http/merchant/webhook/webhook-deliveries.ts";
import { webhookEndpointRoutes } from "../http/merchant/webhook/webhook-endpoints.ts";
import { type HttpServices, openHttp, probeRoutes } from "../http/open-http.ts";
import { describeRoutes } from "../http/openapi/document.ts";
import { authenticateRequests } from "../http/plugins/authenticate.ts";
import { refuseUnknownPaths, sendRefusal } from "../http/plugins/errors.ts";
import { callbackRoutes, paymentEventRoutes } from "../http/supplier/callback.ts";
import { openTryIt } from "../http/try-it/try-it.ts";
import { refuse } from "../kernel/problems.ts";
import { isLegacyUrl, sendLegacyRefusal } from "../legacy/errors.ts";
import { legacyRoutes } from "../legacy/legacy-routes.ts";
import { cameByConnection } from "../platform/address.ts";
import { buildValidator, validatorCompiler } from "../platform/validation/validator.ts";
import type { Services } from "./services/services.ts";

export const merchantPrefix = "/api/v1/merchant";

/**
 * The whole HTTP side, as a table of contents: what every request passes, then every room of routes. `compile` is given
 * by who builds it many times over: its schemas take a tenth of a second.
 */
export async function buildHttp(
  services: HttpServices,
  compile = validatorCompiler(buildValidator()),
): Promise<FastifyInstance> {
  const { app, routes } = openHttp(services, (url) => (isLegacyUrl(url) ? sendLegacyRefusal : sendRefusal));
  if (services.isApiServed === false) refuseApi(app);
  app.setValidatorCompiler(compile);
  await describeRoutes(app);
  probeRoutes(app, services);
  // Before what is legacy below `/api`: this is not.
  await app.register(async (versioned) => refuseUnknownPaths(versioned, routes), { prefix: "/api/v1" });
  await app.register(
    async (merchant) => {
      authenticateRequests(merchant, services);
      // Again, so that a key is asked for, and counted, below this prefix also where there is nothing.
      refuseUnknownPaths(merchant, routes);
      const typed = merchant.withTypeProvider<TypeBoxTypeProvider>();
      walletRoutes(typed, services);
      walletStatementRoutes(typed, services);
      fundingAccountRoutes(typed, services);
      billerRoutes(typed, services);
      verificationRoutes(typed, services);
      purchaseRoutes(typed, services);
      bulkRoutes(typed, services);
      transactionRoutes(typed, services);
      webhookRoutes(typed, services);
      webhookEndpointRoutes(typed, services);
      webhookDeliveryRoutes(typed, services);
      eventRoutes(typed, services);
      beneficiaryRoutes(typed, services);
    },
    { prefix: merchantPrefix },
  );
  await legacyRoutes(app, services, routes);
  await callbackRoutes(app, services);
  await paymentEventRoutes(app, services);
  documentationPages(app, merchantPrefix, services.wayIn);
  app.addHook("preClose", (done) => {
    // No client waits at a server that has never listened.
    if (app.server.listening) services.waiting.stop();
    done();
  });
  return app;
}

/** What programs ask: merchants' old and new, and suppliers'. */
const apiPaths = /^\/(api|supplier-callbacks|funding\/callbacks)\//;

/**
 * Refuses the API's routes, in a process that serves people alone. They stay registered: the documents describe them.
 * Once, at the root, before any route.
 */
function refuseApi(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const message = "This process serves the dashboard alone (ROLE=console): ask one that serves the API.";
    // The dashboard beside it tries the API out without a connection.
    const isRefused = apiPaths.test(request.routeOptions.url ?? "") && cameByConnection(request.raw);
    done(isRefused ? refuse("NOT_FOUND", { message }) : undefined);
  });
}

/** What the console asks of the API beside it, as neither of them knows the other. `app` has all routes of the API. */
export function forConsole(app: FastifyInstance, { visitors }: Pick<Services, "visitors">) {
  return { tryIt: openTryIt(app, visitors), documents: openKeyedDocuments(app) };
}
