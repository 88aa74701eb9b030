import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorsPage, pagesStyle } from "./errors-page.ts";
import { prepareScript, referencePage, referencePolicy, startScript } from "./reference-page.ts";

/** What a page without scripts may do. */
const stillPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** The pages for people: the reference at `/docs`, the errors at `/docs/errors`. Nothing on them asks another host. */
export function documentationPages(app: FastifyInstance): void {
  for (const url of ["/docs", "/docs/"]) {
    app.get(url, hidden, (_request, reply) => {
      const nonce = randomBytes(16).toString("base64url");
      return reply.header("content-security-policy", referencePolicy(nonce)).type(html).send(referencePage(nonce));
    });
  }

  const errors = Buffer.from(errorsPage());
  app.get("/docs/errors", hidden, (_request, reply) =>
    cached(reply).header("content-security-policy", stillPolicy).type(html).send(errors),
  );

  app.get("/docs/pages.css", hidden, (_request, reply) =>
    cached(reply).type("text/css; charset=utf-8").send(pagesStyle),
  );
  app.get("/docs/prepare.js", hidden, (_request, reply) => cached(reply).type(script).send(prepareScript));
  app.get("/docs/start.js", hidden, (_request, reply) => cached(reply).type(script).send(startScript));

  const scalar = readOnce();
  app.get("/docs/scalar.js", hidden, async (request, reply) => {
    const { plain, packed } = await scalar();
    cached(reply).type(script).header("vary", "accept-encoding");
    return takesGzip(request) ? reply.header("content-encoding", "gzip").send(packed) : reply.send(plain);
  });
}

const hidden = { schema: { hide: true } };

function cached(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "public, max-age=300");
}

function takesGzip(request: FastifyRequest): boolean {
  return /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
}

interface PackedFile {
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** Scalar's script, read and packed when somebody first asks for it: most processes never need these megabytes. */
function readOnce(): () => Promise<PackedFile> {
  let file: Promise<PackedFile> | null = null;
  return () => {
    file ??= readScalar().catch((error: unknown) => {
      file = null;
      throw error;
    });
    return file;
  };
}

async function readScalar(): Promise<PackedFile> {
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  const plain = await readFile(path.join(path.dirname(entry), "js/standalone.js"));
  return { plain, packed: await promisify(gzip)(plain) };
}
