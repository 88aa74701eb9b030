import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../kernel/problems.ts";
import { readJson } from "./json-reader.ts";

/** The server's `bodyLimit`. */
export const bodyBytesMax = 1_048_576;

/**
 * Makes JSON the only body that `app` reads. An empty body is `undefined`, whatever its type says (PHP's curl announces
 * a form); routes with a body schema refuse it and routes without one ignore it.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) =>
    jsonBodyOf(request, bytes),
  );
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw refuse("UNSUPPORTED_MEDIA_TYPE");
  });
}

/** Reads a body that calls itself JSON. @throws Refusal INVALID_JSON, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE */
export async function jsonBodyOf(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity") {
    throw refuse("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body without a content encoding." });
  }
  if (!isUtf8Type(type)) {
    throw refuse("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body as application/json in UTF-8." });
  }
  return readJson(body);
}

/** `application/json` in any case, alone or with `charset=utf-8`; other parameters change nothing. */
function isUtf8Type(type: string): boolean {
  if (type === "application/json") return true;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
