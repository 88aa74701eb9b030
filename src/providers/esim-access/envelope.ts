import type { JsonObject } from "../../kernel/json.ts";
import { textAt } from "../reply.ts";

/** `success` is a truth in their answers and a text in their documentation, and no code stands beside it. */
export function saysYes(json: JsonObject): boolean {
  return String(json.success) === "true" && codeIn(json) === "000000";
}

/** Six digits, also where they came as a number and lost their zeros; `000000` for none. */
export function codeIn(json: JsonObject): string {
  return (textAt(json, "errorCode") ?? "0").padStart(6, "0");
}
