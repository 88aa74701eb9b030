import type { FastifyReply, FastifyRequest } from "fastify";
import { type Membership, membershipsOf } from "../../domain/memberships/membership.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { siteOf } from "../../domain/people/passkeys.ts";
import type { Attempt } from "../../domain/people/people-services.ts";
import { type RenewedFactor, refreshFactor } from "../../domain/people/refresh-factor.ts";
import type { TypedFactor } from "../../domain/people/second-factor.ts";
import { isFresh, mintToken, readSession, type Session } from "../../domain/people/sessions.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Capability, may, needsFreshFactor, openUnconfirmed } from "../merchant/access.ts";
import { logInPage } from "../merchant/entrance/log-in-page.tsx";
import { type Arrival, type ArrivalServices, arrivalOf } from "./arrival.ts";
import { type Form, passkeyAnswerIn, sentForm } from "./form.ts";
import {
  byPasskey,
  confirmPage,
  factorField,
  noMerchantPage,
  notAllowedPage,
  otherMerchantPage,
  suspendedPage,
  unconfirmedPage,
} from "./gate-pages.tsx";
import { resumeOf } from "./resume.tsx";
import { sendAnswer, sendFrame } from "./send.tsx";
import { readCookie, setCookie, takeFlash } from "./session-cookies.ts";
import { queryOf, readTheme, type Visit } from "./visit.ts";

/** What the gate asks of the accounts' domain. */
export type GateServices = ArrivalServices;

interface Asked {
  readonly mode: Mode | null;
  readonly capability: Capability;
}

/** A request that was let in, or one that has its answer already. */
export type Passed =
  | { readonly kind: "in"; readonly visit: Visit; readonly form: Form }
  | { readonly kind: "answered" };

const answered: Passed = { kind: "answered" };

/**
 * Lets a request in that has arrived: session, second factor, merchant, role, fresh factor, in this order. Whoever is not
 * let in has their answer, which keeps what they typed. Roles are read anew each time: a removal acts at once.
 */
export async function passGate(
  services: GateServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
): Promise<Passed> {
  const arrival = arrivalOf(request);
  const { place, session } = arrival;
  const isChange = request.method === "POST";
  const form = sentForm(request);
  if (session === null || session.level === "password") {
    return logInFirst(services, reply, { session, form: isChange ? form : null });
  }
  const memberships = await membershipsOf(services.people.database, session.person.id);
  const member = chosenOf(memberships, readCookie(request, place, "chosen"));
  if (member === null) return stopped(sendFrame(services, reply, noMerchantPage(session.person.email)));
  const visit = visitOf(services, arrival, { request, reply, session, member, memberships, mode: asked.mode });
  if (!may(member.role, asked.capability)) return stopped(sendAnswer(services, reply, visit, notAllowedPage(visit)));
  if (!isChange) return { kind: "in", visit, form };
  const stop = stopForm(visit, form, asked);
  if (stop !== null) return stopped(sendAnswer(services, reply, visit, stop));
  const isOld = !isFresh(session, services.people.clock.now());
  if (isOld && needsFreshFactor(asked.capability, asked.mode)) return confirm(services, reply, visit, form);
  return { kind: "in", visit, form };
}

async function stopped(sent: Promise<FastifyReply>): Promise<Passed> {
  await sent;
  return answered;
}

/** To the log-in, and back here afterwards. What was typed goes along in the log-in's own form. */
async function logInFirst(
  services: GateServices,
  reply: FastifyReply,
  { session, form }: { readonly session: Session | null; readonly form: Form | null },
): Promise<Passed> {
  const { url } = reply.request;
  if (form !== null) {
    const resume = resumeOf(url, form);
    return stopped(sendFrame(services, reply, logInPage({ next: "/live/overview", resume, status: 401 })));
  }
  const next = encodeURIComponent(url);
  reply.redirect(session === null ? `/log-in?next=${next}` : `/log-in/code?next=${next}`, 303);
  return answered;
}

/** The merchant that the browser chose, where the person belongs to it, else the first; null where there is none. */
function chosenOf(memberships: readonly Membership[], chosen: string | null): Membership | null {
  return memberships.find(({ merchantId }) => formatMerchantId(merchantId) === chosen) ?? memberships[0] ?? null;
}

function visitOf(
  services: GateServices,
  { place, origin }: Arrival,
  seen: Pick<Visit, "request" | "reply" | "session" | "member" | "memberships" | "mode">,
): Visit {
  const { request, reply, member, mode } = seen;
  return {
    ...seen,
    place,
    ...(mode === null ? {} : { wallet: { bucket: member.bucket, merchantId: member.merchantId, mode } }),
    formToken: mintToken(services.people),
    address: origin.address,
    flash: request.method === "GET" ? takeFlash(request, reply, place) : null,
    theme: readTheme(request.cookies.theme),
    query: queryOf(request.url),
  };
}

/** Why a form is not carried out although its sender may send such forms; null where it is. */
function stopForm(visit: Visit, form: Form, asked: Asked) {
  if (form.text("merchant") !== formatMerchantId(visit.member.merchantId)) return otherMerchantPage(visit, form);
  const isConfirmed = visit.session.person.emailVerifiedAt !== null;
  if (!isConfirmed && !openUnconfirmed.includes(asked.mode)) return unconfirmedPage();
  return visit.member.status === "suspended" && asked.mode !== null ? suspendedPage(visit) : null;
}

/** Asks for a factor and takes it: the form that was sent waits in the page and goes on once it is right. */
async function confirm(services: GateServices, reply: FastifyReply, visit: Visit, form: Form): Promise<Passed> {
  const secret = form.raw(factorField);
  if (secret === "") return stopped(sendAnswer(services, reply, visit, confirmPage(visit, form, null)));
  const given = await refreshFactor(services.people, visit.session, factorOf(visit, form), arrivalOf(visit.request));
  if (given.kind !== "in") return stopped(sendAnswer(services, reply, visit, confirmPage(visit, form, whyNot(given))));
  setCookie(reply, visit.place, "merchant", given.token);
  const session = await readSession(services.people, "merchant", given.token);
  // Ended in this moment, by a log-out elsewhere: the form waits in the log-in.
  if (session === null) return logInFirst(services, reply, { session, form });
  return { kind: "in", visit: { ...visit, session }, form };
}

/** What was given of what `confirmPage` asked for. */
function factorOf({ session, place }: Visit, form: Form): RenewedFactor {
  const { hasTotp, hasPasskey } = session.person;
  const secret = form.raw(factorField);
  if (hasPasskey && secret === byPasskey) {
    return { passkey: { token: form.raw("token"), response: passkeyAnswerIn(form), site: siteOf(place.origin) } };
  }
  return hasTotp ? typedFactor(secret) : { password: secret };
}

/** Six digits are a code of the authenticator app, whatever else is typed a backup code. */
export function typedFactor(typed: string): TypedFactor {
  const code = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(code) ? { code } : { backupCode: code };
}

/** Why somebody is not let in, as a sentence that gives nothing away. */
export function whyNot(attempt: Exclude<Attempt, { kind: "in" }>): string {
  if (attempt.kind === "wrong") return "That was not right. Try again.";
  const minutes = Math.max(1, Math.ceil(attempt.retryAfterSeconds / 60));
  return `That was wrong too often. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
