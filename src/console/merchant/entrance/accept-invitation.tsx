import { acceptAsNewPerson, acceptInvitation, findInvitation } from "../../../domain/memberships/accept-invitation.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { goTo } from "../../kit/answer.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import type { GateServices } from "../../kit/gate.ts";
import type { Guest, GuestRoutes } from "../../kit/guest.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import type { FrameAnswer } from "../../kit/send.tsx";
import { endedLinkPage, logInFor, otherAddressPage } from "./link-pages.tsx";

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

  routes.form("/accept-invitation", async ({ form, session }) => {
    const token = form.raw("token");
    if (session?.level !== "second_factor") return logInFor(linkOf(token));
    const accepted = await acceptInvitation(people, { token, person: session.person });
    if (accepted.kind === "refused") return endedLinkPage();
    if (accepted.kind === "other_address") return otherAddressPage(session.person.email);
    return goTo("/test/overview", "You are a member now.");
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
        ? logInFor("/test/overview", "You are a member now. Log in with your password.")
        : logInFor(linkOf(token), "You have an account: log in.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const invitation = await findInvitation(people, token);
      return invitation === null ? endedLinkPage() : newPersonPage(invitation, token, form, error);
    }
  });
}

function linkOf(token: string): string {
  return `/accept-invitation?token=${encodeURIComponent(token)}`;
}

function pageFor({ session }: Guest, invitation: Invitation, token: string) {
  const { email, hasAccount } = invitation;
  const isOwn = session?.level === "second_factor" && session.person.email === email;
  if (!hasAccount && !isOwn) return newPersonPage(invitation, token, emptyForm, null);
  if (session?.level !== "second_factor") return logInFor(linkOf(token));
  return session.person.email === email ? acceptPage(invitation, token) : otherAddressPage(session.person.email);
}

function acceptPage({ merchantName, role }: Invitation, token: string): FrameAnswer {
  return {
    title: `Work for ${merchantName}`,
    body: (
      <form class="form" method="post" action="/accept-invitation" data-island="once">
        <input type="hidden" name="token" value={token} />
        <p>You are invited as {role}.</p>
        <div class="buttons">
          <button class="button main" type="submit">
            Accept
          </button>
        </div>
      </form>
    ),
  };
}

function newPersonPage(
  { merchantName, role, email }: Invitation,
  token: string,
  form: Form,
  refusal: Refusal | null,
): FrameAnswer {
  const errors = refusal?.detail.errors ?? {};
  const isElsewhere = refusal !== null && Object.keys(errors).length === 0;
  return {
    title: `Work for ${merchantName}`,
    status: refusal === null ? 200 : 400,
    body: (
      <form class="form" method="post" action="/accept-invitation/new" data-island="once">
        {isElsewhere ? <Flash kind="bad">{refusal.message}</Flash> : null}
        <input type="hidden" name="token" value={token} />
        <p>
          {email} is invited as {role}.
        </p>
        <TextField
          name="name"
          label="Your name"
          value={form.text("name")}
          error={errors.name?.join(" ")}
          autocomplete="name"
          isFocused
        />
        <PasswordField
          name="password"
          label="Password"
          hint="At least 12 characters."
          error={errors.password?.join(" ")}
          lengthLeast={12}
          autocomplete="new-password"
        />
        <div class="buttons">
          <button class="button main" type="submit">
            Accept
          </button>
        </div>
      </form>
    ),
  };
}
