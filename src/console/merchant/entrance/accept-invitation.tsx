import { acceptAsNewPerson, acceptInvitation, findInvitation } from "../../../domain/members/invitations.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type FrameAnswer, goTo, type RedirectAnswer } from "../../kit/answer.tsx";
import { type Typed, typedForm, untouched } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import type { Guest, GuestRoutes } from "../../kit/guest.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { setCookie } from "../../kit/session-cookies.ts";
import { homeOf } from "./home.ts";

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Becoming a member: with an account, by logging in to it; without one, with a name and a password. */
export function invitationPages(routes: GuestRoutes, services: GateServices): void {
  const { people } = services;

  routes.page("/accept-invitation", async (guest) => {
    const token = guest.query.get("token") ?? "";
    const invitation = await findInvitation(people, token);
    if (invitation === null) return endedLinkPage();
    return pageFor(guest, invitation, token);
  });

  routes.form("/accept-invitation", async ({ form, session, reply, place }) => {
    const token = form.raw("token");
    if (session?.level !== "second_factor") return logInFor(linkOf(token));
    const accepted = await acceptInvitation(people, { token, person: session.person });
    if (accepted.kind === "other_address") return otherAddressPage(session.person.email);
    if (accepted.kind !== "accepted") return endedLinkPage();
    // Of several businesses the one that was just joined is opened.
    setCookie(reply, place, "chosen", formatMerchantId(accepted.merchantId));
    return goTo(await homeOf(services, session.person), "You’re on the team now.");
  });

  routes.form("/accept-invitation/new", async (guest) => {
    const { form } = guest;
    const token = form.raw("token");
    try {
      const { kind } = await acceptAsNewPerson(people, {
        token,
        name: form.text("name"),
        password: form.raw("password"),
      });
      if (kind === "refused") return endedLinkPage();
      return kind === "accepted"
        ? logInFor("/live/overview", "You’re on the team now. Log in with your password.")
        : logInFor(linkOf(token), "You already have an account. Log in to join.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const invitation = await findInvitation(people, token);
      return invitation === null ? endedLinkPage() : newPersonPage(invitation, token, typedForm(form, error));
    }
  });
}

function linkOf(token: string): string {
  return `/accept-invitation?token=${encodeURIComponent(token)}`;
}

function pageFor({ session }: Guest, invitation: Invitation, token: string) {
  const { email, hasAccount } = invitation;
  const isOwn = session?.level === "second_factor" && session.person.email === email;
  if (!hasAccount && !isOwn) return newPersonPage(invitation, token, untouched);
  if (session?.level !== "second_factor") return logInFor(linkOf(token));
  return session.person.email === email ? acceptPage(invitation, token) : otherAddressPage(session.person.email);
}

function acceptPage({ merchantName, role }: Invitation, token: string): FrameAnswer {
  return {
    title: `Join ${merchantName}`,
    body: (
      <Form action="/accept-invitation" submit={`Join ${merchantName}`} hidden={{ token }}>
        <p>You’re invited as {role}.</p>
      </Form>
    ),
  };
}

function newPersonPage({ merchantName, role, email }: Invitation, token: string, typed: Typed): FrameAnswer {
  return {
    title: `Join ${merchantName}`,
    status: typed.refusal === null ? 200 : 400,
    body: (
      <Form action="/accept-invitation/new" submit={`Join ${merchantName}`} hidden={{ token }} error={typed.whole}>
        <p>
          {email} is invited as {role}. Choose a password to log in with.
        </p>
        <TextField {...typed.field("name")} label="Your name" autocomplete="name" isFocused />
        <PasswordField
          name="password"
          label="Password"
          hint="At least 12 characters."
          error={typed.error("password")}
          lengthLeast={12}
          autocomplete="new-password"
        />
      </Form>
    ),
  };
}

/** The page behind a link in a letter: it has a button, as programs that look at letters open links and would use them up. */
export function tokenPage(link: {
  readonly title: string;
  readonly action: string;
  readonly token: string;
  readonly submit: string;
}): FrameAnswer {
  return {
    title: link.title,
    body: (
      <Form action={link.action} submit={link.submit} hidden={{ token: link.token }}>
        <p>The link works once.</p>
      </Form>
    ),
  };
}

/** To the log-in, and on to a link afterwards. */
export function logInFor(next: string, flash?: string): RedirectAnswer {
  return goTo(`/log-in?next=${encodeURIComponent(next)}`, flash);
}

/** For a link that belongs to another account than the one that is logged in. */
export function otherAddressPage(email: string): FrameAnswer {
  return {
    title: "This link is for another account",
    status: 403,
    body: (
      <Form action="/log-out" submit="Log out">
        <p>You’re logged in as {email}. Log out, then open the link again and log in with the account it’s for.</p>
      </Form>
    ),
  };
}

/** For a link that was used before, or whose time is over. */
export function endedLinkPage(another?: { readonly href: string; readonly text: string }): FrameAnswer {
  return {
    title: "This link has expired",
    status: 410,
    body: (
      <>
        <p>Links work once and expire.</p>
        {another === undefined ? (
          <p>
            Log in to ask for a new one. An invitation comes from an owner of the business: ask them to send it again.
          </p>
        ) : (
          <div class="buttons">
            <ButtonLink href={another.href} kind="main">
              {another.text}
            </ButtonLink>
          </div>
        )}
      </>
    ),
    footer: <a href="/log-in">Log in</a>,
  };
}
