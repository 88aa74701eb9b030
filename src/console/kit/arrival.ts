import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import { type Origin, readSession, type Session } from "../../domain/identity/people/sessions.ts";
import { assert } from "../../kernel/assert.ts";
import { minuteMs } from "../../kernel/clock.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { type AddressRange, clientAddress, sourceOf } from "../../platform/address.ts";
import { type RateWindow, rateWindow } from "../../platform/rate-limit/request-leases.ts";
import type { FrameAnswer } from "./answer.tsx";
import { logInPage } from "./entrance/log-in-page.tsx";
import { formBytesMax } from "./form.ts";
import { foreignFormPage } from "./gate-pages.tsx";
import { type AwaitTurn, openPersonTurns } from "./person-turns.ts";
import type { RealmEntrance } from "./realm.ts";
import { type SendServices, sendFrame } from "./send.tsx";
import { clearCookie, isFromOwnPage, type Place, placeOf, readCookie, unsafeSentence } from "./session-cookies.ts";

export interface ArrivalServices extends SendServices {
  readonly people: PeopleServices;
  readonly proxies: readonly AddressRange[];
  /** The address that the service is known by, without a slash at its end; null: as each browser reached it. */
  readonly publicUrl: string | null;
  /** Where not the usual: the tests open more pages than a person does. */
  readonly pagesPerMinute?: number;
  /** As well: which share of the time one person's pages may take. */
  readonly pageShare?: number;
}

/** What is known of a request before its body is read. */
export interface Arrival {
  readonly place: Place;
  /** Null where nobody is logged in; at level "password" the second factor is still owed. */
  readonly session: Session | null;
  /** The address, or the /64 of an IPv6 address: what failures count against. */
  readonly source: string;
  /** Where a request comes from, as it is kept with a session. */
  readonly origin: Origin;
}

/** Ten a second: more than a person with several open tabs asks for, and than a café behind one address logs in. */
export const usualPagesPerMinute = 600;
/** Of more than 64 KiB: reading one keeps the process busy for a good part of a second. */
const longFormsPerMinute = 30;

const arrivals = new WeakMap<FastifyRequest, Arrival>();

/** The arrival of a request that was let as far as its page. */
export function arrivalOf(request: FastifyRequest): Arrival {
  const arrival = arrivals.get(request);
  assert(arrival !== undefined, "each request of the pages was met");
  return arrival;
}

/**
 * Meets every request of `pages` before a body is read: a safe address, a form from our own page alone, so many pages a
 * minute and person or, where nobody is logged in, source, and a form no longer than whoever sends it may send.
 */
export function meetRequests(pages: FastifyInstance, services: ArrivalServices, realm: RealmEntrance): void {
  const { pagesPerMinute = usualPagesPerMinute } = services;
  const window = { windowMs: minuteMs, namesMax: 20_000, monotonicMs: () => performance.now() };
  const rate = rateWindow({ ...window, limit: pagesPerMinute });
  const longForms = rateWindow({ ...window, limit: longFormsPerMinute });
  pages.addHook("onRequest", async (request, reply) => {
    const place = placeOf(request.raw, services.publicUrl);
    if (place === null) return reply.code(421).type("text/plain; charset=utf-8").send(`${unsafeSentence}\n`);
    const isForm = request.method === "POST";
    if (isForm && !isFromOwnPage(request.raw, place)) return refuseSlowly(services, reply, foreignFormPage(realm));
    const onlooker = await onlookerAt(services, realm, reply, place);
    if (onlooker === "answered") return reply;
    const session = onlooker ?? (await sessionOf(services, realm, request, place));
    const sender = senderOf(services, request);
    if (!rate.count(session === null ? sender.source : `person ${session.person.id}`)) {
      const message = `You opened more than ${pagesPerMinute} pages in a minute.`;
      const refusal = refuse("RATE_LIMITED", { message, retryAfterSeconds: rate.resetSeconds() });
      return refuseSlowly(services, reply, refusal);
    }
    arrivals.set(request, { place, session, ...sender });
    const refusal = isForm ? refusalOfLongForm(request, realm, session, longForms) : null;
    return refusal === null ? undefined : refuseSlowly(services, reply, refusal);
  });
  awaitTurns(pages, openPersonTurns(window.monotonicMs, services.pageShare));
}

/** A person's pages and long forms are answered one after the other. A short form may wait for a supplier, and keeps none waiting. */
function awaitTurns(pages: FastifyInstance, awaitTurn: AwaitTurn): void {
  const ends = new WeakMap<FastifyRequest, () => void>();
  pages.addHook("preHandler", async (request, reply) => {
    const { session } = arrivalOf(request);
    const isShortForm = request.method === "POST" && request.routeOptions.bodyLimit <= formBytesMax;
    if (session === null || isShortForm) return;
    const end = await awaitTurn(session.person.id);
    ends.set(request, end);
    reply.raw.once("close", end);
    if (!reply.raw.destroyed) return;
    // Its browser has left meanwhile.
    end();
    reply.hijack();
  });
  // A file goes on beside what is asked for meanwhile.
  pages.addHook("onSend", async (request) => ends.get(request)?.());
}

/** The session of somebody who only looks at the realm: answered already where it has ended, or where a form was sent. */
async function onlookerAt(
  services: ArrivalServices,
  { onlookers }: RealmEntrance,
  reply: FastifyReply,
  place: Place,
): Promise<Session | "answered" | null> {
  const found = (await onlookers?.find(reply.request, place)) ?? null;
  if (onlookers === undefined || found === null) return null;
  if (found !== "ended" && reply.request.method !== "POST") return found;
  if (found === "ended") clearCookie(reply, place, "viewing");
  await sendFrame(services, reply, found === "ended" ? onlookers.endedPage() : onlookers.readOnlyPage());
  return "answered";
}

/** Answers with a page or an error after a second or two: asked for again at once, refusals would keep others waiting. */
async function refuseSlowly(services: ArrivalServices, reply: FastifyReply, refusal: FrameAnswer | Refusal) {
  await services.people.delayRefusal();
  if (refusal instanceof Refusal) throw refusal;
  return sendFrame(services, reply, refusal);
}

/**
 * A long form is a member's, and some a minute: of anybody else's nothing would be kept until the log-in, and whoever never
 * confirmed an email may be anybody.
 */
function refusalOfLongForm(
  { headers, routeOptions }: FastifyRequest,
  realm: RealmEntrance,
  session: Session | null,
  longForms: RateWindow,
): FrameAnswer | Refusal | null {
  const bytes = Number(headers["content-length"] ?? 0);
  const isLong = bytes > formBytesMax || headers["transfer-encoding"] !== undefined;
  if (!isLong) return null;
  if (routeOptions.bodyLimit > formBytesMax && session?.level !== "second_factor") {
    return logInPage(realm, { next: realm.home, resume: "too_long", status: 401 });
  }
  const isUnconfirmed = session?.person.realm === "merchant" && session.person.emailVerifiedAt === null;
  if (bytes > routeOptions.bodyLimit || isUnconfirmed) return refuse("PAYLOAD_TOO_LARGE");
  if (session === null || longForms.count(`person ${session.person.id}`)) return null;
  const message = `You sent more than ${longFormsPerMinute} long forms in a minute.`;
  return refuse("RATE_LIMITED", { message, retryAfterSeconds: longForms.resetSeconds() });
}

async function sessionOf(
  { people }: ArrivalServices,
  { name }: RealmEntrance,
  request: FastifyRequest,
  place: Place,
): Promise<Session | null> {
  const token = readCookie(request, place, name);
  return token === null ? null : readSession(people, name, token);
}

function senderOf({ proxies }: ArrivalServices, request: FastifyRequest) {
  const forwardedFor = request.headers["x-forwarded-for"];
  const address = clientAddress({
    socketAddress: request.raw.socket.remoteAddress,
    forwardedFor: Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    proxies,
  });
  const origin: Origin = { address: address?.toString() ?? "", agent: request.headers["user-agent"] ?? "" };
  return { source: sourceOf(address), origin };
}
