import type { JsonObject } from "../../kernel/json.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { type ProblemCode, type Refusal, refuse } from "../../kernel/problems.ts";
import type { ApiResponse } from "./api-document.ts";
import type { SchemaObject } from "./schema-object.ts";
import { eachSchema } from "./schema-object.ts";

/** Refusals of the key or of the whole request, before a route is asked. */
export const refusalsBefore: readonly ProblemCode[] = [
  "UNAUTHORIZED",
  "IP_NOT_ALLOWED",
  "ACCOUNT_SUSPENDED",
  "API_ACCESS_NOT_APPROVED",
  "SANDBOX_DISABLED",
  "RATE_LIMITED",
  "HEADERS_TOO_MANY",
];

/** What any request with a key may be refused with, whatever its route. */
const ofEveryKey: readonly ProblemCode[] = [...refusalsBefore, "INTERNAL_ERROR", "MAINTENANCE"];

/** What any request that may have a body may be refused with, also where its route reads none. */
const ofEveryBody: readonly ProblemCode[] = [
  "VALIDATION_ERROR",
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

interface Requested {
  readonly method: string;
  /** The schemas of parameters and body, with their `x-problem`. */
  readonly schemas: readonly SchemaObject[];
  /** The codes that the route itself names. */
  readonly own: readonly ProblemCode[];
}

/** Every code that an operation may refuse with, in the catalogue's order. */
export function refusalsOf({ method, schemas, own }: Requested): readonly ProblemCode[] {
  const ofFields = schemas.flatMap(eachSchema).flatMap((schema) => Object.values(schema["x-problem"] ?? {}));
  const codes = new Set<unknown>([...ofEveryKey, ...own, ...ofFields]);
  if (schemas.length > 0) codes.add("VALIDATION_ERROR");
  if (method !== "get") for (const code of ofEveryBody) codes.add(code);
  return (Object.keys(problems) as ProblemCode[]).filter((code) => codes.has(code));
}

/** How refusals are written: in the contract's form, unless an operation brings another as `x-refusal-form`. */
export interface RefusalForm {
  readonly statusOf: (code: ProblemCode) => number;
  /** The document's response, but for its headers. */
  readonly response: (codes: readonly ProblemCode[], status: number) => Omit<ApiResponse, "headers">;
  /** The component that is exactly this response; null where it is the operation's own. */
  readonly shared: (codes: readonly ProblemCode[]) => string | null;
}

/** Codes by the status that they are answered with. */
export function byStatus(codes: readonly ProblemCode[], form: RefusalForm): ReadonlyMap<number, ProblemCode[]> {
  const statuses = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const status = form.statusOf(code);
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return statuses;
}

const forbidden: readonly ProblemCode[] = [
  "IP_NOT_ALLOWED",
  "ACCOUNT_SUSPENDED",
  "API_ACCESS_NOT_APPROVED",
  "SANDBOX_DISABLED",
];

/** Refusals that many operations share word for word, as the document's `components.responses`. */
export const sharedRefusals: Readonly<Record<string, readonly ProblemCode[]>> = {
  InvalidBody: ["VALIDATION_ERROR", "INVALID_JSON"],
  Unauthorized: ["UNAUTHORIZED"],
  InsufficientBalance: ["INSUFFICIENT_BALANCE"],
  Forbidden: forbidden,
  PurchaseForbidden: [
    ...forbidden,
    "CATEGORY_NOT_ALLOWED",
    "RECIPIENT_BLOCKED",
    "TRANSACTION_LIMIT_EXCEEDED",
    "DAILY_LIMIT_EXCEEDED",
  ],
  PurchaseNotFound: ["PRODUCT_NOT_FOUND", "BENEFICIARY_NOT_FOUND"],
  PurchaseConflict: ["REFERENCE_CONFLICT", "PRICE_CHANGED", "DUPLICATE_TRANSACTION"],
  PayloadTooLarge: ["PAYLOAD_TOO_LARGE"],
  UnsupportedMediaType: ["UNSUPPORTED_MEDIA_TYPE"],
  RateLimited: ["RATE_LIMITED"],
  HeadersTooMany: ["HEADERS_TOO_MANY"],
  InternalError: ["INTERNAL_ERROR"],
  PurchaseUnavailable: ["PRODUCT_UNAVAILABLE", "BILLER_UNAVAILABLE", "MAINTENANCE"],
  Maintenance: ["MAINTENANCE"],
};

const sharedNames = new Map(Object.entries(sharedRefusals).map(([name, codes]) => [codes.join(), name]));

/** The contract's error body. */
export const problemForm: RefusalForm = {
  statusOf: (code) => problems[code].status,
  shared: (codes) => sharedNames.get(codes.join()) ?? null,
  response: (codes) => ({
    description: describe(codes),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/ApiError" },
            { type: "object", properties: { code: { type: "string", enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const)),
      },
    },
  }),
};

function describe(codes: readonly ProblemCode[]): string {
  const [only] = codes;
  if (codes.length === 1 && only !== undefined) return `\`${only}\`: ${problems[only].when}`;
  return codes.map((code) => `- \`${code}\`: ${problems[code].when}`).join("\n");
}

/** The error body of the contract. */
export const errorBody: SchemaObject = {
  type: "object",
  description: "Why a request was not carried out. Decide by `code`; show `message` to people.",
  required: ["status", "code", "message", "request_id", "doc_url"],
  properties: {
    status: { type: "string", const: "error", description: "Cannot be taken for a transaction's status." },
    code: {
      type: "string",
      pattern: "^[A-Z_]+$",
      maxLength: 40,
      description: "Never changes. New codes may come; read an unknown one by its HTTP status.",
      examples: ["VALIDATION_ERROR"],
    },
    message: {
      type: "string",
      maxLength: 2_000,
      description: "For people; may change.",
      examples: ["The field phone is required."],
    },
    errors: {
      type: "object",
      description: "Sentences per field, keyed as they were sent: `phone`, `items.3.phone`. Only for field errors.",
      maxProperties: 1_000,
      additionalProperties: { type: "array", maxItems: 20, items: { type: "string", maxLength: 1_000 } },
    },
    meta: {
      type: "object",
      description: "Numbers that help to correct the request, such as `min_amount`.",
      maxProperties: 20,
      additionalProperties: true,
    },
    request_id: {
      type: "string",
      pattern: "^[A-Za-z0-9._-]+$",
      maxLength: 64,
      description: "As in the header X-Request-Id.",
      examples: ["req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
    },
    doc_url: {
      type: "string",
      format: "uri",
      maxLength: 400,
      description: "The code's place in the error reference.",
      examples: ["https://api.example.ng/docs/errors#VALIDATION_ERROR"],
    },
  },
};

/** One example per code: the document's `components.examples`. */
export function refusalExamples(
  codes: readonly ProblemCode[],
): Readonly<Record<string, { summary: string; value: JsonObject }>> {
  const examples = codes.map((code) => {
    const { title } = problems[code];
    const value: JsonObject = {
      status: "error",
      code,
      message: title,
      ...details[code],
      request_id: "req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
      doc_url: `https://api.example.ng/docs/errors#${code}`,
    };
    return [code, { summary: title, value }] as const;
  });
  return Object.fromEntries(examples);
}

/** The refusal that is the code's example. */
export function exampleRefusal(code: ProblemCode): Refusal {
  return refuse(code, details[code]);
}

/** Further fields in the examples of some codes. */
const details: Partial<Record<ProblemCode, JsonObject>> = {
  VALIDATION_ERROR: { message: "The field phone is required.", errors: { phone: ["Is required."] } },
  INVALID_PHONE: { errors: { phone: ["Must be a Nigerian mobile number such as 08031234567."] } },
  AMOUNT_OUT_OF_RANGE: {
    message: "Amount must be between 50.00 and 50000.00.",
    errors: { amount: ["Must be at least 50.00."] },
    meta: { min_amount: "50.00", max_amount: "50000.00" },
  },
  QUANTITY_OUT_OF_RANGE: {
    errors: { quantity: ["Must be a whole number from 1 to 5."] },
    meta: { min_quantity: 1, max_quantity: 5 },
  },
  TOO_MANY_ITEMS: { errors: { recipients: ["Must have at most 500 items."] }, meta: { max_items: 500 } },
  NETWORK_MISMATCH: { errors: { phone: ["Is a GLO number."] }, meta: { network: "GLO" } },
  INSUFFICIENT_BALANCE: { meta: { required: "640.00", balance: "0.01" } },
  TRANSACTION_LIMIT_EXCEEDED: { meta: { limit: "50000.00", used: "0.00", resets_at: null, amount: "64000.00" } },
  DAILY_LIMIT_EXCEEDED: {
    meta: { limit: "200000.00", used: "199500.00", resets_at: "2026-11-21T00:00:00+01:00" },
  },
  REFERENCE_CONFLICT: { meta: { reference: "order-data-1" } },
  PRICE_CHANGED: { meta: { price: "640.00", expected_price: "620.00" } },
  DUPLICATE_TRANSACTION: { meta: { original_reference: "order-data-1" } },
};
