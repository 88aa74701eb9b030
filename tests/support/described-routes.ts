import { type ExampleRequest, filledPath, neededQuery } from "../../scripts/generate/example-requests.ts";
import { usualRequests } from "../../scripts/generate/examples-page.ts";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";

/** A route that is registered, as its part of the API's document says: a new one is here by itself. */
export interface DescribedRoute {
  /** `GET /api/v1/merchant/bulk/{reference}`. */
  readonly name: string;
  readonly method: ExampleRequest["method"];
  /** The path with its example's values, without a query. */
  readonly path: string;
  /** What the route cannot do without; else empty. */
  readonly query: string;
  /** The usual request's, which works in the sandbox; undefined where none is read. */
  readonly body: object | undefined;
  readonly operation: ExampleRequest["operation"];
  /** The methods that its path takes, as `Allow` lists them. */
  readonly allow: readonly string[];
}

/** Every route of the document. Only what `openapi.test.ts` lists as hidden is not among them. */
export async function describedRoutes(): Promise<readonly DescribedRoute[]> {
  const document = await describeApi();
  return usualRequests(document).map((request) => {
    const { method, body, operation } = request;
    const methods = Object.keys(document.paths[request.path] ?? {}).map((each) => each.toUpperCase());
    return {
      name: `${method} ${request.path}`,
      ...{ method, body, operation },
      path: filledPath(request, ({ example }) => example),
      query: neededQuery(request),
      // Whatever can be read can be asked for its head.
      allow: [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].sort(),
    };
  });
}

/** Methods that clients may try, and that this path does not take. */
export function otherMethods({ allow }: DescribedRoute): readonly string[] {
  return ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((method) => !allow.includes(method));
}
