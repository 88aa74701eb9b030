import type { FastifyInstance } from "fastify";
import { refuse } from "../../kernel/problems.ts";

/** What programs ask: merchants' old and new, and suppliers'. */
const apiPaths = /^\/(api|supplier-callbacks)\//;

/**
 * Refuses the API's routes, in a process that serves people alone. They stay registered: the documents describe them.
 * Once, at the root, before any route.
 */
export function refuseApi(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const message = "This process serves the dashboard alone (ROLE=console): ask one that serves the API.";
    done(apiPaths.test(request.routeOptions.url ?? "") ? refuse("NOT_FOUND", { message }) : undefined);
  });
}
