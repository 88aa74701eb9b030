import type { Person } from "../../../domain/identity/people/person.ts";
import { askReset, findReset, resetPassword } from "../../../domain/identity/people/reset-password.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type FrameAnswer, goTo } from "../../kit/answer.tsx";
import { type GateServices, whyNot } from "../../kit/gate.ts";
import type { GuestRoutes } from "../../kit/guest.ts";
import { CheckField, PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { endedLinkPage } from "./accept-invitation.tsx";

const another = { href: "/reset-password", text: "Send another link" };

/** A new password by a letter. The answer is the same whether or not the address is known. */
export function resetPasswordPages(routes: GuestRoutes, services: GateServices): void {
  const { people, publicUrl } = services;

  routes.page("/reset-password", async ({ query }) => {
    const token = query.get("token");
    if (token === undefined) return askPage("", null);
    const person = await findReset(people, token);
    return person === null ? endedLinkPage(another) : passwordPage(token, person, null);
  });

  routes.form("/reset-password", async ({ form, source, place }) => {
    const letters = publicUrl ?? place.local;
    const email = form.text("email");
    if (letters === null)
      return askPage(email, "The operator of this service has to set PUBLIC_URL before letters can be sent.");
    const requested = await askReset(people, { realm: "merchant", email, source, publicUrl: letters });
    return requested.kind === "sent" ? sentPage(email) : { ...askPage(email, whyNot(requested)), status: 429 };
  });

  routes.form("/reset-password/new", async ({ form }) => {
    const token = form.raw("token");
    try {
      const removesPasskeys = form.has("passkeys");
      const reset = await resetPassword(people, { token, password: form.raw("password"), removesPasskeys });
      if (reset.kind === "refused") return endedLinkPage(another);
      return goTo("/log-in", "The new password is set, and every browser is logged out. Log in with it.");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const person = await findReset(people, token);
      if (person === null) return endedLinkPage(another);
      return { ...passwordPage(token, person, error.detail.errors?.password?.join(" ") ?? error.message), status: 400 };
    }
  });
}

function askPage(email: string, error: string | null): FrameAnswer {
  return {
    title: "Forgot the password?",
    body: (
      <Form action="/reset-password" submit="Send a link">
        <TextField
          name="email"
          label="E-mail"
          type="email"
          value={email}
          error={error}
          autocomplete="username"
          isFocused
        />
      </Form>
    ),
    footer: <a href="/log-in">Log in</a>,
  };
}

function sentPage(email: string): FrameAnswer {
  return {
    title: "Check your email",
    body: <p>If {email} has an account here, we’ve emailed a link to it. The link works once, for 1 hour.</p>,
    footer: <a href="/log-in">Log in</a>,
  };
}

function passwordPage(token: string, { hasPasskey }: Pick<Person, "hasPasskey">, error: string | null): FrameAnswer {
  return {
    title: "A new password",
    body: (
      <Form action="/reset-password/new" submit="Set it" hidden={{ token }}>
        <PasswordField
          name="password"
          label="New password"
          hint="At least 12 characters. Every browser is logged out."
          error={error}
          lengthLeast={12}
          autocomplete="new-password"
          isFocused
        />
        {hasPasskey ? <CheckField name="passkeys" label="Remove my passkeys as well" /> : null}
      </Form>
    ),
  };
}
