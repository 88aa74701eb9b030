import type { SchemaObject } from "./schema-object.ts";

type Named<Value> = Readonly<Record<string, Value>>;

/** Our OpenAPI 3.1 document, as far as it is read by what is made from it. */
export interface ApiDocument {
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>>;
  readonly paths: Named<Named<ApiOperation>>;
  readonly webhooks: Named<{ readonly post: ApiOperation }>;
  readonly components: {
    readonly schemas: Named<SchemaObject>;
    readonly responses: Named<ApiResponse>;
    readonly examples: Named<{ readonly value: unknown }>;
    readonly headers: Named<{ readonly schema: SchemaObject }>;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Named<readonly string[]>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Named<ApiMedia> };
  /** By status: whole, or a reference to a component. */
  readonly responses: Named<ApiResponse | Reference>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: SchemaObject;
}

export interface ApiMedia {
  readonly schema: SchemaObject;
  readonly examples?: Named<{ readonly summary?: string; readonly value?: unknown } | Reference>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Named<Reference>;
  readonly content?: Named<ApiMedia>;
  readonly links?: Named<{ readonly operationId: string; readonly parameters: Named<string> }>;
}

export interface Reference {
  readonly $ref: string;
}

/** The first page of the reference: what an integrator reads before the first request. Markdown. */
export const introduction = `
Sell airtime, data, electricity tokens, TV bouquets, exam PINs, gift cards, eSIMs and more. A purchase is charged to your
wallet **once per \`reference\`**, and refunded when it fails.

## Try it

Send your sandbox key (\`ds_test_…\`) with each request, in any one of three forms: \`Authorization: Bearer <key>\`,
\`Authorization: Token <key>\` or \`X-API-Key: <key>\`. The key alone decides the mode: the same addresses, products and
prices with \`ds_live_…\` buy for real. The examples here work with a sandbox key, once an id that we made up in one of
their paths is replaced by one of your own answers. Keys are for servers only, never for browsers or apps.

## What the status means

| HTTP | a purchase is |
|---|---|
| 201 | \`successful\`: charged and delivered |
| 202 | \`pending\`: charged; wait for the webhook, or requery after \`Retry-After\` seconds. Do not buy again |
| 422 | \`failed\`: the transaction exists, the wallet has everything back |
| 400, 402, 403, 404, 409, 413, 415, 429, 431, 503 | not made: nothing was created or charged, and the reference is still free |
| 500, or no answer | unknown: ask \`GET /transactions/{reference}\`, or send the same reference again |

A read answers 200 whatever the transaction's status. An unknown path is 404 \`NOT_FOUND\`, a wrong method 405
\`METHOD_NOT_ALLOWED\` with \`Allow\`.

## References

A reference is yours: 1 to 100 of \`A-Z a-z 0-9 . _ : -\`, unique per mode over all categories. Sent again, it answers the
original in its present state with \`Idempotent-Replayed: true\`; with another purchase it is refused with 409
\`REFERENCE_CONFLICT\`. A timeout is therefore never a risk: repeat the request.

## Money, phones, times

Amounts are decimal strings with two decimals. Requests also take JSON numbers, judged by their value.
\`total_deducted = amount − discount + fee\` and \`balance_after = balance_before − total_deducted\`, for every
transaction. Phones are read in local or international form and answered as 11 digits. Times are ISO 8601 with their
offset. Unknown fields of a body are ignored, unknown filters of a list are refused, and null in an optional field of a
body is as good as leaving it out, unless the field says what its null means.

## Errors

Every refusal has one shape, \`Error\`; its \`code\` never changes and leads, by \`doc_url\`, to the
[error reference](/docs/errors). Each operation below names the codes that it answers.

## Limits

120 requests a minute and key, in both modes. \`RateLimit\` and \`RateLimit-Policy\` say where you stand, and a 429 says in
\`Retry-After\` when to come back. Bodies are limited to 1 MiB, bulk orders to 4 MiB.

## The sandbox

No network or biller is ever asked. The last four digits of the customer's number choose the result:

| ends in | result |
|---|---|
| any other | successful, 201, with made-up tokens, PINs and codes |
| \`0002\` | failed, 422, refunded at once |
| \`0003\` | pending, 202; successful after some 20 seconds, with a webhook |
| \`0004\` | pending, 202; failed and refunded after some 20 seconds, with a webhook |
| \`0009\` | verify refuses it with 400 \`VERIFICATION_FAILED\`; a purchase is successful |

## Webhooks

Set an address with \`PUT /webhook\` ([the guide](/docs/guides/receive-webhooks)). Answer 2xx within 15 seconds; anything
else is tried again with growing pauses. One event may arrive more than once: \`delivery_id\` tells.

### Verify the signature

Requests are signed as Standard Webhooks are: \`webhook-signature\` is \`v1,\` and the base64 HMAC-SHA256 of
\`{webhook-id}.{webhook-timestamp}.{body}\`, one signature per active secret. The key is what base64 decodes from the part
of your secret after \`whsec_\`, not the secret's text; the body is the bytes as they came. Any Standard Webhooks library
verifies it, and [the guide](/docs/guides/verify-signatures) has the code by hand for Node, PHP, Python, Go, Java and C#.
`.trim();
