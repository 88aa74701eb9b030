import { readFileSync } from "node:fs";
import path from "node:path";

/** A schema of the API's document, as far as types are made of it. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly const?: string | number | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query";
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly info: { readonly version: string };
  readonly webhooks: Readonly<Record<string, { readonly post: Described }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One method of the SDKs. */
export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly method: string;
  /** Below `/api/v1/merchant`, its parameters in braces. */
  readonly path: string;
  readonly pathParameters: readonly string[];
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly result: Schema;
  /** `purchase`: its body has a reference of the caller's. `lookup`: its path has one. */
  readonly kind: "purchase" | "lookup" | "verify" | "other";
  /** What its answer always has, by which it is known; none where the answer is known by its reference. */
  readonly fields: readonly string[];
  /** How a list goes on, and the field with its items; null where the answer is whole. */
  readonly pages: { readonly by: "number" | "after"; readonly items: string; readonly item: Schema } | null;
}

export interface SdkModel {
  readonly version: string;
  readonly schemas: readonly (readonly [name: string, schema: Schema])[];
  readonly operations: readonly Operation[];
}

const base = "/api/v1/merchant";

/** What the SDKs are made of: the merchant API without the older endpoints, from the checked-in document. */
export function readModel(): SdkModel {
  const file = path.join(import.meta.dirname, "../../../docs/openapi.json");
  const { info, paths, components, webhooks } = JSON.parse(readFileSync(file, "utf8")) as Document;
  const operations = Object.entries(paths)
    .filter(([at]) => at.startsWith(`${base}/`))
    .flatMap(([at, methods]) =>
      Object.entries(methods).flatMap(([method, described]) =>
        described.operationId === undefined
          ? []
          : [operationOf(at.slice(base.length), method, described, components.schemas)],
      ),
    );
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => !name.startsWith("Legacy"))
    .map(([name, schema]) => [name, precise(name, schema, webhooks)] as const);
  return { version: info.version, schemas, operations };
}

/** The API reads a network in any case, and tells events by one schema: types say which there are. */
function precise(name: string, schema: Schema, webhooks: Document["webhooks"]): Schema {
  if (name === "NetworkInput") return { ...schema, type: "string", enum: networks };
  if (name !== "WebhookEvent") return schema;
  const events = Object.values(webhooks).map(({ post }) => post.requestBody?.content["application/json"]?.schema ?? {});
  return { description: "The body of a webhook: `event` says which of them.", anyOf: events };
}

const networks = ["MTN", "GLO", "9MOBILE", "AIRTEL"];

function operationOf(
  at: string,
  method: string,
  described: Described,
  schemas: Document["components"]["schemas"],
): Operation {
  const { operationId: name = "", summary = "", parameters = [], requestBody, responses } = described;
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const body = requestBody?.content["application/json"]?.schema ?? null;
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const result = answer?.content?.["application/json"]?.schema ?? {};
  const pathParameters = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
  const kind = kindOf(method, at, body, pathParameters);
  const pages = pagesOf(
    method,
    inQuery.map(({ name: field }) => field),
    resolved(result, schemas),
  );
  return {
    ...{ name, summary, method: method.toUpperCase(), path: at, body, result, pathParameters, kind, pages },
    fields: kind === "purchase" || kind === "lookup" ? [] : fieldsOf(pages, result, schemas),
    query:
      inQuery.length === 0
        ? null
        : {
            type: "object",
            properties: Object.fromEntries(
              inQuery.map(({ name: field, schema, description = "" }) => [
                field,
                field === "network" ? { type: "string", enum: networks, description } : { ...schema, description },
              ]),
            ),
          },
  };
}

function kindOf(method: string, at: string, body: Schema | null, pathParameters: readonly string[]): Operation["kind"] {
  if (method === "post" && body?.properties?.reference !== undefined) return "purchase";
  if (pathParameters.includes("reference")) return "lookup";
  return at.endsWith("/verify") ? "verify" : "other";
}

/** A list's items, and what says how it goes on; else the first field that is always there. */
function fieldsOf(
  pages: Operation["pages"],
  result: Schema,
  schemas: Document["components"]["schemas"],
): readonly string[] {
  if (pages !== null) return [pages.items, pages.by === "number" ? "meta" : "has_more"];
  return requiredOf(result, schemas).slice(0, 1);
}

function requiredOf(schema: Schema, schemas: Document["components"]["schemas"]): readonly string[] {
  const { required = [], allOf = [] } = resolved(schema, schemas);
  return [...allOf.flatMap((part) => requiredOf(part, schemas)), ...required];
}

function resolved(schema: Schema, schemas: Document["components"]["schemas"]): Schema {
  return schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {});
}

function pagesOf(method: string, query: readonly string[], result: Schema): Operation["pages"] {
  if (method !== "get") return null;
  const [items, { items: item = {} } = {}] =
    Object.entries(result.properties ?? {}).find(([, { type }]) => type === "array") ?? [];
  if (items === undefined) return null;
  if (query.includes("page")) return { by: "number", items, item };
  return query.includes("after") ? { by: "after", items, item } : null;
}

/** `Transaction` of `#/components/schemas/Transaction`. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** `BuyAirtime` of `buyAirtime`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
