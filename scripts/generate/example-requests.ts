import type { ApiDocument, ApiOperation, ApiParameter, ApiResponse } from "../../src/http/openapi/api-document.ts";

/** A request of the document that the sandbox carries out as it stands, once those before it were sent. */
export interface ExampleRequest {
  readonly operation: ApiOperation;
  /** Its name in the document: `byNetwork`; `usual` where no body is sent. */
  readonly key: string;
  /** What sets it apart from the operation's other examples: `By network`. Empty where there is only one. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `{reference}` for its parameters. */
  readonly path: string;
  readonly parameters: readonly PathParameter[];
  /** Undefined where none is sent. */
  readonly body: object | undefined;
}

export interface PathParameter {
  readonly name: string;
  readonly example: string;
  /** Where an earlier answer tells it: the operation and a JSON pointer into its body. */
  readonly source: { readonly operationId: string; readonly pointer: string } | null;
}

/** Every example of every operation, in the document's order: what is read was bought before. */
export function exampleRequests(document: ApiDocument): readonly ExampleRequest[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const examples = bodiesOf(operation);
      return examples.map(([key, name, body]) => ({
        operation,
        key,
        name: examples.length === 1 ? "" : name,
        method: method.toUpperCase() as ExampleRequest["method"],
        path,
        parameters: (operation.parameters ?? [])
          .filter((parameter) => parameter.in === "path")
          .map((parameter) => pathParameter(document, operation, parameter)),
        body,
      }));
    }),
  );
}

/** The query of a request that cannot do without one; empty for others. */
export function neededQuery({ operation }: ExampleRequest): string {
  const needed = (operation.parameters ?? []).filter((parameter) => parameter.in === "query" && parameter.required);
  if (needed.length === 0) return "";
  const pairs = needed.map(({ name, example, schema }): [string, string] => [
    name,
    String(example ?? (schema.examples as readonly unknown[] | undefined)?.[0] ?? ""),
  ]);
  return `?${new URLSearchParams(pairs)}`;
}

/** The request's path with its parameters' values. */
export function filledPath(request: ExampleRequest, fill: (parameter: PathParameter) => string): string {
  return request.parameters.reduce(
    (path, parameter) => path.replace(`{${parameter.name}}`, fill(parameter)),
    request.path,
  );
}

function bodiesOf(
  operation: ApiOperation,
): readonly (readonly [key: string, name: string, body: object | undefined])[] {
  const examples = operation.requestBody?.content["application/json"]?.examples ?? {};
  const bodies = Object.entries(examples).flatMap(([key, example]) =>
    "value" in example ? [[key, example.summary ?? "", example.value as object] as const] : [],
  );
  return bodies.length === 0 ? [["usual", "", undefined]] : bodies;
}

function pathParameter(document: ApiDocument, { operationId }: ApiOperation, parameter: ApiParameter): PathParameter {
  const { name, example } = parameter;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    for (const response of Object.values(operation.responses)) {
      const link = linkTo(response, operationId);
      const expression = link?.parameters[name];
      // A merchant's own names stand in the examples already; only what the server made up has to be read.
      if (expression === undefined || name === "reference" || name === "slug") continue;
      const source = { operationId: operation.operationId, pointer: expression.replace("$response.body#", "") };
      return { name, example: String(example), source };
    }
  }
  return { name, example: String(example), source: null };
}

function linkTo(response: ApiResponse | { readonly $ref: string }, operationId: string) {
  if ("$ref" in response) return undefined;
  return Object.values(response.links ?? {}).find((link) => link.operationId === operationId);
}
