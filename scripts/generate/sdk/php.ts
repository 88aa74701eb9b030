import { nameIn, type Operation, readModel, type Schema, type SdkModel } from "./model.ts";

/** One method an operation; what goes in and comes out is an array, its shape in the method's comment. */
export function renderPhpOperations(): string {
  const model = readModel();
  const types = model.schemas.map(([name, schema]) => ` * @phpstan-type ${name} ${typeOf(merged(schema, model))}\n`);
  return `<?php

// Generated from docs/openapi.json by \`npm run generate\`.

declare(strict_types=1);

namespace Dispense\\Generated;

use Dispense\\CallOptions;
use Dispense\\Sender;

/**
 * Every operation of the merchant API, named as in its reference. Null leaves a field out.
 *
${types.join("")} */
abstract class Operations
{
    public function __construct(protected readonly Sender $sender)
    {
    }
${model.operations.map((operation) => methodsOf(operation, model)).join("")}}
`;
}

function methodsOf(operation: Operation, model: SdkModel): string {
  const { name, summary, method, path, pathParameters, query, body, kind, pages } = operation;
  const fields = { ...(query?.properties ?? {}), ...(body?.properties ?? {}) };
  const required = new Set((body?.required ?? []).filter((field) => kind !== "purchase" || field !== "reference"));
  const names = Object.keys(fields).toSorted((one, other) => Number(required.has(other)) - Number(required.has(one)));
  const parameters = [
    ...pathParameters.map((parameter) => `string $${parameter}`),
    ...names.map((field) => {
      const native = nativeOf(fields[field] ?? {}, model);
      if (required.has(field)) return `${native} $${field}`;
      return `${native === "mixed" ? native : native.includes("|") ? `${native}|null` : `?${native}`} $${field} = null`;
    }),
    "?CallOptions $options = null",
  ];
  const docs = [
    ...names.flatMap((field) => {
      const { description } = fields[field] ?? {};
      const type = typeOf(fields[field] ?? {});
      return `     * @param ${required.has(field) ? type : `${type}|null`} $${field}${description === undefined || description === "" ? "" : ` ${description}`}\n`;
    }),
  ];
  const listOf = (properties: Schema["properties"]) =>
    `array_filter([${Object.keys(properties ?? {})
      .map((field) => `'${field}' => $${field}`)
      .join(", ")}], static fn ($value) => $value !== null)`;
  const parts = path.split(/\{(\w+)\}/);
  const at = parts
    .map((part, i) => (i % 2 === 0 ? `'${part}'` : `rawurlencode($${part})`))
    .filter((part) => part !== "''")
    .join(" . ");
  const given = (queryText: string) =>
    [
      ...[`'${name}'`, `'${method}'`, at, `'${kind}'`],
      ...(query === null ? [] : [`query: ${queryText}`]),
      ...(body === null ? [] : [`body: ${listOf(body.properties)}`]),
      ...(kind === "lookup" ? ["reference: $reference"] : []),
      ...(operation.fields.length === 0 ? [] : [`fields: ['${operation.fields.join("', '")}']`]),
      "options: $options",
    ].join(", ");
  const head = (own: string, doc: string, result: string, native: string) => `
    /**
     * ${doc}.
     *
${docs.join("")}     * @return ${result}
     */
    public function ${own}(${parameters.join(", ")}): ${native}
    {
`;
  const result = operation.result.$ref === undefined ? typeOf(operation.result) : nameIn(operation.result.$ref);
  const send = `${head(name, summary, result, "array")}        return $this->sender->send(${given(listOf(query?.properties))});
    }
`;
  if (pages === null) return send;
  return `${send}${head(`each${name.replace(/^(list|get)/, "")}`, `${summary}, item by item, page after page`, `\\Generator<int, ${typeOf(pages.item)}>`, "\\Generator")}        for ($more = []; $more !== null; ) {
            $page = $this->sender->send(${given(`$more + ${listOf(query?.properties)}`)});
            yield from array_values($page['${pages.items}']);
            $more = ${
              pages.by === "number"
                ? "$page['meta']['current_page'] < $page['meta']['last_page'] ? ['page' => $page['meta']['current_page'] + 1] : null"
                : `$page['has_more'] && $page['${pages.items}'] !== [] ? ['after' => end($page['${pages.items}'])['id']] : null`
            };
        }
    }
`;
}

/** An object with what its parts have. */
function merged(schema: Schema, model: SdkModel): Schema {
  if (schema.$ref !== undefined) return merged(found(schema.$ref, model), model);
  if (schema.allOf === undefined) return schema;
  const parts = [
    ...schema.allOf.map((part) => merged(part, model)),
    { ...schema, allOf: undefined } as unknown as Schema,
  ];
  if (parts.every(({ properties }) => properties === undefined)) return parts[0] ?? {};
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

function found($ref: string, model: SdkModel): Schema {
  return model.schemas.find(([name]) => name === nameIn($ref))?.[1] ?? {};
}

/** What PHP itself checks. */
function nativeOf(schema: Schema, model: SdkModel): string {
  const whole = merged(schema, model);
  const variants = whole.anyOf?.map((each) => nativeOf(each, model)) ?? [];
  const names: Readonly<Record<string, string>> = {
    string: "string",
    integer: "int",
    number: "float",
    boolean: "bool",
    array: "array",
    object: "array",
  };
  const types =
    typeof whole.type === "string" ? [whole.type] : (whole.type ?? (whole.enum === undefined ? [] : ["string"]));
  const all = [
    ...new Set([
      ...variants.flatMap((each) => each.split("|")),
      ...types.filter((type) => type !== "null").map((type) => names[type] ?? "mixed"),
    ]),
  ];
  return all.length === 0 || all.includes("mixed") ? "mixed" : all.join("|");
}

/** As PHPStan and editors read it. */
function typeOf(schema: Schema): string {
  const {
    $ref,
    enum: values,
    const: constant,
    anyOf,
    allOf,
    type,
    properties,
    required = [],
    items,
    additionalProperties,
  } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (constant !== undefined) return literal(constant);
  if (values !== undefined) return values.map(literal).join("|");
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join("|");
  if (allOf !== undefined) return typeOf(allOf[0] ?? {});
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const fields = Object.entries(properties).map(
      ([name, each]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(each)}`,
    );
    return `array{${fields.join(", ")}}`;
  }
  const names: Readonly<Record<string, string>> = {
    string: "string",
    integer: "int",
    number: "float",
    boolean: "bool",
    null: "null",
  };
  return (typeof type === "string" ? [type] : (type ?? ["mixed"]))
    .map((each) => {
      if (each === "array") return `list<${items === undefined ? "mixed" : typeOf(items)}>`;
      if (each === "object")
        return `array<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties) : "mixed"}>`;
      return names[each] ?? "mixed";
    })
    .join("|");
}

function literal(value: string | number | boolean | null): string {
  return typeof value === "string" ? `'${value}'` : String(value);
}
