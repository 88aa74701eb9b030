import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Where a file of ours lies: below the person's own configuration. */
export function pathOf(name: string): string {
  return path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), ".config"), "dispense", name);
}

/** Keeps a text where only its owner reads it. @returns where */
export function keep(name: string, text: string): string {
  const file = pathOf(name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** What was kept; null where nothing was. @throws Error where it can't be read */
export function readKept(name: string): string | null {
  try {
    return readFileSync(pathOf(name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
