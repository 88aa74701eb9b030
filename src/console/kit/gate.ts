import type { FastifyReply, FastifyRequest } from "fastify";
import { siteOf } from "../../domain/identity/people/passkeys.ts";
import { type RenewedFactor, refreshFactor } from "../../domain/identity/people/refresh-factor.ts";
import type { TypedFactor } from "../../domain/identity/people/second-factor.ts";
import type { Attempt } from "../../domain/identity/people/send-notice.ts";
import { isFresh, mintToken, readSession, type Session } from "../../domain/identity/people/sessions.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type ArrivalServices, arrivalOf } from "./arrival.ts";
import { logInPage } from "./entrance/log-in-page.tsx";
import { type Form, passkeyAnswerIn, sentForm } from "./form.ts";
import { byPasskey, confirmPage, factorField } from "./gate-pages.tsx";
import type { Realm, RealmEntrance } from "./realm.ts";
import { resumeOf } from "./resume.tsx";
import { sendAnswer, sendFrame } from "./send.tsx";
import { setCookie, takeFlash } from "./session-cookies.ts";
import { pathOf, queryOf, readTheme, type Visit } from "./visit.ts";

/** What the gate asks of the accounts' domain. */
export type GateServices = ArrivalServices;

interface Gated<C extends string> {
  readonly isFile: boolean;
  readonly isSecret?: boolean;
  readonly mode: Mode | null;
  readonly capability: C;
}

/** A request that was let in, or one that has its answer already. */
export type Passed<V extends Visit> =
  | { readonly kind: "in"; readonly visit: V; readonly form: Form }
  | { readonly kind: "answered" };

const answered = { kind: "answered" } as const;

/**
 * Lets a request in that has arrived: session, second factor, a place in the realm, role, fresh factor, in this order.
 * A refused visitor gets an answer, which keeps what they typed. Roles are read anew each time: a removal acts at once.
 */
export async function passGate<V extends Visit, C extends string>(
  services: GateServices,
  realm: Realm<V, C>,
  reply: FastifyReply,
  requested: Gated<C>,
): Promise<Passed<V>> {
  const { request } = reply;
  const { session } = arrivalOf(request);
  const isChange = request.method === "POST";
  const form = sentForm(request);
  if (session === null || session.level === "password") {
    return logInFirst(services, realm, reply, { session, form: isChange ? form : null });
  }
  const entered = await realm.enter(visitOf(services, { request, reply, session, mode: requested.mode }), requested);
  if ("turnedAway" in entered) return stopped(sendFrame(services, reply, entered.turnedAway));
  const { visit } = entered;
  if (!realm.may(visit, requested.capability)) {
    return stopped(sendAnswer(services, realm, visit, realm.notAllowedPage(visit)));
  }
  if (!isChange && requested.isSecret !== true) return { kind: "in", visit, form };
  const stop = isChange ? realm.stopForm(visit, form, requested.capability) : null;
  if (stop !== null) return stopped(sendAnswer(services, realm, visit, stop));
  const isOld = !isFresh(session, services.people.clock.now());
  const isRequested = isOld && realm.needsFreshFactor(requested.capability, requested.mode);
  return isRequested ? confirm(services, realm, visit, form) : { kind: "in", visit, form };
}

async function stopped(sent: Promise<FastifyReply>): Promise<typeof answered> {
  await sent;
  return answered;
}

/** To the log-in, and back here afterwards. What was typed goes along in the log-in's own form. */
async function logInFirst(
  services: GateServices,
  realm: RealmEntrance,
  reply: FastifyReply,
  { session, form }: { readonly session: Session | null; readonly form: Form | null },
): Promise<typeof answered> {
  const { url } = reply.request;
  if (form !== null) {
    return stopped(
      sendFrame(services, reply, logInPage(realm, { next: realm.home, resume: resumeOf(url, form), status: 401 })),
    );
  }
  const next = encodeURIComponent(url);
  reply.redirect(`${realm.base}/log-in${session === null ? "" : "/code"}?next=${next}`, 303);
  return answered;
}

function visitOf(
  services: GateServices,
  seen: Pick<Visit, "reply" | "session" | "mode"> & { request: FastifyRequest },
) {
  const { request, reply } = seen;
  const { place, origin } = arrivalOf(request);
  return {
    ...seen,
    place,
    path: pathOf(request),
    formToken: mintToken(services.people),
    address: origin.address,
    flash: request.method === "GET" ? takeFlash(request, reply, place) : null,
    theme: readTheme(request.cookies.theme),
    query: queryOf(request.url),
    param: (name: string) => (request.params as Readonly<Record<string, string>>)[name] ?? "",
  };
}

/** Asks for a factor and takes it: the form that was sent waits in the page and goes on once it is right. */
async function confirm<V extends Visit, C extends string>(
  services: GateServices,
  realm: Realm<V, C>,
  visit: V,
  form: Form,
): Promise<Passed<V>> {
  const ask = (error: string | null) =>
    stopped(sendAnswer(services, realm, visit, confirmPage(realm, visit, form, error)));
  if (form.raw(factorField) === "") return ask(null);
  const given = await refreshFactor(services.people, visit.session, factorOf(visit, form), arrivalOf(visit.request));
  if (given.kind !== "in") return ask(whyNot(given));
  setCookie(visit.reply, visit.place, realm.name, given.token);
  const session = await readSession(services.people, realm.name, given.token);
  // Ended in this moment, by a log-out elsewhere: the form waits in the log-in.
  if (session === null) return logInFirst(services, realm, visit.reply, { session, form });
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
  if (attempt.kind === "wrong") return "That didn’t match. Try again.";
  const minutes = Math.max(1, Math.ceil(attempt.retryAfterSeconds / 60));
  return `Too many tries. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
