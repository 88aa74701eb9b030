import { capitalized, nameIn, type Operation, readModel, type Schema } from "./model.ts";

const heading = "// Generated from docs/openapi.json by `npm run generate`.\n";

/** The types of every schema, request and answer. */
export function renderNodeTypes(): string {
  const { schemas, operations } = readModel();
  const known = new Set<string>();
  const declare = (name: string, schema: Schema): string => {
    if (known.has(name)) return "";
    known.add(name);
    return `${docOf(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`;
  };
  return [
    heading,
    ...schemas.map(([name, schema]) => declare(name, schema)),
    ...operations.flatMap((operation) => [
      operation.body === null ? "" : declare(requestName(operation), requestOf(operation)),
      operation.query === null ? "" : declare(queryName(operation), operation.query),
      operation.result.$ref === undefined ? declare(resultName(operation), operation.result) : "",
    ]),
  ]
    .filter(Boolean)
    .join("\n");
}

/** One method an operation. */
export function renderNodeOperations(): string {
  const { operations } = readModel();
  const used = new Set(
    operations.flatMap((operation) => [
      ...(operation.body === null ? [] : [requestName(operation)]),
      ...(operation.query === null ? [] : [queryName(operation)]),
      resultName(operation),
    ]),
  );
  const pagers = [...new Set(operations.flatMap(({ pages }) => (pages === null ? [] : [pagerOf(pages.by)])))];
  return `${heading}
import { ${[...pagers, "type Pages"].toSorted().join(", ")} } from "../pages.ts";
import type { CallOptions, Sender } from "../sender.ts";
import type * as api from "./types.ts";

/** Every operation of the merchant API, named as in its reference. */
export class Operations {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }
${operations.map(methodOf).join("")}}
`.replaceAll(/\bT\$(\w+)/g, (_, name: string) => (used.has(name) ? `api.${name}` : name));
}

function methodOf(operation: Operation): string {
  const { name, summary, method, path, pathParameters, query, body, kind, fields, pages } = operation;
  const inPath = pathParameters.map((parameter) => `${parameter}: string`);
  const isOptional = body !== null && (requestOf(operation).required ?? []).length === 0;
  const parameters = [
    ...inPath,
    ...(body === null ? [] : [`body: T$${requestName(operation)}${isOptional ? " = {}" : ""}`]),
    ...(query === null ? [] : [`query: T$${queryName(operation)} = {}`]),
    "options?: CallOptions",
  ];
  const at = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => `\${encodeURIComponent(${parameter})}`);
  const target = at.includes("$") ? `\`${at}\`` : JSON.stringify(at);
  const given = (queryText: string) =>
    [
      `operation: ${JSON.stringify(name)}`,
      `method: ${JSON.stringify(method)}`,
      `path: ${target}`,
      `kind: ${JSON.stringify(kind)}`,
      ...(kind === "lookup" ? ["reference"] : []),
      ...(fields.length === 0 ? [] : [`fields: ${JSON.stringify(fields)}`]),
      ...(query === null ? [] : [queryText]),
      ...(body === null ? [] : ["body"]),
      "options",
    ].join(", ");
  const result = `T$${resultName(operation)}`;
  const doc = `\n  /** ${summary}. */\n`;
  if (pages === null) {
    return `${doc}  ${name}(${parameters.join(", ")}): Promise<${result}> {
    return this.sender.send({ ${given("query")} });
  }
`;
  }
  const item = `${result}[${JSON.stringify(pages.items)}][number]`;
  return `${doc}  ${name}(${parameters.join(", ")}): Pages<${result}, ${item}> {
    return ${pagerOf(pages.by)}(
      (next) => this.sender.send<${result}>({ ${given("query: { ...query, ...next }")} }),
      (page) => page.${pages.items},
    );
  }
`;
}

function pagerOf(by: "number" | "after"): string {
  return by === "number" ? "numbered" : "after";
}

/** The client makes a reference where none is given. */
function requestOf({ body, kind }: Operation): Schema {
  if (body === null || kind !== "purchase") return body ?? {};
  return { ...body, required: (body.required ?? []).filter((name) => name !== "reference") };
}

function requestName({ name }: Operation): string {
  return `${capitalized(name)}Request`;
}

function queryName({ name }: Operation): string {
  return `${capitalized(name)}Query`;
}

function resultName({ name, result }: Operation): string {
  return result.$ref === undefined ? `${capitalized(name)}Result` : nameIn(result.$ref);
}

function docOf({ description }: Schema, indent: string): string {
  return description === undefined || description === ""
    ? ""
    : `${indent}/** ${description.replaceAll("*/", "* /")} */\n`;
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, enum: values, const: constant, anyOf, allOf, type } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, indent)).join(" | ");
  const own = schema.properties === undefined && type === undefined ? null : ownType(schema, indent);
  if (allOf !== undefined)
    return [...allOf.map((each) => typeOf(each, indent)), ...(own === null ? [] : [own])].join(" & ");
  return own ?? "unknown";
}

function ownType(schema: Schema, indent: string): string {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["object"]);
  return types.map((type) => plainType(type, schema, indent)).join(" | ");
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return `readonly (${schema.items === undefined ? "unknown" : typeOf(schema.items, indent)})[]`;
    case "object":
      return objectType(schema, indent);
    default:
      return type;
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown";
    return `{ readonly [name: string]: ${values} }`;
  }
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${docOf(schema, deeper)}${deeper}readonly ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema, deeper)};\n`,
  );
  return `{\n${fields.join("")}${indent}}`;
}
