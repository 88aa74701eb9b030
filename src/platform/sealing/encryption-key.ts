import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../../kernel/start-error.ts";
import {
  failureOfFiles,
  openDataDirectory,
  replacePrivately,
  syncFolder,
  writeDraft,
} from "../data-directory/data-directory.ts";
import { encryptionKeyBytes } from "./secret-box.ts";

/** Reads a key of 32 bytes in base64; null for anything else. */
export function parseEncryptionKey(text: string): Buffer | null {
  const key = Buffer.from(text, "base64");
  // Node reads base64 leniently: what does not come out as it went in was something else.
  const isExact = key.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "");
  return isExact && key.length === encryptionKeyBytes ? key : null;
}

/** Where the service keeps the keys that it made for itself, one a line: as ENCRYPTION_KEY, the newest first. */
export function encryptionKeyFile(dataDirectory: string): string {
  return path.join(dataDirectory, "encryption-key");
}

export interface OwnEncryptionKeys {
  readonly keys: readonly [Buffer, ...Buffer[]];
  readonly file: string;
}

/**
 * The keys that earlier starts made in the data directory, else a new one, readable by its user alone. Two processes
 * that start together end up with the same one.
 * @throws StartError when the file can't be read or written, or holds something else
 */
export async function ownEncryptionKeys(
  dataDirectory: string,
): Promise<OwnEncryptionKeys & { readonly isNew: boolean }> {
  const file = encryptionKeyFile(await openDataDirectory(dataDirectory));
  try {
    const isNew = !existsSync(file) && (await writeNew(file, newLine()));
    return { keys: await readKeys(file), file, isNew };
  } catch (error) {
    throw failureOfFiles(error, dataDirectory);
  }
}

/**
 * The keys that starts of the service made in the data directory; null where none did. Makes nothing: a key of a
 * command's own would seal what the service can't open. @throws StartError as `ownEncryptionKeys`
 */
export async function presentEncryptionKeys(dataDirectory: string): Promise<OwnEncryptionKeys | null> {
  const file = encryptionKeyFile(dataDirectory);
  try {
    return { keys: await readKeys(file), file };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw failureOfFiles(error, dataDirectory);
  }
}

async function readKeys(file: string): Promise<OwnEncryptionKeys["keys"]> {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  const [first, ...others] = lines.map((line) => parseEncryptionKey(line.trim()));
  if (first === undefined || first === null || !others.every((key) => key !== null)) {
    throw new StartError(
      `The file ${file} holds no encryption keys of 32 bytes in base64, one a line: restore it, or set ENCRYPTION_KEY. Without the keys that they were sealed under, secrets in the database can't be read.`,
    );
  }
  return [first, ...others.filter((key) => key !== null)];
}

/**
 * Puts a new key before the others. Processes that run have to start again to know it.
 * @throws StartError when the file can't be written
 */
export async function addOwnEncryptionKey(dataDirectory: string, { keys, file }: OwnEncryptionKeys): Promise<void> {
  try {
    const lines = keys.map((key) => `${key.toString("base64")}\n`);
    await replacePrivately(file, [newLine(), ...lines].join(""));
  } catch (error) {
    throw failureOfFiles(error, dataDirectory);
  }
}

function newLine(): string {
  return `${randomBytes(encryptionKeyBytes).toString("base64")}\n`;
}

/**
 * False when the file is there already. It appears with its whole content or not at all, and is on disk before anything
 * is sealed with it.
 */
async function writeNew(file: string, text: string): Promise<boolean> {
  const draft = await writeDraft(file, text);
  try {
    await link(draft, file);
    await syncFolder(path.dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
