import type { MerchantRoute } from "../../src/console/merchant/access.ts";
import type { MemberClient, TestConsole } from "./console.ts";

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
export const entrancePages: readonly FoundPage[] = [
  "/sign-up",
  "/log-in",
  "/reset-password",
  "/reset-password?token=ended",
  "/accept-invitation?token=ended",
].map((path) => ({ name: path.replace(/\W+/g, "-").slice(1), route: path, path }));

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
export function routeOf(
  routes: readonly MerchantRoute[],
  { method, path }: { readonly method: "GET" | "POST"; readonly path: string },
): MerchantRoute | null {
  const fits = (route: MerchantRoute) =>
    route.method === method &&
    !route.path.endsWith("*") &&
    new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`).test(path);
  const named = ({ path: each }: MerchantRoute) => each.split(":").length;
  // A fixed path stands before one with names, as the server looks at them.
  return routes.filter(fits).sort((one, other) => named(one) - named(other))[0] ?? null;
}

const linksMax = 2_000;
/** Parameters that make another page of one. */
const reporting = ["open", "product", "biller", "endpoint"];

/**
 * Every page that a member comes to by following links from the overviews, one of each kind; those of a mode in the
 * sandbox, where there is most to see. `unreached` are the pages that no link leads to.
 */
export async function findPages(
  { routes }: TestConsole,
  member: MemberClient,
): Promise<{ readonly pages: readonly FoundPage[]; readonly unreached: readonly string[] }> {
  const found = new Map<string, FoundPage | null>();
  const ahead = new Set([
    "/live/overview",
    "/test/overview",
    "/test/transactions?days=7",
    "/account/members",
    "/account/security",
  ]);
  // A set that grows while it is read is read to its end.
  for (const path of ahead) {
    const kind = kindOf(routes, path);
    if (kind === null || found.has(kind.key)) continue;
    const { status, headers, text } = await member.get(path);
    const isPage = status === 200 && /^text\/html/.test(headers.get("content-type") ?? "");
    found.set(kind.key, isPage ? { name: nameOf(kind.key), route: kind.route, path } : null);
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

function kindOf(routes: readonly MerchantRoute[], path: string): { key: string; route: string } | null {
  const { pathname, searchParams } = new URL(path, "http://console.example");
  const route = routeOf(routes, { method: "GET", path: pathname });
  if (route === null || (route.mode === "live" && pathname !== "/live/overview")) return null;
  const names = [...searchParams.keys()].filter((name) => reporting.includes(name));
  return { key: names.length === 0 ? route.path : `${route.path}?${names.join("-")}`, route: route.path };
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
