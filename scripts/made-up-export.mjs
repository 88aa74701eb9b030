// node scripts/made-up-export.mjs FOLDER [USERS] [--last]: writes the export of an older script that never was, with faults in
// it; with --last the one that is made after the last sale there. Needs what npm start has installed, and no more.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./build.mjs";
import { ensureDependencies, giveUp } from "./ensure-dependencies.mjs";

const usersMax = 1_000_000;

const words = process.argv.slice(2).filter((word) => word !== "--last");
const [folder, users = "2000"] = words;
if (folder === undefined || words.length > 2 || folder.startsWith("-")) {
  giveUp("Say into which folder: node scripts/made-up-export.mjs FOLDER [USERS] [--last]");
}
if (!/^[1-9][0-9]{0,6}$/.test(users) || Number(users) > usersMax) giveUp(`USERS must be a number up to ${usersMax}.`);
ensureDependencies({ development: false });
const program = await bundle("scripts/made-up-export/made-up-export.ts", "dist/made-up-export.js");
const { madeUpExport } = await import(pathToFileURL(program).href);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(madeUpExport(Number(users), { isLast: process.argv.includes("--last") }))) {
  await writeFile(path.join(folder, name), text);
  console.log(path.join(folder, name));
}
