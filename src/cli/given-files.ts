import { readFile } from "node:fs/promises";
import type { JsonObject } from "../kernel/json.ts";
import { parseObject } from "./arguments.ts";
import { wrong } from "./failures.ts";

/** The text of a file that a command was given. @throws Refusal VALIDATION_ERROR where it can't be read */
export async function readGivenText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => {
    throw wrong(`The file ${file} can't be read.`);
  });
}

/** The JSON object in such a file. @throws Refusal VALIDATION_ERROR where it can't be read or holds something else */
export async function readGivenObject(file: string): Promise<JsonObject> {
  const value = parseObject(await readGivenText(file));
  if (value === null) throw wrong(`The file ${file} must hold one JSON object.`);
  return value;
}
