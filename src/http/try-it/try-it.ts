import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { sandboxAccountOf } from "../../domain/members/membership.ts";
import type { Randomness } from "../../domain/merchants/key-format.ts";
import type { Account } from "../../domain/merchants/merchant.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { cameByConnection } from "../../platform/address.ts";
import type { SentRequest, TryIt, TryOperation, TryParameter, TypedTry } from "../../site/try-it.ts";
import { apiDocument } from "../openapi/document.ts";
import { offeredOperations } from "./offered-operations.ts";

/**
 * Lets members try the API out without a key: a request of this process to its own routes, which takes the way of every other
 * one, with the member's name for that once in the place of a key. Call it once the server has all its routes.
 */
export function openTryIt(app: FastifyInstance, visitors: Visitors): TryIt {
  let kept: readonly TryOperation[] | null = null;

  function operations(): readonly TryOperation[] {
    kept ??= offeredOperations(apiDocument(app));
    return kept;
  }

  const preview: TryIt["preview"] = ({ operation: id, ...typed }) => {
    const operation = operations().find((each) => each.id === id);
    if (operation === undefined) throw refuse("NOT_FOUND");
    return builtRequest(operation, typed);
  };

  return {
    operations,
    preview,
    async send(member, tried) {
      const request = preview(tried);
      const name = visitors.announce(sandboxAccountOf(member));
      const begun = performance.now();
      try {
        const answer = await app.inject({
          method: request.method,
          url: request.path,
          // An address that nobody can read stays so.
          remoteAddress: tried.address === "" ? "unreadable" : tried.address,
          headers: { ...headersOf(request, tried.origin), [visitorHeader]: name },
          ...(request.body === null ? {} : { payload: request.body }),
        });
        const headers = Object.entries(answer.headers).map(([key, value]) => [key, String(value)]);
        const { statusCode: status, body } = answer;
        return { request, status, headers: Object.fromEntries(headers), body, tookMs: performance.now() - begun };
      } finally {
        visitors.dismiss(name);
      }
    },
  };
}

/** As a program at the same address would send them. */
function headersOf({ body }: SentRequest, origin: string): Record<string, string> {
  const { host, protocol } = new URL(origin);
  return {
    host,
    ...(protocol === "https:" ? { "x-forwarded-proto": "https" } : {}),
    accept: "application/json",
    "user-agent": "the console",
    ...(body === null ? {} : { "content-type": "application/json" }),
  };
}

const parameterLengthMax = 200;
const bodyLengthMax = 16_384;

/**
 * Builds the request: the operation's own path with what was typed in the places for it, where it can lead nowhere else.
 * @throws Refusal VALIDATION_ERROR by field: a parameter's name, or `body`
 */
export function builtRequest(
  { method, path, parameters }: TryOperation,
  typed: Omit<TypedTry, "operation">,
): SentRequest {
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

function checkParameter({ name, place, isRequired }: TryParameter, value: string): void {
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

/** Where a request names its visitor. */
export const visitorHeader = "x-dispense-visitor";

/** The members whose request is on its way from the console to the API, in this process and in its memory alone. */
export interface Visitors {
  /** Takes note of a member. @returns the name under which one request is let in */
  announce(account: Account): string;
  /** The member whom a request names, once; null where it names nobody who was announced, and wherever it came by a connection. */
  take(message: IncomingMessage): Account | null;
  /** Forgets a name that was not taken. */
  dismiss(name: string): void;
}

const nameBytes = 32;

/** As many are announced as console pages wait for their answer; each is taken, or dismissed by whoever announced it. */
export function openVisitors(randomness: Randomness): Visitors {
  const announced = new Map<string, Account>();
  return {
    announce(account) {
      const name = Buffer.from(randomness(nameBytes)).toString("base64url");
      announced.set(name, account);
      return name;
    },
    take(message) {
      const name = message.headers[visitorHeader];
      // A name that leaked would be worth nothing outside of this process.
      if (typeof name !== "string" || cameByConnection(message)) return null;
      const account = announced.get(name) ?? null;
      announced.delete(name);
      return account;
    },
    dismiss(name) {
      announced.delete(name);
    },
  };
}
