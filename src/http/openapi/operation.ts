import type { FastifySchema } from "fastify";
import type { TObject, TSchema } from "typebox";
import type { Category } from "../../categories/category.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { transactionSchema } from "../schemas/transaction-schemas.ts";

/** The first sentence stands where there is room for no more. */
const aboutWebhooks = `Where status changes are sent to, and what became of each attempt.

**Signature.** Each request carries \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`: \`v1,\` and the base64
HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`, one for each secret that counts. The key is what base64 decodes
from the part of your secret after \`whsec_\`, the body is the raw bytes as they came.
[Verify signatures](/docs/guides/verify-signatures) has the code for Node, PHP, Python, Go, Java and C#.

**Retries.** Any 2xx within 15 seconds is a success. Anything else is tried again after 5 s, 30 s, 2 m, 10 m, 30 m, 1 h,
2 h, 5 h, 10 h, 14 h, 20 h and 24 h (sandbox: 5 s, 30 s, 2 m, 5 m), each a fifth more or less. \`Retry-After\` is heeded, and
410 switches the webhook off. [Receiving webhooks](/docs/guides/receive-webhooks) tells the rest.

**Duplicates.** One event may arrive more than once, always under the same \`delivery_id\`, which is also the
\`webhook-id\`: skip what you have seen. Several endpoints of yours get it under a \`delivery_id\` each, and one \`event_id\`.`;

/** The chapters of the reference, in reading order. */
export const tags = {
  Wallet: "What the wallet holds. Every purchase is charged to it.",
  Catalogue: "What can be bought, and what it costs this account.",
  Purchases: "One purchase a request: charged once per `reference`, refunded when it fails.",
  Bulk: "Up to 10,000 purchases in one request: all are accepted and charged, or none.",
  Verification: "Who a meter, smartcard or account belongs to, before money moves.",
  Transactions: "What was bought. Reading never changes anything.",
  Beneficiaries: "Saved customer numbers, shared by sandbox and live.",
  Webhooks: aboutWebhooks,
  Sandbox: "Only with a sandbox key.",
  Legacy:
    "For clients written for older services: their paths, fields and error bodies. New clients use the endpoints above.",
  Health: "For load balancers and monitors. No key is asked for.",
} as const;

export type Tag = keyof typeof tags;

interface Described {
  /** The operation's name in the document, and an SDK's method: `buyData`. Never changes. */
  readonly id: string;
  readonly tag: Tag;
  /** A few words without a full stop. */
  readonly summary: string;
  /** What an integrator wants to know before calling it. Markdown. */
  readonly description: string;
  /** Each field with an example that works in the sandbox, or one that `links.ts` names the source of. */
  readonly params?: TObject;
  /** A list has one, also where it has no filters: what it does not name is refused. */
  readonly querystring?: TObject;
  /** By HTTP status; refusals are not named here. `answer` gives one a description of its own. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** The 200 comes as CSV too, where the client prefers that. */
  readonly csv?: TSchema;
  /** The refusals that are neither everybody's (key, rate, body) nor named by a field's `x-problem`. */
  readonly problems?: readonly ProblemCode[];
  /** The same reference again is answered with what exists and `Idempotent-Replayed: true`. */
  readonly replays?: true;
  /** A read that says, while what it shows is pending, when to ask again. */
  readonly hasRetryAfterHeader?: true;
}

/** The body comes with examples, by name, that work in the sandbox as they stand. The first is the usual one. */
interface WithBody {
  readonly body: TObject;
  readonly examples: Readonly<Record<string, object>>;
}

interface WithoutBody {
  readonly body?: never;
  readonly examples?: never;
}

/** What the reference says of a route. */
export type Notes = Described & (WithBody | WithoutBody);

/** The parts of a schema from which Fastify tells a handler's types: what they have accepted is typed so. */
type Accepting<Of> = {
  readonly [Part in "params" | "querystring" | "body"]: Of extends Record<Part, infer Schema> ? Schema : undefined;
};

/**
 * A route's schema with everything that the reference says of it. Validation reads `body`, `querystring` and `params`;
 * the rest is for `openapi/document.ts` alone.
 */
export function operation<Of extends Notes>(notes: Of): FastifySchema & Accepting<Of> {
  const { id, tag, summary, description, params, querystring, body, responses } = notes;
  const schema: FastifySchema = {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(params === undefined ? {} : { params }),
    ...(querystring === undefined ? {} : { querystring: closed(querystring) }),
    ...(body === undefined ? {} : { body: { ...body, "x-examples": namedExamples(notes.examples) } }),
    response: Object.fromEntries(
      Object.entries(responses).map(([status, schema]) => [
        status,
        status === "200" && notes.csv !== undefined ? inTwoForms(schema, notes.csv) : described(status, schema),
      ]),
    ),
    // Spread, as Fastify's type does not know our own keywords.
    ...{
      "x-problems": [...(notes.problems ?? []), ...(querystring === undefined ? [] : ["VALIDATION_ERROR"])],
      "x-replays": notes.replays ?? false,
      "x-tells-when": notes.hasRetryAfterHeader ?? false,
    },
  };
  // The parts themselves, or copies with further keywords: of the same static types.
  return schema as FastifySchema & Accepting<Of>;
}

/** A filter that a list does not know is refused: ignored, it would make the answer look filtered. */
function closed(querystring: TObject): TSchema {
  const known = Object.keys(querystring.properties);
  const sentence = known.length === 0 ? "This list has no filters." : `Known are ${known.join(", ")}.`;
  return { ...querystring, additionalProperties: false, "x-message": `Is no filter of this list. ${sentence}` };
}

/** A response with a description of its own, where the status alone does not say enough. */
export function answer<Schema extends TSchema>(description: string, schema: Schema): Schema {
  return { ...schema, "x-response-description": description };
}

const usualDescriptions: Readonly<Record<string, string>> = {
  200: "The answer.",
  201: "Done: something new exists.",
  202: "Accepted: it happens in the background.",
};

function described(status: string, schema: TSchema): TSchema {
  return { "x-response-description": usualDescriptions[status] ?? "The answer.", ...schema };
}

/** A response that the client may have as JSON or as CSV. */
function inTwoForms(schema: TSchema, csv: TSchema) {
  return {
    "x-response-description": usualDescriptions[200],
    content: { "application/json": { schema }, "text/csv": { schema: csv } },
  };
}

function namedExamples(examples: Readonly<Record<string, object>>) {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [keyOf(summary), { summary, value }] as const),
  );
}

/** `By network` → `byNetwork`. */
function keyOf(summary: string): string {
  return summary
    .toLowerCase()
    .replace(/[^a-z0-9]+(.)?/g, (_match, next: string | undefined) => next?.toUpperCase() ?? "");
}

/** What every purchase may be refused with, after its fields were read. */
const ofEveryPurchase: readonly ProblemCode[] = [
  "INSUFFICIENT_BALANCE",
  "CATEGORY_NOT_ALLOWED",
  "RECIPIENT_BLOCKED",
  "TRANSACTION_LIMIT_EXCEEDED",
  "DAILY_LIMIT_EXCEEDED",
  "REFERENCE_CONFLICT",
  "DUPLICATE_TRANSACTION",
  "PRODUCT_UNAVAILABLE",
  "BILLER_UNAVAILABLE",
];

/** What a purchase may be refused with because it takes this field. */
const ofFields: Readonly<Record<string, readonly ProblemCode[]>> = {
  product_id: ["PRODUCT_NOT_FOUND"],
  biller: ["BILLER_NOT_FOUND"],
  beneficiary_id: ["BENEFICIARY_NOT_FOUND"],
  ported: ["NETWORK_MISMATCH"],
  amount: ["AMOUNT_OUT_OF_RANGE"],
  quantity: ["QUANTITY_OUT_OF_RANGE"],
  months: ["QUANTITY_OUT_OF_RANGE"],
  recipients: ["TOO_MANY_ITEMS", "QUANTITY_OUT_OF_RANGE"],
  verification_id: ["VERIFICATION_EXPIRED"],
  expected_price: ["PRICE_CHANGED"],
};

/** The codes that buying with these fields may be refused with. */
function purchaseProblems(body: TObject): readonly ProblemCode[] {
  return [...ofEveryPurchase, ...Object.keys(body.properties).flatMap((field) => ofFields[field] ?? [])];
}

/** The codes that refuse a bulk order of such lines: an unknown product is a VALIDATION_ERROR under its line's key. */
export function bulkProblems(line: TObject): readonly ProblemCode[] {
  return purchaseProblems(line).filter((code) => code !== "PRODUCT_NOT_FOUND");
}

const once =
  "Charged once per `reference`: sent again, it answers the original in its present state, with `Idempotent-Replayed: true`.";

/** The schema of a category's purchase endpoint. */
export function purchaseOperation(category: Category, body: TObject): FastifySchema {
  const transaction = transactionSchema(category);
  const examples = Object.entries(category.examples).map(([name, fields], index) => {
    return [name, { reference: `order-${category.slug}-${index + 1}`, ...fields }] as const;
  });
  return operation({
    id: category.operation.id,
    tag: "Purchases",
    summary: category.operation.summary,
    description: `${category.operation.description}\n\n${once}`,
    body,
    examples: Object.fromEntries(examples),
    responses: {
      201: answer("Successful: charged and delivered.", transaction),
      202: answer("Pending: charged; wait for the webhook, or requery after `Retry-After` seconds.", transaction),
      422: answer("Failed: the transaction exists, and the wallet has everything back.", transaction),
    },
    problems: purchaseProblems(body),
    replays: true,
  });
}
