import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";

/** The user that a file shall belong to, where that is not the user of this process. */
type Owner = { readonly uid: number; readonly gid: number } | undefined;

/**
 * Writes a text beside a file, for its user alone, and onto the disk. The caller moves it into the file's place in
 * one step: nobody reads half of it. Where it can't be written, nothing is left behind.
 * @returns the path of what was written
 */
export async function writeDraft(file: string, text: string, owner?: Owner): Promise<string> {
  const draft = `${file}.new-${randomBytes(6).toString("hex")}`;
  // A new file and no other: never through a link that somebody put there.
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Puts a text into a file, whole or not at all, for its user alone. */
export async function replacePrivately(file: string, text: string, owner?: Owner): Promise<void> {
  const draft = await writeDraft(file, text, owner);
  try {
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Puts onto the disk which files a folder has: without it a power cut may take the name of a file that is there. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
