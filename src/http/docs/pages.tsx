import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance } from "fastify";
import { assert } from "../../kernel/assert.ts";
import { projectRoot } from "../../platform/data-directory/data-directory.ts";
import { packed, sendPacked } from "../../site/packed.ts";
import type { KeyedDocuments, ShownKey } from "../../site/try-it.ts";
import { apiDocument } from "../openapi/document.ts";
import { lastingUrlOf } from "../request-context.ts";
import { type KeyNotice, leadToKey, renderDocument, takesKey } from "./document-page.tsx";
import { addressOf, index, listDocuments, listShops, readDocument, sdkExamples, writtenAddress } from "./documents.ts";
import { openReference, prepareScript, startScript } from "./reference-page.tsx";
import { stillPolicy } from "./site-page.tsx";

/** How people get into the dashboard. */
export interface WayIn {
  /** Whether a merchant may sign up by itself. */
  readonly canSignUp: () => Promise<boolean>;
}

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const markdown = "text/markdown; charset=utf-8";
const plain = "text/plain; charset=utf-8";
const json = "application/json; charset=utf-8";
const forMinutes = "public, max-age=300";
const hidden = { schema: { hide: true } };

/**
 * The pages for people and their tools: the way in at the root, an index at `/docs`, the reference, the guides and the
 * errors below it, and all of it as text. Nothing on the pages asks another host.
 * @param wayIn null: there is no dashboard
 */
export function documentationPages(app: FastifyInstance, apiPath: string, wayIn: WayIn | null = null): void {
  const keyNotice = wayIn === null ? null : leadToKey;
  frontRoute(app, apiPath, wayIn);
  referenceRoutes(app, wayIn);
  for (const document of listDocuments()) {
    serve(app, addressOf(document), html, () => renderDocument(document, { keyNotice }));
    if (document !== index) serve(app, `${addressOf(document)}.md`, markdown, document.text);
  }
  for (const name of listShops()) serve(app, `/docs/shops/${name}`, plain, () => readDocument(`shops/${name}`));
  for (const [language, names] of Object.entries(sdkExamples)) {
    for (const name of names.map((each) => `sdk/${language}/examples/${each}`))
      serve(app, `/docs/${name}`, plain, () => readDocument(name));
  }
  const picture = "guides/purchase-status.svg";
  serve(app, `/docs/${picture}`, "image/svg+xml", () => readDocument(picture));
  const collection = "dispense.postman_collection.json";
  serve(app, `/docs/${collection}`, json, () => readDocument(collection).toString());
  serve(app, "/openapi.json", json, () => JSON.stringify(apiDocument(app)));
  // llmstxt.org: where a program that reads finds everything as text, without a page around it.
  serve(app, "/llms.txt", plain, () => index.text().replace(/\]\((?!\/)/g, "](/docs/"));
  serve(app, "/docs/pages.css", "text/css; charset=utf-8", styles);
  for (const [from, to] of moved) app.get(from, hidden, (_request, reply) => reply.redirect(to, 301));
}

/** Where people look for what lies elsewhere. Of old addresses only `/docs` changed: the reference was there. */
const moved = [
  ["/docs/reference", "/docs/api"],
  ["/docs/guides/examples", "/docs/examples"],
  ["/docs/guides/examples.md", "/docs/examples.md"],
] as const;

type Make = () => string | Buffer | Promise<string | Buffer>;

/** A text calls this service by the deployment's own address, which holds nothing that HTML would escape; bytes stay. */
function serve(app: FastifyInstance, url: string, type: string, make: Make): void {
  const send = packed(async (request) => {
    const made = await make();
    return typeof made === "string" ? made.replaceAll(writtenAddress, () => lastingUrlOf(request)) : made;
  });
  app.get(url, hidden, (request, reply) => {
    reply.header("content-security-policy", stillPolicy).header("cache-control", forMinutes).type(type);
    return send(request, reply);
  });
}

/** The root is a page for browsers, which name HTML first, and short JSON for whoever takes anything, as curl does. */
function frontRoute(app: FastifyInstance, apiPath: string, wayIn: WayIn | null): void {
  const text = JSON.stringify({
    service: "Dispense API",
    api: apiPath,
    ...(wayIn === null ? {} : { dashboard: "/log-in", operator: "/operator/log-in" }),
    docs: "/docs",
    reference: "/docs/api",
    guides: "/docs/guides",
    errors: "/docs/errors",
    openapi: "/openapi.json",
    health: "/healthz",
    readiness: "/readyz",
  });
  /** The page by whether one may sign up. */
  const pages = new Map<boolean, string>();
  app.get("/", hidden, async (request, reply) => {
    const wish = negotiate(request.headers.accept ?? "", ["application/json", "text/html"]);
    reply.headers({ "content-security-policy": stillPolicy, "cache-control": forMinutes, vary: "accept" });
    if (wish !== "text/html") return reply.type(json).send(text);
    const canSignUp = (await wayIn?.canSignUp()) ?? false;
    const above = <WaysIn isConsoleOn={wayIn !== null} canSignUp={canSignUp} />;
    const address = () => lastingUrlOf(request);
    const page = pages.get(canSignUp) ?? renderDocument(index, { above }).replaceAll(writtenAddress, address);
    pages.set(canSignUp, page);
    return reply.type(html).send(page);
  });
}

function WaysIn({ isConsoleOn, canSignUp }: { readonly isConsoleOn: boolean; readonly canSignUp: boolean }) {
  const label = "The way in";
  if (!isConsoleOn) {
    return (
      <aside class="notice" aria-label={label}>
        The operator of this service makes the keys.
      </aside>
    );
  }
  return (
    <aside class="notice" aria-label={label}>
      <a class="way" href="/log-in">
        Log in
      </a>{" "}
      {canSignUp ? (
        <a class="way" href="/sign-up">
          Sign up
        </a>
      ) : (
        "The operator of this service invites you."
      )}{" "}
      The dashboard has your keys, wallet, transactions and webhooks, and sells by hand. People of the company{" "}
      <a href="/operator/log-in">log in here</a>.
    </aside>
  );
}

function referenceRoutes(app: FastifyInstance, wayIn: WayIn | null): void {
  const render = openReference(() => apiDocument(app));
  app.get("/docs/api", hidden, async (request, reply) => {
    const page = render({ notice: wayIn === null ? null : leadToKey("/docs/api") });
    return sendPacked(request, reply.header("content-security-policy", page.policy).type(html), page.html);
  });
  serve(app, "/docs/prepare.js", script, () => prepareScript);
  serve(app, "/docs/start.js", script, () => startScript);
  // Most processes never need these megabytes.
  const entry = createRequire(import.meta.url).resolve("@scalar/fastify-api-reference");
  serve(app, "/docs/scalar.js", script, () => readFile(path.join(path.dirname(entry), "js/standalone.js")));
}

/** The consoles' palette, in a layer below Scalar's styles, and our own. */
async function styles(): Promise<string> {
  const [palette, own] = await Promise.all(
    ["site/tokens.css", "http/docs/docs.css"].map((name) => readFile(path.join(projectRoot(), "src", name), "utf8")),
  );
  return `@layer palette {\n${palette}}\n${own}`;
}

const reference = { path: "/docs/api", title: "Reference" };

export function openKeyedDocuments(app: FastifyInstance): KeyedDocuments {
  let kept: ReturnType<KeyedDocuments["list"]> | null = null;
  const documents = listDocuments();
  const renderReference = openReference(() => apiDocument(app));
  return {
    list() {
      kept ??= [reference, ...documents.filter(takesKey).map((each) => ({ path: addressOf(each), title: each.title }))];
      return kept;
    },
    withKey(path, key) {
      const keyNotice = shownOnce(key);
      if (path === reference.path) return renderReference({ notice: keyNotice(path), key: key.text });
      const document = documents.find((each) => addressOf(each) === path);
      assert(document !== undefined, "the page is on the list");
      const html = renderDocument(document, { keyNotice, key: key.text });
      return { html: html.replaceAll(writtenAddress, () => key.origin), policy: stillPolicy };
    },
  };
}

function shownOnce({ text, id }: ShownKey): KeyNotice {
  return (path) => (
    <aside class="notice" aria-label="The samples' key">
      The samples hold your new sandbox key <code>{text}</code>, this once: copy what you need.{" "}
      <a href={`/test/keys/${id}`}>The key in the dashboard</a> <a href={path}>The page without it</a>
    </aside>
  );
}
