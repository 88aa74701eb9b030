import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesThatAskForMode } from "./code-rules.ts";
import { listFiles, projectRoot, readSource } from "./source-text.ts";
import { faultsOf, tidyFaults, tidyRules } from "./tidy-rules.ts";

// The rules' own samples are faulty on purpose.
const ruleFiles = /^tests\/architecture\/\w+-rules\.ts$/;
const files = [
  ...listFiles(["src", "tests", "rigs", "scripts", "migrations"], [".ts", ".tsx", ".mjs", ".cjs", ".sql"]),
  ".dependency-cruiser.cjs",
  "vitest.config.ts",
].filter((path) => existsSync(join(projectRoot, path)) && !ruleFiles.test(path));

describe("the house is tidy", () => {
  test("every hand-written file keeps every rule", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.map(readSource).flatMap(tidyFaults)).toEqual([]);
  });

  test.each(tidyRules)("a planted fault turns the rule red: $name", (rule) => {
    expect(faultsOf(rule, rule.red)).not.toEqual([]);
    expect(faultsOf(rule, rule.green)).toEqual([]);
  });

  test("each rule is named in STYLE.md as what keeps the rule it belongs to", () => {
    const style = readFileSync(join(projectRoot, "STYLE.md"), "utf8");
    const paragraphs = new Map(
      [...style.matchAll(/^(\d+)\. \*\*[\s\S]*?\]$/gm)].map((match) => [Number(match[1]), match[0]]),
    );
    expect(paragraphs.size).toBe(30);
    expect(
      tidyRules.filter((rule) => !/\btidy\b/.test(paragraphs.get(rule.style) ?? "")).map(({ name }) => name),
    ).toEqual([]);
  });

  test("the list of files that ask for the mode names no file that stopped asking", () => {
    const present = filesThatAskForMode.filter((path) => existsSync(join(projectRoot, path)));
    const silent = present.filter((path) => !/\b[mM]ode\b[^\n]*"(test|live)"/.test(readSource(path).code));
    expect(silent).toEqual([]);
  });
});

describe("categories", () => {
  const registry = readFileSync(join(projectRoot, "src/categories/registry.ts"), "utf8");

  test("every file that defines a category has its line in the registry", () => {
    const defining = listFiles(["src/categories"], [".ts"])
      .filter((path) => /=\s*defineCategory\(/.test(readSource(path).code))
      .map((path) => path.slice(path.lastIndexOf("/") + 1));
    expect(defining.length).toBeGreaterThan(0);
    expect(missingFromRegistry(defining, registry)).toEqual([]);
  });

  test("a category that is left out of the registry is noticed", () => {
    expect(missingFromRegistry(["data.ts", "lottery.ts"], 'import { data } from "./data.ts";')).toEqual(["lottery.ts"]);
  });
});

function missingFromRegistry(names: readonly string[], text: string): string[] {
  return names.filter((name) => !text.includes(`from "./${name}"`));
}
