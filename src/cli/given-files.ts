import { readFile } from "node:fs/promises";
import type { JsonObject } from "../kernel/json.ts";
import type { Refusal } from "../kernel/problems.ts";
import { parseObject } from "./arguments.ts";
import { wrong } from "./failures.ts";

/** A file that a command was given. @throws Refusal VALIDATION_ERROR where it can't be read */
export async function readGivenFile(file: string): Promise<Buffer> {
  return readFile(file).catch((error) => {
    throw unreadableFile(file, error);
  });
}

/** Names the file and the reason, such as ENOENT. */
export function unreadableFile(file: string, error: unknown): Refusal {
  return wrong(`The file ${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
}

/** The JSON object in such a file. @throws Refusal VALIDATION_ERROR where it can't be read or holds something else */
export async function readGivenObject(file: string): Promise<JsonObject> {
  const value = parseObject((await readGivenFile(file)).toString());
  if (value === null) throw wrong(`The file ${file} must hold one JSON object.`);
  return value;
}
