import { nairaField } from "../../categories/fields.ts";
import { assert } from "../../kernel/assert.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import type { LegacyTask } from "../legacy/errors.ts";
import { instantSchema, moneySchema } from "../schemas/schemas.ts";
import { answerHeaders, headersOf } from "./answer-headers.ts";
import type { ApiDocument, ApiOperation, ApiResponse, Reference } from "./api-document.ts";
import { webhooks } from "./events.ts";
import sampleAnswers from "./generated/sample-answers.json" with { type: "json" };
import { introduction } from "./introduction.ts";
import { linksOf } from "./links.ts";
import { tags } from "./operation.ts";
import {
  byStatus,
  legacyForm,
  problemForm,
  refusalExamples,
  refusalSchemas,
  refusalsOf,
  sharedRefusals,
} from "./refusals.ts";
import { documentedSchema, type SchemaComponents, type SchemaObject } from "./schema-object.ts";

/** The parts of the document besides its paths. */
export const documentHead = {
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

/** The routes' schemas as the plugin collected them, made into the whole document. */
export function completeDocument(collected: { readonly [part: string]: unknown }): ApiDocument {
  const schemas: SchemaComponents = new Map(Object.entries(refusalSchemas));
  for (const schema of canonical) documentedSchema(schema as unknown as SchemaObject, schemas);
  const paths = mapValues(collected.paths as ApiDocument["paths"], (path) =>
    mapValues(path, (operation, method) => completeOperation(method, operation, schemas)),
  );
  const events = mapValues(webhooks, ({ post }) => ({ post: withSchemas(post, schemas) }));
  return {
    ...(collected as unknown as ApiDocument),
    paths,
    webhooks: events,
    components: {
      ...(collected.components as object),
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      responses: {
        ...mapValues(sharedRefusals, (codes) => sharedResponse(codes)),
        LegacyHeadersTooMany: sharedResponse(["HEADERS_TOO_MANY"], legacyForm("read")),
      },
      examples: refusalExamples(usedCodes(paths)),
      headers: answerHeaders,
    },
  };
}

/**
 * Adds what the authentication, the rate limit and the body's reading answer to what the route itself does. Only what
 * monitors ask is open to everybody: nothing of it is refused but what nobody has read whole.
 */
function completeOperation(method: string, collected: ApiOperation, schemas: SchemaComponents): ApiOperation {
  const {
    "x-problems": own,
    "x-replays": replays,
    "x-tells-when": tellsWhen,
    "x-legacy-task": legacyTask,
    ...operation
  } = collected;
  const form = legacyTask === null ? problemForm : legacyForm(legacyTask as LegacyTask);
  const asked = { method, schemas: requestSchemas(operation), own: (own ?? []) as readonly ProblemCode[] };
  const documented = withSchemas(operation, schemas);
  const keyed = !operation.tags.includes("Health");
  const traits = {
    keyed,
    replays: replays === true,
    tellsWhen: tellsWhen === true,
    deprecated: operation.deprecated === true,
  };
  const links = linksOf(operation.operationId, operation.tags);
  const answers = mapValues(withSamples(documented), (response, status) => ({
    ...response,
    headers: headersOf({ ...traits, status: Number(status) }),
    ...(links !== undefined && status.startsWith("2") ? { links } : {}),
  }));
  const refused = [...byStatus(keyed ? refusalsOf(asked) : ["HEADERS_TOO_MANY"], form)].map(([status, codes]) => {
    const name = form.shared(codes);
    const headers = headersOf({ ...traits, replays: false, status });
    const response = name === null ? { ...form.response(codes, status), headers } : component("responses", name);
    const answered = answers[String(status)];
    return [String(status), answered === undefined ? response : eitherOf(answered, response)] as const;
  });
  const responses = { ...answers, ...Object.fromEntries(refused) };
  return { ...documented, responses, ...(keyed ? {} : { security: [] }) };
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
  };
}

function sharedResponse(codes: readonly ProblemCode[], form = problemForm): ApiResponse {
  const status = form.statusOf(codes[0] ?? "INTERNAL_ERROR");
  const headers = headersOf({ status, keyed: true, replays: false, deprecated: false });
  return { ...form.response(codes, status), headers };
}

/** The codes that some operation answers, in the catalogue's order. */
function usedCodes(paths: ApiDocument["paths"]): readonly ProblemCode[] {
  const text = JSON.stringify([paths, mapValues(sharedRefusals, (codes) => sharedResponse(codes))]);
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
