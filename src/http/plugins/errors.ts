import type { IncomingMessage } from "node:http";
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Json } from "../../kernel/json.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { type ProblemCode, Refusal, refuse } from "../../kernel/problems.ts";
import {
  isConnectionLost,
  isDiskFull,
  isResourceExhausted,
  isTimedOut,
  sqlStateOf,
} from "../../platform/database/database-errors.ts";
import { refusalWhenAway, refusalWhenNotCarriedOut } from "../../platform/database/refuse-when-away.ts";
import { bodyMissing, refusalOf } from "../../platform/validation/faults.ts";
import { publicUrlOf, sendJson, setReason } from "../request-context.ts";

/** Fastify's own complaints, in the contract's words. */
const codesOfFastify: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_JSON",
  FST_ERR_BAD_URL: "NOT_FOUND",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
};

/** Where a refusal does not say for itself when to try again. */
const unavailableRetrySeconds = 30;

/** The challenge that a 401 must have (RFC 9110, 11.6.1): the schemes that a key may come with. `X-API-Key` is none. */
const challenge = 'Bearer realm="merchant API", Token realm="merchant API"';

/** The log for faults. Fastify's own is silent unless the server was made with a logger. */
export type FaultLog = Pick<FastifyBaseLogger, "error">;

/** Renders every error of `app` and of what is registered below it, unless it brings a rendering of its own. */
export function renderErrors(app: FastifyInstance, log: FaultLog = app.log): void {
  app.setErrorHandler((error: unknown, request, reply) => sendRefusal(reply, refusalFor(error, request, log)));
}

/** Sends the contract's error body with the headers that belong to it. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  setRefusalHeaders(reply, refusal);
  return sendJson(
    reply.code(problems[refusal.code].status),
    problemText(refusal, reply.request.id, publicUrlOf(reply.request)),
  );
}

/** The headers that belong to a refusal, and what keeps its answer from being lost, also for renderings other than ours. */
export function setRefusalHeaders(reply: FastifyReply, { code, detail }: Refusal): void {
  readBodyOut(reply);
  setReason(reply.request, code);
  const isUnavailable = problems[code].status === 503;
  const retryAfter = detail.retryAfterSeconds ?? (isUnavailable ? unavailableRetrySeconds : undefined);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  if (detail.allow !== undefined) reply.header("allow", detail.allow.join(", "));
  if (code === "UNAUTHORIZED") reply.header("www-authenticate", challenge);
}

/** The error body of the contract, as text. `baseUrl`: where the service is reached, without a slash at its end. */
export function problemText(refusal: Refusal, requestId: string, baseUrl: string): string {
  const body: Record<string, Json> = { status: "error", code: refusal.code, message: refusal.message };
  if (refusal.detail.errors !== undefined) body.errors = refusal.detail.errors;
  if (refusal.detail.meta !== undefined) body.meta = refusal.detail.meta;
  body.request_id = requestId;
  body.doc_url = `${baseUrl}/docs/errors#${refusal.code}`;
  return JSON.stringify(body);
}

/**
 * Any error as a refusal: refusals as they are, what Fastify and the validator complain about in the contract's words,
 * a database that was away from one who reads as MAINTENANCE, and everything else, after it is logged, as INTERNAL_ERROR.
 */
export function refusalFor(error: unknown, request: FastifyRequest, log: FaultLog = request.log): Refusal {
  if (error instanceof Refusal) {
    logShortage(error, request, log);
    return error;
  }
  const refusal = refusalOfRequest(error, request) ?? refusalOfDatabase(error, request, log);
  if (refusal !== null) return refusal;
  log.error({ event: "request.failed", requestId: request.id, fault: faultOf(error) });
  return refuse("INTERNAL_ERROR", isConnectionLost(error) ? { message: maybeDone } : {});
}

const maybeDone = "The database did not say whether this was done: look before you repeat it.";

/** A database that answers but refuses is logged by no other event. */
function logShortage({ detail: { cause } }: Refusal, request: FastifyRequest, log: FaultLog): void {
  if (!isResourceExhausted(cause)) return;
  const sqlState = sqlStateOf(cause);
  const reason = isDiskFull(cause) ? "disk full" : undefined;
  log.error({ event: "request.refused_by_database", requestId: request.id, sqlState, reason });
}

/** The refusal for an error of Fastify or the validator about the request itself; null for any other error. */
function refusalOfRequest(error: unknown, request: FastifyRequest): Refusal | null {
  const { code, validation, validationContext, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (validation !== undefined) {
    const isBodyMissing = validationContext === "body" && request.body === undefined;
    return isBodyMissing ? bodyMissing() : refusalOf(validation, validationContext);
  }
  const known = code === undefined ? undefined : codesOfFastify[code];
  if (known !== undefined) return refuse(known);
  // The request broke off while its body was read: the client is gone and reads no answer.
  return statusCode === 400 ? refuse("INVALID_JSON") : null;
}

/** These only read: what became of their statements makes no difference, and the same may be asked again. */
const readingMethods: readonly string[] = ["GET", "HEAD"];

/** MAINTENANCE where the database was away from a request that only reads, or did nothing; null for any other error. */
function refusalOfDatabase(error: unknown, request: FastifyRequest, log: FaultLog): Refusal | null {
  const isReading = readingMethods.includes(request.method);
  const away = isReading ? refusalWhenAway(error) : refusalWhenNotCarriedOut(error);
  if (away !== null && !isReading) logShortage(away, request, log);
  // An outage is logged by its own events; a statement that is always too slow by nothing else.
  if (away !== null && isTimedOut(error)) {
    log.error({ event: "request.timed_out", requestId: request.id, route: request.routeOptions.url });
  }
  return away;
}

/** The parts of an error that may be logged: never a database error's `detail`, which quotes the row. */
function faultOf(error: unknown): { [field: string]: Json } {
  if (!(error instanceof Error)) return { name: "thrown value", message: typeof error };
  const { code, severity, constraint } = error as { code?: unknown; severity?: unknown; constraint?: unknown };
  // Not as `code`: under that name the log hides what a merchant bought. Only PostgreSQL's errors have a severity.
  const codeName = typeof severity === "string" ? "sqlState" : "errno";
  return {
    name: error.name,
    message: maskSecrets(error.message),
    ...(typeof code === "string" ? { [codeName]: code } : {}),
    ...(typeof constraint === "string" ? { constraint } : {}),
    stack: maskSecrets(error.stack ?? ""),
    ...(error.cause === undefined ? {} : { cause: maskSecrets(String(error.cause)) }),
  };
}

/**
 * For a refusal, before it is sent. A connection that closes with bytes unread in it is reset, and the reset overtakes
 * the answer: a client that still writes learns of a broken pipe, and not why it was refused. So the connection stays,
 * and Node reads the rest of the body and throws it away, for as long as the request may take in all.
 */
function readBodyOut(reply: FastifyReply): void {
  const { raw: answer } = reply;
  const { raw: request } = reply.request;
  // The service stops, and has said so on the answer.
  if (answer.hasHeader("connection")) return;
  const wantsEnd = !answer.shouldKeepAlive;
  if (wantsEnd && !isBodyComing(request)) return;
  // Instead of Fastify's `close`, which stands on whatever its body parsers refuse, or of the one that Node would send.
  if (wantsEnd || reply.hasHeader("connection")) reply.header("connection", "keep-alive");
  if (wantsEnd) answer.once("finish", () => endBehindBody(request));
}

function isBodyComing({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined);
}

function endBehindBody(request: IncomingMessage): void {
  if (request.readableEnded) request.socket.destroySoon();
  else request.once("end", () => request.socket.destroySoon());
}

/** Which methods the server has for a path. */
export interface RouteTable {
  methodsAt(url: string): readonly string[];
}

/** Notes every route that is registered from now on, below `app` as well. Call it at the root, before any route. */
export function routeTable(app: FastifyInstance): RouteTable {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const route = routes.get(url) ?? { matches: matcherOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) route.methods.add(name);
    routes.set(url, route);
  });
  return {
    methodsAt(url) {
      // As the router reads it: what cannot be decoded has been taken letter by letter.
      const path = decodeURI(url.split(/[?#]/, 1)[0] ?? url);
      const methods = new Set<string>();
      for (const route of routes.values()) {
        if (route.matches.test(path)) for (const method of route.methods) methods.add(method);
      }
      return [...methods].sort();
    },
  };
}

/**
 * Refuses what no route takes before its body is read: no type and no size of a body is worth a word where there is
 * nothing to send it to. Hooks of `onRequest` run before that, so below the authentication a key is asked for first.
 * Once, at the root.
 */
export function refuseBeforeBody(app: FastifyInstance, routes: RouteTable): void {
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    done(request.is404 || isNameMissing(request) ? unknownPath(request, routes) : null);
  });
}

/** The router takes the end of `/transactions/` for a name without characters. */
function isNameMissing({ params }: FastifyRequest): boolean {
  const names = params as Readonly<Record<string, string>>;
  for (const name in names) if (names[name] === "") return true;
  return false;
}

/**
 * Answers what no route took: 405 with `Allow` where the path exists with another method, else 404. Throws into the
 * error handler of `app`, and runs the hooks of `app` before that, also those that `routes` relies on.
 */
export function refuseUnknownPaths(app: FastifyInstance, routes: RouteTable): void {
  app.setNotFoundHandler((request) => {
    throw unknownPath(request, routes);
  });
}

function unknownPath(request: FastifyRequest, routes: RouteTable): Refusal {
  const methods = routes.methodsAt(request.url);
  return methods.length === 0 ? refuse("NOT_FOUND") : refuse("METHOD_NOT_ALLOWED", { allow: methods });
}

/** `/bulk/:reference` → an expression that matches the paths that the router sends there. */
function matcherOf(url: string): RegExp {
  const steps = url.split("/").map((step) => {
    if (step === "*") return ".*";
    return step.startsWith(":") ? "[^/]+" : step.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${steps.join("/")}/?$`);
}
