import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import type { ApiDocument } from "../openapi/api-document.ts";
import { completeDocument, documentHead } from "../openapi/document.ts";

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

/**
 * Serves the document at `/openapi.json`. It is made at the first request and kept as bytes, which all answers share:
 * of a text, each connection that does not read would keep a copy.
 */
export function serveDocument(app: FastifyInstance): void {
  let bytes: Buffer | null = null;
  app.get("/openapi.json", { schema: { hide: true } }, (_request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header("cache-control", "public, max-age=300").type("application/json; charset=utf-8").send(bytes);
  });
}
