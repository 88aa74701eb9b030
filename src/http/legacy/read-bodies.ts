import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../kernel/problems.ts";
import { readJson } from "../json-reader.ts";

/**
 * A hundred times what any client sends. 64 KiB of the smallest fields keep the multipart reader busy for 8 ms; the
 * 1 MiB that JSON may have would be 120 ms (measured on Node 20.20).
 */
const formBytesMax = 65_536;

/**
 * Reads forms beside the JSON that `app` reads already, and makes one kind of body of both: texts trimmed, and fields
 * without a value left out, as PHP writes false and a missing value alike. A missing body is one without fields.
 */
export function readLegacyBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer", bodyLimit: formBytesMax },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  );
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: formBytesMax },
    (request: FastifyRequest, body: Buffer) => readMultipart(body, request.headers["content-type"] ?? ""),
  );
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.method === "POST") request.body = withoutBlanks(request.body ?? {});
    done();
  });
}

/** PHP's cURL announces a form for every text that it is given, JSON too, unless it is told otherwise. */
function readForm(body: Buffer): unknown {
  const text = body.toString("utf8");
  if (text.trimStart().startsWith("{")) return readJson(body);
  // A field that is sent twice counts as it was sent last, as these clients' servers read it.
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reader that comes with Node. Files in a form are no fields. @throws Refusal VALIDATION_ERROR */
async function readMultipart(body: Buffer, type: string): Promise<unknown> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));
  } catch {
    throw refuse("VALIDATION_ERROR", { message: "The form cannot be read." });
  }
}

/** Anything but an object stays as it is: its schema refuses it. */
function withoutBlanks(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const fields = Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(fields.filter(([, value]) => value !== "" && value !== null));
}
