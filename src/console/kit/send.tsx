import type { FastifyReply } from "fastify";
import type { ComponentChildren } from "preact";
import type { Company as StoredCompany } from "../../domain/company/company.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { isInBothModes, navigationOf } from "../merchant/navigation.ts";
import type { Answer } from "./answer.ts";
import { renderEntrancePage, renderPage } from "./page.tsx";
import { Flash } from "./parts/form.tsx";
import { setFlash } from "./session-cookies.ts";
import type { Company, Shell } from "./shell.ts";
import { readTheme, type Visit } from "./visit.ts";

export interface SendServices {
  readonly people: { readonly company: () => Promise<StoredCompany> };
}

/** A page without the shell: for whoever is not in yet. */
export interface FrameAnswer {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly footer?: ComponentChildren;
  readonly flash?: { readonly kind: "good" | "bad" | "waiting"; readonly text: string } | null;
  readonly status?: number;
}

/** What a console's page may do: its own scripts and styles, and forms to itself. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const html = "text/html; charset=utf-8";

/** The headers of every answer of a console. */
export function setConsoleHeaders(reply: FastifyReply): FastifyReply {
  // With no-referrer browsers post forms with the origin "null".
  return reply.header("referrer-policy", "same-origin").header("content-security-policy", policy);
}

/** Sends what a page or a form answered, inside the shell where it is a page. */
export async function sendAnswer(
  services: SendServices,
  reply: FastifyReply,
  visit: Visit,
  answer: Answer,
): Promise<FastifyReply> {
  setConsoleHeaders(reply);
  if (answer.kind === "redirect") {
    if (answer.flash !== undefined) setFlash(reply, visit.place, answer.flash);
    return reply.redirect(answer.to, 303);
  }
  if (answer.kind === "file") {
    reply.header("content-disposition", `attachment; filename="${answer.name.replace(/[^A-Za-z0-9._-]/g, "_")}"`);
    return reply.type(answer.type).send(answer.content);
  }
  if (answer.kind === "document") {
    return reply.header("content-security-policy", answer.policy).type(html).send(answer.html);
  }
  const { flash } = visit;
  const text = renderPage({
    title: answer.title,
    shell: shellOf(await companyOf(services), visit),
    body: answer.body,
    actions: answer.actions,
    flash: flash === null ? null : <Flash kind={flash.kind}>{flash.text}</Flash>,
  });
  return reply
    .code(answer.status ?? 200)
    .type(html)
    .send(text);
}

/** Sends a page without the shell. */
export async function sendFrame(
  services: SendServices,
  reply: FastifyReply,
  answer: FrameAnswer,
): Promise<FastifyReply> {
  const { flash = null } = answer;
  const text = renderEntrancePage({
    title: answer.title,
    company: await companyOf(services),
    theme: readTheme(reply.request.cookies.theme),
    body: answer.body,
    footer: answer.footer,
    flash: flash === null ? null : <Flash kind={flash.kind}>{flash.text}</Flash>,
  });
  return setConsoleHeaders(reply)
    .code(answer.status ?? 200)
    .type(html)
    .send(text);
}

async function companyOf({ people }: SendServices): Promise<Company> {
  const { name, logo } = await people.company();
  return { name, logoUrl: logo === null ? null : "/company/logo" };
}

function shellOf(company: Company, visit: Visit): Shell {
  const { member, mode, session, theme, memberships, request } = visit;
  const path = request.url.split("?", 1)[0] ?? request.url;
  const { name, email } = session.person;
  return {
    company,
    merchantName: member.name,
    mode,
    ...modeHrefs(path, mode),
    navigation: navigationOf(visit, path),
    person: { name, email, role: member.role },
    theme,
    searchHref: `/${mode ?? "live"}/search`,
    searchHint: "Reference, phone, any id",
    memberships: memberships.map(({ merchantId, name: merchantName }) => ({
      id: formatMerchantId(merchantId),
      name: merchantName,
      isCurrent: merchantId === member.merchantId,
    })),
  };
}

/** The same list in the other mode, as one thing of it has no twin there; from a page of the account to the overviews. */
function modeHrefs(path: string, mode: Visit["mode"]): Pick<Shell, "liveHref" | "testHref"> {
  const [, , page = "overview"] = path.split("/");
  const target = mode !== null && isInBothModes(page) ? page : "overview";
  return { liveHref: `/live/${target}`, testHref: `/test/${target}` };
}
