import type { ConsoleRoute } from "../../src/console/kit/routes.ts";
import type { ConsoleClient, MemberClient, StaffClient, TestConsole } from "./console.ts";

/** A page as somebody comes to it. */
export interface FoundPage {
  /** For a file's name: `test-transactions-name`. */
  readonly name: string;
  /** As the server knows it: `/test/transactions/:name`. */
  readonly route: string;
  /** With what it takes to see something: `/test/transactions/order-1`. */
  readonly path: string;
}

/** Pages without a log-in. */
export const entrancePages: readonly FoundPage[] = pagesAt([
  "/sign-up",
  "/log-in",
  "/reset-password",
  "/reset-password?token=ended",
  "/accept-invitation?token=ended",
]);

/** Pages of the company's console without a log-in. */
export const operatorEntrancePages: readonly FoundPage[] = pagesAt([
  "/operator/log-in",
  "/operator/reset-password",
  "/operator/reset-password?token=ended",
  "/operator/join?token=ended",
]);

/** Pages by their addresses alone. */
export function pagesAt(paths: readonly string[]): FoundPage[] {
  return paths.map((path) => ({ name: nameOf(path), route: path, path }));
}

/** Forms without a log-in; a test over the server's own list would have to tell them from the API's. */
export const entranceForms: readonly string[] = [
  "/log-in",
  "/log-in/code",
  "/log-in/passkey",
  "/log-in/passkey/options",
  "/log-in/link",
  "/log-out",
  "/sign-up",
  "/verify-email",
  "/change-email",
  "/reset-password",
  "/reset-password/new",
  "/accept-invitation",
];

/** The route that a path leads to; null outside the console. */
export function routeOf<R extends ConsoleRoute>(
  routes: readonly R[],
  { method, path }: { readonly method: "GET" | "POST"; readonly path: string },
): R | null {
  const fits = (route: R) => route.method === method && !route.path.endsWith("*") && formOf(route.path).test(path);
  const named = ({ path: each }: R) => each.split(":").length;
  // A fixed path stands before one with names, as the server looks at them.
  return routes.filter(fits).sort((one, other) => named(one) - named(other))[0] ?? null;
}

const forms = new Map<string, RegExp>();

/** What the paths of a route look like. Made once: a walk asks a million times. */
function formOf(route: string): RegExp {
  const form = forms.get(route) ?? new RegExp(`^${route.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);
  forms.set(route, form);
  return form;
}

const linksMax = 2_000;
/** Parameters that make another page of one. */
const reporting = ["open", "product", "biller", "endpoint"];

interface Found {
  readonly pages: readonly FoundPage[];
  /** The pages that no link leads to. */
  readonly unreached: readonly string[];
}

/**
 * Every page that a member comes to by following links from the overviews, one of each kind; those of a mode in the
 * sandbox, where there is most to see.
 */
export function findPages({ routes }: TestConsole, member: MemberClient): Promise<Found> {
  const starts = [
    "/live/overview",
    "/test/overview",
    "/test/transactions?days=7",
    "/account/members",
    "/account/security",
  ];
  const isLeftOut = ({ mode }: ConsoleRoute, path: string) => mode === "live" && path !== "/live/overview";
  return follow(routes, member, { starts, isLeftOut });
}

/** Every page that a person of the company comes to by following links from Today and the box. */
export function findOperatorPages({ operatorRoutes }: TestConsole, person: StaffClient): Promise<Found> {
  const starts = [
    "/operator/today",
    "/operator/search?q=0803+123+4567",
    "/operator/search?q=nobody",
    "/operator/sales?days=7",
  ];
  return follow(operatorRoutes, person, { starts, isLeftOut: () => false });
}

async function follow(
  routes: readonly ConsoleRoute[],
  client: ConsoleClient,
  walk: {
    readonly starts: readonly string[];
    readonly isLeftOut: (route: ConsoleRoute, path: string) => boolean;
  },
): Promise<Found> {
  const found = new Map<string, FoundPage | null>();
  const ahead = new Set(walk.starts);
  // A set that grows while it is read is read to its end.
  for (const path of ahead) {
    const { pathname, searchParams } = new URL(path, "http://console.example");
    const route = routeOf(routes, { method: "GET", path: pathname });
    if (route === null || walk.isLeftOut(route, pathname)) continue;
    const names = [...searchParams.keys()].filter((name) => reporting.includes(name));
    const key = names.length === 0 ? route.path : `${route.path}?${names.join("-")}`;
    if (found.has(key)) continue;
    const { status, headers, text } = await client.get(path);
    const isPage = status === 200 && /^text\/html/.test(headers.get("content-type") ?? "");
    found.set(key, isPage ? { name: nameOf(key), route: route.path, path } : null);
    for (const link of isPage ? linksIn(text, path) : []) if (ahead.size < linksMax) ahead.add(link);
  }
  const reached = new Set([...found.keys()].map((key) => key.split("?")[0]));
  return {
    pages: [...found.values()].filter((page) => page !== null),
    unreached: routes
      .filter(({ method, mode, path }) => method === "GET" && mode !== "live" && !path.endsWith("*"))
      .map(({ path }) => path)
      .filter((path) => !reached.has(path)),
  };
}

function nameOf(key: string): string {
  return key.replace(/\W+/g, "-").slice(1);
}

function linksIn(text: string, base: string): string[] {
  return [...text.matchAll(/\shref="([^"#]+)"/g)]
    .map(([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), `http://console.example${base}`))
    .filter(({ host }) => host === "console.example")
    .map(({ pathname, search }) => `${pathname}${search}`);
}
