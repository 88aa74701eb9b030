import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

const named = /\bstatement\(\s*"(\w+)"|: Statement = \{\s*(?:secondsMax,\s*)?name: "(\w+)"/g;

test("no two statements have one name: on a connection that prepared the one, the other would fail", () => {
  const files = listFiles(["src"], [".ts", ".tsx"]).map((file) => readFileSync(join(projectRoot, file), "utf8"));
  // Without examples in docstrings.
  const code = files.map((text) => text.replace(/^ *\/?\*\*? .*$/gm, ""));
  const names = code.flatMap((text) => [...text.matchAll(named)].map(([, short, long]) => short ?? long));
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});
