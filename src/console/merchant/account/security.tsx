import { askEmailChange, askVerification } from "../../../domain/identity/people/addresses.ts";
import { listPasskeys } from "../../../domain/identity/people/passkeys.ts";
import { changePassword } from "../../../domain/identity/people/reset-password.ts";
import {
  endOwnSession,
  endSessionsOf,
  listSessions,
  parseSessionName,
  sessionName,
} from "../../../domain/identity/people/sessions.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { arrivalOf } from "../../kit/arrival.ts";
import type { Typed } from "../../kit/form.ts";
import { whyNot } from "../../kit/gate.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, MomentOrNever, Status } from "../../kit/parts/text.tsx";
import { setCookie } from "../../kit/session-cookies.ts";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { lettersFrom } from "./members.tsx";
import { passkeyForms, staleSentence, totpForms } from "./second-factors.tsx";

const here = "/account/security";

/** One's own account: address, password, second factors, and where one is logged in. */
export function securityPages(routes: AccountRoutes, services: MerchantServices): void {
  const { people } = services;
  const show = (visit: MemberVisit, typed: Typed) => securityPage(services, visit, typed);
  const change = { capability: "change_own_factors", doneAt: () => here, show } as const;

  routes.page(here, { capability: "own_account", show });

  routes.form(`${here}/verify`, {
    ...change,
    capability: "own_account",
    async send(visit) {
      const requested = await askVerification(people, visit.session.person, lettersFrom(services, visit));
      if (requested.kind === "locked") return goBack(here, whyNot(requested));
      return goTo(here, "We’ve emailed you a link. Follow it to confirm your email.");
    },
  });

  routes.form(`${here}/email`, {
    ...change,
    async send(visit, form) {
      const requested = await askEmailChange(people, visit.session, {
        email: form.text("email"),
        publicUrl: lettersFrom(services, visit),
      });
      if (requested.kind === "locked") throw refuseField("VALIDATION_ERROR", "email", whyNot(requested));
      if (requested.kind === "stale") return goBack(here, staleSentence);
      return goTo(here, "We’ve emailed the new address. Follow the link there to make the change.");
    },
  });

  routes.form(`${here}/password`, {
    ...change,
    async send(visit, form) {
      const { origin } = arrivalOf(visit.request);
      const changed = await changePassword(people, visit.session, { password: form.raw("password"), origin });
      if (changed.kind === "stale") return goBack(here, staleSentence);
      setCookie(visit.reply, visit.place, "merchant", changed.token);
      return goTo(here, "The password is changed. Your other browsers are logged out.");
    },
  });

  routes.form(`${here}/sessions`, {
    ...change,
    capability: "own_account",
    async send(visit, form) {
      if (form.text("do") === "all") {
        const ended = await endSessionsOf(people.database, visit.session.person.id, visit.session.hash);
        return goTo(here, `Logged out elsewhere: ${ended}.`);
      }
      const hash = parseSessionName(form.text("session"));
      if (hash !== null) await endOwnSession(people, visit.session, hash);
      return goTo(here, "That browser is logged out.");
    },
  });

  totpForms(routes, services, change);
  passkeyForms(routes, services, change);
}

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>;
type Sessions = Awaited<ReturnType<typeof listSessions>>;

async function securityPage({ people }: MerchantServices, visit: MemberVisit, typed: Typed): Promise<PageAnswer> {
  const { person } = visit.session;
  const [sessions, passkeys] = await Promise.all([
    listSessions(people, visit.session),
    listPasskeys(people, person.id),
  ]);
  const factor = <Status kind={person.hasTotp ? "good" : "waiting"}>{person.hasTotp ? "in use" : "off"}</Status>;
  return page(
    { title: "Security", note: person.email, problem: typed.whole, status: typed.status },
    <>
      {person.emailVerifiedAt === null ? <Unverified /> : null}
      <Sheet title="Authenticator app" note={factor}>
        <p>A code of an app on your phone, besides the password. Live keys, live purchases and members ask for it.</p>
        {person.hasTotp ? (
          <Buttons>
            <Form action={`${here}/codes`} submit="New backup codes" kind="plain" isInline />
            <Form action={`${here}/app/off`} submit="Turn it off" kind="danger" isInline />
          </Buttons>
        ) : (
          <Form action={`${here}/app`} submit="Set it up" />
        )}
      </Sheet>
      <Passkeys passkeys={passkeys} />
      <Sheet title="Password">
        <Form action={`${here}/password`} submit="Change the password" kind="plain">
          <PasswordField
            name="password"
            label="New password"
            hint="At least 12 characters. Your other browsers are logged out."
            error={typed.error("password")}
            autocomplete="new-password"
            lengthLeast={12}
          />
        </Form>
      </Sheet>
      <Sheet title="E-mail">
        <Form action={`${here}/email`} submit="Change the address" kind="plain">
          <TextField
            {...typed.field("email")}
            label="New address"
            type="email"
            hint="We email the old and the new address."
            autocomplete="email"
          />
        </Form>
      </Sheet>
      <Sessions sessions={sessions} />
    </>,
  );
}

function Passkeys({ passkeys }: { readonly passkeys: Passkeys }) {
  const remove = { action: `${here}/passkeys/remove`, submit: "Remove", kind: "plain", isInline: true } as const;
  return (
    <Sheet title="Passkeys" isPadded={false}>
      <Table
        caption="Passkeys"
        rows={passkeys}
        columns={[
          { title: "Name", cell: ({ label }) => label, place: "lead" },
          { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: "Last used", cell: ({ lastUsedAt }) => <MomentOrNever at={lastUsedAt} /> },
          { title: "Remove", isTitleHidden: true, cell: ({ id }) => <Form {...remove} hidden={{ id }} /> },
        ]}
        empty={
          <p class="all-well">
            None yet. A passkey logs you in by fingerprint, face or the device's PIN, without a password and a code.
          </p>
        }
      />
      <div class="inside">
        <Form action={`${here}/passkeys/begin`} submit="Add a passkey" kind="plain" />
      </div>
    </Sheet>
  );
}

function Sessions({ sessions }: { readonly sessions: Sessions }) {
  const end = { action: `${here}/sessions`, kind: "plain" } as const;
  const endOne = (hash: Buffer) => <Form {...end} submit="Log out" hidden={{ session: sessionName(hash) }} isInline />;
  return (
    <Sheet title="Where you are logged in" isPadded={false}>
      <Table
        caption="Sessions"
        rows={sessions}
        columns={[
          {
            title: "Browser",
            cell: ({ agent, isThis }) => (isThis ? `${browserOf(agent)} (this one)` : browserOf(agent)),
            place: "lead",
          },
          { title: "From", cell: ({ address }) => <code>{address}</code>, place: "sub" },
          { title: "Since", cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: "Last seen", cell: ({ seenAt }) => <Moment at={seenAt} /> },
          { title: "Log out", isTitleHidden: true, cell: ({ hash, isThis }) => (isThis ? null : endOne(hash)) },
        ]}
        empty={null}
      />
      {sessions.length < 2 ? null : (
        <div class="inside">
          <Form {...end} submit="Log out everywhere else" hidden={{ do: "all" }} />
        </div>
      )}
    </Sheet>
  );
}

function Unverified() {
  return (
    <Sheet title="Confirm your address">
      <p>Live access and second factors need an address that is yours. The sandbox does not.</p>
      <Form action={`${here}/verify`} submit="Send the email again" />
    </Sheet>
  );
}

/** The browser's own name among those that all of them claim to be. */
function browserOf(agent: string): string {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(agent);
  return name === null ? agent.slice(0, 40) || "unknown" : `${name[1] === "Edg" ? "Edge" : name[1]} ${name[2]}`;
}
