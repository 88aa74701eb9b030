import fc from "fast-check";
import { type ExampleRequest, neededQuery } from "../../scripts/generate/example-requests.ts";
import type { ApiDocument, ApiParameter } from "../../src/http/openapi/api-document.ts";
import type { SchemaObject } from "../../src/http/openapi/schema-object.ts";
import { junk, SchemaArbitraries } from "./schema-arbitraries.ts";

/** A request as its bytes: nothing is normalised on the way. */
export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly key: "sandbox" | "live" | "unknown" | "none";
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

export interface FuzzedOperation {
  /** Its examples, the usual one first. */
  readonly examples: readonly ExampleRequest[];
  /** What fills a path's parameter rightly: what is there by now, or the example. */
  readonly known: (parameter: string) => string;
}

/** Requests for one operation: right by its schema, wrong by a little, wrong altogether, and no request at all. */
export function fuzzRequests(document: ApiDocument, { examples, known }: FuzzedOperation): fc.Arbitrary<FuzzRequest> {
  const [usual] = examples;
  if (usual === undefined) throw new Error("every operation has an example");
  const { operation, method } = usual;
  const arbitraries = new SchemaArbitraries(document);
  const parameters = operation.parameters ?? [];
  const path = fc
    .tuple(...usual.parameters.map(({ name }) => fc.oneof({ weight: 3, arbitrary: fc.constant(known(name)) }, steps)))
    .map((values) =>
      usual.parameters.reduce((text, { name }, at) => text.replace(`{${name}}`, values[at] ?? ""), usual.path),
    );
  const needed = neededQuery(usual);
  const anyQuery = queryOf(
    parameters.filter((parameter) => parameter.in === "query"),
    arbitraries,
  );
  const query = needed === "" ? anyQuery : fc.oneof(fc.constant(needed), anyQuery);
  const carried = method === "GET" ? fc.constant(nothing) : sentBody(examples, arbitraries);
  const key = fc.oneof(
    { weight: 12, arbitrary: fc.constant("sandbox" as const) },
    { weight: 2, arbitrary: fc.constant("live" as const) },
    { weight: 1, arbitrary: fc.constantFrom("unknown" as const, "none" as const) },
  );
  return fc
    .record({ path, query, key, carried })
    .map(({ path, query, key, carried }) => ({ method, path: `${path}${query}`, key, ...carried }));
}

type Carried = Pick<FuzzRequest, "contentType" | "body">;

const nothing: Carried = { contentType: undefined, body: undefined };

/** Mostly a body that can be read; else none where one is needed, or one that is not what its type says. */
function sentBody(examples: readonly ExampleRequest[], arbitraries: SchemaArbitraries): fc.Arbitrary<Carried> {
  const content = examples[0]?.operation.requestBody?.content ?? {};
  const unreadable = fc.record({ contentType: contentTypes, body: texts });
  const media = content["application/json"];
  if (media === undefined) return fc.oneof({ weight: 5, arbitrary: fc.constant(nothing) }, unreadable);
  const body = bodyOf(examples, media.schema, arbitraries);
  const asJson = body.map((value) => ({ contentType: "application/json", body: JSON.stringify(value) }));
  const asForm = body.map((value) => ({ contentType: form, body: formOf(value) }));
  return fc.oneof(
    { weight: 12, arbitrary: asJson },
    { weight: form in content ? 8 : 1, arbitrary: asForm },
    { weight: 1, arbitrary: fc.constant(nothing) },
    { weight: 2, arbitrary: unreadable },
  );
}

const form = "application/x-www-form-urlencoded";

function formOf(body: object): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) fields.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return fields.toString();
}

/** Any text as one step of a path, in a form that HTTP can carry; some are no names of anything. */
const steps = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map(encodeURIComponent),
  fc
    .string({ unit: "binary", minLength: 1, maxLength: 20 })
    .map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "�"))),
  fc.constantFrom(
    "%00",
    "%",
    "%ZZ",
    "..%2f..",
    "%2e%2e",
    "a".repeat(5_000),
    "0",
    "-1",
    "9".repeat(30),
    "null",
    "__proto__",
    "ben_0",
    "+",
  ),
);

const contentTypes = fc.constantFrom(
  "application/json",
  "application/json",
  "application/x-www-form-urlencoded",
  "text/plain",
  "application/json; charset=utf-16",
  "application/json; charset=UTF-8",
  "multipart/form-data; boundary=x",
  "application/problem+json",
  "",
);

/** Bodies that no JSON library writes. */
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.json({ maxDepth: 10 }),
  fc.constantFrom(
    "{",
    "[]",
    "null",
    '""',
    "1e999",
    '{"a":1e5}',
    '{"__proto__":{"x":1}}',
    "[".repeat(200),
    '{"reference":"\\ud800"}',
    "a=1&b=2",
    '{"reference":"\\u0000"}',
  ),
);

/** Mostly none or few: a list refuses at the first wrong filter, and would never read a second one. */
function queryOf(parameters: readonly ApiParameter[], arbitraries: SchemaArbitraries): fc.Arbitrary<string> {
  if (parameters.length === 0) return fc.constant("");
  const pairs = parameters.map(({ name, schema }) => {
    const fitting = arbitraries.fitting(schema).map(String);
    const value = fc.oneof({ weight: 4, arbitrary: fitting }, { weight: 1, arbitrary: queryJunk });
    const pair = value.map((text) => `${name}=${encodeURIComponent(text)}`);
    return fc.oneof(
      { weight: 8, arbitrary: pair },
      { weight: 1, arbitrary: fc.tuple(pair, pair).map((texts) => texts.join("&")) },
      { weight: 1, arbitrary: pair.map((text) => text.replace("=", "[]=")) },
    );
  });
  return fc.array(fc.oneof(...pairs), { maxLength: 3 }).map((found) => {
    return found.length === 0 ? "" : `?${found.join("&")}`;
  });
}

const queryJunk = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 120 }),
  fc.constantFrom("", "0", "-1", "1.5", "1e3", "999999999999999999999", "NaN", "\0", "null", "2026-13-45"),
);

/** An example with some fields changed, taken away or added; or a body made from the schema alone. */
function bodyOf(
  examples: readonly ExampleRequest[],
  schema: SchemaObject,
  arbitraries: SchemaArbitraries,
): fc.Arbitrary<object> {
  const properties = arbitraries.propertiesOf(schema);
  const change = fc.constantFrom(...Object.keys(properties), "colour").chain((name) => {
    const field = properties[name];
    return fc
      .oneof(
        { weight: 3, arbitrary: field === undefined ? junk : arbitraries.fitting(field) },
        { weight: 3, arbitrary: junk },
        { weight: 2, arbitrary: fc.constant(undefined) },
      )
      .map((value) => [name, value] as const);
  });
  const mutated = fc
    .record({
      body: fc.constantFrom(...examples.map(({ body }) => body ?? {})),
      reference: freshReference(examples[0]?.operation.operationId ?? ""),
      ending: fc.constantFrom("4567", "0002", "0003", "0004", "0009", "1234"),
      changes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(change, { maxLength: 3 })),
    })
    .map(({ body, reference, ending, changes }) => ({
      ...renewed(body, reference, ending),
      ...Object.fromEntries(changes),
    }));
  const whole = arbitraries.fitting(schema).map((value) => value as object);
  return fc.oneof({ weight: 5, arbitrary: mutated }, { weight: 2, arbitrary: whole });
}

/** Under the operation's name: one seed makes the same ids for all. Now and then it is taken: a replay, or a conflict. */
function freshReference(operationId: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.uuid().map((id) => `${operationId}-${id}`) },
    { weight: 1, arbitrary: fc.constantFrom("again-1", "again-2") },
  );
}

/** An example as another purchase: under a reference of its own, for a number whose ending decides what comes of it. */
function renewed(body: object, reference: string, ending: string): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === "reference" || name === "ident") return [name, reference];
      const isNumber = typeof value === "string" && /^[0-9]{8,}$/.test(value);
      return [name, isNumber ? value.slice(0, -4) + ending : value];
    }),
  );
}
