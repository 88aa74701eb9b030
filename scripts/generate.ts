// npm run generate: writes every file that is generated and checked in. Says which ones changed.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openDatabase } from "../src/platform/database.ts";
import { freshDatabase } from "../tests/support/database.ts";
import { setup } from "../tests/support/global-setup.ts";
import { generatedFiles } from "./generate/generated-files.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");

/** Sources and SQL functions that were written: what is generated after them was still made from the old ones. */
let isSourceChanged = false;

// The tests' own server and template: what is written here is what they compare with.
const stopServer = await setup();
try {
  const fresh = await freshDatabase();
  try {
    for (const { path: name, render } of generatedFiles) {
      const changed = await replace(path.join(projectRoot, name), await render(openDatabase(fresh.pool)));
      console.log(`${changed ? "written " : "as it was"} ${name}`);
      isSourceChanged ||= changed && /^(src|migrations\/functions)\//.test(name);
    }
  } finally {
    await fresh.drop();
  }
} finally {
  await stopServer();
}
const isSecondRun = process.argv[2] === "again";
if (isSourceChanged && !isSecondRun) {
  const again = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1, 2), "again"], {
    stdio: "inherit",
  });
  process.exitCode = again.status ?? 1;
}

async function replace(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, "utf8").catch(() => null);
  if (before === text) return false;
  await writeFile(file, text);
  return true;
}
