import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Origin, Session } from "../../domain/people/sessions.ts";
import type { RedirectAnswer } from "../answer.ts";
import { emptyForm, type Form, formOf } from "../form.ts";
import { type GateServices, safePlace, senderOf, sessionOf } from "../gate.ts";
import type { Place } from "../same-origin.ts";
import { type FrameAnswer, sendFrame, setConsoleHeaders } from "../send.tsx";
import { setCookie, setFlash, takeFlash } from "../session-cookies.ts";
import { queryOf } from "../visit.ts";

/** One request of somebody who may not be logged in yet. */
export interface Guest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly place: Place;
  /** The address, or the /64 of an IPv6 address: what failures count against. */
  readonly source: string;
  readonly origin: Origin;
  readonly form: Form;
  readonly query: ReadonlyMap<string, string>;
  /** Null where nobody is logged in; at level "password" the second factor is still owed. */
  readonly session: Session | null;
}

type Awaitable<T> = T | Promise<T>;
type Show = (guest: Guest) => Awaitable<FrameAnswer | RedirectAnswer>;

/** Places for pages without a log-in. They change nothing that is not proved by what the form brings. */
export interface GuestRoutes {
  page(path: string, show: Show): void;
  form(path: string, send: Show): void;
  /** For scripts of ours: the answer is JSON. */
  json(path: string, answer: (guest: Guest) => Awaitable<object>): void;
}

export function guestRoutes(app: FastifyInstance, services: GateServices): GuestRoutes {
  const hidden = { schema: { hide: true } };

  async function answer(request: FastifyRequest, reply: FastifyReply, show: Show): Promise<FastifyReply> {
    const guest = await guestOf(services, request, reply);
    if (guest === null) return reply;
    const answered = await show(guest);
    if (!("kind" in answered)) {
      const flash = answered.flash ?? (request.method === "GET" ? takeFlash(request, reply, guest.place) : null);
      return sendFrame(services, reply, { ...answered, flash });
    }
    if (answered.flash !== undefined) setFlash(reply, guest.place, answered.flash);
    return setConsoleHeaders(reply).redirect(answered.to, 303);
  }

  return {
    page: (path, show) => app.get(path, hidden, (request, reply) => answer(request, reply, show)),
    form: (path, send) => app.post(path, hidden, (request, reply) => answer(request, reply, send)),
    json: (path, make) =>
      app.post(path, hidden, async (request, reply) => {
        const guest = await guestOf(services, request, reply);
        if (guest === null) return reply;
        const body = await make(guest);
        return setConsoleHeaders(reply).type("application/json; charset=utf-8").send(body);
      }),
  };
}

async function guestOf(services: GateServices, request: FastifyRequest, reply: FastifyReply): Promise<Guest | null> {
  const place = await safePlace(services, request, reply);
  if (place === null) return null;
  const session = await sessionOf(services, request, place);
  const form = request.method === "POST" ? formOf(request.body) : emptyForm;
  return { request, reply, place, form, session, query: queryOf(request.url), ...senderOf(services, request) };
}

/** Logs the guest's browser in. */
export function keepSession({ reply, place }: Guest, token: string): void {
  setCookie(reply, place, "merchant", token);
}
