import { logIn } from "../../../domain/identity/people/log-in.ts";
import { isLinkGood } from "../../../domain/identity/people/one-time-tokens.ts";
import { beginPasskeyLogIn, logInByPasskey, siteOf } from "../../../domain/identity/people/passkeys.ts";
import { giveSecondFactor } from "../../../domain/identity/people/second-factor.ts";
import type { Attempt } from "../../../domain/identity/people/send-notice.ts";
import { endSession, mintToken } from "../../../domain/identity/people/sessions.ts";
import { logInByLink } from "../../../domain/members/log-in-link.ts";
import { noteLogIn } from "../../../domain/members/log-ins.ts";
import { membershipsOf } from "../../../domain/members/membership.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { type FrameAnswer, goBack, goTo, type RedirectAnswer } from "../../kit/answer.tsx";
import { passkeyAnswerIn } from "../../kit/form.ts";
import { type GateServices, typedFactor, whyNot } from "../../kit/gate.ts";
import type { Guest, GuestRoutes } from "../../kit/guest.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form, PasskeyForm } from "../../kit/parts/form.tsx";
import type { LogIn } from "../../kit/realm.ts";
import { isOwnPath, type Resume, ResumeField, readResume, resumePage } from "../../kit/resume.tsx";
import { clearCookie, readCookie, setCookie } from "../../kit/session-cookies.ts";
import { endedLinkPage, tokenPage } from "./accept-invitation.tsx";
import { homeOf, overview } from "./home.ts";

/** Log in by password, code, passkey or a link; log out. */
export function logInPages(routes: GuestRoutes, services: GateServices): void {
  const { people } = services;
  const inAfter = (guest: Guest, attempt: Extract<Attempt, { kind: "in" }>) => afterLogIn(services, guest, attempt);

  routes.page("/log-in", ({ session, query }) => {
    const next = nextPath(query.get("next"));
    if (session?.level === "second_factor") return goTo(next);
    return logInPage({ next, resume: null });
  });

  routes.form("/log-in", async (guest) => {
    const { form, source, origin } = guest;
    const email = form.text("email");
    const attempt = await logIn(people, { realm: "merchant", email, password: form.raw("password"), source, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    return logInPage({ ...waitingIn(guest), email, error: errorOf(attempt), status: statusOf(attempt) });
  });

  routes.page("/log-in/code", ({ session, query }) => {
    const next = nextPath(query.get("next"));
    if (session === null) return goTo(`/log-in?next=${encodeURIComponent(next)}`);
    return session.level === "second_factor" ? goTo(next) : codePage({ next, resume: null });
  });

  routes.form("/log-in/code", async (guest) => {
    const { session, form, source, origin } = guest;
    if (session === null)
      return logInPage({ ...waitingIn(guest), error: "Your login took too long. Start again.", status: 401 });
    const attempt = await giveSecondFactor(people, session, typedFactor(form.text("code")), { source, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    return codePage({ ...waitingIn(guest), error: whyNot(attempt), status: statusOf(attempt) });
  });

  routes.json("/log-in/passkey/options", async ({ source, place }) => {
    const begun = await beginPasskeyLogIn(people, { source, site: siteOf(place.origin) });
    return begun.kind === "begun" ? { options: begun.options, token: begun.token } : { error: whyNot(begun) };
  });

  routes.form("/log-in/passkey", async (guest) => {
    const { form, place, origin } = guest;
    const proof = { token: form.raw("token"), response: passkeyAnswerIn(form), site: siteOf(place.origin) };
    const attempt = await logInByPasskey(people, { realm: "merchant", ...proof, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    return logInPage({
      ...waitingIn(guest),
      error: "We don’t know that passkey. Log in with your password.",
      status: 401,
    });
  });

  routes.page("/log-in/link", async ({ query }) => {
    const token = query.get("token") ?? "";
    if (!(await isLinkGood(people, "log_in", token))) return endedLinkPage();
    return tokenPage({ title: "Log in with this link", action: "/log-in/link", token, submit: "Log in" });
  });

  routes.form("/log-in/link", async (guest) => {
    const { form, origin } = guest;
    const attempt = await logInByLink(people, { token: form.raw("token"), origin });
    return attempt.kind === "in" ? inAfter(guest, attempt) : endedLinkPage();
  });

  routes.form("/log-out", async ({ session, reply, place }) => {
    if (session !== null) await endSession(people.database, session.hash);
    clearCookie(reply, place, "merchant");
    return goTo("/log-in", "You’re logged out.");
  });
}

/** Keeps the new session, asks for the second factor where it is owed, and goes on to where the person was going. */
async function afterLogIn(
  services: GateServices,
  guest: Guest,
  { token, needs, person }: Extract<Attempt, { kind: "in" }>,
): Promise<FrameAnswer | RedirectAnswer> {
  const { people, publicUrl } = services;
  const { request, reply, place, source, origin } = guest;
  const requested = waitingIn(guest);
  if (needs === null) {
    const device = readCookie(request, place, "device") ?? mintToken(people);
    // Before the browser has its session: nobody is in whose log-in nobody could read.
    await noteLogIn(people, { person, device, source, origin, publicUrl: publicUrl ?? place.local });
    setCookie(reply, place, "device", device);
  }
  setCookie(reply, place, "merchant", token);
  const { resume } = requested;
  const next = requested.next === overview ? await homeOf(services, person) : requested.next;
  if (needs === "second_factor") return codePage({ next, resume });
  return resume === null ? goTo(next) : resumePage(resume, mintToken(services.people), overview);
}

/** A path of this console to go on to after the log-in; the overview for anything else. */
function nextPath(text: string | undefined): string {
  return text !== undefined && isOwnPath(text) ? text : overview;
}

/** Where the log-in leads to, and the form that waits in it. */
function waitingIn({ form }: Guest): { readonly next: string; readonly resume: Resume | null } {
  return { next: nextPath(form.raw("next")), resume: readResume(form) };
}

const wrongSentence = "Wrong email or password.";

function errorOf(attempt: Exclude<Attempt, { kind: "in" }>): string {
  return attempt.kind === "wrong" ? wrongSentence : whyNot(attempt);
}

function statusOf({ kind }: Exclude<Attempt, { kind: "in" }>): number {
  return kind === "locked" ? 429 : 401;
}

function codePage({ next, resume, error, status = 200 }: Omit<LogIn, "email">): FrameAnswer {
  return {
    title: "Two-step login",
    status,
    body: (
      <Form action="/log-in/code" submit="Log in" hidden={{ next }}>
        <ResumeField resume={resume} />
        <TextField
          name="code"
          label="Code"
          hint="6 digits from your authenticator app, or a backup code."
          error={error}
          keys="numeric"
          autocomplete="one-time-code"
          isCode
          isFocused
        />
      </Form>
    ),
    footer: (
      <form method="post" action="/log-out">
        <button class="button quiet" type="submit">
          Log in as someone else
        </button>
      </form>
    ),
  };
}

/**
 * Goes on with another of the person's merchants, which this browser remembers: what is shown from now on is about it. No
 * form of the one that was chosen before, so it is none of the pages behind the gate.
 */
export function choiceOfMerchant(routes: GuestRoutes, { people }: GateServices): void {
  routes.form("/account/choose", async ({ session, form, reply, place }) => {
    if (session?.level !== "second_factor") return goTo("/log-in");
    const memberships = await membershipsOf(people.database, session.person.id);
    const chosen = form.text("merchant");
    const isMember = memberships.some(({ merchantId }) => formatMerchantId(merchantId) === chosen);
    if (!isMember) return goBack("/live/overview", "You don’t belong to that business.");
    setCookie(reply, place, "chosen", chosen);
    return goTo("/live/overview");
  });
}

/** The log-in. A form that waits in it is sent after it. */
export function logInPage({ next, resume, email = "", error, status = 200 }: LogIn): FrameAnswer {
  return {
    title: "Log in",
    status,
    body: (
      <>
        {resume === null ? null : (
          <Flash kind="waiting">
            {resume === "too_long"
              ? "You were logged out, and what you sent was too long to keep. Log in, go back and send it again."
              : "You were logged out. Log in to finish; we kept what you typed, except passwords and codes."}
          </Flash>
        )}
        {error === undefined ? null : <Flash kind="bad">{error}</Flash>}
        <form class="form" method="post" action="/log-in" data-island="once">
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
          <TextField
            name="email"
            label="Email"
            type="email"
            value={email}
            autocomplete="username"
            isFocused={email === ""}
          />
          <PasswordField name="password" label="Password" autocomplete="current-password" isFocused={email !== ""} />
          <div class="buttons">
            <button class="button main" type="submit">
              Log in
            </button>
            <a href="/reset-password">Forgot your password?</a>
          </div>
        </form>
        <PasskeyForm action="/log-in/passkey" submit="Log in with a passkey">
          <input type="hidden" name="next" value={next} />
          <ResumeField resume={resume} />
        </PasskeyForm>
      </>
    ),
    footer: (
      <p>
        No account? <a href="/sign-up">Sign up</a>
      </p>
    ),
  };
}
