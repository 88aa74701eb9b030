import type { IncomingMessage } from "node:http";
import { type FastifyInstance, fastify } from "fastify";
import { type AnswerWatch, watchAnswers } from "./answer-watch.ts";
import type { WayIn } from "./docs/pages.tsx";
import { type HealthServices, healthRoutes, type MetricsServices, metricsRoute } from "./health.ts";
import {
  type ConnectionLimits,
  connectionLimits,
  limitConnections,
  timeoutsOf,
} from "./plugins/connections/connection-limits.ts";
import {
  answerUnreadable,
  answerUnroutable,
  prepareRequests,
  type RefusalSender,
  refuseUnreliableHeads,
} from "./plugins/connections/unreadable-requests.ts";
import { refuseBeforeBody, refuseUnknownPaths, renderErrors, routeTable, sendRefusal } from "./plugins/errors.ts";
import { bodyBytesMax, readJsonBodies } from "./plugins/json-reader.ts";
import { addResponseHeaders, decorateRequests } from "./request-context.ts";
import { parameterLengthMax } from "./schemas/schemas.ts";
import type { RouteServices } from "./services.ts";

export type HttpServices = RouteServices &
  MetricsServices &
  HealthServices & {
    /** Without a message for bytes that were no request. */
    readonly requestIdOf: (message?: IncomingMessage) => string;
    readonly answers: AnswerWatch;
    /** The address that the service is known by, without a slash at its end; otherwise as each client reached it. */
    readonly publicUrl?: string | null;
    /** What the page at the root offers people besides the documents; null where there is no console. */
    readonly wayIn?: WayIn | null;
    /** False in a process of the console's own: its documents describe the API, which other processes serve. */
    readonly isApiServed?: boolean;
    /** Served by https where given. */
    readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | null;
    /** Where not the usual ones: the tests are less patient. */
    readonly connectionLimits?: ConnectionLimits;
  };

/** The services behind health checks and metrics, which every process has, with the API or without. */
export type ProbeServices = HealthServices & MetricsServices & Pick<HttpServices, OfEveryServer>;

type OfEveryServer = "log" | "requestIdOf" | "answers" | "tls" | "connectionLimits" | "proxies" | "publicUrl";

/** The HTTP side of a process that only works: whether it is up, whether it keeps up, and its figures. */
export function buildProbes(services: ProbeServices): FastifyInstance {
  const { app } = openHttp(services);
  probeRoutes(app, services);
  return app;
}

/** What monitors ask, in every process. */
export function probeRoutes(app: FastifyInstance, services: ProbeServices): void {
  healthRoutes(app, services);
  metricsRoute(app, services);
}

/** A connection whose handshake takes longer is closed, as one whose request does. */
const tlsRules = { minVersion: "TLSv1.2", handshakeTimeout: 10_000 } as const;

/**
 * The HTTP server with the hooks that every request passes, and its answer where there is no route.
 * @param senderFor the form of a refusal for a URL that no router can read
 */
export function openHttp(
  services: Pick<HttpServices, OfEveryServer>,
  senderFor: (url: string) => RefusalSender = () => sendRefusal,
) {
  const limits = services.connectionLimits ?? connectionLimits;
  const { http, ...patience } = timeoutsOf(limits);
  // Fastify makes the same instance of either; only its type tells them apart.
  const secured = services.tls ? { https: { ...http, ...services.tls, ...tlsRules } } : { http };
  const app = fastify({
    ...patience,
    ...(secured as { http: typeof http }),
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: parameterLengthMax, ignoreTrailingSlash: true },
    genReqId: services.requestIdOf,
    frameworkErrors: answerUnroutable(senderFor, services.answers),
    clientErrorHandler: answerUnreadable(services.requestIdOf, services.answers),
    requestIdHeader: false,
    // The framework believes no header about addresses; `clientAddress` walks the configured proxies.
    trustProxy: false,
    // While the service stops, what comes in on open connections is still answered, as always.
    return503OnClosing: false,
  });
  // Answers are built in one place each and checked against their schemas by the tests, not on every request.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  limitConnections(app, limits, services);
  prepareRequests(app);
  decorateRequests(app, services.publicUrl);
  watchAnswers(app, services.answers);
  const routes = routeTable(app);
  refuseBeforeBody(app, routes);
  addResponseHeaders(app);
  refuseUnreliableHeads(app);
  renderErrors(app, services.log);
  readJsonBodies(app);
  refuseUnknownPaths(app, routes);
  return { app, routes };
}
