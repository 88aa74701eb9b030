import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../kernel/start-error.ts";
import { failureOfFiles, openDataDirectory } from "./data-directory.ts";
import { encryptionKeyBytes } from "./secret-box.ts";

/** Reads a key of 32 bytes in base64; null for anything else. */
export function parseEncryptionKey(text: string): Buffer | null {
  const key = Buffer.from(text, "base64");
  // Node reads base64 leniently: what does not come out as it went in was something else.
  const isExact = key.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "");
  return isExact && key.length === encryptionKeyBytes ? key : null;
}

/** Where the service keeps the key that it made for itself. */
export function encryptionKeyFile(dataDirectory: string): string {
  return path.join(dataDirectory, "encryption-key");
}

/**
 * The key that an earlier start made in the data directory, else a new one, readable by its user alone. Two processes
 * that start together end up with the same one.
 * @throws StartError when the file can't be read or written, or holds something else
 */
export async function ownEncryptionKey(
  dataDirectory: string,
): Promise<{ readonly key: Buffer; readonly file: string; readonly isNew: boolean }> {
  const file = encryptionKeyFile(await openDataDirectory(dataDirectory));
  try {
    const isNew =
      !existsSync(file) && (await writeNew(file, `${randomBytes(encryptionKeyBytes).toString("base64")}\n`));
    const key = parseEncryptionKey((await readFile(file, "utf8")).trim());
    if (key === null) {
      throw new StartError(
        `The file ${file} holds no encryption key of 32 bytes in base64: restore it, or set ENCRYPTION_KEY. Without the key that they were sealed under, webhook secrets can't be read.`,
      );
    }
    return { key, file, isNew };
  } catch (error) {
    throw failureOfFiles(error, dataDirectory);
  }
}

/**
 * False when the file is there already. It appears with its whole content or not at all, and is on disk before anything
 * is sealed with it.
 */
async function writeNew(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await handle.close();
    await rm(draft);
  }
}
