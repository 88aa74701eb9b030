import { expect, test } from "vitest";
import { deepTests } from "../support/deep-tests.ts";
import { isProcessTest, processTests } from "../support/process-tests.ts";
import { importsOf, isUnitTest, type ReadImports, unitTests } from "../support/unit-tests.ts";
import { listFiles, projectRoot } from "./source-text.ts";

const reading =
  (files: Readonly<Record<string, string>>): ReadImports =>
  (file) =>
    importsOf(file, files[file] ?? "");

const quick = 'import { expect } from "vitest";\nimport { kobo } from "../../src/kernel/money.ts";\n';

test.each([
  ["a database", 'import { freshDatabase } from "../support/database.ts";'],
  ["a socket", 'import {\n  connect,\n} from "node:net";'],
  ["a process", 'import { spawn } from "node:child_process";'],
])("a test whose helper's helper opens %s is no unit test", (_what, opening) => {
  const files = {
    "tests/kernel/a.test.ts": `${quick}import { one } from "../support/one.ts";`,
    "tests/support/one.ts": 'import { two } from "./two.ts";',
    "tests/support/two.ts": opening,
  };
  expect(isUnitTest("tests/kernel/a.test.ts", reading(files))).toBe(false);
  expect(isUnitTest("tests/kernel/a.test.ts", reading({ ...files, "tests/support/two.ts": "" }))).toBe(true);
});

test("a helper that is imported for its types alone does not count", () => {
  const text = 'import type { FreshDatabase } from "../support/database.ts";';
  expect(isUnitTest("tests/kernel/a.test.ts", reading({ "tests/kernel/a.test.ts": quick + text }))).toBe(true);
});

test("the quick lane has the kernel, the categories and the suppliers' connectors, and no test that opens a database", () => {
  const unit = unitTests(projectRoot);
  const of = (folder: string) => listFiles([folder], [".test.ts", ".test.tsx"]);
  expect(unit).toEqual(expect.arrayContaining([...of("tests/kernel"), ...of("tests/categories")]));
  expect(unit).toContain("tests/providers/conformance.test.ts");
  expect(unit).not.toContain("tests/domain/wallet/wallet.test.ts");
  expect(unit.filter((file) => !of("tests").includes(file))).toEqual([]);
});

test("the deep tests are languages, packages, the kit, planted faults, replication and an update, and no others", () => {
  const deep = deepTests(projectRoot);
  const named = ["journeys/update", "journeys/logical-replication", "properties/planted-faults", "sdk/packages"];
  expect(deep).toEqual(expect.arrayContaining(named.map((name) => `tests/${name}.test.ts`)));
  expect(deep).toEqual(expect.arrayContaining(listFiles(["tests/kit"], [".test.ts"])));
  expect(deep.filter((file) => !/^tests\/(sdk|kit|http|journeys|properties)\//.test(file))).toEqual([]);
});

test("npm test leaves out what starts or kills processes, and nothing that only opens a database", () => {
  const starting = { "tests/main/a.test.ts": 'import { openPrograms } from "../support/programs.ts";' };
  expect(isProcessTest("tests/main/a.test.ts", reading(starting))).toBe(true);
  const spawning = { "tests/main/b.test.ts": 'import { spawn } from "node:child_process";' };
  expect(isProcessTest("tests/main/b.test.ts", reading(spawning))).toBe(true);
  const left = processTests(projectRoot);
  expect(left).toEqual(expect.arrayContaining(["tests/main/two-roles.test.ts", "tests/journeys/crash-points.test.ts"]));
  expect(left.filter((file) => /^tests\/(kernel|categories|domain|console|architecture)\//.test(file))).toEqual([]);
});
