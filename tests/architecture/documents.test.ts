import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import GithubSlugger from "github-slugger";
import { describe, expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

const documents = [
  ...["README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter((path) =>
    existsSync(join(projectRoot, path)),
  ),
  ...listFiles(["docs", "rig", "bench", "attacks", "torture"], [".md"]),
];
const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const exists = (path: string): boolean => existsSync(join(projectRoot, path));
const packageScripts = (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts;
const scripts = Object.keys(packageScripts);

const topFolders = "src|tests|docs|migrations|scripts|bench|attacks|torture";
const floors = "kernel|platform|categories|providers|domain|http|workers|main|cli";

/** Paths in backticks that lead nowhere: from the project's folder, or from `src/` (`http/build-http.ts`). */
function deadPaths(text: string, present: (path: string) => boolean): string[] {
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)].map((match) => match[1] ?? "");
  return named.filter((path) => {
    if (new RegExp(`^(${topFolders})/`).test(path)) return !present(path);
    return new RegExp(`^(${floors})/`).test(path) && !present(`src/${path}`);
  });
}

/** Files named in backticks without their folder, of which there is none by that name. */
function deadNames(text: string, known: ReadonlySet<string>): string[] {
  return [...text.matchAll(/`([\w-]+\.(?:ts|sql))`/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !known.has(name));
}

/** Links to files that are not there, and to headings that their document does not have. Addresses are not looked at. */
function deadLinks(text: string, from: string, present: (path: string) => boolean): string[] {
  const links = [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)].map(([, target = "", anchor]) => ({
    target,
    anchor,
  }));
  return links
    .filter(({ target, anchor }) => {
      if (/^([a-z]+:|\/)/.test(target)) return false;
      const path = target === "" ? from : join(dirname(from), target);
      if (target !== "" && !present(path)) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(target === "" ? text : read(path)).has(anchor);
    })
    .map(({ target, anchor }) => (anchor === undefined ? target : `${target}#${anchor}`));
}

/** What links may name behind their `#`: the headings of a document, as GitHub makes them. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  return new Set([...markdown.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => slugger.slug(heading)));
}

/** `npm run …` with a script that package.json does not have. */
function deadScripts(text: string, known: readonly string[]): string[] {
  return [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !known.includes(name));
}

describe("what the documents name is there", () => {
  test.each(documents)("every path, link and script in %s exists", (path) => {
    const text = read(path);
    expect([...deadPaths(text, exists), ...deadLinks(text, path, exists), ...deadScripts(text, scripts)]).toEqual([]);
  });

  test.each(["README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md"])(
    "every file named in %s exists",
    (path) => {
      const known = new Set(listFiles(["src", "tests", "migrations"], [".ts", ".sql"]).map((file) => basename(file)));
      expect(deadNames(read(path), known)).toEqual([]);
    },
  );

  test("every program that a script of package.json runs exists", () => {
    const programs = Object.values(packageScripts).flatMap(
      (line) => line.match(/\b(scripts|src|bench|attacks|torture)\/\S+\.(mjs|ts)\b/g) ?? [],
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
    expect(deadScripts("`npm run gone` and `npm run check`", ["check"])).toEqual(["gone"]);
  });
});

describe("documents stay short", () => {
  const linesMax: readonly (readonly [RegExp, number])[] = [
    [/^README\.md$/, 80],
    [/^ARCHITECTURE\.md$/, 170],
    [/^STYLE\.md$/, 160],
    [/^docs\/decisions\//, 40],
  ];
  test.each(linesMax)("%s has at most %i lines", (pattern, max) => {
    const long = documents.filter((path) => pattern.test(path) && read(path).split("\n").length - 1 > max);
    expect(long).toEqual([]);
  });

  test("every decision says context, choice, what was given up and evidence", () => {
    const decisions = documents.filter((path) => path.startsWith("docs/decisions/"));
    const parts = ["**Context.**", "**Choice.**", "**What we gave up.**", "**Evidence.**"];
    expect(decisions.length).toBeGreaterThan(0);
    expect(decisions.filter((path) => !parts.every((part) => read(path).includes(part)))).toEqual([]);
  });
});
