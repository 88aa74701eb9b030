import type { Json, JsonObject } from "../../kernel/json.ts";
import type { HttpReply } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { Question } from "../dialect.ts";
import { maskedOpening, maskPath } from "./mask-text.ts";
import { evidenceCharactersMax, redactedJson, withoutFields } from "./redacted-json.ts";

/**
 * One question and what came back, for the operator's eyes. Credentials are no part of a question, and so never of it.
 * `json` is what the answer's body holds; undefined where it is no JSON.
 */
export function transcriptOf(question: Question, reply: HttpReply, json: Json | undefined): string {
  const { hides = [] } = question;
  const fields = question.body ?? question.form;
  const sent = fields === undefined ? "" : ` ${redactedJson(withoutFields(withoutLetter(fields), hides))}`;
  const [path = "", query] = question.path.split("?");
  const queried = query === undefined ? "" : `?${redactedJson(withoutFields(fieldsOf(query), hides))}`;
  const requested = `${question.method} ${maskPath(path)}${queried}${sent}`;
  const answer =
    reply.kind === "answered"
      ? `${reply.status} ${bodyOf(reply.body, withoutFields(json, hides))}`
      : `${reply.kind}: ${reply.error}`;
  return `${requested} -> ${answer} (${reply.tookMs} ms)`.slice(0, evidenceCharactersMax);
}

function fieldsOf(query: string): JsonObject {
  return Object.fromEntries(new URLSearchParams(query));
}

/** What suppliers call the message that a merchant sends to its customers. In an answer these names may mean anything. */
const letterNames = ["message", "sms"];

function withoutLetter(body: JsonObject): JsonObject {
  const names = letterNames.filter((name) => name in body);
  return names.length === 0 ? body : { ...body, ...Object.fromEntries(names.map((name) => [name, "[redacted]"])) };
}

function bodyOf(body: string, json: Json | undefined): string {
  if (json !== undefined) return redactedJson(json);
  return `${body.length} characters, not JSON: ${JSON.stringify(maskedOpening(body))}`;
}
