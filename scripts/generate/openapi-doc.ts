import type { HttpServices } from "../../src/http/open-http.ts";
import type { ApiDocument } from "../../src/http/openapi/api-document.ts";
import { apiDocument } from "../../src/http/openapi/document.ts";
import { buildHttp } from "../../src/main/build-http.ts";
import { jsonText } from "./json-text.ts";

let described: Promise<ApiDocument> | null = null;

/**
 * The document of every route there is. Nothing is served: a route that used a service while it is added would fail. Made
 * up once in a process, which takes half a second.
 */
export function describeApi(): Promise<ApiDocument> {
  described ??= describeEveryRoute();
  return described;
}

async function describeEveryRoute(): Promise<ApiDocument> {
  const app = await buildHttp(unusedServices());
  await app.ready();
  try {
    return apiDocument(app);
  } finally {
    await app.close();
  }
}

/** `docs/openapi.json`. */
export async function renderOpenApi(): Promise<string> {
  return `${jsonText(await describeApi())}\n`;
}

/** Services that can be handed on and taken apart, but not used. */
function unusedServices(): HttpServices {
  const unused = (name: string) => () => {
    throw new Error(`describing the API used the service ${name}`);
  };
  return new Proxy({}, { get: (_target, name) => unused(String(name)) }) as HttpServices;
}
