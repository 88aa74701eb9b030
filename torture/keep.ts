import { cp, mkdir, readdir } from "node:fs/promises";
import path from "node:path";

/** Copies what all processes wrote, logs and books, out of the scratch folder. @returns where it is */
export async function keepWritings(folder: string, name: string): Promise<string> {
  const kept = path.join(path.dirname(folder), name);
  await mkdir(kept, { recursive: true });
  for (const each of await readdir(folder)) {
    if (/\.(log|book)$/.test(each)) await cp(path.join(folder, each), path.join(kept, each));
  }
  await cp(path.join(folder, "data/postgres.log"), path.join(kept, "postgres.log"));
  return kept;
}
