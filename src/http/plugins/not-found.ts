import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Refusal, refuse } from "../../kernel/problems.ts";

/** Which methods the server has for a path. */
export interface RouteTable {
  methodsAt(url: string): readonly string[];
}

/** Notes every route that is registered from now on, below `app` as well. Call it at the root, before any route. */
export function routeTable(app: FastifyInstance): RouteTable {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const route = routes.get(url) ?? { matches: matcherOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });
  return {
    methodsAt(url) {
      // As the router reads it: what cannot be decoded has been taken letter by letter.
      const path = decodeURI(url.split(/[?#]/, 1)[0] ?? url);
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (route.matches.test(path)) for (const method of route.methods) methods.add(method);
      }
      return [...methods].sort();
    },
  };
}

/**
 * Refuses what no route takes before its body is read: no type and no size of a body is worth a word where there is
 * nothing to send it to. Hooks of `onRequest` run before that, so below the authentication a key is asked for first.
 * Once, at the root.
 */
export function refuseBeforeBody(app: FastifyInstance, routes: RouteTable): void {
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    done(request.is404 || isNameMissing(request) ? unknownPath(request, routes) : null);
  });
}

/** The router takes the end of `/transactions/` for a name without characters. */
function isNameMissing({ params }: FastifyRequest): boolean {
  const names = params as Readonly<Record<string, string>>;
  for (const name in names) if (names[name] === "") return true;
  return false;
}

/**
 * Answers what no route took: 405 with `Allow` where the path exists with another method, else 404. Throws into the
 * error handler of `app`, and runs the hooks of `app` before that, also those that `routes` relies on.
 */
export function refuseUnknownPaths(app: FastifyInstance, routes: RouteTable): void {
  app.setNotFoundHandler((request) => {
    throw unknownPath(request, routes);
  });
}

function unknownPath(request: FastifyRequest, routes: RouteTable): Refusal {
  const methods = routes.methodsAt(request.url);
  return methods.length === 0 ? refuse("NOT_FOUND") : refuse("METHOD_NOT_ALLOWED", { allow: methods });
}

/** `/bulk/:reference` → an expression that matches the paths that the router sends there. */
function matcherOf(url: string): RegExp {
  const steps = url.split("/").map((step) => {
    if (step === "*") return ".*";
    return step.startsWith(":") ? "[^/]+" : step.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${steps.join("/")}/?$`);
}
