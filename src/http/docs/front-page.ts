import { negotiate } from "@fastify/accept-negotiator";
import { escapeHtml } from "./html-text.ts";
import { sitePage } from "./site-page.ts";

interface Place {
  readonly href: string;
  readonly title: string;
  readonly about: string;
}

const forDevelopers: readonly Place[] = [
  {
    href: "/docs",
    title: "Reference",
    about: "Every endpoint, with its fields and answers, to read and to try out with a sandbox key.",
  },
  {
    href: "/docs/guides",
    title: "Guides",
    about: "How to sell from a shop, what becomes of a purchase, how to receive webhooks, how to go live.",
  },
  { href: "/docs/errors", title: "Errors", about: "Every error code: when it comes and what to do." },
  { href: "/docs/examples", title: "Examples", about: "Every endpoint in curl, Node, PHP and Python." },
];

const forPrograms: readonly Place[] = [
  { href: "/openapi.json", title: "/openapi.json", about: "The API as an OpenAPI 3.1 document." },
  {
    href: "/docs/dispense.postman_collection.json",
    title: "Postman collection",
    about: "Every endpoint, ready to import.",
  },
  { href: "/llms.txt", title: "/llms.txt", about: "An overview of the documentation for language models." },
  { href: "/healthz", title: "/healthz", about: "Whether this process answers." },
  { href: "/readyz", title: "/readyz", about: "Whether the database answers and purchases are dealt with in time." },
];

/** The page at the root: what this service is, and where everything is. */
export function frontPage(apiPath: string): string {
  const main = `<h1>Dispense API</h1>
<p>This service sells airtime, data, electricity tokens and other digital products to merchants. Programs buy through its
API at <code>${escapeHtml(apiPath)}</code>, with a key that the operator of this service gives them. A sandbox key buys
with play money.</p>
<h2>For developers</h2>
${cards(forDevelopers)}
<h2>For programs</h2>
${cards(forPrograms)}
<p><code>/metrics</code> has figures for Prometheus. It answers on the machine itself, and at addresses that the operator has
named; from elsewhere it is not found.</p>
`;
  return sitePage({ title: "Welcome", part: null, main });
}

function cards(places: readonly Place[]): string {
  const items = places.map(
    ({ href, title, about }) => `<li><a href="${href}">${escapeHtml(title)}</a><p>${escapeHtml(about)}</p></li>`,
  );
  return `<ul class="cards">\n${items.join("\n")}\n</ul>`;
}

/** The same for a program, by paths of this host. */
export function frontJson(apiPath: string) {
  return {
    service: "Dispense API",
    api: apiPath,
    docs: "/docs",
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
