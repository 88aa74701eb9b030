import { escapeHtml } from "./html-text.ts";
import type { Section } from "./markdown.ts";

/** What a page without scripts may do. */
export const stillPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The parts of the documentation, as every page's head links to them. */
export type SitePart = "reference" | "guides" | "errors";

const parts: readonly { readonly part: SitePart; readonly href: string; readonly title: string }[] = [
  { part: "reference", href: "/docs/api", title: "Reference" },
  { part: "guides", href: "/docs/guides", title: "Guides" },
  { part: "errors", href: "/docs/errors", title: "Errors" },
];

export interface PageLink {
  readonly href: string;
  readonly title: string;
}

export interface SitePage {
  readonly title: string;
  /** Null: it leads to all of them. */
  readonly part: SitePart | null;
  /** HTML. */
  readonly main: string;
  /** Between head and text; HTML. */
  readonly notice?: string;
  /** The pages beside this one. */
  readonly siblings?: { readonly label: string; readonly links: readonly PageLink[]; readonly current: string };
  /** The page's own headings. */
  readonly sections?: readonly Section[];
}

/** A page without a script. Every address on it is relative to the host, but for what the text itself links to. */
export function sitePage(page: SitePage): string {
  const { siblings, sections = [] } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} - Dispense API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
</head>
<body>
${siteHead(page.part)}
${page.notice ?? ""}<div class="columns">
${siblings === undefined ? "" : listOf("siblings", siblings.label, siblings.links, siblings.current)}
${sections.length < 2 ? "" : listOf("contents", "On this page", sections.map(sectionLink), "")}
<main class="text" id="main">
${page.main}</main>
</div>
</body>
</html>
`;
}

/** The same on every page, the reference's too. */
export function siteHead(current: SitePart | null): string {
  const links = parts.map(
    ({ part, href, title }) => `<a href="${href}"${part === current ? ' aria-current="page"' : ""}>${title}</a>`,
  );
  return `<header class="head">
<a class="skip" href="#main">Skip to the text</a>
<a class="brand" href="/docs" aria-label="Dispense API"><span class="mark">D</span><span class="name">Dispense <span class="brand-more">API</span></span></a>
<nav class="parts" aria-label="Documentation">${links.join(" ")}</nav>
</header>`;
}

function sectionLink({ id, title }: Section): PageLink {
  return { href: `#${id}`, title };
}

function listOf(name: string, label: string, links: readonly PageLink[], current: string): string {
  const items = links.map(
    ({ href, title }) =>
      `<li><a href="${escapeHtml(href)}"${href === current ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`,
  );
  return `<nav class="links ${name}" aria-label="${label}"><p>${label}</p><ul>
${items.join("\n")}
</ul></nav>`;
}
