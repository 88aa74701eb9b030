import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FrameAnswer, RedirectAnswer } from "./answer.tsx";
import { type Arrival, arrivalOf } from "./arrival.ts";
import { type Form, formBytesMax, sentForm } from "./form.ts";
import type { GateServices } from "./gate.ts";
import { sendFrame, setConsoleHeaders } from "./send.tsx";
import { setFlash, takeFlash } from "./session-cookies.ts";
import { queryOf } from "./visit.ts";

/** One request of somebody who may not be logged in yet. */
export interface Guest extends Arrival {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly form: Form;
  readonly query: ReadonlyMap<string, string>;
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
  const hidden = { schema: { hide: true }, bodyLimit: formBytesMax };

  async function answer(request: FastifyRequest, reply: FastifyReply, show: Show): Promise<FastifyReply> {
    const guest = guestOf(request, reply);
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
        const body = await make(guestOf(request, reply));
        return setConsoleHeaders(reply).type("application/json; charset=utf-8").send(body);
      }),
  };
}

function guestOf(request: FastifyRequest, reply: FastifyReply): Guest {
  return { request, reply, form: sentForm(request), query: queryOf(request.url), ...arrivalOf(request) };
}
