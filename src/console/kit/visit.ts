import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../domain/identity/people/sessions.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Flash, Place } from "./session-cookies.ts";
import type { Theme } from "./shell.ts";

/** One request of a person who is logged in, before their realm has let it in. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly place: Place;
  readonly session: Session;
  /** The address without its query, in the one spelling that the router matched: what is decided or logged by it can't be misspelt. */
  readonly path: string;
  /** By the path; null on pages that belong to no mode. */
  readonly mode: Mode | null;
  /** Goes into each form of the page: a form is carried out once. */
  readonly formToken: string;
  /** The client's address as text; "" where it is unreadable. */
  readonly address: string;
  readonly flash: Flash | null;
  readonly theme: Theme;
  /** Query parameters, the first of each name. */
  readonly query: ReadonlyMap<string, string>;
  /** What the path names: `id` of `/beneficiaries/:id`. */
  param(name: string): string;
}

/** The path of the route that took a request, with what stands in its places: `%2e` for a dot or a slash at its end make no other. */
export function pathOf({
  routeOptions: { url = "" },
  params,
}: Pick<FastifyRequest, "routeOptions" | "params">): string {
  const named = params as Readonly<Record<string, string>>;
  return url.replace(/:(\w+)|\*/g, (place, name = "*") =>
    (named[name] ?? place)
      .split("/")
      .map(encodeURIComponent)
      .join(name === "*" ? "/" : "%2F"),
  );
}

/** The address of a route, with what this visit's has in its places. */
export function addressOf(visit: Visit, at: string): string {
  const path = at.replace(/:(\w+)/g, (_, name) => encodeURIComponent(visit.param(name)));
  return visit.mode === null ? path : `/${visit.mode}${path}`;
}

/** The first value of each query parameter. NUL, which PostgreSQL has in no text, is read as a letter that matches nothing. */
export function queryOf(url: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  const from = url.indexOf("?");
  if (from === -1) return query;
  const text = url.slice(from + 1).replaceAll("%00", "%EF%BF%BD");
  for (const [name, value] of new URLSearchParams(text)) if (!query.has(name)) query.set(name, value);
  return query;
}

/** What was typed, for the audit log: of a customer's number or a code its last four digits. */
export function lastDigits(text: string): string {
  return text.replace(/(?<![A-Za-z\d])\d(?: ?\d){6,}/g, (number) => `…${number.replaceAll(" ", "").slice(-4)}`);
}

/** A number that a link of ours names, such as a place in a list; null where there is none. */
export function numberIn({ query }: Pick<Visit, "query">, name: string): bigint | null {
  const text = query.get(name) ?? "";
  return /^[0-9]{1,18}$/.test(text) ? BigInt(text) : null;
}

/** The theme in a cookie; null follows the system. */
export function readTheme(cookie: string | undefined): Theme {
  return cookie === "light" || cookie === "dark" ? cookie : null;
}
