import type { Person } from "../../../domain/identity/people/person.ts";
import { askReset, findReset, resetPassword } from "../../../domain/identity/people/reset-password.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { whereEmailsLie } from "../account/emails-from.ts";
import { type FrameAnswer, goTo } from "../answer.tsx";
import { type GateServices, whyNot } from "../gate.ts";
import type { GuestRoutes } from "../guest.ts";
import { CheckField, NewPasswordField, TextField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { ButtonLink } from "../parts/layout.tsx";
import type { RealmEntrance } from "../realm.ts";
import { endedLinkPage } from "./links.tsx";

/** A new password by an email. The answer is the same whether or not the address is known. */
export function resetPasswordPages(
  routes: GuestRoutes,
  services: GateServices,
  { name: realm, base }: RealmEntrance,
): void {
  const { people, publicUrl } = services;
  const expired = () =>
    endedLinkPage(
      base,
      <div class="buttons">
        <ButtonLink href={`${base}/reset-password`} kind="main">
          Send a new link
        </ButtonLink>
      </div>,
    );

  routes.page(`${base}/reset-password`, async ({ query }) => {
    const token = query.get("token");
    if (token === undefined) return askPage(base, "", null);
    const person = await findReset(people, token);
    return person === null ? expired() : passwordPage(base, token, person, null);
  });

  routes.form(`${base}/reset-password`, async ({ form, source, place }) => {
    const emails = publicUrl ?? place.local;
    const email = form.text("email");
    if (emails === null)
      return askPage(base, email, "We can’t send emails from here yet. Contact the company that runs this service.");
    const requested = await askReset(people, { realm, email, source, publicUrl: emails });
    return requested.kind === "sent"
      ? sentPage(people, base, email)
      : { ...askPage(base, email, whyNot(requested)), status: 429 };
  });

  routes.form(`${base}/reset-password/new`, async ({ form }) => {
    const token = form.raw("token");
    try {
      const removesPasskeys = form.has("passkeys");
      const reset = await resetPassword(people, { token, password: form.raw("password"), removesPasskeys });
      if (reset.kind === "refused") return expired();
      return goTo(`${base}/log-in`, "Password changed. Log in with the new one; all browsers were logged out.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const person = await findReset(people, token);
      if (person === null) return expired();
      return {
        ...passwordPage(base, token, person, error.detail.errors?.password?.join(" ") ?? error.message),
        status: 400,
      };
    }
  });
}

function askPage(base: string, email: string, error: string | null): FrameAnswer {
  return {
    title: "Reset your password",
    body: (
      <Form action={`${base}/reset-password`} submit="Email me a link">
        <TextField
          name="email"
          label="Email"
          type="email"
          value={email}
          error={error}
          autocomplete="username"
          isFocused
        />
      </Form>
    ),
    footer: <a href={`${base}/log-in`}>Log in</a>,
  };
}

function sentPage(people: GateServices["people"], base: string, email: string): FrameAnswer {
  return {
    title: "Check your email",
    body: (
      <>
        <p>
          If {email} has an account here, we’ve emailed it a link. The link works once, for 1 hour.
          {whereEmailsLie(people)}
        </p>
        <p>Nothing there after a minute? Look in your spam folder, or check the address and ask again.</p>
        <div class="buttons">
          <ButtonLink href={`${base}/reset-password`}>Send a new link</ButtonLink>
        </div>
      </>
    ),
    footer: <a href={`${base}/log-in`}>Log in</a>,
  };
}

function passwordPage(
  base: string,
  token: string,
  { hasPasskey }: Pick<Person, "hasPasskey">,
  error: string | null,
): FrameAnswer {
  return {
    title: "Choose a new password",
    body: (
      <Form action={`${base}/reset-password/new`} submit="Change password" hidden={{ token }}>
        <NewPasswordField label="New password" effect="All your browsers are logged out." error={error} isFocused />
        {hasPasskey ? <CheckField name="passkeys" label="Remove my passkeys too" /> : null}
      </Form>
    ),
  };
}
