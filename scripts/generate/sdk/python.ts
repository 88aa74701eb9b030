import { capitalized, nameIn, type Operation, readModel, type Schema, type SdkModel } from "./model.ts";

const heading =
  '"""Generated from docs/openapi.json by `npm run generate`."""\n\nfrom __future__ import annotations\n\n';
const keywords = new Set(["from", "class", "in", "is", "not", "pass", "global"]);

/** The types of every schema and answer: what is an object is a TypedDict. */
export function renderPythonTypes(): string {
  const model = readModel();
  const answers = model.operations
    .filter(({ result }) => result.$ref === undefined)
    .map((operation) => [resultName(operation), operation.result] as const);
  const parts = [...model.schemas, ...answers].map(([name, schema]) => declared(name, schema, model));
  return `${heading}from typing import Any, Dict, List, Literal, TypedDict, Union\n${parts.flat().join("")}`;
}

/** One method an operation, for programs that wait and for asyncio. */
export function renderPythonOperations(): string {
  const { operations } = readModel();
  const classOf = (isAsync: boolean) => `

class ${isAsync ? "AsyncOperations" : "Operations"}:
    """Every operation of the merchant API, named as in its reference, in snake case."""

    def __init__(self, sender: ${isAsync ? "AsyncSender" : "Sender"}) -> None:
        self._sender = sender
${operations.map((operation) => methodsOf(operation, isAsync)).join("")}`;
  return `${heading}from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Mapping, Optional, Union
from urllib.parse import quote

from ..pages import each, each_async
from ..sender import AsyncSender, Sender
from ..tries import Call
from . import types as api

_omit: Any = object()


def _given(**fields: Any) -> Dict[str, Any]:
    return {name.rstrip("_"): value for name, value in fields.items() if value is not _omit}
${classOf(false)}${classOf(true)}`;
}

function methodsOf(operation: Operation, isAsync: boolean): string {
  const { name, summary, method, path, pathParameters, query, body, kind, pages } = operation;
  const known = [
    ...(kind === "lookup" ? ["            reference=reference,\n"] : []),
    ...(operation.fields.length === 0 ? [] : [`            fields=${tuple(operation.fields)},\n`]),
  ].join("");
  const fields = { ...(query?.properties ?? {}), ...(body?.properties ?? {}) };
  const required = new Set((body?.required ?? []).filter((field) => kind !== "purchase" || field !== "reference"));
  const names = Object.keys(fields).toSorted((one, other) => Number(required.has(other)) - Number(required.has(one)));
  const parameters = names.map((field) => {
    const type = typeOf(fields[field] ?? {}, "api.");
    return `        ${spelled(field)}: ${type}${required.has(field) ? "" : " = _omit"},\n`;
  });
  const given = (properties: Schema["properties"]) =>
    `_given(${Object.keys(properties ?? {})
      .map((field) => `${spelled(field)}=${spelled(field)}`)
      .join(", ")})`;
  const at = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => `{quote(${parameter}, safe='')}`);
  const call = `Call(
            ${JSON.stringify(name)},
            ${JSON.stringify(method)},
            ${at.includes("{") ? "f" : ""}${JSON.stringify(at)},
            ${JSON.stringify(kind)},
            query=${query === null ? "None" : given(query.properties)},
            body=${body === null ? "None" : given(body.properties)},
${known}            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        )`;
  const head = (own: string, result: string, isCoroutine: boolean) => `
    ${isCoroutine ? "async " : ""}def ${own}(
        self,
${pathParameters.map((parameter) => `        ${parameter}: str,\n`).join("")}        *,
${parameters.join("")}        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> ${result}:
        """${summary}${own.startsWith("each_") ? ", item by item, page after page" : ""}."""
`;
  const snake = snakeCase(name);
  const send = `${head(snake, `api.${resultName(operation)}`, isAsync)}        return ${isAsync ? "await " : ""}self._sender.send(${call})
`;
  if (pages === null) return send;
  const item = `${isAsync ? "AsyncIterator" : "Iterator"}[${typeOf(pages.item, "api.")}]`;
  const walk = isAsync ? "each_async" : "each";
  return `${send}${head(`each_${snake.replace(/^(list|get)_/, "")}`, item, false)}        return ${walk}(self._sender, ${call}, ${JSON.stringify(pages.items)})
`;
}

function tuple(names: readonly string[]): string {
  return `(${names.map((name) => `${JSON.stringify(name)},`).join(" ")})`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function spelled(name: string): string {
  return keywords.has(name) ? `${name}_` : name;
}

function resultName({ name, result }: Operation): string {
  return result.$ref === undefined ? `${capitalized(name)}Result` : nameIn(result.$ref);
}

/** An object gets a class for what it always has, and one below it for what it may have. */
function declared(name: string, schema: Schema, model: SdkModel): string {
  const whole = merged(schema, model);
  if (whole.properties === undefined) return `\n${docOf(schema, "#: ")}${name} = ${typeOf(schema, "", true)}\n`;
  const { properties, required = [] } = whole;
  const fields = (isRequired: boolean) =>
    Object.entries(properties)
      .filter(([field]) => required.includes(field) === isRequired)
      .map(([field, each]) => `${docOf(each, "    #: ")}    ${spelled(field)}: ${typeOf(each, "")}\n`)
      .join("");
  const [always, maybe] = [fields(true), fields(false)];
  const doc = schema.description === undefined ? "" : `    """${schema.description}"""\n\n`;
  const classOf = (own: string, base: string, text: string) =>
    `\n\nclass ${own}(${base}):\n${text === "" ? "    pass\n" : text}`;
  if (maybe === "") return classOf(name, "TypedDict", doc + always);
  return `${classOf(`_${name}Always`, "TypedDict", always)}${classOf(name, `_${name}Always, total=False`, doc + maybe)}`;
}

/** An object with what its parts have: Python's types can't be joined. */
function merged(schema: Schema, model: SdkModel): Schema {
  if (schema.allOf === undefined) return schema;
  const parts = [...schema.allOf, { ...schema, allOf: undefined }].map((part) => {
    const { $ref } = part as Schema;
    if ($ref === undefined) return part as Schema;
    const [, found = {}] = model.schemas.find(([name]) => name === nameIn($ref)) ?? [];
    return merged(found, model);
  });
  if (parts.every(({ properties }) => properties === undefined)) return schema;
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

function docOf({ description }: Schema, start: string): string {
  return description === undefined || description === "" ? "" : `${start}${description.replaceAll("\n", " ")}\n`;
}

/** `isValue`: the type stands where Python runs it, so names that may come later are quoted. */
function typeOf(schema: Schema, prefix: string, isValue = false): string {
  const { $ref, enum: values, const: constant, anyOf, allOf, type } = schema;
  const inner = (each: Schema) => typeOf(each, prefix, isValue);
  if ($ref !== undefined) return isValue ? JSON.stringify(nameIn($ref)) : `${prefix}${nameIn($ref)}`;
  if (constant !== undefined) return `Literal[${literal(constant)}]`;
  if (values !== undefined) return `Literal[${values.map(literal).join(", ")}]`;
  if (anyOf !== undefined) return union(anyOf.map(inner));
  if (allOf !== undefined) return inner(allOf[0] ?? {});
  if (type === undefined) return "Any";
  return union((typeof type === "string" ? [type] : type).map((each) => plainType(each, schema, inner)));
}

function plainType(type: string, { items, additionalProperties }: Schema, inner: (schema: Schema) => string): string {
  const names: Readonly<Record<string, string>> = {
    string: "str",
    integer: "int",
    number: "float",
    boolean: "bool",
    null: "None",
  };
  if (type === "array") return `List[${items === undefined ? "Any" : inner(items)}]`;
  if (type === "object")
    return `Dict[str, ${typeof additionalProperties === "object" ? inner(additionalProperties) : "Any"}]`;
  return names[type] ?? "Any";
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length === 1 ? (all[0] ?? "Any") : `Union[${all.join(", ")}]`;
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}
