import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticateRequests } from "../http/plugins/authenticate.ts";
import { type RouteTable, refuseUnknownPaths } from "../http/plugins/errors.ts";
import type { RouteServices } from "../http/services.ts";
import { type LegacyRouteConfig, type LegacyTask, type LegacyWords, renderLegacyErrors } from "./errors.ts";
import { type LegacyNotes, legacyOperation } from "./operation.ts";
import { type Aliases, readLegacyBodies } from "./read-bodies.ts";

/** Structured date of RFC 9745: 2026-01-01, when the merchant API took their place. */
const deprecatedSince = "@1767225600";

export interface LegacyEndpointOptions {
  readonly routes: RouteTable;
  readonly services: RouteServices;
  /** The endpoint to use instead. */
  readonly successor: string;
  /** How else its clients spell its fields. */
  readonly aliases: Aliases;
}

/**
 * Prepares a legacy endpoint, for all below `app`'s prefix: it announces that it is deprecated, asks for a key, reads
 * forms too and answers every error in the form that its clients know.
 */
export function openLegacyEndpoint(app: FastifyInstance, options: LegacyEndpointOptions): void {
  const link = `</docs>; rel="deprecation"; type="text/html", <${options.successor}>; rel="successor-version"`;
  app.addHook("onRequest", (_request, reply, done) => {
    reply.header("deprecation", deprecatedSince).header("link", link);
    done();
  });
  renderLegacyErrors(app, options.services.log);
  authenticateRequests(app, options.services);
  readLegacyBodies(app, options.aliases);
  refuseUnknownPaths(app, options.routes);
}

/** Adds a route. The router takes its trailing slash too, as the clients disagree on it; neither redirects. */
export function legacyRoute(
  app: FastifyInstance,
  route: {
    readonly method: "GET" | "POST";
    /** Below the prefix. */
    readonly path?: "/:id";
    readonly task: LegacyTask;
    readonly words?: LegacyWords | undefined;
    readonly notes: LegacyNotes;
    readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  },
): void {
  const { method, path = "", task, words, notes, handler } = route;
  const config: LegacyRouteConfig = { legacyTask: task, ...(words === undefined ? {} : { legacyWords: words }) };
  app.route({ method, url: path, schema: legacyOperation(notes, task), handler, config: config as object });
}
