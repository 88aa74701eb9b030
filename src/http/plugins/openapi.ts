import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { ApiDocument } from "../openapi/api-document.ts";
import { completeDocument, documentHead } from "../openapi/document.ts";
import { sendJson } from "../send-json.ts";

/** Collects every route that is registered afterwards. The schemas that validate are the ones that are described. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: documentHead,
    convertConstToEnum: false,
    transformObject: (collected) => {
      if (!("openapiObject" in collected)) return collected.swaggerObject;
      return completeDocument(collected.openapiObject) as object;
    },
  });
}

/** The whole document. The server must be ready. */
export function apiDocument(app: FastifyInstance): ApiDocument {
  return app.swagger() as unknown as ApiDocument;
}

/** Serves the document at `/openapi.json`. It is made at the first request and kept as text. */
export function serveDocument(app: FastifyInstance): void {
  let text: string | null = null;
  app.get("/openapi.json", { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger());
    return sendJson(reply.header("cache-control", "public, max-age=300"), text);
  });
}
