// npx tsx scripts/made-up-export.ts FOLDER [USERS]: writes the export of an older script that never was, with faults in it.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { madeUpExport } from "./made-up-export/made-up-export.ts";

const [folder, users = "2000"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Say into which folder: npx tsx scripts/made-up-export.ts FOLDER");
  process.exitCode = 1;
} else {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(madeUpExport(Number(users)))) {
    await writeFile(path.join(folder, name), text);
    console.log(path.join(folder, name));
  }
}
