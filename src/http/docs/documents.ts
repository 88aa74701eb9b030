import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../platform/data-directory/data-directory.ts";
import type { SitePart } from "./site-page.tsx";

/** How the repository's texts call this service: what is served has the deployment's own address in its place. */
export const writtenAddress = "http://127.0.0.1:8080";

const folder = path.join(projectRoot(), "docs");

/** A file below `docs`, or one that is served as if it lay there: the merchants' SDKs. */
export function readDocument(name: string): Buffer {
  return readFileSync(path.join(name.startsWith("sdk/") ? projectRoot() : folder, name));
}

/** A page of the documentation: Markdown that lies in the repository. */
export interface DocumentPage {
  /** Below `/docs`, and of its file below `docs`, without `.md`; `index` is `/docs` itself. */
  readonly name: string;
  readonly title: string;
  readonly part: SitePart | null;
  readonly text: () => string;
  /** What its relative links count from, where that is not its own address. */
  readonly at?: string;
}

const read = (name: string) => () => readDocument(`${name}.md`).toString();

/** `docs/index.md` leads to everything: people, at `/docs`, and programs, at `/llms.txt`. */
export const index: DocumentPage = { name: "index", title: "Documentation", part: null, text: read("index") };

/** The merchants' guides, as the index lists them. Operators have the repository: their guides are not served. */
export function listGuides(): readonly DocumentPage[] {
  return guideLines().map(({ name, title }) => ({ name, title, part: "guides", text: read(name) }));
}

/** The SDKs' READMEs, and by their folder the examples that they lead to. */
export const sdkExamples = {
  node: ["express.mjs", "fastify.mjs"],
  php: ["laravel.php"],
  python: ["django_receiver.py", "fastapi_receiver.py"],
} as const;
const sdkTitles = { node: "Dispense for Node", php: "Dispense for PHP", python: "Dispense for Python" };

function listSdks(): readonly DocumentPage[] {
  return Object.entries(sdkTitles).map(([language, title]) => {
    const name = `sdk/${language}`;
    return { name, title, part: "guides", text: read(`${name}/README`), at: `/docs/${name}/` };
  });
}

export function listDocuments(): readonly DocumentPage[] {
  const guides = () => ["# Guides\n", ...guideLines().map(({ line }) => line)].join("\n");
  return [
    index,
    { name: "errors", title: "Errors", part: "errors", text: read("errors") },
    { name: "guides", title: "Guides", part: "guides", text: guides },
    ...listGuides(),
    ...listSdks(),
  ];
}

export function addressOf({ name }: DocumentPage): string {
  return name === "index" ? "/docs" : `/docs/${name}`;
}

/** Whole shops, one file in each language. */
export function listShops(): readonly string[] {
  return readdirSync(path.join(folder, "shops"));
}

function guideLines() {
  const lines = index.text().matchAll(/^- \[([^\]]+)\]\(((?:guides\/|examples)[^)]*)\.md\):.*(?:\n {2}.*)*/gm);
  return [...lines].map(([line, title = "", name = ""]) => ({ line, title, name }));
}
