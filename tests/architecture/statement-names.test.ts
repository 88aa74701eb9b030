import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

test("no two statements have one name: on a connection that prepared the one, the other would fail", () => {
  const files = listFiles(["src"], [".ts", ".tsx"]).map((file) => readFileSync(join(projectRoot, file), "utf8"));
  const names = files.flatMap((text) =>
    [
      ...text
        .replace(/^ *\* .*$/gm, "")
        .matchAll(/\bstatement\(\s*"(\w+)"|: Statement = \{\s*(?:secondsMax,\s*)?name: "(\w+)"/g),
    ].map(([, short, long]) => short ?? long),
  );
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});
