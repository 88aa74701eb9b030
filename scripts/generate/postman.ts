import type { ApiDocument, ApiOperation } from "../../src/http/openapi/api-document.ts";
import type { SchemaObject } from "../../src/http/openapi/schema-object.ts";
import {
  type ExampleRequest,
  exampleRequests,
  filledPath,
  neededQuery,
  type PathParameter,
} from "./example-requests.ts";
import { jsonText } from "./json-text.ts";
import { describeApi } from "./openapi-doc.ts";

/**
 * `docs/dispense.postman_collection.json`: every example of the document as a request of Postman's, by chapter. Runs
 * from top to bottom with a sandbox key, again and again: references end in the variable `run`, which the first request
 * sets anew, and what was created before is deleted before it is created again.
 */
export async function renderPostmanCollection(): Promise<string> {
  const document = await describeApi();
  const requests = exampleRequests(document);
  const whole = { document, requests, references: referencesIn(requests) };
  const folders = document.tags
    .map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ operation }) => operation.tags.includes(name)).map((request) => itemOf(request, whole)),
    }))
    .filter(({ item }) => item.length > 0);
  folders[0]?.item[0]?.event.unshift(script("prerequest", newRun));
  const collection = {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{api_key}}", type: "string" }] },
    variable: [
      { key: "base_url", value: "http://127.0.0.1:8080" },
      { key: "api_key", value: "" },
      { key: "run", value: "" },
      ...sourcesOf(requests).map((source) => ({ key: variableOf(source), value: "" })),
    ],
    event: [script("prerequest", startRun)],
    item: folders,
  };
  return `${jsonText(collection)}\n`;
}

interface Whole {
  readonly document: ApiDocument;
  readonly requests: readonly ExampleRequest[];
  readonly references: ReadonlySet<string>;
}

const newRun = ['pm.collectionVariables.set("run", Date.now().toString(36));'];

/** For whoever sends a single request first. Sent again, it is the same purchase again. */
const startRun = ['if (!pm.collectionVariables.get("run")) {', `  ${newRun}`, "}"];

function itemOf(request: ExampleRequest, whole: Whole) {
  const { operation, name } = request;
  const kept = sourcesOf(whole.requests).filter(({ operationId }) => operationId === operation.operationId);
  return {
    name: name === "" ? operation.summary : `${operation.summary}: ${name.toLowerCase()}`,
    event: [
      ...kept.flatMap((source) => clearing(source, whole)),
      script("test", [...assertionsOf(request, whole.document), ...kept.map(keeping)]),
    ],
    request: requestOf(request, whole),
    response: sampledAnswers(request).map(({ code, value }) => ({
      name: String(code),
      code,
      body: JSON.stringify(value, null, 2),
      originalRequest: requestOf(request, whole),
      _postman_previewlanguage: "json",
      header: [{ key: "Content-Type", value: "application/json; charset=utf-8" }],
    })),
  };
}

/** That it is answered as the document says: with the example's status and fields, and as final as it. */
function assertionsOf(request: ExampleRequest, document: ApiDocument): readonly string[] {
  return sampledAnswers(request).flatMap(({ code, value }) => [
    `pm.test("answers ${code}", () => pm.response.to.have.status(${code}));`,
    `pm.test("has the fields that are documented", () => {`,
    `  pm.expect(pm.response.json()).to.include.all.keys(${JSON.stringify(keysOf(value, request.operation, document))});`,
    "});",
    ...("transaction_id" in value && "status" in value
      ? [`pm.test("is ${value.status}", () => pm.expect(pm.response.json().status).to.eql("${value.status}"));`]
      : []),
  ]);
}

/** The fields of an answer that none of its kind lacks: a secret is told once. */
function keysOf(value: object, { responses }: ApiOperation, { components }: ApiDocument): readonly string[] {
  const parts = (schema: SchemaObject): readonly SchemaObject[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, unknown>;
    const named = typeof $ref === "string" ? [components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}] : [];
    return [schema, ...[...named, ...[allOf, anyOf, oneOf].flat()].flatMap((part) => parts(part as SchemaObject))];
  };
  const schemas = Object.values(responses).flatMap((response) =>
    "$ref" in response ? [] : parts(response.content?.["application/json"]?.schema ?? {}),
  );
  const required = new Set(schemas.flatMap((schema) => (schema.required ?? []) as string[]));
  return Object.keys(value).filter((key) => required.has(key));
}

function requestOf(request: ExampleRequest, { references }: Whole) {
  const { operation, method, body } = request;
  const path = filledPath(request, (parameter) => stepOf(parameter, references));
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query")
    .map(({ name, description, example, required = false }) => ({
      key: name,
      value: String(example ?? ""),
      description,
      disabled: !required,
    }));
  return {
    method,
    description: operation.description,
    ...(operation.security?.length === 0 ? { auth: { type: "noauth" } } : {}),
    header: [{ key: "Accept", value: "application/json" }],
    url: {
      raw: `{{base_url}}${path}${neededQuery(request)}`,
      host: ["{{base_url}}"],
      path: path.split("/").slice(1),
      ...(query.length === 0 ? {} : { query }),
    },
    ...(body === undefined ? {} : { body: bodyOf(body, references) }),
  };
}

function bodyOf(body: object, references: ReadonlySet<string>) {
  const fresh = JSON.stringify(
    body,
    (_key, value: unknown) => (typeof value === "string" && references.has(value) ? `${value}-{{run}}` : value),
    2,
  );
  return { mode: "raw", raw: fresh, options: { raw: { language: "json" } } };
}

function stepOf({ example, source }: PathParameter, references: ReadonlySet<string>): string {
  if (source !== null) return `{{${variableOf(source)}}}`;
  return references.has(example) ? `${example}-{{run}}` : example;
}

/** The names that purchases and orders of the examples have. */
function referencesIn(requests: readonly ExampleRequest[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { body } of requests) {
    JSON.stringify(body ?? null, (key, value: unknown) => {
      if (["reference", "ident"].includes(key) && typeof value === "string") found.add(value);
      return value;
    });
  }
  return found;
}

type Source = NonNullable<PathParameter["source"]>;

function sourcesOf(requests: readonly ExampleRequest[]): readonly Source[] {
  const sources = requests.flatMap(({ parameters }) => parameters.flatMap(({ source }) => source ?? []));
  return [...new Map(sources.map((source) => [variableOf(source), source])).values()];
}

/** `createBeneficiary` and `/id` → `createBeneficiary_id`. */
function variableOf({ operationId, pointer }: Source): string {
  return `${operationId}${pointer.replaceAll("/", "_")}`;
}

/** What an earlier run, or the example before this one, has left there can't be created twice. */
function clearing(source: Source, { requests, references }: Whole) {
  const deleting = requests.find(
    ({ method, parameters }) =>
      method === "DELETE" && parameters.some((parameter) => parameter.source?.operationId === source.operationId),
  );
  if (deleting === undefined) return [];
  const path = filledPath(deleting, (parameter) => stepOf(parameter, references));
  return [
    script("prerequest", [
      `if (pm.collectionVariables.get("${variableOf(source)}")) {`,
      "  pm.sendRequest({",
      `    url: pm.collectionVariables.replaceIn("{{base_url}}${path}"),`,
      '    method: "DELETE",',
      '    header: { Authorization: pm.collectionVariables.replaceIn("Bearer {{api_key}}") },',
      "  });",
      "}",
    ]),
  ];
}

function keeping(source: Source): string {
  const fields = source.pointer
    .split("/")
    .slice(1)
    .map((step) => `[${JSON.stringify(step)}]`)
    .join("");
  return `pm.collectionVariables.set("${variableOf(source)}", pm.response.json()${fields});`;
}

function script(listen: "prerequest" | "test", exec: readonly string[]) {
  return { listen, script: { type: "text/javascript", exec } };
}

/** What the document says that the example was answered with. */
function sampledAnswers({ operation, key }: ExampleRequest): readonly { code: number; value: object }[] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    const value = sampleIn(response, key);
    return typeof value === "object" && value !== null ? [{ code: Number(status), value }] : [];
  });
}

function sampleIn(response: ApiOperation["responses"][string], key: string): unknown {
  if ("$ref" in response) return undefined;
  const example = response.content?.["application/json"]?.examples?.[key];
  return example !== undefined && "value" in example ? example.value : undefined;
}
