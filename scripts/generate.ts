// npm run generate: writes every file that is generated and checked in. Says which ones changed.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { openDatabase } from "../src/platform/database/database.ts";
import { freshDatabase } from "../tests/support/database.ts";
import { setup } from "../tests/support/global-setup.ts";
import { filesWithLists, generatedFiles } from "./generate/generated-files.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");

/** Sources and SQL functions that were written: what is generated after them was still made from the old ones. */
let isSourceChanged = false;
for (const { path: name, render } of filesWithLists) await write(name, await render());
if (!isSourceChanged) await writeAll();

// Once after the lists, and once after other sources.
const run = Number(process.argv[2] ?? 1);
if (isSourceChanged && run < 3) {
  const next = [...process.execArgv, ...process.argv.slice(1, 2), String(run + 1)];
  process.exitCode = spawnSync(process.execPath, next, { stdio: "inherit" }).status ?? 1;
}

async function writeAll(): Promise<void> {
  // The tests' own server and template: what is written here is what they compare with.
  const stopServer = await setup();
  try {
    const fresh = await freshDatabase();
    try {
      for (const { path: name, render } of generatedFiles) await write(name, await render(openDatabase(fresh.pool)));
    } finally {
      await fresh.drop();
    }
  } finally {
    await stopServer();
  }
}

async function write(name: string, text: string): Promise<void> {
  const changed = await replace(path.join(projectRoot, name), text);
  console.log(`${changed ? "written " : "as it was"} ${name}`);
  isSourceChanged ||= changed && /^(src|migrations\/functions)\//.test(name);
}

async function replace(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, "utf8").catch(() => null);
  if (before === text) return false;
  await writeFile(file, text);
  return true;
}
