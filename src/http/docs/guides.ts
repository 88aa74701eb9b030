import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../platform/data-directory/data-directory.ts";
import { escapeHtml } from "./html-text.ts";
import { type KeyNotice, takesKey } from "./key-samples.ts";
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

/** The merchants' guides, in reading order. Operators have the repository: their guides are not served. */
export const guides: readonly Guide[] = [
  {
    name: "guides/sell-from-a-shop",
    title: "Sell from your shop",
    about:
      "A whole shop back end in one file: Node, PHP, Python, Go, Java or C#. Time limits, pending, webhooks, refunds.",
  },
  {
    name: "guides/purchase-status",
    title: "What becomes of a purchase",
    about: "What each answer means, how long anything may take, and which time limits a client sets.",
  },
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
    name: "guides/go-live-as-a-merchant",
    title: "Go live as a merchant",
    about: "What to have played through in the sandbox, what to ask the operator, and the first sale.",
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

/** Whole shops, one file in each language, served as they are. */
export const shopFiles = ["shop.mjs", "shop.php", "shop.py", "shop.go", "Shop.java", "Shop.cs"] as const;

const folder = path.join(projectRoot(), "docs");

/** A file below `docs`, as it is. */
export function readDocument(name: string): string {
  return readFileSync(path.join(folder, name), "utf8");
}

export function guidePage({ name, title }: Guide, keyNotice: KeyNotice): string {
  const { html: main, sections }: RenderedMarkdown = renderMarkdown(readDocument(`${name}.md`));
  const path = `/docs/${name}`;
  const notice = takesKey(main) ? keyNotice(path) : "";
  return sitePage({ title, part: "guides", main, notice, siblings: siblings(path), sections });
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
