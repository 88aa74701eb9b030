import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { eventNames } from "../../src/domain/webhooks/events/event.ts";
import type { ApiDocument, ApiMedia } from "../../src/http/openapi/api-document.ts";
import { linkedOperations } from "../../src/http/openapi/document.ts";
import { tags } from "../../src/http/openapi/operation.ts";
import type { SchemaObject } from "../../src/http/openapi/schema-object.ts";
import { listFiles, projectRoot } from "../architecture/source-text.ts";
import { closedDocument } from "../support/closed-document.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();
const document: ApiDocument = await describeApi();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    operation,
  })),
);
const keyed = operations.filter(({ operation }) => !operation.tags.includes("Health"));

const advice = "describe the route's schema by operation() of src/http/openapi/operation.ts";

describe("every endpoint is described", () => {
  test.each(operations)("$name has a name, a summary, a description and a chapter", ({ operation }) => {
    expect(operation.operationId, advice).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary, advice).toMatch(/^[A-Z].{3,80}[^.]$/);
    expect(operation.description, advice).toMatch(/^[A-Z0-9][\s\S]{10,}\.$/);
    expect(Object.keys(tags), advice).toEqual(expect.arrayContaining([...operation.tags]));
    expect(operation.tags).toHaveLength(1);
  });

  test.each(operations)("$name says what it answers, and each answer has a schema", ({ operation }) => {
    const responses = Object.entries(operation.responses);
    expect(
      responses.some(([status]) => status.startsWith("2")),
      advice,
    ).toBe(true);
    for (const [status, response] of responses) {
      expect(status, advice).toMatch(/^[2-5][0-9]{2}$/);
      if ("$ref" in response) continue;
      expect(response.description, `${status}: ${advice}`).not.toMatch(/^(Default Response)?$/);
      expect(response.content?.["application/json"]?.schema, `${status}: ${advice}`).toBeDefined();
    }
  });

  test.each(operations)("$name has an example of its body and of each parameter", ({ operation }) => {
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      expect(Object.keys(media.examples ?? {}).length, advice).toBeGreaterThan(0);
    }
    for (const { name, description, example, schema } of operation.parameters ?? []) {
      expect(description, `${name} needs a description`).toMatch(/\S/);
      expect(example ?? schema.examples, `${name} needs an example`).toBeDefined();
    }
  });

  test.each(operations)("$name gives every field of its answers an example or a list of values", ({ operation }) => {
    const bare = Object.entries(operation.responses).flatMap(([status, response]) => {
      const schema = "$ref" in response ? undefined : response.content?.["application/json"]?.schema;
      return schema === undefined ? [] : bareFields(schema).map((field) => `${status} ${field}`);
    });
    expect(bare).toEqual([]);
  });

  test.each(operations)("$name has an example of every answer", ({ operation }) => {
    const without = Object.entries(operation.responses).flatMap(([status, response]) => {
      const whole =
        "$ref" in response ? document.components.responses[response.$ref.split("/").at(-1) ?? ""] : response;
      return Object.keys(whole?.content?.["application/json"]?.examples ?? {}).length === 0 ? [status] : [];
    });
    expect(without).toEqual([]);
  });

  test.each(keyed)("$name names the refusals that every request can meet", ({ method, operation }) => {
    const expected = ["401", "403", "429", "500", "503"];
    // A legacy purchase is refused with 400, whatever was wrong with its body.
    if (method !== "get") expected.push("400");
    if (method !== "get" && !operation.operationId.startsWith("legacyBuy")) expected.push("413", "415");
    if ((operation.parameters ?? []).some((parameter) => parameter.in === "query")) expected.push("400");
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expected));
  });

  test("no two operations have one name, and every link leads from one to another", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(linkedOperations.filter((name) => !names.includes(name))).toEqual([]);
  });

  test("only what is no part of the API is hidden", () => {
    // Pages of the consoles are for people.
    const ofApi = listFiles(["src"], [".ts", ".tsx"]).filter((path) => !path.startsWith("src/console/"));
    const hiding = ofApi.filter((path) => /\bhide: true\b/.test(readFileSync(join(projectRoot, path), "utf8")));
    expect(hiding).toEqual([
      "src/http/docs/pages.tsx",
      "src/http/health.ts", // for the operator's own collector
      "src/http/supplier/callback.ts", // for suppliers, as their own documents say
    ]);
  });

  test("every event is described, and nothing of our own shorthand is left in the text", () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventNames]);
    expect(JSON.stringify(document).match(/"x-(?!internal)[a-z-]+"/g)).toBeNull();
  });
});

describe("names that generators of clients make", () => {
  test("no two types have one name, also where a generator names what stands inline in a schema", () => {
    const { schemas } = document.components;
    const names = Object.entries(schemas).flatMap(([name, schema]) => [name, ...namesWithin(name, schema)]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  test("two inline lists of values in properties that differ by a capital are noticed", () => {
    const status = { type: "string", enum: ["a", "b"] };
    const names = namesWithin("Sale", { type: "object", properties: { Status: status, status, end: { $ref: "#/x" } } });
    expect(names).toEqual(["SaleStatus", "SaleStatus"]);
  });
});

/** As orval and others call an inline object or list of values: by its schema and property. */
function namesWithin(name: string, { properties = {}, ...schema }: SchemaObject): string[] {
  const own = Object.entries(properties as Record<string, SchemaObject>).flatMap(([property, inner]) => {
    if (inner.$ref !== undefined) return [];
    const given = name + property.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const isNamed = inner.enum !== undefined || inner.properties !== undefined;
    return [...(isNamed ? [given] : []), ...namesWithin(given, inner)];
  });
  const parts = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((some) => (some ?? []) as SchemaObject[]);
  return [...own, ...parts.flatMap((part) => (part.$ref === undefined ? namesWithin(name, part) : []))];
}

describe("every example fits the schema that it stands beside", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closedDocument(document), "api");
  const examples = [...mediaIn(document.paths, "/paths"), ...mediaIn(document.webhooks, "/webhooks")].concat(
    mediaIn(document.components.responses, "/components/responses"),
  );

  test.each(examples)("each example at $pointer does", ({ pointer, media }) => {
    const validate = ajv.compile({ $ref: `api#${pointer}/schema` });
    for (const [name, example] of Object.entries(media.examples ?? {})) {
      const value = "value" in example ? example.value : document.components.examples[name]?.value;
      expect(value, `${name} has no value`).toBeDefined();
      expect(validate(value), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test("answers, refusals and events are among them", () => {
    const pointers = examples.map(({ pointer }) => pointer).join("\n");
    expect(pointers).toMatch(/data~1purchase\/post\/responses\/422/);
    expect(pointers).toMatch(/\/webhooks\/bulk\.completed/);
    expect(pointers).toMatch(/\/components\/responses\/Unauthorized/);
  });
});

/** Every content with examples, with its JSON pointer. */
function mediaIn(node: unknown, pointer: string): readonly { readonly pointer: string; readonly media: ApiMedia }[] {
  if (typeof node !== "object" || node === null) return [];
  if ("schema" in node && "examples" in node) return [{ pointer, media: node as unknown as ApiMedia }];
  return Object.entries(node).flatMap(([name, inner]) => {
    return mediaIn(inner, `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`);
  });
}

test("a value has one type, but for null, so that generators of clients can read it", () => {
  const mixed = schemasIn(document).filter((schema) => {
    const types = [schema.type ?? []].flat().filter((type) => type !== "null");
    const kinds = new Set([schema.enum ?? []].flat().map((value) => typeof value));
    return types.length > 1 || kinds.size > 1;
  });
  expect(mixed).toEqual([]);
});

function schemasIn(node: unknown): readonly SchemaObject[] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.values(node).flatMap(schemasIn);
  return "type" in node || "enum" in node ? [node as SchemaObject, ...inner] : inner;
}

/** Fields without an example, down to the components, which are checked by themselves. */
function bareFields(schema: unknown, path = ""): readonly string[] {
  const { properties, items, allOf } = schema as { properties?: object; items?: unknown; allOf?: readonly unknown[] };
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, field]) => {
      const says = [
        "examples",
        "enum",
        "const",
        "$ref",
        "anyOf",
        "allOf",
        "properties",
        "items",
        "additionalProperties",
      ];
      const isBoolean = [(field as { type?: unknown }).type].flat().includes("boolean");
      const isBare = !isBoolean && !says.some((keyword) => keyword in field);
      return isBare ? [`${path}/${name}`] : bareFields(field, `${path}/${name}`);
    }),
    ...(items === undefined ? [] : bareFields(items, `${path}/[]`)),
    ...(allOf ?? []).flatMap((part) => bareFields(part, path)),
  ];
}

test("every field of every component has an example or a list of values", () => {
  const bare = Object.entries(document.components.schemas).flatMap(([name, schema]) => bareFields(schema, name));
  expect(bare).toEqual([]);
});

test("what is served is what is checked in, and may be cached", async () => {
  const response = await fetch(`${app.url}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  const checkedIn = JSON.stringify(JSON.parse(readFileSync(join(projectRoot, "docs/openapi.json"), "utf8")));
  // Half a megabyte that differs would be compared for minutes; generated-is-fresh.test.ts tells where.
  expect((await response.text()) === checkedIn, "run npm run generate").toBe(true);
});
