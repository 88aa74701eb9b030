import { negotiate } from "@fastify/accept-negotiator";
import { cards, forDevelopers, forPrograms, type Place } from "./cards.ts";
import { escapeHtml } from "./html-text.ts";
import { sitePage } from "./site-page.ts";

/** How people get into the dashboard. */
export interface WayIn {
  /** Whether a merchant may sign up by itself. */
  readonly canSignUp: boolean;
}

const forOperators: readonly Place[] = [
  { href: "/healthz", title: "/healthz", about: "Whether this process answers." },
  { href: "/readyz", title: "/readyz", about: "Whether the database answers and purchases are dealt with in time." },
];

/** The page at the root: what this service is, how to get in, and where everything is. @param wayIn null: no dashboard */
export function frontPage(apiPath: string, wayIn: WayIn | null): string {
  const main = `<h1>Dispense API</h1>
<p>This service sells airtime, data, electricity tokens and other digital products to merchants. Programs buy through its
API at <code>${escapeHtml(apiPath)}</code>, with a key. A sandbox key buys with play money.</p>
${waysIn(wayIn)}<h2>For developers</h2>
${cards(forDevelopers)}
<h2>For programs</h2>
${cards([...forPrograms, ...forOperators])}
<p><code>/metrics</code> has figures for Prometheus. It answers on the machine itself, and at addresses that the operator has
named; from elsewhere it is not found.</p>
`;
  return sitePage({ title: "Welcome", part: null, main });
}

function waysIn(wayIn: WayIn | null): string {
  if (wayIn === null) return "<p>The operator of this service makes the keys.</p>\n";
  const { canSignUp } = wayIn;
  const signUp = canSignUp ? ' <a class="way" href="/sign-up">Sign up</a>' : "";
  return `<p class="ways"><a class="way main" href="/log-in">Log in</a>${signUp}</p>
<p>The dashboard has your keys, wallet, transactions and webhooks, and sells by hand.${canSignUp ? "" : " The operator of this service invites you."}</p>
`;
}

/** The same for a program, by paths of this host. */
export function frontJson(apiPath: string) {
  return {
    service: "Dispense API",
    api: apiPath,
    docs: "/docs",
    reference: "/docs/api",
    guides: "/docs/guides",
    errors: "/docs/errors",
    openapi: "/openapi.json",
    health: "/healthz",
    readiness: "/readyz",
  };
}

/** Browsers name HTML first; who takes anything, as curl does, gets JSON. */
export function prefersPage(accept: string | undefined): boolean {
  return negotiate(accept ?? "", ["application/json", "text/html"]) === "text/html";
}
