import { refuseField } from "../../kernel/problems.ts";
import type { OfferedOperation, OfferedParameter } from "./offered-operations.ts";

/** What a member typed for an operation: text, as it came. */
export interface TypedRequest {
  readonly parameters: Readonly<Record<string, string>>;
  /** "" where there is none. */
  readonly body: string;
}

/** The request that comes of it. */
export interface BuiltRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  /** As typed; null for none. */
  readonly body: string | null;
}

const parameterLengthMax = 200;
const bodyLengthMax = 16_384;

/**
 * Builds the request: the operation's own path with what was typed in the places for it, where it can lead nowhere else.
 * @throws Refusal VALIDATION_ERROR by field: a parameter's name, or `body`
 */
export function builtRequest({ method, path, parameters }: OfferedOperation, typed: TypedRequest): BuiltRequest {
  let filled = path;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const value = typed.parameters[parameter.name] ?? "";
    checkParameter(parameter, value);
    if (parameter.place === "path") filled = filled.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
    else if (value !== "") query.append(parameter.name, value);
  }
  const address = query.size === 0 ? filled : `${filled}?${query}`;
  if (method === "GET") return { method, path: address, body: null };
  checkBody(typed.body);
  return { method, path: address, body: typed.body };
}

function checkParameter({ name, place, isRequired }: OfferedParameter, value: string): void {
  if (value === "" && isRequired) throw refuseField("VALIDATION_ERROR", name, "Is required.");
  if (value.length > parameterLengthMax) {
    throw refuseField("VALIDATION_ERROR", name, `Must be at most ${parameterLengthMax} characters.`);
  }
  // As a step of a path they mean the folder itself and the one above, however they are encoded.
  if (place === "path" && (value === "." || value === "..")) {
    throw refuseField("VALIDATION_ERROR", name, "Can't be the name of anything.");
  }
}

function checkBody(text: string): void {
  if (text.length > bodyLengthMax) {
    throw refuseField("VALIDATION_ERROR", "body", `Must be at most ${bodyLengthMax} characters.`);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    const why = (error as SyntaxError).message;
    throw refuseField("VALIDATION_ERROR", "body", `Is no JSON, so nothing was sent: ${why}.`);
  }
}
