import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

const documents = [
  ...["README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...listFiles(["docs", "rigs"], [".md"]),
];
const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const exists = (path: string): boolean => existsSync(join(projectRoot, path));
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

const topFolders = "src|tests|docs|migrations|scripts|rigs|deploy";
const floors = "kernel|platform|categories|providers|domain|http|workers|main|cli";

const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** Paths in backticks that lead nowhere: from the project's folder, or from `src/` (`http/build-http.ts`). */
function deadPaths(text: string, present: (path: string) => boolean): string[] {
  return namesIn(text, /`([\w.-]+(?:\/[\w.-]+)+\/?)`/g).filter((path) => {
    if (new RegExp(`^(${topFolders})/`).test(path)) return !present(path);
    return new RegExp(`^(${floors})/`).test(path) && !present(`src/${path}`);
  });
}

/** Files named in backticks without their folder, of which there is none by that name. */
function deadNames(text: string, known: ReadonlySet<string>): string[] {
  return namesIn(text, /`([\w-]+\.(?:ts|sql))`/g).filter((name) => !known.has(name));
}

/** Links to files and headings that are not there. Addresses, also those of the service, are not looked at. */
function deadLinks(text: string, from: string, present: (path: string) => boolean): string[] {
  return namesIn(text, /\]\(([^)\s]+)\)/g).filter((link) => {
    const [file = "", anchor] = link.split("#");
    if (/^([a-z]+:|\/)/.test(file)) return false;
    const path = join(dirname(from), file);
    if (file !== "" && !present(path)) return true;
    return anchor !== undefined && !hasHeading(file === "" ? text : read(path), anchor);
  });
}

/** An anchor is a heading in small letters, without its signs and with dashes for spaces. */
function hasHeading(markdown: string, anchor: string): boolean {
  const headings = namesIn(markdown.toLowerCase(), /^#+ (.*)$/gm);
  return headings.some((heading) => heading.replaceAll(/[^\w -]/g, "").replaceAll(" ", "-") === anchor);
}

/** `npm run …` with a script that package.json does not have. */
const deadScripts = (text: string, known: object): string[] =>
  namesIn(text, /\bnpm run ([a-z][\w:-]*)/g).filter((name) => !(name in known));

describe("what the documents name is there", () => {
  test.each(documents)("every path, link and script in %s exists", (path) => {
    const text = read(path);
    expect([...deadPaths(text, exists), ...deadLinks(text, path, exists), ...deadScripts(text, scripts)]).toEqual([]);
  });

  test.each(documents.slice(0, 4))("every file named in %s exists", (path) => {
    const known = new Set(listFiles(["src", "tests", "migrations"], [".ts", ".sql"]).map((file) => basename(file)));
    expect(deadNames(read(path), known)).toEqual([]);
  });

  test("every program that a script of package.json runs exists", () => {
    const programs = Object.values(scripts).flatMap(
      (line) => line.match(/\b(scripts|src|rigs)\/\S+\.(mjs|ts)\b/g) ?? [],
    );
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((path) => !exists(path))).toEqual([]);
  });

  test("a path, a name, a link and a script that lead nowhere are noticed", () => {
    const nothing = (): boolean => false;
    expect(deadPaths("see `src/kernel/gone.ts` and `http/gone.ts`, not `text/plain`", nothing)).toHaveLength(2);
    expect(deadNames("see `gone.ts`, `here.sql` and `a.json`", new Set(["here.sql"]))).toEqual(["gone.ts"]);
    const links = "# Here\n[a](gone.md) [b](https://example.com) [c](#here) [d](#gone)";
    expect(deadLinks(links, "docs/a.md", nothing)).toEqual(["gone.md", "#gone"]);
    expect(deadLinks("[a](STYLE.md#values) [b](STYLE.md#gone)", "README.md", exists)).toEqual(["STYLE.md#gone"]);
    expect(deadScripts("`npm run gone` and `npm run check`", { check: "" })).toEqual(["gone"]);
  });
});

describe("documents stay short", () => {
  const linesMax = { "README.md": 80, "ARCHITECTURE.md": 150, "STYLE.md": 160, "docs/decisions/": 40 };
  test.each(Object.entries(linesMax))("%s has at most %i lines", (name, max) => {
    expect(documents.filter((path) => path.startsWith(name) && read(path).split("\n").length - 1 > max)).toEqual([]);
  });

  test.each(["Context", "Choice", "What we gave up", "Evidence"])("every decision says its part %s", (part) => {
    const decisions = documents.filter((path) => path.startsWith("docs/decisions/"));
    expect(decisions.length).toBeGreaterThan(0);
    expect(decisions.filter((path) => !read(path).includes(`**${part}.**`))).toEqual([]);
  });
});
