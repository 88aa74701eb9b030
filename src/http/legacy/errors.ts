import type { FastifyInstance, FastifyReply } from "fastify";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { ProblemCode, Refusal } from "../../kernel/problems.ts";
import { type FaultLog, refusalFor, setRefusalHeaders } from "../plugins/errors.ts";
import { sendJson } from "../send-json.ts";

/** What these clients look for in a text, or what only they can do: the catalogue's own sentences speak of JSON. */
const openings: Partial<Record<ProblemCode, string>> = {
  INSUFFICIENT_BALANCE: "Insufficient balance.",
  DUPLICATE_TRANSACTION: "Duplicate transaction.",
};
const wholeTexts: Partial<Record<ProblemCode, string>> = {
  UNAUTHORIZED: "Invalid token.",
  NOT_FOUND: "Not found.",
  TRANSACTION_NOT_FOUND: "Not found.",
  PRODUCT_NOT_FOUND: "plan: There is no such data plan.",
  UNSUPPORTED_MEDIA_TYPE: "Send the body as JSON or as a form.",
};

/** Statuses that these clients expect otherwise: an unknown plan and a repetition are mistakes in the request. */
const statuses: Partial<Record<ProblemCode, number>> = {
  PRODUCT_NOT_FOUND: 400,
  BILLER_NOT_FOUND: 400,
  DUPLICATE_TRANSACTION: 400,
};

/** What the domain calls a field, where these clients call it otherwise. */
const fieldNames: Readonly<Record<string, string>> = {
  phone: "mobile_number",
  product_id: "plan",
  reference: "ident",
};

/** The status that a refusal has here. */
export function legacyStatusOf(code: ProblemCode): number {
  return statuses[code] ?? problems[code].status;
}

/** Statuses whose body is `{"detail": …}`; every other error is `{"error": […]}`. */
export const detailStatuses: readonly number[] = [401, 404, 429];

/** Renders every error of `app` as the legacy endpoints' clients read them: `{"detail": …}` or `{"error": […]}`. */
export function renderLegacyErrors(app: FastifyInstance, log: FaultLog): void {
  app.setErrorHandler((error: unknown, request, reply) => sendLegacyRefusal(reply, refusalFor(error, request, log)));
}

/** Sends a refusal in the legacy form with the headers that belong to it. */
export function sendLegacyRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const status = legacyStatusOf(refusal.code);
  setRefusalHeaders(reply, refusal);
  return sendJson(reply.code(status), JSON.stringify(bodyOf(refusal, status)));
}

/** Whether a URL lies where older services have all of theirs, also one that the router cannot read. */
export function isLegacyUrl(url: string): boolean {
  return /^\/api(?!\/v1(?:[/?]|$))(?=[/?]|$)/.test(url);
}

function bodyOf(refusal: Refusal, status: number): { detail: string } | { error: string[] } {
  const whole = wholeTexts[refusal.code];
  if (detailStatuses.includes(status)) return { detail: whole ?? refusal.message };
  return { error: whole === undefined ? textsOf(refusal) : [whole] };
}

/** A text for each field that is wrong, under the name that the client gave it; else one for the whole. */
function textsOf({ code, message, detail }: Refusal): string[] {
  const opening = openings[code];
  if (detail.errors === undefined) return [opening === undefined ? message : `${opening} ${message}`];
  return Object.entries(detail.errors).map(
    ([field, sentences]) => `${fieldNames[field] ?? field}: ${sentences.join(" ")}`,
  );
}
