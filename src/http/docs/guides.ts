import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../platform/project-root.ts";
import { escapeHtml } from "./html-text.ts";
import { type RenderedMarkdown, renderMarkdown } from "./markdown.ts";
import { sitePage } from "./site-page.ts";

/** A text of the repository that is served, as a page and as it is, under `/docs` where it lies below `docs`. */
interface Guide {
  /** Below `docs`, without `.md`. */
  readonly name: string;
  readonly title: string;
  /** One line for lists. */
  readonly about: string;
}

/** What merchants read, in reading order. Operators have the repository: their guides are not served. */
export const guides: readonly Guide[] = [
  {
    name: "guides/receive-webhooks",
    title: "Receiving webhooks",
    about: "Set an address, answer, retries and duplicates, and what to do when your receiver was away.",
  },
  {
    name: "guides/verify-signatures",
    title: "Verify webhook signatures",
    about: "What the key is, which bytes are signed, and the code in Node, PHP, Python, Go, Java and C#.",
  },
  {
    name: "guides/legacy-clients",
    title: "Clients of the older script",
    about: "What stays as it was for clients of the script that many resellers run, and what differs.",
  },
  {
    name: "examples",
    title: "Examples",
    about: "Every endpoint in curl, Node, PHP and Python.",
  },
];

const folder = path.join(projectRoot(), "docs");

/** A file below `docs`, as it is. */
export function readDocument(name: string): string {
  return readFileSync(path.join(folder, name), "utf8");
}

export function guidePage({ name, title }: Guide): string {
  const { html, sections }: RenderedMarkdown = renderMarkdown(readDocument(`${name}.md`));
  return sitePage({ title, part: "guides", main: html, siblings: siblings(`/docs/${name}`), sections });
}

export function guidesPage(): string {
  const items = guides.map(
    ({ name, title, about }) => `<li><a href="/docs/${name}">${escapeHtml(title)}</a><p>${escapeHtml(about)}</p></li>`,
  );
  const main = `<h1>Guides</h1>
<ul class="cards">
${items.join("\n")}
</ul>
`;
  return sitePage({ title: "Guides", part: "guides", main, siblings: siblings("/docs/guides") });
}

function siblings(current: string) {
  const links = guides.map(({ name, title }) => ({ href: `/docs/${name}`, title }));
  return { label: "Guides", links, current };
}
