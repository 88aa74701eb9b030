import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusalsBefore } from "../http/openapi/refusals.ts";
import { type FaultLog, refusalFor, setRefusalHeaders } from "../http/plugins/errors.ts";
import { sendJson } from "../http/request-context.ts";
import { problems } from "../kernel/problem-catalogue.ts";
import type { ProblemCode, Refusal } from "../kernel/problems.ts";

/** What a route does: it decides what a refusal there may say about a purchase. */
export type LegacyTask = "buy" | "ask" | "read";

/** Texts that these clients look for, or that name what only they can do: the catalogue's sentences speak of JSON. */
const openings: Partial<Record<ProblemCode, string>> = {
  INSUFFICIENT_BALANCE: "Insufficient balance.",
  DUPLICATE_TRANSACTION: "Duplicate transaction.",
};
const wholeTexts: Partial<Record<ProblemCode, string>> = {
  UNAUTHORIZED: "Invalid token.",
  NOT_FOUND: "Not found.",
  TRANSACTION_NOT_FOUND: "Not found.",
  UNSUPPORTED_MEDIA_TYPE: "Send the body as JSON or as a form.",
};

/** How an endpoint's clients speak, where the domain says it otherwise. */
export interface LegacyWords {
  /** The clients' fields by the domain's. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** The message where no product has the number that was sent. */
  readonly noProduct: string;
}

/** Where an endpoint has no words of its own. */
const usualWords: LegacyWords = {
  fieldNames: { phone: "mobile_number", product_id: "plan", reference: "ident" },
  noProduct: "plan: There is no such data plan.",
};

/** The status that a refusal has here: one client takes any other 4xx of a purchase for a success, another waits for ever. */
export function legacyStatusOf(code: ProblemCode, task: LegacyTask): number {
  const { status } = problems[code];
  return task === "buy" && status < 500 && !refusalsBefore.includes(code) ? 400 : status;
}

/**
 * Whether a purchase may exist in spite of the refusal: then nothing may say that it failed. A fault leaves open what
 * became of a purchase, and whoever asks after one in vain has learned nothing about it.
 */
export function isLeftOpen(code: ProblemCode, task: LegacyTask): boolean {
  if (task === "buy") return code === "INTERNAL_ERROR";
  return task === "ask" && (code === "RATE_LIMITED" || problems[code].status >= 500);
}

/** Renders every error of `app` in all the ways in which the legacy endpoints' clients look for one. */
export function renderLegacyErrors(app: FastifyInstance, log: FaultLog): void {
  app.setErrorHandler((error: unknown, request, reply) => sendLegacyRefusal(reply, refusalFor(error, request, log)));
}

/** Sends a refusal in the legacy form with the headers that belong to it. */
export function sendLegacyRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { legacyTask: task = "read", legacyWords } = configOf(reply.request);
  setRefusalHeaders(reply, refusal);
  const body = legacyRefusalBody(refusal, task, legacyWords);
  return sendJson(reply.code(legacyStatusOf(refusal.code, task)), JSON.stringify(body));
}

/** The body of a refusal where a route of this task is asked. */
export function legacyRefusalBody(refusal: Refusal, task: LegacyTask, words: LegacyWords = usualWords) {
  return isLeftOpen(refusal.code, task) ? openBody : failedBody(textsOf(refusal, words));
}

/** Whether a URL lies where older services have all of theirs, also one that the router cannot read. */
export function isLegacyUrl(url: string): boolean {
  return /^\/api(?!\/v1(?:[/?]|$))(?=[/?]|$)/.test(url);
}

/** Says that nothing was bought, or that what was bought has failed. */
export function failedBody(texts: readonly string[]) {
  const text = texts.join(" ");
  return { Status: "failed", status: "failed", message: text, error: texts, detail: text };
}

const openBody = {
  Status: "processing",
  status: "processing",
  message: "It is not known yet what became of this purchase. Ask for it, or wait; do not buy again.",
};

/** Settings that decide the form of a route's errors. The router's own refusals belong to no route, and buy nothing. */
export interface LegacyRouteConfig {
  readonly legacyTask?: LegacyTask;
  readonly legacyWords?: LegacyWords;
}

function configOf({ routeOptions }: FastifyRequest): LegacyRouteConfig {
  return (routeOptions?.config as LegacyRouteConfig | undefined) ?? {};
}

/** A text for each field that is wrong, under the name that the client gave it; else one for the whole. */
function textsOf({ code, message, detail }: Refusal, { fieldNames, noProduct }: LegacyWords): readonly string[] {
  const whole = code === "PRODUCT_NOT_FOUND" ? noProduct : wholeTexts[code];
  if (whole !== undefined) return [whole];
  const opening = openings[code];
  if (detail.errors === undefined) return [opening === undefined ? message : `${opening} ${message}`];
  return Object.entries(detail.errors).map(
    ([field, sentences]) => `${fieldNames[field] ?? usualWords.fieldNames[field] ?? field}: ${sentences.join(" ")}`,
  );
}
