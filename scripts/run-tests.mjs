// node scripts/run-tests.mjs PROJECT [FILTER…]: the tests of a project of vitest.config.ts. Some wait for deadlines, and on
// two busy cores one of ten thousand now and then misses its own: the few files that failed run once more, one by one, and
// what fails again is red. What passed only alone is told, so that it is mended.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./ensure-dependencies.mjs";

const againMax = 8;
const [project, ...filters] = process.argv.slice(2);
const resultFile = path.join(projectRoot, ".tmp", `tests-${project}.json`);

const first = runVitest(filters);
const failed = first === 0 ? [] : filesThatFailed();
if (first === 0 || failed.length === 0 || failed.length > againMax) process.exit(first);
const names = failed.map((file) => path.relative(projectRoot, file));
console.log(`\n== failed beside the others, and once more one by one: ${names.join(", ")}`);
const second = runVitest([...names, "--no-file-parallelism"]);
if (second === 0) console.log(`\n== PASSED ONLY ALONE: ${names.join(", ")}`);
process.exit(second);

/** @returns vitest's exit code */
function runVitest(names) {
  rmSync(resultFile, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultFile}`];
  const args = ["run", "--project", project, "--passWithNoTests", ...reporters, ...names];
  const { status } = spawnSync(path.join(projectRoot, "node_modules/.bin/vitest"), args, {
    cwd: projectRoot,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return status ?? 1;
}

/** None where the run broke off, or failed by something that is no file's: that is no matter of a busy machine. */
function filesThatFailed() {
  try {
    const { testResults } = JSON.parse(readFileSync(resultFile, "utf8"));
    return testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  } catch {
    return [];
  }
}
