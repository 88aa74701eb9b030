import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";

/** What a page without scripts may do. */
export const stillPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The parts of the documentation, as every page's head links to them. */
const parts = {
  reference: { href: "/docs/api", title: "Reference" },
  guides: { href: "/docs/guides", title: "Guides" },
  errors: { href: "/docs/errors", title: "Errors" },
} as const;
export type SitePart = keyof typeof parts;

interface SitePage {
  readonly title: string;
  /** Null: it leads to all of them. */
  readonly part: SitePart | null;
  /** Between head and text. */
  readonly notice?: ComponentChildren;
  /** Loaded before the rest. */
  readonly script?: ComponentChildren;
  readonly body: ComponentChildren;
}

/** A whole page. Every address on it is relative to the host, but for what the text itself links to. */
export function renderSitePage({ title, part: current, notice, script, body }: SitePage): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} - Dispense API</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/pages.css" />
        {script}
      </head>
      <body>
        <header class="head">
          <a class="skip" href="#main">
            Skip to the text
          </a>
          <a class="brand" href="/docs" aria-label="Dispense API">
            <span class="mark">D</span>
            <span class="name">Dispense API</span>
          </a>
          <nav aria-label="Documentation">
            {Object.entries(parts).map(([part, link]) => (
              <PageLink key={part} {...link} isCurrent={part === current} />
            ))}
          </nav>
        </header>
        {notice}
        {body}
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}`;
}

interface Link {
  readonly href: string;
  readonly title: string;
}

function PageLink({ href, title, isCurrent }: Link & { readonly isCurrent: boolean }) {
  return (
    <a href={href} aria-current={isCurrent ? "page" : undefined}>
      {title}
    </a>
  );
}

interface LinksProps {
  readonly label: string;
  readonly links: readonly Link[];
  /** Of these pages the one that is shown, with its own headings. */
  readonly current: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** Where else one can go: the pages beside this one, and the headings of this one. */
export function Links({ label, links, current, sections }: LinksProps) {
  return (
    <nav class="links" aria-label={label}>
      <ul>
        {links.map(({ href, title }) => (
          <li key={href}>
            <PageLink href={href} title={title} isCurrent={href === current} />
            {href === current && sections.length > 1 ? (
              <ul>
                {sections.map(({ id, title: heading }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{heading}</a>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The text of a page. `html` is our own renderer's: what is HTML in a source it shows as text. */
export function Prose({ html }: { readonly html: string }) {
  return <main class="text" id="main" dangerouslySetInnerHTML={{ __html: html }} />;
}
