import type { Json, JsonObject } from "../../kernel/json.ts";
import type { HttpReply } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { Question } from "../dialect.ts";
import { maskedOpening, maskPath, maskText } from "./mask-text.ts";
import { evidenceCharactersMax, redactedJson } from "./redacted-json.ts";

/**
 * One question and what came back, for the operator's eyes. Credentials are no part of a question, and so never of it.
 * `json` is what the answer's body holds; undefined where it is no JSON.
 */
export function transcriptOf(question: Question, reply: HttpReply, json: Json | undefined): string {
  const fields = question.body ?? question.form;
  const sent = fields === undefined ? "" : ` ${redactedJson(withoutLetter(fields))}`;
  const [path = "", query] = question.path.split("?");
  const asked = `${question.method} ${maskPath(path)}${query === undefined ? "" : `?${maskText(query)}`}${sent}`;
  const answer =
    reply.kind === "answered" ? `${reply.status} ${bodyOf(reply.body, json)}` : `${reply.kind}: ${reply.error}`;
  return `${asked} -> ${answer} (${reply.tookMs} ms)`.slice(0, evidenceCharactersMax);
}

/** Hides the message that a merchant sends to its customers. A supplier's field of that name is evidence and stays. */
function withoutLetter(body: JsonObject): JsonObject {
  return "message" in body ? { ...body, message: "[redacted]" } : body;
}

function bodyOf(body: string, json: Json | undefined): string {
  if (json !== undefined) return redactedJson(json);
  return `${body.length} characters, not JSON: ${JSON.stringify(maskedOpening(body))}`;
}
