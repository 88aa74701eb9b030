import { signUp } from "../../domain/memberships/sign-up.ts";
import { changeEmail, verifyEmail } from "../../domain/people/addresses.ts";
import { logIn } from "../../domain/people/log-in.ts";
import { isLinkGood } from "../../domain/people/one-time-tokens.ts";
import { Refusal } from "../../kernel/problems.ts";
import { goTo, type RedirectAnswer } from "../answer.ts";
import { emptyForm, type Form } from "../form.ts";
import { type GateServices, whyNot } from "../gate.ts";
import { PasswordField, TextField } from "../parts/field.tsx";
import { Flash } from "../parts/flash.tsx";
import type { FrameAnswer } from "../send.tsx";
import { type Guest, type GuestRoutes, keepSession } from "./guest.ts";
import { endedLinkPage, tokenPage } from "./link-pages.tsx";

/** Sign up, and prove an address. */
export function signUpPages(routes: GuestRoutes, services: GateServices): void {
  const { people } = services;

  routes.page("/sign-up", ({ session }) => {
    if (session?.level === "second_factor") return goTo("/live/overview");
    return people.signUp === "closed" ? closedPage() : signUpPage(emptyForm, null);
  });

  routes.form("/sign-up", async (guest) => {
    const { form } = guest;
    try {
      return await carryOut(services, guest);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return signUpPage(form, error);
    }
  });

  routes.page("/verify-email", async ({ query }) => {
    const token = query.get("token") ?? "";
    if (!(await isLinkGood(people, "verify_email", token))) return endedLinkPage();
    return tokenPage({ title: "Confirm your address", action: "/verify-email", token, submit: "Confirm" });
  });

  routes.form("/verify-email", async ({ form, session }) => {
    const verified = await verifyEmail(people, form.raw("token"));
    if (verified.kind === "refused") return endedLinkPage();
    return goTo(session === null ? "/log-in" : "/test/overview", "Your address is confirmed.");
  });

  routes.page("/change-email", async ({ query }) => {
    const token = query.get("token") ?? "";
    if (!(await isLinkGood(people, "change_email", token))) return endedLinkPage();
    return tokenPage({ title: "Use this address from now on", action: "/change-email", token, submit: "Use it" });
  });

  routes.form("/change-email", async ({ form }) => {
    const changed = await changeEmail(people, form.raw("token"));
    if (changed.kind !== "changed") return changed.kind === "taken" ? takenPage() : endedLinkPage();
    return goTo("/log-in", `You log in with ${changed.person.email} from now on.`);
  });
}

async function carryOut(services: GateServices, guest: Guest): Promise<FrameAnswer | RedirectAnswer> {
  const { form, source, origin, place } = guest;
  const { people, publicUrl } = services;
  const letters = publicUrl ?? place.local;
  if (letters === null) return noLettersPage();
  const email = form.text("email");
  const password = form.raw("password");
  const received = await signUp(people, {
    email,
    name: form.text("name"),
    businessName: form.text("business"),
    password,
    source,
    publicUrl: letters,
  });
  if (received.kind === "closed") return closedPage();
  if (received.kind === "locked") return signUpPage(form, null, whyNot(received));
  // A known address answers the same as a new one: who has its password is let in, everybody else reads the letter.
  const attempt = await logIn(people, { realm: "merchant", email, password, source, origin });
  if (attempt.kind !== "in") return letterPage(email);
  keepSession(guest, attempt.token);
  return attempt.needs === null ? goTo("/test/overview") : goTo("/log-in/code");
}

/** The form; with what was typed, and each fault at its field. */
function signUpPage(form: Form, refusal: Refusal | null, sentence?: string): FrameAnswer {
  const errors = refusal?.detail.errors ?? {};
  const faults = (name: string) => errors[name]?.join(" ") ?? null;
  const isElsewhere = refusal !== null && Object.keys(errors).length === 0;
  return {
    title: "Sign up",
    status: refusal === null && sentence === undefined ? 200 : 400,
    body: (
      <form class="form" method="post" action="/sign-up" data-island="once">
        {isElsewhere ? <Flash kind="bad">{refusal.message}</Flash> : null}
        {sentence === undefined ? null : <Flash kind="bad">{sentence}</Flash>}
        <TextField
          name="business"
          label="Business"
          value={form.text("business")}
          error={faults("businessName")}
          lengthMax={100}
          autocomplete="organization"
          isFocused
        />
        <TextField
          name="name"
          label="Your name"
          value={form.text("name")}
          error={faults("name")}
          lengthMax={100}
          autocomplete="name"
        />
        <TextField
          name="email"
          label="E-mail"
          type="email"
          value={form.text("email")}
          error={faults("email")}
          autocomplete="username"
        />
        <PasswordField
          name="password"
          label="Password"
          hint="At least 12 characters."
          error={faults("password")}
          lengthLeast={12}
          autocomplete="new-password"
        />
        <div class="buttons">
          <button class="button main" type="submit">
            Sign up
          </button>
        </div>
      </form>
    ),
    footer: (
      <p>
        You have an account? <a href="/log-in">Log in</a>
      </p>
    ),
  };
}

function closedPage(): FrameAnswer {
  return {
    title: "Sign-up is closed",
    body: <p>This service takes new businesses by invitation. Ask the company that runs it.</p>,
    footer: <a href="/log-in">Log in</a>,
  };
}

function letterPage(email: string): FrameAnswer {
  return {
    title: "Look into your mail",
    body: <p>We have written to {email}. The letter says how to go on.</p>,
    footer: <a href="/log-in">Log in</a>,
  };
}

function takenPage(): FrameAnswer {
  return {
    title: "That address is in use",
    status: 409,
    body: <p>Another account uses it by now, so nothing was changed.</p>,
    footer: <a href="/account/security">Back to security</a>,
  };
}

function noLettersPage(): FrameAnswer {
  return {
    title: "No letters can be sent from here",
    status: 503,
    body: <p>The operator of this service has to set PUBLIC_URL first: links in letters lead there.</p>,
  };
}
