/** Every header of ours that an answer may carry: the document's `components.headers`. */
export const answerHeaders = {
  "X-Request-Id": {
    description: "Names the request: your own `X-Request-Id` where it is readable, else ours. Quote it to support.",
    schema: {
      type: "string",
      pattern: "^[A-Za-z0-9._-]+$",
      maxLength: 64,
      examples: ["req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
    },
  },
  "X-Api-Mode": {
    description: "The mode by the prefix of the key that was sent; absent when none can be told.",
    schema: { type: "string", enum: ["test", "live"], examples: ["test"] },
  },
  "RateLimit-Policy": {
    description: "The key's limit `q` in a window of `w` seconds.",
    schema: { type: "string", pattern: '^"key";q=[0-9]+;w=[0-9]+$', maxLength: 40, examples: ['"key";q=120;w=60'] },
  },
  RateLimit: {
    description:
      "What remains, `r`, and in how many seconds, `t`, all of it is back; on a 429 `t` is `Retry-After`. Only once the key is known.",
    schema: { type: "string", pattern: '^"key";r=[0-9]+;t=[0-9]+$', maxLength: 40, examples: ['"key";r=119;t=60'] },
  },
  "Retry-After": {
    description: "Seconds to wait before asking again.",
    schema: { type: "integer", minimum: 1, maximum: 86_400, format: "int32", examples: [20] },
  },
  "WWW-Authenticate": {
    description: "How a key may be sent (RFC 9110); by itself it may stand in `X-API-Key`.",
    schema: {
      type: "string",
      pattern: "^Bearer ",
      maxLength: 200,
      examples: ['Bearer realm="merchant API", Token realm="merchant API"'],
    },
  },
  "Idempotent-Replayed": {
    description: "`true` when the reference was known: this is the original, in its present state. Else absent.",
    schema: { type: "string", const: "true", examples: ["true"] },
  },
  Deprecation: {
    description: "Since when these endpoints are deprecated (RFC 9745).",
    schema: { type: "string", pattern: "^@[0-9]+$", maxLength: 20, examples: ["@1767225600"] },
  },
  Link: {
    description: "Where the successor is described (RFC 8288).",
    schema: { type: "string", pattern: "^<", maxLength: 200, examples: ['</docs>; rel="deprecation"'] },
  },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

interface AnswerTraits {
  readonly status: number;
  readonly keyed: boolean;
  readonly replays: boolean;
  readonly hasRetryAfter?: boolean;
  readonly deprecated: boolean;
}

/** Refused before anything of the request is believed. */
const unread = 431;
/** Refused before it is known whose key it is. */
const beforeKey: readonly number[] = [401, unread];

/** Which headers an answer carries, as references to the components. */
export function headersOf({ status, keyed, replays, hasRetryAfter = false, deprecated }: AnswerTraits) {
  const names: readonly (readonly [AnswerHeader, boolean])[] = [
    ["X-Request-Id", true],
    ["X-Api-Mode", true],
    ["RateLimit-Policy", keyed && !beforeKey.includes(status)],
    ["RateLimit", keyed && !beforeKey.includes(status)],
    ["Retry-After", (status === 200 && hasRetryAfter) || status === 202 || status === 429 || (keyed && status === 503)],
    ["WWW-Authenticate", keyed && status === 401],
    ["Idempotent-Replayed", replays && [200, 201, 202, 400, 422].includes(status)],
    ["Deprecation", deprecated && status !== unread],
    ["Link", deprecated && status !== unread],
  ];
  const sent = names.flatMap(([name, isSent]) => (isSent ? [name] : []));
  return Object.fromEntries(sent.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const));
}
