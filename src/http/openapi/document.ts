import type { ProblemCode } from "../../kernel/problems.ts";
import { answerHeaders, headersOf } from "./answer-headers.ts";
import { webhooks } from "./events.ts";
import { introduction } from "./introduction.ts";
import { linksOf } from "./links.ts";
import { tags } from "./operation.ts";
import {
  errorSchema,
  refusalExamples,
  refusalResponse,
  refusalsOf,
  sharedRefusal,
  sharedRefusals,
} from "./refusals.ts";
import { documentedSchema, type SchemaComponents, type SchemaObject } from "./schema-object.ts";

/** An OpenAPI 3.1 document, as far as it is read here and by what is generated from it. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ApiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    readonly headers: Readonly<Record<string, { readonly schema: SchemaObject }>>;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, ApiMedia>> };
  readonly responses: Readonly<Record<string, ApiResponse | { readonly $ref: string }>>;
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
  readonly examples?: Readonly<
    Record<string, { readonly summary?: string; readonly value?: unknown; readonly $ref?: string }>
  >;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, ApiMedia>>;
  readonly links?: Readonly<
    Record<string, { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }>
  >;
}

/** What the document says beside its paths. */
export const documentHead = {
  openapi: "3.1.0",
  info: {
    title: "Dispense merchant API",
    version: "1.0.0",
    summary: "Airtime, data, electricity and other digital products, charged once per reference.",
    description: introduction,
  },
  servers: [{ url: "/", description: "This deployment. The key decides between sandbox and live." }],
  components: {
    securitySchemes: {
      bearer: {
        type: "http" as const,
        scheme: "bearer",
        description: "Your API key: `ds_test_…` in sandbox, `ds_live_…` live.",
      },
      token: {
        type: "apiKey" as const,
        in: "header",
        name: "Authorization",
        description: "`Token` and your API key, as older clients send it: `Authorization: Token ds_test_…`.",
      },
      apiKey: { type: "apiKey" as const, in: "header", name: "X-API-Key", description: "Your API key by itself." },
    },
  },
  security: [{ bearer: [] }, { token: [] }, { apiKey: [] }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
};

/** The routes' schemas as the plugin collected them, made into the whole document. */
export function completeDocument(collected: { readonly [part: string]: unknown }): ApiDocument {
  const schemas: SchemaComponents = new Map([["Error", errorSchema]]);
  const paths = mapOperations(collected.paths as ApiDocument["paths"], (method, operation) =>
    isKeyed(operation) ? keyedOperation(method, operation, schemas) : openOperation(operation, schemas),
  );
  const events = mapValues(webhooks, ({ post }) => ({ post: withSchemas(post, schemas) }));
  const document = {
    ...(collected as unknown as ApiDocument),
    paths,
    webhooks: events,
    components: {
      ...(collected.components as object),
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: sharedResponses(),
      examples: refusalExamples(),
      headers: answerHeaders,
    },
  };
  return document as unknown as ApiDocument;
}

function isKeyed(operation: ApiOperation): boolean {
  return !operation.tags.includes("Health");
}

/** Adds what the authentication, the rate limit and the body's reading answer to what the route itself does. */
function keyedOperation(method: string, collected: ApiOperation, schemas: SchemaComponents): ApiOperation {
  const { "x-problems": own, "x-replays": replays, "x-errors": _errors, ...operation } = collected;
  const refusals = refusalsOf({
    method,
    schemas: requestSchemas(operation),
    own: (own ?? []) as readonly ProblemCode[],
  });
  const documented = withSchemas(operation, schemas);
  const traits = { keyed: true, replays: replays === true, deprecated: operation.deprecated === true };
  const links = linksOf(operation.operationId, operation.tags);
  const answers = Object.entries(documented.responses).map(([status, response]) => {
    const headers = headersOf({ ...traits, status: Number(status) });
    return [
      status,
      { ...response, headers, ...(links !== undefined && status.startsWith("2") ? { links } : {}) },
    ] as const;
  });
  const refused = [...refusals].map(([status, codes]) => {
    const shared = sharedRefusal(status, codes);
    const whole = () => ({ ...refusalResponse(codes), headers: headersOf({ ...traits, replays: false, status }) });
    return [String(status), shared === null ? whole() : { $ref: `#/components/responses/${shared}` }] as const;
  });
  return { ...documented, responses: Object.fromEntries([...answers, ...refused]) };
}

/** Asks for no key, so nothing is refused either. */
function openOperation(collected: ApiOperation, schemas: SchemaComponents): ApiOperation {
  const { "x-problems": _problems, "x-replays": _replays, "x-errors": _errors, ...operation } = collected;
  const documented = withSchemas(operation, schemas);
  const responses = mapValues(documented.responses, (response, status) => {
    const traits = { status: Number(status), keyed: false, replays: false, deprecated: false };
    return { ...response, headers: headersOf(traits) };
  });
  return { ...documented, responses, security: [] } as unknown as ApiOperation;
}

/** The schemas that a request has to pass, with our own keywords still in them. */
function requestSchemas(operation: ApiOperation): readonly SchemaObject[] {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const media = Object.values(operation.requestBody?.content ?? {});
  return [...parameters, ...media].map(({ schema }) => schema);
}

function withSchemas(operation: ApiOperation, schemas: SchemaComponents): ApiOperation {
  const { parameters, requestBody, responses, ...rest } = operation;
  const documented = <Part extends { readonly schema: SchemaObject }>(part: Part): Part => ({
    ...part,
    schema: documentedSchema(part.schema, schemas),
  });
  return {
    ...rest,
    ...(parameters === undefined ? {} : { parameters: parameters.map(documented) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: mapValues(requestBody.content, documented) } }),
    responses: mapValues(responses, (response) => {
      if (!("content" in response) || response.content === undefined) return response;
      return { ...response, content: mapValues(response.content, documented) };
    }),
  } as ApiOperation;
}

function sharedResponses(): Readonly<Record<string, ApiResponse>> {
  return Object.fromEntries(
    sharedRefusals().map(({ name, status, codes }) => {
      const headers = headersOf({ status, keyed: true, replays: false, deprecated: false });
      return [name, { ...refusalResponse(codes), headers }] as const;
    }),
  );
}

function mapOperations(
  paths: ApiDocument["paths"],
  change: (method: string, operation: ApiOperation) => ApiOperation,
): ApiDocument["paths"] {
  return mapValues(paths, (path) => mapValues(path, (operation, method) => change(method, operation)));
}

function mapValues<Value, Changed>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Changed,
): Readonly<Record<string, Changed>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)] as const));
}
