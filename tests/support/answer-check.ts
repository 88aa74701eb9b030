import type { IncomingMessage, ServerResponse } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifyInstance } from "fastify";
import type { ApiDocument, ApiOperation, ApiResponse } from "../../src/http/openapi/api-document.ts";
import { apiDocument } from "../../src/http/openapi/document.ts";
import { closedDocument } from "./closed-document.ts";

/** What is wrong with the answers that were given so far. */
export interface AnswerCheck {
  /** @throws when an answer since the last call was not as the document says; names all of them */
  throwFaults(): void;
}

/**
 * Compares every answer of the app with the API's document, whoever asked and however: its status, its body without a
 * field more, its content type and the headers of ours.
 */
export function checkAnswers(app: FastifyInstance): AnswerCheck {
  let faults: string[] = [];
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (ofConsole.test(request.url ?? "")) return;
    whenEnded(response, (answer) => {
      const judge = judgeOf(app);
      faults.push(...judge(request, answer).map((fault) => `${request.method} ${request.url}: ${fault}`));
    });
  });
  return {
    throwFaults() {
      const found = faults;
      faults = [];
      if (found.length > 0) throw new Error(`not as the API's document says:\n${found.join("\n")}`);
    },
  };
}

/** Pages of the consoles are for people: the document does not describe them. */
const ofConsole =
  /^\/(live|test|account|operator|log-in|log-out|sign-up|verify-email|change-email|reset-password|accept-invitation|assets|company)\b/;

export interface SentAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Calls back with the whole answer just before its last byte leaves: a fault is known before the client reads it. */
function whenEnded(response: ServerResponse, seen: (answer: SentAnswer) => void): void {
  const chunks: Buffer[] = [];
  const headers = new Map<string, string>();
  const note = (chunk: unknown): void => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const { writeHead, write, end } = response;
  response.writeHead = function noteHeaders(this: ServerResponse, ...args: unknown[]) {
    const given = Object.entries((args.at(-1) ?? {}) as Record<string, unknown>);
    for (const [name, value] of given) headers.set(name.toLowerCase(), String(value));
    return writeHead.apply(this, args as Parameters<typeof writeHead>);
  } as typeof writeHead;
  response.write = function writeAndNote(this: ServerResponse, ...args: unknown[]) {
    note(args[0]);
    return write.apply(this, args as Parameters<typeof write>);
  } as typeof write;
  response.end = function endAndNote(this: ServerResponse, ...args: unknown[]) {
    note(args[0]);
    for (const [name, value] of Object.entries(response.getHeaders())) headers.set(name, String(value));
    seen({ status: response.statusCode, headers, text: Buffer.concat(chunks).toString("utf8") });
    return end.apply(this, args as Parameters<typeof end>);
  } as typeof end;
}

type JudgedRequest = Pick<IncomingMessage, "method" | "url"> &
  Partial<Pick<IncomingMessage, "rawHeaders" | "httpVersion">>;

export type Judge = (request: JudgedRequest, answer: SentAnswer) => readonly string[];

/** All apps of a process have one document, and compiling it takes longer than most tests. */
let known: Judge | null = null;

function judgeOf(app: FastifyInstance): Judge {
  known ??= openJudge(apiDocument(app));
  return known;
}

/** Served for people and their tools, or called by suppliers: the document is for merchants. */
const undescribed = /^\/(|openapi\.json|llms\.txt|metrics|docs(\/.*)?|supplier-callbacks\/.*|funding\/callbacks\/.*)$/;
const ours = /^(x-|ratelimit|retry-after|www-authenticate|idempotent-|deprecation|link$)/;
/** Two security headers of ours begin so, too; they stand on every answer. */
const everywhere = ["x-content-type-options", "x-frame-options"];

interface Found {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

/** Compiles the document into what tells the faults of an answer. */
export function openJudge(document: ApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(closedDocument(document), "api");
  const compiled = new Map<string, ValidateFunction>();
  const routes = Object.keys(document.paths).map((path) => [path, matcherOf(path)] as const);

  function find(method: string, url: string): Found | null {
    const [path] = routes.find(([, matcher]) => matcher.test(url)) ?? [];
    const operation = path === undefined ? undefined : document.paths[path]?.[method];
    return path === undefined || operation === undefined ? null : { path, method, operation };
  }

  function misfits(pointer: string, body: unknown): readonly string[] {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
      return `the body's ${instancePath || "whole"} ${message} ${JSON.stringify(params)}`;
    });
  }

  function headFaults(url: string, answer: SentAnswer): readonly string[] {
    const found = find("get", url);
    const described = found?.operation.responses[answer.status];
    if (found === null || described === undefined) return [];
    return headerFaults(resolved(document, found, answer.status, described)[0], answer);
  }

  /** Checks an answer in CSV, which few operations have besides JSON: its headers, and that the operation has CSV. */
  function csvFaults(url: string, answer: SentAnswer): readonly string[] {
    const found = find("get", url);
    const described = found?.operation.responses[answer.status];
    if (found === null || described === undefined) return [`${answer.status} came as CSV`];
    const [whole] = resolved(document, found, answer.status, described);
    if (whole.content?.["text/csv"] === undefined) return [`${answer.status} came as CSV`];
    return headerFaults(whole, { ...answer, text: "" });
  }

  return (request, answer) => {
    const url = (request.url ?? "").split("?", 1)[0] ?? "";
    return undescribed.test(url) ? [] : [...writtenFaults(request, answer), ...describedFaults(url, request, answer)];
  };

  function describedFaults(url: string, request: JudgedRequest, answer: SentAnswer): readonly string[] {
    const { status, text } = answer;
    // The answer to a HEAD has only headers: those of its GET.
    if (request.method === "HEAD") return headFaults(url, answer);
    const type = answer.headers.get("content-type");
    if (type === "text/csv; charset=utf-8") return csvFaults(url, answer);
    if (type !== "application/json; charset=utf-8") return [`${status} came as ${type}`];
    const body: unknown = JSON.parse(text);
    const found = find((request.method ?? "").toLowerCase(), url);
    // What the router itself refuses belongs to no operation, though it may look like one's path.
    if (found === null || isCode(body, "NOT_FOUND") || !isReadable(url) || !namesOneHost(request))
      return misfits(`/components/schemas/${errorOf(url)}`, body);
    const described = found.operation.responses[status];
    if (described === undefined) return [`the status ${status} is not described: ${text.slice(0, 300)}`];
    const [whole, pointer] = resolved(document, found, status, described);
    return [...headerFaults(whole, answer), ...misfits(`${pointer}/content/application~1json/schema`, body)];
  }
}

/** How headers are written wherever they stand. */
const written: Readonly<Record<string, RegExp>> = {
  "x-request-id": /^req_[0-9A-HJKMNP-TV-Z]{26}$/,
  "x-api-mode": /^(test|live)$/,
  "ratelimit-policy": /^"key";q=[0-9]+;w=60$/,
  ratelimit: /^"key";r=[0-9]+;t=[1-9][0-9]?$/,
  "retry-after": /^[1-9][0-9]*$/,
  "idempotent-replayed": /^true$/,
  "www-authenticate": /^Bearer realm="[^"]+", Token realm="[^"]+"$/,
  deprecation: /^@1767225600$/,
  link: /^<\/docs>; rel="deprecation"; type="text\/html", <\/api\/v1\/merchant\/[a-z/-]+>; rel="successor-version"$/,
};

/** What is wrong with how headers are written, and with the mode, which is that of the key. */
function writtenFaults({ rawHeaders = [] }: JudgedRequest, { headers, status }: SentAnswer): readonly string[] {
  const faults = Object.entries(written)
    .filter(([name, form]) => headers.has(name) && !form.test(headers.get(name) ?? ""))
    .filter(([name]) => !rawHeaders.some((sent) => sent.toLowerCase() === name)) // a client's own id comes back
    .map(([name]) => `the header ${name} says ${headers.get(name)}`);
  if (!headers.has("x-request-id")) faults.push("the header x-request-id is missing");
  const [, ofKey] = /\bds_(test|live)_/.exec(rawHeaders.join("\n")) ?? [];
  const mode = headers.get("x-api-mode");
  if (mode === undefined ? headers.has("ratelimit") : ofKey !== undefined && mode !== ofKey)
    faults.push(`the header x-api-mode says ${mode} of a key of ${ofKey}`);
  if ((status === 401) !== headers.has("www-authenticate"))
    faults.push("the header www-authenticate stands at a 401 alone");
  return faults;
}

function resolved(
  document: ApiDocument,
  { path, method }: Found,
  status: number,
  described: ApiResponse | { readonly $ref: string },
): readonly [ApiResponse, string] {
  if (!("$ref" in described)) return [described, `/paths/${escaped(path)}/${method}/responses/${status}`];
  const name = described.$ref.replace("#/components/responses/", "");
  const whole = document.components.responses[name];
  if (whole === undefined) throw new Error(`the document has no response ${name}`);
  return [whole, `/components/responses/${name}`];
}

function headerFaults(described: ApiResponse, answer: SentAnswer): readonly string[] {
  const names = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
  const sent = [...answer.headers.keys()].filter((name) => ours.test(name) && !everywhere.includes(name));
  const surplus = sent.filter((name) => !names.includes(name)).map((name) => `the header ${name} is not described`);
  // Before a key is known there is neither a mode nor a limit to tell; only a replay says that it is one.
  const isRefusedEarly = answer.status === 429 || answer.status >= 500;
  const isPending = answer.status !== 200 || isPendingBody(answer.text);
  const optional = [
    "x-api-mode",
    "idempotent-replayed",
    ...(isPending ? [] : ["retry-after"]),
    ...(isRefusedEarly ? ["ratelimit", "ratelimit-policy"] : []),
  ];
  const missing = names.filter((name) => !sent.includes(name) && !optional.includes(name));
  return [...surplus, ...missing.map((name) => `the header ${name} is missing`)];
}

/** Whether the body says that a purchase is pending. The answer to a HEAD has no text. */
function isPendingBody(text: string): boolean {
  return text !== "" && ["pending", "processing"].includes(JSON.parse(text).status);
}

function isCode(body: unknown, code: string): boolean {
  return typeof body === "object" && body !== null && "code" in body && body.code === code;
}

/** Whether the router can read a path; one with `%zz` in it reaches no operation, in whose place it may stand. */
function isReadable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** What does not is no HTTP request, and reaches no operation either. */
function namesOneHost({ rawHeaders = ["Host"], httpVersion }: JudgedRequest): boolean {
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length;
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** The error form of a path that no operation has. */
function errorOf(url: string): string {
  if (!/^\/api(\/|$)/.test(url) || /^\/api\/v1(\/|$)/.test(url)) return "ApiError";
  return "LegacyRefusal";
}

/** `/bulk/{reference}` → what the router sends there, with a trailing slash as well. */
function matcherOf(path: string): RegExp {
  const steps = path.split("/").map((step) => (step.startsWith("{") ? "[^/]+" : step.replace(/\./g, "\\.")));
  return new RegExp(`^${steps.join("/")}/?$`);
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
