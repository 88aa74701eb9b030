import { setTimeout as delay } from "node:timers/promises";
import { verifyEmail } from "../../../domain/identity/people/addresses.ts";
import { readSignUpPolicy, resendSignUp, signUp } from "../../../domain/members/sign-up.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { whereEmailsLie } from "../../kit/account/emails-from.ts";
import { type FrameAnswer, goTo } from "../../kit/answer.tsx";
import { addressLink, changeEmailPages } from "../../kit/entrance/address-links.tsx";
import { otherAddressPage } from "../../kit/entrance/links.tsx";
import { type Typed, typedForm, untouched } from "../../kit/form.ts";
import { type GateServices, whyNot } from "../../kit/gate.ts";
import type { Guest, GuestRoutes } from "../../kit/guest.ts";
import { NewPasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { expiredLinkPage, homeOf } from "./links.tsx";

/** Longer than a sign-up takes while nobody floods the service. */
const answeredAfterMs = 400;

/** Sign up, and prove an address. */
export function signUpPages(routes: GuestRoutes, services: GateServices): void {
  const { people, publicUrl } = services;

  routes.page("/sign-up", async ({ session }) => {
    if (session?.level === "second_factor") return goTo("/live/overview");
    return (await readSignUpPolicy(people)) === "closed" ? closed : signUpPage(untouched);
  });

  routes.form("/sign-up", async (guest) => {
    const { form } = guest;
    try {
      return await carryOut(services, guest);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return signUpPage(typedForm(form, error));
    }
  });

  routes.form("/sign-up/again", async ({ form, source, place }) => {
    const emails = publicUrl ?? place.local;
    const email = form.text("email");
    if (emails === null) return noEmails;
    const [sent] = await Promise.all([
      resendSignUp(people, { email, source, publicUrl: emails }),
      delay(answeredAfterMs),
    ]);
    return checkEmailPage(people, email, sent.kind === "locked" ? whyNot(sent) : "We’ve sent it again.");
  });

  addressLink(routes, services, {
    base: "",
    path: "/verify-email",
    expired: expiredLinkPage,
    purpose: "verify_email",
    title: "Confirm your email",
    submit: "Confirm email",
    async follow(guest) {
      const { kind } = await verifyEmail(people, guest);
      if (kind === "other_account") return otherAddressPage("", guest.session.person.email);
      return kind === "verified"
        ? goTo(await homeOf(services, guest.session.person), "Your email is confirmed.")
        : expiredLinkPage();
    },
  });

  changeEmailPages(routes, services, { base: "", home: "/account/security", expired: expiredLinkPage });
}

async function carryOut(services: GateServices, { form, source, place }: Guest): Promise<FrameAnswer> {
  const { people, publicUrl } = services;
  const emails = publicUrl ?? place.local;
  if (emails === null) return noEmails;
  const email = form.text("email");
  // A new address takes some milliseconds longer than a known one, as its business is made: neither is answered before.
  const [received] = await Promise.all([
    signUp(people, {
      ...{ email, name: form.text("name"), businessName: form.text("business"), password: form.raw("password") },
      ...{ source, publicUrl: emails },
    }),
    delay(answeredAfterMs),
  ]);
  if (received.kind === "closed") return closed;
  return received.kind === "locked"
    ? signUpPage(typedForm(form, null), whyNot(received))
    : checkEmailPage(people, email);
}

/** The form; with what was typed, and each fault at its field. */
function signUpPage(typed: Typed, sentence: string | null = null): FrameAnswer {
  return {
    title: "Sign up",
    status: typed.refusal === null && sentence === null ? 200 : 400,
    body: (
      <Form action="/sign-up" submit="Sign up" error={sentence ?? typed.whole}>
        <TextField
          {...typed.field("business")}
          error={typed.error("businessName")}
          label="Business"
          lengthMax={100}
          autocomplete="organization"
          isFocused
        />
        <TextField {...typed.field("name")} label="Your name" lengthMax={100} autocomplete="name" />
        <TextField {...typed.field("email")} label="Email" type="email" autocomplete="username" />
        <NewPasswordField error={typed.error("password")} />
      </Form>
    ),
    footer: (
      <p>
        Already have an account? <a href="/log-in">Log in</a>
      </p>
    ),
  };
}

const closed: FrameAnswer = {
  title: "Sign-up is closed",
  body: <p>New businesses join by invitation. Contact the company that runs this service.</p>,
  footer: <a href="/log-in">Log in</a>,
};

/** The same for an address that has an account: only the email tells it. */
function checkEmailPage(people: GateServices["people"], email: string, note: string | null = null): FrameAnswer {
  return {
    title: "Check your email",
    flash: note === null ? null : { kind: "waiting", text: note },
    body: (
      <>
        <p>
          We’ve emailed a link to <strong>{email}</strong>. Follow it to confirm your email, which live selling needs.
          The sandbox works right away.{whereEmailsLie(people)}
        </p>
        <div class="buttons">
          <ButtonLink href="/log-in?next=%2Ftest%2Foverview" kind="main">
            Log in to the sandbox
          </ButtonLink>
        </div>
        <h2>No email after a minute?</h2>
        <p>
          Look in your spam folder. If the address is wrong, <a href="/sign-up">sign up again</a> with the right one.
          Otherwise we can send the email again.
        </p>
        <Form action="/sign-up/again" submit="Send the email again" kind="plain" hidden={{ email }} />
      </>
    ),
  };
}

const noEmails: FrameAnswer = {
  title: "Sign-up isn’t ready yet",
  status: 503,
  body: <p>We can’t send emails from here yet, so nothing was saved. Contact the company that runs this service.</p>,
};
