import type { FastifyInstance, FastifyRequest } from "fastify";
import { jsonBodyOf, readJson } from "../http/plugins/json-reader.ts";
import { refuse } from "../kernel/problems.ts";

/**
 * A hundred times what any client sends. 64 KiB of the smallest fields keep the multipart reader busy for 8 ms; the
 * 1 MiB that JSON may have would be 120 ms (measured on Node 20.20).
 */
const formBytesMax = 65_536;

/** Other spellings of a field, the first of which counts where the field itself is missing. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/**
 * Reads forms beside the JSON that `app` reads already, and makes one kind of body of both: texts trimmed, and fields
 * without a value left out, as PHP writes false and a missing value alike. A missing body is one without fields. Fields
 * come under their own names, however they were spelled.
 */
export function readLegacyBodies(app: FastifyInstance, aliases: Aliases): void {
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    readNamedJson(request, body),
  );
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
    if (request.method === "POST") request.body = withOwnNames(withoutBlanks(request.body ?? {}), request, aliases);
    done();
  });
}

/** Some clients name JSON what is a form: no JSON begins with a field's name. */
async function readNamedJson(request: FastifyRequest, body: Buffer): Promise<unknown> {
  const isForm = /^\s*[A-Za-z_][A-Za-z0-9_.-]*=/.test(body.subarray(0, 100).toString("latin1"));
  if (!isForm) return jsonBodyOf(request, body);
  if (body.length > formBytesMax) throw refuse("PAYLOAD_TOO_LARGE");
  return readForm(body);
}

/** PHP's cURL announces a form for every text that it is given, JSON too, unless it is told otherwise. */
async function readForm(body: Buffer): Promise<unknown> {
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

/** A reference may also come in a header of its own. */
const referenceHeader = "request-id";

function withOwnNames(body: unknown, request: FastifyRequest, aliases: Aliases): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const named: Record<string, unknown> = { ...body };
  for (const [name, others] of Object.entries(aliases)) {
    named[name] ??= others.map((other) => named[other]).find((value) => value !== undefined);
  }
  if ("ident" in aliases) named.ident ??= request.headers[referenceHeader];
  return named;
}

/** Anything but an object stays as it is: its schema refuses it. */
function withoutBlanks(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const fields = Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(fields.filter(([, value]) => value !== "" && value !== null));
}
