import { acceptAsNewPerson, acceptInvitation, findInvitation } from "../../../domain/members/invitations.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type FrameAnswer, goTo } from "../../kit/answer.tsx";
import { logInFor, otherAddressPage } from "../../kit/entrance/links.tsx";
import { type Typed, typedForm, untouched } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import type { Guest, GuestRoutes } from "../../kit/guest.ts";
import { NewPasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { setCookie } from "../../kit/session-cookies.ts";
import { expiredLinkPage, homeOf } from "./links.tsx";

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** Becoming a member: with an account, by logging in to it; without one, with a name and a password. */
export function invitationPages(routes: GuestRoutes, services: GateServices): void {
  const { people } = services;

  routes.page("/accept-invitation", async (guest) => {
    const token = guest.query.get("token") ?? "";
    const invitation = await findInvitation(people, token);
    if (invitation === null) return expiredLinkPage();
    return pageFor(guest, invitation, token);
  });

  routes.form("/accept-invitation", async ({ form, session, reply, place }) => {
    const token = form.raw("token");
    if (session?.level !== "second_factor") return logInFor("", linkOf(token));
    const accepted = await acceptInvitation(people, { token, person: session.person });
    if (accepted.kind === "other_address") return otherAddressPage("", session.person.email);
    if (accepted.kind !== "accepted") return expiredLinkPage();
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
      if (kind === "refused") return expiredLinkPage();
      return kind === "accepted"
        ? logInFor("", "/live/overview", "You’re on the team now. Log in with your password.")
        : logInFor("", linkOf(token), "You already have an account. Log in to join.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const invitation = await findInvitation(people, token);
      return invitation === null ? expiredLinkPage() : newPersonPage(invitation, token, typedForm(form, error));
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
  if (session?.level !== "second_factor") return logInFor("", linkOf(token));
  return session.person.email === email ? acceptPage(invitation, token) : otherAddressPage("", session.person.email);
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
        <NewPasswordField error={typed.error("password")} />
      </Form>
    ),
  };
}
