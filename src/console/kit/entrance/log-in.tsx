import { logIn } from "../../../domain/identity/people/log-in.ts";
import { beginPasskeyLogIn, logInByPasskey, siteOf } from "../../../domain/identity/people/passkeys.ts";
import type { Person } from "../../../domain/identity/people/person.ts";
import { giveSecondFactor } from "../../../domain/identity/people/second-factor.ts";
import type { Attempt } from "../../../domain/identity/people/send-notice.ts";
import { endSession, mintToken } from "../../../domain/identity/people/sessions.ts";
import { type FrameAnswer, goTo, type RedirectAnswer } from "../answer.tsx";
import { passkeyAnswerIn } from "../form.ts";
import { type GateServices, typedFactor, whyNot } from "../gate.ts";
import type { Guest, GuestRoutes } from "../guest.ts";
import { TextField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import type { LogIn, RealmEntrance } from "../realm.ts";
import { isOwnPath, type Resume, ResumeField, readResume, resumePage } from "../resume.tsx";
import { clearCookie, setCookie } from "../session-cookies.ts";
import { LogOut } from "./links.tsx";
import { logInPage } from "./log-in-page.tsx";

/** A realm's log-in, and what happens in it besides. */
export interface Entrance extends RealmEntrance {
  /** Where a person's data is; the realm's home unless told. */
  readonly homeOf?: (person: Person) => Promise<string>;
  /** Notes who is in, before the browser has its session. */
  readonly noteLogIn?: (guest: Guest, person: Person) => Promise<void>;
}

type In = Extract<Attempt, { kind: "in" }>;

/** Log in by password, code or passkey; log out. @returns what follows a log-in, for one by another way */
export function logInPages(
  routes: GuestRoutes,
  services: GateServices,
  entrance: Entrance,
): (guest: Guest, attempt: In) => Promise<FrameAnswer | RedirectAnswer> {
  const { people } = services;
  const { name: realm, base, home } = entrance;
  const nextPath = (text: string | undefined) => (text !== undefined && isOwnPath(text) ? text : home);
  const waitingIn = ({ form }: Guest) => ({ next: nextPath(form.raw("next")), resume: readResume(form) });
  const inAfter = (guest: Guest, attempt: In) =>
    afterLogIn(services, entrance, guest, { ...attempt, ...waitingIn(guest) });

  routes.page(`${base}/log-in`, ({ session, query }) => {
    const next = nextPath(query.get("next"));
    return session?.level === "second_factor" ? goTo(next) : logInPage(entrance, { next, resume: null });
  });

  routes.form(`${base}/log-in`, async (guest) => {
    const { form, source, origin } = guest;
    const email = form.text("email");
    const attempt = await logIn(people, { realm, email, password: form.raw("password"), source, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    return logInPage(entrance, { ...waitingIn(guest), email, error: errorOf(attempt), status: statusOf(attempt) });
  });

  routes.page(`${base}/log-in/code`, ({ session, query }) => {
    const next = nextPath(query.get("next"));
    if (session === null) return goTo(`${base}/log-in?next=${encodeURIComponent(next)}`);
    return session.level === "second_factor" ? goTo(next) : codePage(base, { next, resume: null });
  });

  routes.form(`${base}/log-in/code`, async (guest) => {
    const { session, form, source, origin } = guest;
    if (session === null) {
      const error = "Your login took too long. Start again.";
      return logInPage(entrance, { ...waitingIn(guest), error, status: 401 });
    }
    const attempt = await giveSecondFactor(people, session, typedFactor(form.text("code")), { source, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    return codePage(base, { ...waitingIn(guest), error: whyNot(attempt), status: statusOf(attempt) });
  });

  routes.json(`${base}/log-in/passkey/options`, async ({ source, place }) => {
    const begun = await beginPasskeyLogIn(people, { source, site: siteOf(place.origin) });
    return begun.kind === "begun" ? { options: begun.options, token: begun.token } : { error: whyNot(begun) };
  });

  routes.form(`${base}/log-in/passkey`, async (guest) => {
    const { form, place, origin } = guest;
    const proof = { token: form.raw("token"), response: passkeyAnswerIn(form), site: siteOf(place.origin) };
    const attempt = await logInByPasskey(people, { realm, ...proof, origin });
    if (attempt.kind === "in") return inAfter(guest, attempt);
    const error = "We don’t know that passkey. Log in with your password.";
    return logInPage(entrance, { ...waitingIn(guest), error, status: 401 });
  });

  routes.form(`${base}/log-out`, async ({ session, reply, place }) => {
    if (session !== null) await endSession(people.database, session.hash);
    clearCookie(reply, place, realm);
    return goTo(`${base}/log-in`, "You’re logged out.");
  });

  return inAfter;
}

/** Keeps the new session, asks for the second factor where it is owed, and goes on to where the person was going. */
async function afterLogIn(
  services: GateServices,
  { name, base, home, homeOf, noteLogIn }: Entrance,
  guest: Guest,
  attempt: In & { readonly next: string; readonly resume: Resume | null },
): Promise<FrameAnswer | RedirectAnswer> {
  const { token, needs, person, resume } = attempt;
  // Before the browser has its session: nobody is in whose log-in nobody could read.
  if (needs === null) await noteLogIn?.(guest, person);
  setCookie(guest.reply, guest.place, name, token);
  const next = attempt.next === home && homeOf !== undefined ? await homeOf(person) : attempt.next;
  if (needs === "second_factor") return codePage(base, { next, resume });
  return resume === null ? goTo(next) : resumePage(resume, mintToken(services.people), home);
}

const wrongSentence = "Wrong email or password.";

function errorOf(attempt: Exclude<Attempt, { kind: "in" }>): string {
  return attempt.kind === "wrong" ? wrongSentence : whyNot(attempt);
}

function statusOf({ kind }: Exclude<Attempt, { kind: "in" }>): number {
  return kind === "locked" ? 429 : 401;
}

function codePage(base: string, { next, resume, error, status = 200 }: Omit<LogIn, "email">): FrameAnswer {
  return {
    title: "Two-step login",
    status,
    body: (
      <Form action={`${base}/log-in/code`} submit="Log in" hidden={{ next }}>
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
    footer: <LogOut base={base} text="Log in as someone else" />,
  };
}
