import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { projectRoot } from "../../platform/data-directory/data-directory.ts";
import { apiDocument } from "../plugins/openapi.ts";
import { errorsPage } from "./errors-page.ts";
import { frontJson, frontPage, prefersPage, type WayIn } from "./front-page.ts";
import { guidePage, guides, guidesPage, readDocument, shopFiles } from "./guides.ts";
import { indexPage } from "./index-page.ts";
import { type KeyNotice, leadToKey, noNotice } from "./key-samples.ts";
import { llmsText } from "./llms-text.ts";
import { encodingFor, packedDocument, sendEncoded, writtenAddress } from "./packed-document.ts";
import { prepareScript, referencePage, referencePolicy, startScript } from "./reference-page.ts";
import { referenceText } from "./reference-text.ts";
import { stillPolicy } from "./site-page.ts";

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const markdown = "text/markdown; charset=utf-8";
const plain = "text/plain; charset=utf-8";
const json = "application/json; charset=utf-8";

/**
 * The pages for people and their tools: the way in at the root, an index at `/docs`, the reference, the guides and the
 * errors below it, and all of it as text. Nothing on the pages asks another host.
 */
export function documentationPages(app: FastifyInstance, apiPath: string, wayIn: WayIn | null = null): void {
  const notice = wayIn === null ? noNotice : leadToKey;
  frontRoute(app, apiPath, wayIn);
  serve(app, "/openapi.json", json, () => JSON.stringify(apiDocument(app)));
  serveAddressed(app, "/docs", html, () => indexPage(apiPath, notice));
  referenceRoutes(app, notice);
  serveAddressed(app, "/docs/errors", html, errorsPage);
  serve(app, "/docs/guides", html, guidesPage);
  for (const guide of guides) {
    serveAddressed(app, `/docs/${guide.name}`, html, () => guidePage(guide, notice));
    serveAddressed(app, `/docs/${guide.name}.md`, markdown, () => readDocument(`${guide.name}.md`));
  }
  serveAddressed(app, "/docs/errors.md", markdown, () => readDocument("errors.md"));
  for (const name of shopFiles) serve(app, `/docs/shops/${name}`, plain, () => readDocument(`shops/${name}`));
  const picture = "guides/purchase-status.svg";
  serve(app, `/docs/${picture}`, "image/svg+xml", () => readDocument(picture));
  const collection = "dispense.postman_collection.json";
  serveAddressed(app, `/docs/${collection}`, json, () => readDocument(collection));
  serve(app, "/llms.txt", plain, () => llmsText(apiDocument(app)));
  serve(app, "/docs/pages.css", "text/css; charset=utf-8", styles);
  for (const [from, to] of moved) app.get(from, hidden, (_request, reply) => reply.redirect(to, 301));
}

/** Where people look for what lies elsewhere. Of old addresses only `/docs` changed: the reference was there. */
const moved = [
  ["/docs/reference", "/docs/api"],
  ["/docs/guides/examples", "/docs/examples"],
  ["/docs/guides/examples.md", "/docs/examples.md"],
] as const;

function frontRoute(app: FastifyInstance, apiPath: string, wayIn: WayIn | null): void {
  const page = frontPage(apiPath, wayIn);
  const text = JSON.stringify(frontJson(apiPath));
  app.get("/", hidden, (request, reply) => {
    const isPage = prefersPage(request.headers.accept);
    reply.header("content-security-policy", stillPolicy).header("vary", "accept");
    return reply
      .header("cache-control", "public, max-age=300")
      .type(isPage ? html : json)
      .send(isPage ? page : text);
  });
}

function referenceRoutes(app: FastifyInstance, notice: KeyNotice): void {
  let text: string | null = null;
  app.get("/docs/api", hidden, async (request, reply) => {
    text ??= referenceText(apiDocument(app));
    const nonce = randomBytes(16).toString("base64url");
    reply.header("content-security-policy", referencePolicy(nonce)).type(html);
    return sendPacked(request, reply, Buffer.from(referencePage(nonce, text, { notice: notice("/docs/api") })));
  });
  serve(app, "/docs/prepare.js", script, () => prepareScript);
  serve(app, "/docs/start.js", script, () => startScript);
  serve(app, "/docs/scalar.js", script, readScalar);
}

const hidden = { schema: { hide: true } };

function serve(app: FastifyInstance, url: string, type: string, make: Parameters<typeof packedDocument>[0]): void {
  const send = packedDocument(make);
  app.get(url, hidden, (request, reply) =>
    send(request, reply.header("content-security-policy", stillPolicy).type(type)),
  );
}

/** A document whose samples call this service by the deployment's own address. It holds nothing that HTML would escape. */
function serveAddressed(app: FastifyInstance, url: string, type: string, make: () => string): void {
  serve(app, url, type, (address) => make().replaceAll(writtenAddress, () => address));
}

/** Packs what differs in every answer: quickly, as anybody may ask. Measured: 0.4 ms. */
async function sendPacked(request: FastifyRequest, reply: FastifyReply, page: Buffer): Promise<FastifyReply> {
  const encoding = encodingFor(request, ["gzip", "identity"]);
  return sendEncoded(reply, encoding, encoding === "gzip" ? await promisify(gzip)(page, { level: 1 }) : page);
}

async function styles(): Promise<string> {
  const folder = path.join(projectRoot(), "src/http/docs");
  const files = ["frame.css", "text.css"].map((name) => readFile(path.join(folder, name), "utf8"));
  return (await Promise.all(files)).join("\n");
}

/** Most processes never need these megabytes. */
function readScalar(): Promise<Buffer> {
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  return readFile(path.join(path.dirname(entry), "js/standalone.js"));
}
