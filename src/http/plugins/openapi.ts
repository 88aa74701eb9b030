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
