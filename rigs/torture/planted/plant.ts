import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Addition, Edit, PlantedFault } from "./faults.ts";

/** What the service is built of and starts with. */
const parts = ["src", "migrations", "docs", "sdk", "scripts", "package.json", "package-lock.json"];

/** Copies the sources into the folder, with the fault in them. @throws Error where its texts no longer stand there */
export async function plant(fault: PlantedFault, projectRoot: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // With their times: dependencies that are older than their lock file would be installed anew.
  const options = { recursive: true, preserveTimestamps: true };
  for (const part of parts) await cp(path.join(projectRoot, part), path.join(folder, part), options);
  await symlink(path.join(projectRoot, "node_modules"), path.join(folder, "node_modules"));
  for (const [file, text] of await faultyFiles(fault, projectRoot)) await writeFile(path.join(folder, file), text);
}

/** The files that the fault changes or adds, as it leaves them. @throws Error where its texts no longer stand there */
export async function faultyFiles(fault: PlantedFault, projectRoot: string): Promise<Map<string, string>> {
  const read = (file: string) => readFile(path.join(projectRoot, file), "utf8");
  const files = new Map<string, string>();
  for (const edit of fault.edits) {
    files.set(edit.file, edited(files.get(edit.file) ?? (await read(edit.file)), edit));
  }
  for (const addition of fault.adds ?? []) files.set(addition.file, added(await read(addition.source), addition));
  return files;
}

function edited(text: string, { file, from, to }: Edit): string {
  if (text.split(from).length !== 2) throw new Error(`${file} has no single place with: ${from}`);
  return text.replace(from, () => to);
}

function added(text: string, { source, from, upTo, wrap }: Addition): string {
  const start = text.indexOf(from);
  const end = text.indexOf(upTo, start);
  if (start < 0 || end < 0) throw new Error(`${source} has no place from: ${from} to: ${upTo}`);
  return wrap(text.slice(start, end));
}
