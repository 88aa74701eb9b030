import { askEmailChange, askVerification } from "../../../domain/people/addresses.ts";
import { listPasskeys } from "../../../domain/people/passkeys.ts";
import { changePassword } from "../../../domain/people/reset-password.ts";
import {
  endOwnSession,
  endSessionsOf,
  listSessions,
  parseSessionName,
  sessionName,
} from "../../../domain/people/sessions.ts";
import { type Refusal, refuseField } from "../../../kernel/problems.ts";
import { goBack, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { arrivalOf } from "../../kit/arrival.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import { type GateServices, whyNot } from "../../kit/gate.ts";
import { PasswordField, TextField } from "../../kit/parts/fields.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentFormat, Status } from "../../kit/parts/text.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import { setCookie } from "../../kit/session-cookies.ts";
import type { Visit } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { lettersFrom } from "./members.tsx";
import { passkeyForms, staleSentence, totpForms } from "./second-factors.tsx";

const here = "/account/security";

/** One's own account: address, password, second factors, and where one is logged in. */
export function securityPages(routes: Routes<Visit>, services: GateServices & { readonly timeZone: string }): void {
  const { people } = services;
  const format = momentFormat(services.timeZone);
  const show = (visit: Visit, form: Form, refusal: Refusal | null) =>
    securityPage(services, visit, { form, refusal, format });
  const change = { capability: "change_own_factors", doneAt: () => here, refused: show } as const;

  routes.page(here, { capability: "own_account", show: (visit) => show(visit, emptyForm, null) });

  routes.form(`${here}/verify`, {
    ...change,
    capability: "own_account",
    async send(visit) {
      const asked = await askVerification(people, visit.session.person, lettersFrom(services, visit));
      if (asked.kind === "locked") return goBack(here, whyNot(asked));
      return goTo(here, "We’ve emailed you a link. Follow it to confirm your email.");
    },
  });

  routes.form(`${here}/email`, {
    ...change,
    async send(visit, form) {
      const asked = await askEmailChange(people, visit.session, {
        email: form.text("email"),
        publicUrl: lettersFrom(services, visit),
      });
      if (asked.kind === "locked") throw refuseField("VALIDATION_ERROR", "email", whyNot(asked));
      if (asked.kind === "stale") return goBack(here, staleSentence);
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

interface Shown {
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

async function securityPage({ people }: GateServices, visit: Visit, shown: Shown): Promise<PageAnswer> {
  const { session } = visit;
  const [sessions, passkeys] = await Promise.all([
    listSessions(people, session),
    listPasskeys(people, session.person.id),
  ]);
  const { form, refusal, format } = shown;
  const error = (name: string) => refusal?.detail.errors?.[name]?.join(" ");
  return page(
    "Security",
    <>
      <PageHead title="Security">{session.person.email}</PageHead>
      {refusal !== null && refusal.detail.errors === undefined ? <Flash kind="bad">{refusal.message}</Flash> : null}
      {session.person.emailVerifiedAt === null ? <Unverified visit={visit} /> : null}
      <Sheet
        title="Authenticator app"
        note={
          <Status kind={session.person.hasTotp ? "good" : "waiting"}>
            {session.person.hasTotp ? "in use" : "off"}
          </Status>
        }
      >
        <p>A code of an app on your phone, besides the password. Live keys, live purchases and members ask for it.</p>
        {session.person.hasTotp ? (
          <div class="buttons">
            <VisitForm visit={visit} action={`${here}/codes`} submit="New backup codes" kind="plain" isInline />
            <VisitForm visit={visit} action={`${here}/app/off`} submit="Turn it off" kind="danger" isInline />
          </div>
        ) : (
          <VisitForm visit={visit} action={`${here}/app`} submit="Set it up" />
        )}
      </Sheet>
      <Passkeys {...{ visit, passkeys, format }} />
      <Sheet title="Password">
        <VisitForm visit={visit} action={`${here}/password`} submit="Change the password" kind="plain">
          <PasswordField
            name="password"
            label="New password"
            hint="At least 12 characters. Your other browsers are logged out."
            error={error("password")}
            autocomplete="new-password"
            lengthLeast={12}
          />
        </VisitForm>
      </Sheet>
      <Sheet title="E-mail">
        <VisitForm visit={visit} action={`${here}/email`} submit="Change the address" kind="plain">
          <TextField
            name="email"
            label="New address"
            type="email"
            value={form.text("email")}
            error={error("email")}
            hint="We email the old and the new address."
            autocomplete="email"
          />
        </VisitForm>
      </Sheet>
      <Sessions {...{ visit, sessions, format }} />
    </>,
    { status: statusOf(refusal) },
  );
}

function Passkeys({ visit, passkeys, format }: { visit: Visit; passkeys: Passkeys; format: MomentFormat }) {
  return (
    <Sheet title="Passkeys" isPadded={false}>
      <Table
        caption="Passkeys"
        rows={passkeys}
        columns={[
          { title: "Name", cell: ({ label }) => label, place: "lead" },
          { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} format={format} /> },
          {
            title: "Last used",
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Moment at={lastUsedAt} format={format} />),
          },
          {
            title: "Remove",
            isTitleHidden: true,
            cell: ({ id }) => (
              <VisitForm
                visit={visit}
                action={`${here}/passkeys/remove`}
                submit="Remove"
                kind="plain"
                hidden={{ id }}
                isInline
              />
            ),
          },
        ]}
        empty={
          <p class="all-well">
            None yet. A passkey logs you in by fingerprint, face or the device's PIN, without a password and a code.
          </p>
        }
      />
      <div class="inside">
        <VisitForm visit={visit} action={`${here}/passkeys/begin`} submit="Add a passkey" kind="plain" />
      </div>
    </Sheet>
  );
}

function Sessions({ visit, sessions, format }: { visit: Visit; sessions: Sessions; format: MomentFormat }) {
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
          { title: "From", cell: ({ address }) => <code>{address}</code>, place: "under" },
          { title: "Since", cell: ({ createdAt }) => <Moment at={createdAt} format={format} /> },
          { title: "Last seen", cell: ({ seenAt }) => <Moment at={seenAt} format={format} /> },
          {
            title: "Log out",
            isTitleHidden: true,
            cell: ({ hash, isThis }) =>
              isThis ? null : (
                <VisitForm
                  visit={visit}
                  action={`${here}/sessions`}
                  submit="Log out"
                  kind="plain"
                  hidden={{ session: sessionName(hash) }}
                  isInline
                />
              ),
          },
        ]}
        empty={null}
      />
      {sessions.length < 2 ? null : (
        <div class="inside">
          <VisitForm
            visit={visit}
            action={`${here}/sessions`}
            submit="Log out everywhere else"
            kind="plain"
            hidden={{ do: "all" }}
          />
        </div>
      )}
    </Sheet>
  );
}

function Unverified({ visit }: { readonly visit: Visit }) {
  return (
    <Sheet title="Confirm your address">
      <p>Live access and second factors need an address that is yours. The sandbox does not.</p>
      <VisitForm visit={visit} action={`${here}/verify`} submit="Send the email again" />
    </Sheet>
  );
}

/** The browser's own name among those that all of them claim to be. */
function browserOf(agent: string): string {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(agent);
  return name === null ? agent.slice(0, 40) || "unknown" : `${name[1] === "Edg" ? "Edge" : name[1]} ${name[2]}`;
}
