import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../../kernel/start-error.ts";

/**
 * Makes the data directory when it is missing and returns its real path.
 * @throws StartError when it can't be made
 */
export async function openDataDirectory(folder: string): Promise<string> {
  try {
    await makeFolders(path.resolve(folder));
    return await realpath(folder);
  } catch (error) {
    throw failureOfFiles(error, folder);
  }
}

/** Makes one sentence of an error of the file system; others are returned as they are. */
export function failureOfFiles(error: unknown, dataDirectory: string): unknown {
  if (error instanceof StartError) return error;
  const { code, syscall, path: file = dataDirectory } = error as NodeJS.ErrnoException;
  const sentence = sentenceFor(code, { dataDirectory, syscall, file });
  return sentence === undefined ? error : new StartError(sentence, { cause: error });
}

export function diskFullSentence(dataDirectory: string): string {
  return `The disk that holds ${dataDirectory} is full: free some space, then start again.`;
}

export function readOnlySentence(dataDirectory: string): string {
  return `The disk that holds ${dataDirectory} is read-only: set DATA_DIR to a folder that can be written.`;
}

function sentenceFor(
  code: string | undefined,
  { dataDirectory, syscall, file }: { dataDirectory: string; syscall: string | undefined; file: string },
): string | undefined {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFullSentence(dataDirectory);
    case "EROFS":
      return readOnlySentence(dataDirectory);
    case "EACCES":
    case "EPERM":
      return `Permission denied (${syscall} ${file}): give this user the right to it, or set DATA_DIR to another folder.`;
    case "ENOTDIR":
      return `The data directory ${dataDirectory} can't be one: a part of its path is a file.`;
    case "EEXIST":
      return `The data directory ${dataDirectory} can't be one: ${file} is a file.`;
    case "ENAMETOOLONG":
    case "ELOOP":
      return `The data directory ${dataDirectory} can't be opened (${code}): set DATA_DIR to another folder.`;
    case "ENOENT": // below /proc nobody makes folders; a file that is missing elsewhere is another matter
      if (syscall !== "mkdir") return undefined;
      return `The data directory ${dataDirectory} can't be made (${code}): set DATA_DIR to another folder.`;
    default:
      return undefined;
  }
}

/** Not `recursive`: on a read-only disk Node then says that there is no such folder. */
async function makeFolders(folder: string): Promise<void> {
  if (isFolder(folder)) return;
  await makeFolders(path.dirname(folder));
  await mkdir(folder).catch((error) => {
    if (!isFolder(folder)) throw error;
  });
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder of package.json: above `src/platform` when run from source, above `dist` when bundled. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`there is no package.json above ${import.meta.dirname}`);
  }
}

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
