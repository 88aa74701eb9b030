import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { nairaField } from "../../categories/fields.ts";
import { assert } from "../../kernel/assert.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { instantSchema, moneySchema } from "../schemas/schemas.ts";
import { answerHeaders, headersOf } from "./answer-headers.ts";
import { type ApiDocument, type ApiOperation, type ApiResponse, introduction, type Reference } from "./api-document.ts";
import { webhooks } from "./events.ts";
import sampleAnswers from "./generated/sample-answers.json" with { type: "json" };
import { tags } from "./operation.ts";
import {
  byStatus,
  errorBody,
  problemForm,
  type RefusalForm,
  refusalExamples,
  refusalsOf,
  sharedRefusals,
} from "./refusals.ts";
import { documentedSchema, type SchemaComponents, type SchemaObject } from "./schema-object.ts";

/** The parts of the document besides its paths. */
const documentHead = {
  openapi: "3.1.0",
  info: {
    title: "Dispense merchant API",
    version: "1.0.0",
    summary: "Airtime, data, electricity and other digital products, charged once per reference.",
    description: introduction,
    contact: { name: "The operator of this deployment" },
  },
  servers: [
    { url: "/", description: "This deployment. The key decides between sandbox and live.", "x-internal": false },
  ],
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

/** Components that each use describes for itself, in the words that they have alone. */
const canonical = [moneySchema, instantSchema, nairaField("A positive amount with at most two decimals.")];

/** Collects every route that is registered afterwards. The schemas that validate are the ones that are described. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: documentHead,
    convertConstToEnum: false,
    transformObject: (collected) => {
      if (!("openapiObject" in collected)) return collected.swaggerObject;
      return completeDocument(collected.openapiObject) as object;
    },
  });
}

/** The whole document. The server must be ready. */
export function apiDocument(app: FastifyInstance): ApiDocument {
  return app.swagger() as unknown as ApiDocument;
}

/** What operations share: the document's `components`, which grow with each of them. */
interface Shared {
  readonly schemas: SchemaComponents;
  readonly responses: Map<string, ApiResponse>;
}

/** The routes' schemas as the plugin collected them, made into the whole document. */
function completeDocument(collected: { readonly [part: string]: unknown }): ApiDocument {
  const shared: Shared = { schemas: new Map([["ApiError", errorBody]]), responses: new Map() };
  const { schemas, responses } = shared;
  for (const schema of canonical) documentedSchema(schema as unknown as SchemaObject, schemas);
  for (const [name, codes] of Object.entries(sharedRefusals)) responses.set(name, sharedResponse(codes, problemForm));
  const paths = mapValues(collected.paths as ApiDocument["paths"], (path) =>
    mapValues(path, (operation, method) => completeOperation(method, operation, shared)),
  );
  const events = mapValues(webhooks, ({ post }) => ({ post: withSchemas(post, schemas) }));
  return {
    ...(collected as unknown as ApiDocument),
    paths,
    webhooks: events,
    components: {
      ...(collected.components as object),
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: Object.fromEntries(responses),
      examples: refusalExamples(usedCodes([paths, Object.fromEntries(responses)])),
      headers: answerHeaders,
    },
  };
}

/**
 * Adds what the authentication, the rate limit and the body's reading answer to what the route itself does. Only what
 * monitors ask is open to everybody: nothing of it is refused but what nobody has read whole.
 */
function completeOperation(method: string, collected: ApiOperation, shared: Shared): ApiOperation {
  const {
    "x-problems": own,
    "x-replays": replays,
    "x-tells-when": hasRetryAfter,
    "x-refusal-form": otherForm,
    ...operation
  } = collected;
  const form = (otherForm ?? problemForm) as RefusalForm;
  const requested = { method, schemas: requestSchemas(operation), own: (own ?? []) as readonly ProblemCode[] };
  const keyed = !operation.tags.includes("Health");
  const traits = {
    keyed,
    replays: replays === true,
    hasRetryAfter: hasRetryAfter === true,
    deprecated: operation.deprecated === true,
  };
  const links = linksOf(operation.operationId, operation.tags);
  const answers = mapValues(withSamples(operation), (response, status) => ({
    ...response,
    headers: headersOf({ ...traits, status: Number(status) }),
    ...(links !== undefined && status.startsWith("2") ? { links } : {}),
  }));
  const refused = [...byStatus(keyed ? refusalsOf(requested) : ["HEADERS_TOO_MANY"], form)].map(([status, codes]) => {
    const name = form.shared(codes);
    const headers = headersOf({ ...traits, replays: false, status });
    const response = name === null ? { ...form.response(codes, status), headers } : component("responses", name);
    if (name !== null && !shared.responses.has(name)) {
      shared.responses.set(name, documentedResponse(sharedResponse(codes, form), shared.schemas));
    }
    const answered = answers[String(status)];
    return [String(status), answered === undefined ? response : eitherOf(answered, response)] as const;
  });
  const responses = { ...answers, ...Object.fromEntries(refused) };
  return { ...withSchemas({ ...operation, responses }, shared.schemas), ...(keyed ? {} : { security: [] }) };
}

/** One status for an answer and for refusals: the answer's headers, as it has all of theirs. */
function eitherOf(answered: ApiResponse | Reference, refused: ApiResponse | Reference): ApiResponse {
  assert("content" in answered && "content" in refused, "only responses of an operation's own share a status");
  return {
    ...answered,
    description: `${answered.description} Or nothing was bought: ${refused.description}`,
    content: mapValues(answered.content ?? {}, (media, type) => ({
      schema: { anyOf: [media.schema, refused.content?.[type]?.schema ?? {}] },
      examples: { ...media.examples, ...refused.content?.[type]?.examples },
    })),
  };
}

/** The sandbox's answers to the examples of each request, as recorded by a run of them. */
const samples: Readonly<Record<string, Readonly<Record<string, { readonly status: number; readonly body: object }>>>> =
  sampleAnswers;

function withSamples(operation: ApiOperation): ApiOperation["responses"] {
  const summaries = Object.values(operation.requestBody?.content ?? {})[0]?.examples ?? {};
  return mapValues(operation.responses, (response, status) => {
    if (!("content" in response)) return response;
    const examples = Object.entries(samples[operation.operationId] ?? {}).flatMap(([key, sample]) => {
      const named = summaries[key];
      const summary = named !== undefined && "summary" in named ? { summary: named.summary } : {};
      return String(sample.status) === status ? [[key, { ...summary, value: sample.body }] as const] : [];
    });
    if (examples.length === 0 || response.content === undefined) return response;
    const content = mapValues(response.content, (media, type) =>
      type === "text/csv" ? media : { ...media, examples: Object.fromEntries(examples) },
    );
    return { ...response, content };
  });
}

/** The schemas that a request has to pass, with our own keywords still in them. */
function requestSchemas(operation: ApiOperation): readonly SchemaObject[] {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const media = Object.values(operation.requestBody?.content ?? {});
  return [...parameters, ...media].map(({ schema }) => schema);
}

function withSchemas(operation: ApiOperation, schemas: SchemaComponents): ApiOperation {
  const { parameters, requestBody, responses, ...rest } = operation;
  const within = <Part extends { readonly schema: SchemaObject }>(part: Part) => documented(part, schemas);
  return {
    ...rest,
    ...(parameters === undefined ? {} : { parameters: parameters.map(within) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: mapValues(requestBody.content, within) } }),
    responses: mapValues(responses, (response) => documentedResponse(response, schemas)),
  };
}

function documentedResponse<Response extends ApiResponse | Reference>(
  response: Response,
  schemas: SchemaComponents,
): Response {
  if (!("content" in response) || response.content === undefined) return response;
  return { ...response, content: mapValues(response.content, (media) => documented(media, schemas)) };
}

function documented<Part extends { readonly schema: SchemaObject }>(part: Part, schemas: SchemaComponents): Part {
  return { ...part, schema: documentedSchema(part.schema, schemas) };
}

function sharedResponse(codes: readonly ProblemCode[], form: RefusalForm): ApiResponse {
  const status = form.statusOf(codes[0] ?? "INTERNAL_ERROR");
  const headers = headersOf({ status, keyed: true, replays: false, deprecated: false });
  return { ...form.response(codes, status), headers };
}

/** The codes that some operation answers, in the catalogue's order. */
function usedCodes(parts: readonly unknown[]): readonly ProblemCode[] {
  const text = JSON.stringify(parts);
  return (Object.keys(problems) as ProblemCode[]).filter((code) => text.includes(`#/components/examples/${code}"`));
}

function component(kind: keyof ApiDocument["components"], name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

function mapValues<Value, Changed>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Changed,
): Readonly<Record<string, Changed>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)] as const));
}

/** Which answer names what another operation is asked for. */
interface Link {
  /** An operation's id, or a tag: then every operation under it that answers a 201. */
  readonly from: { readonly operation: string } | { readonly tag: string };
  readonly to: string;
  readonly parameter: string;
  /** In the answer, a JSON pointer; the field of the parameter's name unless told. */
  readonly pointer?: string;
}

const links: readonly Link[] = [
  { from: { tag: "Purchases" }, to: "getTransaction", parameter: "reference" },
  { from: { tag: "Bulk" }, to: "getBulkOrder", parameter: "reference" },
  { from: { operation: "listBillers" }, to: "listProducts", parameter: "slug", pointer: "/billers/0/slug" },
  { from: { operation: "createBeneficiary" }, to: "updateBeneficiary", parameter: "id" },
  { from: { operation: "createBeneficiary" }, to: "deleteBeneficiary", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "getEndpoint", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "changeEndpoint", parameter: "id" },
  { from: { operation: "createEndpoint" }, to: "deleteEndpoint", parameter: "id" },
  { from: { operation: "sendTestEvent" }, to: "getDelivery", parameter: "delivery_id" },
  { from: { operation: "sendTestEvent" }, to: "resendDelivery", parameter: "delivery_id" },
  ...["Data", "Airtime", "Cable", "Electricity", "ExamPins", "RechargePins"].map((noun) => ({
    from: { operation: `legacyBuy${noun}` },
    to: `legacyGet${noun}`,
    parameter: "id",
  })),
];

/** The OpenAPI links of an operation's successful answers; undefined where it has none. */
export function linksOf(id: string, operationTags: readonly string[]) {
  const own = links.filter(({ from }) => ("tag" in from ? operationTags.includes(from.tag) : from.operation === id));
  if (own.length === 0) return undefined;
  return Object.fromEntries(
    own.map(({ to, parameter, pointer = `/${parameter}` }) => {
      return [to, { operationId: to, parameters: { [parameter]: `$response.body#${pointer}` } }] as const;
    }),
  );
}

/** Every operation that a link leads to or comes from. */
export const linkedOperations: readonly string[] = links.flatMap(({ from, to }) =>
  "operation" in from ? [from.operation, to] : [to],
);
