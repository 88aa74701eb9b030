import type { FastifyInstance } from "fastify";
import { refuse } from "../../kernel/problems.ts";
import { cameByConnection } from "../../platform/reached-address.ts";

/** What programs ask: merchants' old and new, and suppliers'. */
const apiPaths = /^\/(api|supplier-callbacks)\//;

/**
 * Refuses the API's routes, in a process that serves people alone. They stay registered: the documents describe them.
 * Once, at the root, before any route.
 */
export function refuseApi(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const message = "This process serves the dashboard alone (ROLE=console): ask one that serves the API.";
    // The dashboard beside it tries the API out without a connection.
    const isRefused = apiPaths.test(request.routeOptions.url ?? "") && cameByConnection(request.raw);
    done(isRefused ? refuse("NOT_FOUND", { message }) : undefined);
  });
}
