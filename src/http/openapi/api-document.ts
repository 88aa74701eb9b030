import type { SchemaObject } from "./schema-object.ts";

type Named<Value> = Readonly<Record<string, Value>>;

/** Our OpenAPI 3.1 document, as far as it is read by what is made from it. */
export interface ApiDocument {
  readonly info: Readonly<Record<"title" | "version" | "summary" | "description", string>>;
  readonly paths: Named<Named<ApiOperation>>;
  readonly webhooks: Named<{ readonly post: ApiOperation }>;
  readonly components: {
    readonly schemas: Named<SchemaObject>;
    readonly responses: Named<ApiResponse>;
    readonly examples: Named<{ readonly value: unknown }>;
    readonly headers: Named<{ readonly schema: SchemaObject }>;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Named<readonly string[]>[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Named<ApiMedia> };
  /** By status: whole, or a reference to a component. */
  readonly responses: Named<ApiResponse | Reference>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: SchemaObject;
}

export interface ApiMedia {
  readonly schema: SchemaObject;
  readonly examples?: Named<{ readonly summary?: string; readonly value?: unknown } | Reference>;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Named<Reference>;
  readonly content?: Named<ApiMedia>;
  readonly links?: Named<{ readonly operationId: string; readonly parameters: Named<string> }>;
}

export interface Reference {
  readonly $ref: string;
}
