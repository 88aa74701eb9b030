import type { FastifyReply } from "fastify";
import type { ComponentChildren } from "preact";
import type { Company as StoredCompany } from "../../domain/identity/company/company.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Answer, EventsAnswer, FrameAnswer } from "./answer.tsx";
import { onceField } from "./form.ts";
import { renderEntrancePage, rendered, renderPage } from "./page.tsx";
import { Flash } from "./parts/form.tsx";
import type { Surroundings } from "./parts/surroundings.ts";
import type { Realm } from "./realm.ts";
import { setFlash } from "./session-cookies.ts";
import type { Company } from "./shell.ts";
import { readTheme, type Visit } from "./visit.ts";

export interface SendServices extends Pick<Surroundings, "format" | "assetUrl"> {
  readonly people: { readonly company: () => Promise<StoredCompany>; readonly clock: Clock };
}

/** What a console's page may do: its own scripts and styles, and forms to itself. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const html = "text/html; charset=utf-8";

/** What a file may do, whatever it holds and however a browser shows it: nothing. */
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'";

export function setConsoleHeaders(reply: FastifyReply): FastifyReply {
  // With no-referrer browsers post forms with the origin "null".
  return reply.header("referrer-policy", "same-origin").header("content-security-policy", policy);
}

/** Sends what a page or a form answered, inside the shell where it is a page. */
export async function sendAnswer<V extends Visit, C extends string>(
  services: SendServices,
  realm: Realm<V, C>,
  visit: V,
  answer: Answer,
): Promise<FastifyReply> {
  const reply = setConsoleHeaders(visit.reply);
  if (answer.kind === "redirect") {
    if (answer.flash !== undefined) setFlash(reply, visit.place, answer.flash);
    return reply.redirect(answer.to, 303);
  }
  if (answer.kind === "file") {
    reply.header("content-security-policy", filePolicy);
    reply.header("content-disposition", `attachment; filename="${answer.name.replace(/[^A-Za-z0-9._-]/g, "_")}"`);
    return reply.type(answer.type).send(answer.content);
  }
  if (answer.kind === "document") {
    return reply.header("content-security-policy", answer.policy).type(html).send(answer.html);
  }
  if (answer.kind === "events") return sendEvents(reply, answer);
  const { flash, theme, mode, path } = visit;
  const now = services.people.clock.now();
  const text = renderPage({
    title: answer.title,
    shell: { ...realm.shell(visit, path), company: await companyOf(services), theme, mode },
    body: realm.surround(visit, answer.body),
    refusal: answer.refusal,
    actions: answer.barActions === undefined ? undefined : realm.surround(visit, answer.barActions),
    flash: flash === null ? null : <Flash kind={flash.kind}>{flash.text}</Flash>,
    surroundings: { ...services, now, formFields: { ...realm.formFields(visit), [onceField]: visit.formToken } },
  });
  return reply.code(answer.status).type(html).send(text);
}

/** Sends events as they come. What stands between is asked to keep nothing back. */
function sendEvents(reply: FastifyReply, { stream }: EventsAnswer): FastifyReply {
  reply.header("cache-control", "no-store, no-transform").header("x-accel-buffering", "no");
  reply.type("text/event-stream; charset=utf-8");
  if (reply.request.method !== "HEAD") return reply.send(stream);
  stream.destroy();
  return reply.send();
}

/** A part of a page as HTML, for a feed. */
export function renderPart({ people, ...services }: SendServices, part: ComponentChildren): string {
  return rendered({ ...services, now: people.clock.now(), formFields: {} }, part);
}

/** Sends a page without the shell. */
export async function sendFrame(
  services: SendServices,
  reply: FastifyReply,
  answer: FrameAnswer,
): Promise<FastifyReply> {
  const { flash = null, status = 200, title, body, footer } = answer;
  const text = renderEntrancePage({
    ...{ title, body, footer },
    // The address alone says which console it is, as nobody is in yet.
    console: /^\/operator(?![^/?])/.test(reply.request.url) ? "operator" : "merchant",
    company: await companyOf(services),
    // A request that can’t be read is answered before its cookies are.
    theme: readTheme(reply.request.cookies?.theme),
    flash: flash === null ? null : <Flash kind={flash.kind}>{flash.text}</Flash>,
    surroundings: { ...services, now: services.people.clock.now(), formFields: {} },
  });
  return setConsoleHeaders(reply).code(status).type(html).send(text);
}

async function companyOf({ people }: SendServices): Promise<Company> {
  const { name, logo } = await people.company();
  return { name, logoUrl: logo === null ? null : "/company/logo" };
}
