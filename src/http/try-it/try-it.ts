import type { FastifyInstance } from "fastify";
import { type Membership, sandboxAccountOf } from "../../domain/members/membership.ts";
import { refuse } from "../../kernel/problems.ts";
import { apiDocument } from "../openapi/document.ts";
import { type OfferedOperation, offeredOperations } from "./offered-operations.ts";
import { type BuiltRequest, builtRequest, type TypedRequest } from "./typed-request.ts";
import { type Visitors, visitorHeader } from "./visitors.ts";

/** An operation that is tried, with who tries it from where. */
export interface Try extends TypedRequest {
  /** Of `OfferedOperation`. */
  readonly operation: string;
  /** The client's address as text; "" where it is unreadable. */
  readonly address: string;
  /** `https://api.example.ng`, as the browser reached this service. */
  readonly origin: string;
}

/** What was sent, and what came back. */
export interface Tried {
  readonly request: BuiltRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly tookMs: number;
}

export interface TryIt {
  operations(): readonly OfferedOperation[];
  /** The request that would be sent. @throws Refusal VALIDATION_ERROR, NOT_FOUND (no such operation) */
  preview(tried: Pick<Try, "operation" | keyof TypedRequest>): BuiltRequest;
  /** Sends it as the member, in the sandbox. @throws Refusal as `preview` */
  send(member: Membership, tried: Try): Promise<Tried>;
}

/**
 * Lets members try the API out without a key: a request of this process to its own routes, which takes the way of every other
 * one, with the member's name for that once in the place of a key. Call it once the server has all its routes.
 */
export function openTryIt(app: FastifyInstance, visitors: Visitors): TryIt {
  let kept: readonly OfferedOperation[] | null = null;

  function operations(): readonly OfferedOperation[] {
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
function headersOf({ body }: BuiltRequest, origin: string): Record<string, string> {
  const { host, protocol } = new URL(origin);
  return {
    host,
    ...(protocol === "https:" ? { "x-forwarded-proto": "https" } : {}),
    accept: "application/json",
    "user-agent": "the console",
    ...(body === null ? {} : { "content-type": "application/json" }),
  };
}
