import { escapeHtml } from "./html-text.ts";

/** A place that a page leads to. */
export interface Place {
  readonly href: string;
  readonly title: string;
  readonly about: string;
}

export function cards(places: readonly Place[]): string {
  const items = places.map(
    ({ href, title, about }) => `<li><a href="${href}">${escapeHtml(title)}</a><p>${escapeHtml(about)}</p></li>`,
  );
  return `<ul class="cards">\n${items.join("\n")}\n</ul>`;
}

/** The parts of the documentation for people, in reading order. */
export const forDevelopers: readonly Place[] = [
  {
    href: "/docs/guides",
    title: "Guides",
    about: "How to sell from a shop, what becomes of a purchase, how to receive webhooks, how to go live.",
  },
  {
    href: "/docs/api",
    title: "Reference",
    about: "Every endpoint, with its fields and answers, to read and to try out with a sandbox key.",
  },
  { href: "/docs/errors", title: "Errors", about: "Every error code: when it comes and what to do." },
  { href: "/docs/examples", title: "Examples", about: "Every endpoint in curl, Node, PHP and Python." },
];

/** The same for programs. */
export const forPrograms: readonly Place[] = [
  { href: "/openapi.json", title: "/openapi.json", about: "The API as an OpenAPI 3.1 document." },
  {
    href: "/docs/dispense.postman_collection.json",
    title: "Postman collection",
    about: "Every endpoint, ready to import.",
  },
  { href: "/llms.txt", title: "/llms.txt", about: "An overview of the documentation for language models." },
];
