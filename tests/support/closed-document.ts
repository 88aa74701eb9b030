import type { ApiDocument } from "../../src/http/openapi/api-document.ts";

type Node = Readonly<Record<string, unknown>>;

/**
 * The document, refusing every field that a schema does not name. A schema that is composed of others (`allOf`) is
 * closed as a whole, so each component is there twice: closed under its name, and open for those who extend it.
 */
export function closedDocument(document: ApiDocument): Node {
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    [name, closed(schema as Node, false)],
    [`${name}${openSuffix}`, closed(schema as Node, true)],
  ]);
  const { paths, webhooks, components } = closed(document as unknown as Node, false) as Record<string, Node>;
  return { paths, webhooks, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

const openSuffix = ".open";

function closed(value: unknown, isExtended: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => closed(one, false));
  if (typeof value !== "object" || value === null) return value;
  const node = value as Node;
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(node)) {
    if (name === "allOf" && Array.isArray(inner)) copy.allOf = inner.map(opened);
    else if (name === "properties" && isSchemaOfObject(node)) copy.properties = fieldsClosed(inner as Node);
    else if (!isNote(name)) copy[name] = closed(inner, false);
  }
  const isShut = isSchemaOfObject(node) && !("additionalProperties" in node) && !isExtended;
  return isShut ? { ...copy, unevaluatedProperties: false } : copy;
}

/** Closes the schemas of an object's fields: a field may have any name, "example" too. */
function fieldsClosed(fields: Node): Node {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, closed(schema, false)]));
}

function opened(branch: unknown): unknown {
  const { $ref } = branch as { $ref?: unknown };
  return typeof $ref === "string" ? { $ref: `${$ref}${openSuffix}` } : closed(branch, true);
}

/** `properties` may also be the name of a field; then there is no type beside it. */
function isSchemaOfObject(node: Node): boolean {
  return "allOf" in node || (node.type === "object" && "properties" in node);
}

/** Examples are no schemas, though they may look like some. */
function isNote(name: string): boolean {
  return name === "examples" || name === "example";
}
