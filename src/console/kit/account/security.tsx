import { askEmailChange, askVerification } from "../../../domain/identity/people/addresses.ts";
import { browserName } from "../../../domain/identity/people/browser-name.ts";
import { listPasskeys } from "../../../domain/identity/people/passkeys.ts";
import type { Person } from "../../../domain/identity/people/person.ts";
import { changePassword } from "../../../domain/identity/people/reset-password.ts";
import {
  endOwnSession,
  endSessionsOf,
  listSessions,
  parseSessionName,
  sessionName,
} from "../../../domain/identity/people/sessions.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { goBack, goTo, type PageAnswer, page } from "../answer.tsx";
import { arrivalOf } from "../arrival.ts";
import type { Typed } from "../form.ts";
import type { GateServices } from "../gate.ts";
import { whyNot } from "../gate.ts";
import { NewPasswordField, TextField } from "../parts/fields.tsx";
import { Flash, Form } from "../parts/form.tsx";
import { Buttons, Sheet } from "../parts/layout.tsx";
import { Table, TableSheet } from "../parts/list.tsx";
import { Moment, MomentOrNever, Status } from "../parts/text.tsx";
import type { Realm } from "../realm.ts";
import type { Routes } from "../routes.ts";
import { setCookie } from "../session-cookies.ts";
import type { Visit } from "../visit.ts";
import { emailsFrom, whereEmailsLie } from "./emails-from.ts";
import { passkeyForms, staleSentence, totpForms } from "./second-factors.tsx";

/** Lines of a console's matrix about one's own account. */
export type OwnAccount = "own_account" | "change_own_factors";

/** Where a console's page about one's own account stands. */
export interface SecurityPlace<V extends Visit> {
  readonly path: string;
  readonly realm: Realm<V, never>["name"];
  /** Why two-step login must be set up before anything else; null where it needn't. */
  readonly setUpFirst: (visit: V) => string | null;
}

/** One's own account: address, password, second factors, and where one is logged in. */
export function securityPages<V extends Visit>(
  routes: Routes<V, OwnAccount>,
  services: GateServices,
  place: SecurityPlace<V>,
): void {
  const { people } = services;
  const here = place.path;
  const show = (visit: V, typed: Typed) => securityPage(services, place, visit, typed);
  const change = { capability: "change_own_factors", doneAt: () => here, show } as const;

  routes.page(here, { capability: "own_account", show });

  routes.form(`${here}/verify`, {
    ...change,
    capability: "own_account",
    async send(visit) {
      const requested = await askVerification(people, visit.session.person, emailsFrom(services, visit));
      if (requested.kind === "locked") return goBack(here, whyNot(requested));
      return goTo(here, `We’ve emailed you a link. Follow it to confirm your email.${whereEmailsLie(people)}`);
    },
  });

  routes.form(`${here}/email`, {
    ...change,
    async send(visit, form) {
      const requested = await askEmailChange(people, visit.session, {
        email: form.text("email"),
        publicUrl: emailsFrom(services, visit),
      });
      if (requested.kind === "locked") throw refuseField("VALIDATION_ERROR", "email", whyNot(requested));
      if (requested.kind === "stale") return goBack(here, staleSentence);
      return goTo(
        here,
        `We’ve emailed the new address. Follow the link there to make the change.${whereEmailsLie(people)}`,
      );
    },
  });

  routes.form(`${here}/password`, {
    ...change,
    async send(visit, form) {
      const { origin } = arrivalOf(visit.request);
      const changed = await changePassword(people, visit.session, { password: form.raw("password"), origin });
      if (changed.kind === "stale") return goBack(here, staleSentence);
      setCookie(visit.reply, visit.place, place.realm, changed.token);
      return goTo(here, "Password changed. Your other browsers are logged out.");
    },
  });

  routes.form(`${here}/sessions`, {
    ...change,
    capability: "own_account",
    async send(visit, form) {
      if (form.text("do") === "all") {
        const ended = await endSessionsOf(people.database, visit.session.person.id, visit.session.hash);
        return goTo(here, ended === 1 ? "1 other device logged out." : `${ended} other devices logged out.`);
      }
      const hash = parseSessionName(form.text("session"));
      if (hash !== null) await endOwnSession(people, visit.session, hash);
      return goTo(here, "Device logged out.");
    },
  });

  totpForms(routes, services, { here, ...change });
  passkeyForms(routes, services, { here, ...change });
}

type Passkeys = Awaited<ReturnType<typeof listPasskeys>>;
type Sessions = Awaited<ReturnType<typeof listSessions>>;

async function securityPage<V extends Visit>(
  { people }: GateServices,
  { path: here, setUpFirst }: SecurityPlace<V>,
  visit: V,
  typed: Typed,
): Promise<PageAnswer> {
  const { person } = visit.session;
  const [sessions, passkeys] = await Promise.all([
    listSessions(people, visit.session),
    listPasskeys(people, person.id),
  ]);
  const mustSetUp = setUpFirst(visit);
  return page(
    { title: "Security", note: person.email },
    <>
      {mustSetUp === null ? null : <Flash kind="waiting">{mustSetUp}</Flash>}
      {person.emailVerifiedAt === null ? <Unverified {...{ here, people }} email={person.email} /> : null}
      <TwoStep here={here} person={person} />
      <Passkeys here={here} passkeys={passkeys} />
      <Sheet title="Password">
        <Form action={`${here}/password`} submit="Change password" kind="plain">
          <NewPasswordField
            label="New password"
            effect="Your other browsers are logged out."
            error={typed.error("password")}
          />
        </Form>
      </Sheet>
      <Sheet title="Email">
        <Form action={`${here}/email`} submit="Change email" kind="plain">
          <TextField
            {...typed.field("email")}
            label="New email"
            type="email"
            hint="We email the old and the new address."
            autocomplete="email"
          />
        </Form>
      </Sheet>
      <Devices here={here} sessions={sessions} />
    </>,
  );
}

function TwoStep({ here, person: { hasTotp } }: { readonly here: string; readonly person: Person }) {
  const state = <Status kind={hasTotp ? "good" : "quiet"}>{hasTotp ? "on" : "off"}</Status>;
  return (
    <Sheet title="Two-step login" note={state}>
      <p>A code from your phone, as well as your password.</p>
      {hasTotp ? (
        <Buttons>
          <Form action={`${here}/codes`} submit="Make new backup codes" kind="plain" isInline />
          <Form action={`${here}/app/off`} submit="Remove authenticator app" kind="danger" isInline />
        </Buttons>
      ) : (
        <Form action={`${here}/app`} submit="Set up authenticator app" />
      )}
    </Sheet>
  );
}

function Passkeys({ here, passkeys }: { readonly here: string; readonly passkeys: Passkeys }) {
  const remove = { action: `${here}/passkeys/remove`, submit: "Remove", kind: "plain", isInline: true } as const;
  return (
    <Sheet title="Passkeys" isPadded={false}>
      {passkeys.length > 0 ? null : (
        <div class="inside">
          <p>None yet. A passkey logs you in with your fingerprint, face or device PIN: no password, no code.</p>
        </div>
      )}
      <Table
        caption="Passkeys"
        rows={passkeys}
        columns={[
          { title: "Name", cell: ({ label }) => label, place: "lead" },
          { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: "Last used", cell: ({ lastUsedAt }) => <MomentOrNever at={lastUsedAt} /> },
          { title: "Remove", isTitleHidden: true, cell: ({ id }) => <Form {...remove} hidden={{ id }} /> },
        ]}
      />
      <div class="inside">
        <Form action={`${here}/passkeys/begin`} submit="Add a passkey" kind="plain" />
      </div>
    </Sheet>
  );
}

function Devices({ here, sessions }: { readonly here: string; readonly sessions: Sessions }) {
  const end = { action: `${here}/sessions`, kind: "plain" } as const;
  const endOne = (hash: Buffer) => <Form {...end} submit="Log out" hidden={{ session: sessionName(hash) }} isInline />;
  return (
    <TableSheet
      title="Devices"
      note="Where you’re logged in"
      rows={sessions}
      columns={[
        {
          title: "Browser",
          cell: ({ agent, isThis }) => (isThis ? `${browserName(agent)} (this one)` : browserName(agent)),
          place: "lead",
        },
        { title: "Address", cell: ({ address }) => <code>{address}</code>, place: "sub" },
        { title: "Since", cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { title: "Last seen", cell: ({ seenAt }) => <Moment at={seenAt} /> },
        { title: "Log out", isTitleHidden: true, cell: ({ hash, isThis }) => (isThis ? null : endOne(hash)) },
      ]}
    >
      {sessions.length < 2 ? null : (
        <div class="inside">
          <Form {...end} submit="Log out all other devices" hidden={{ do: "all" }} />
        </div>
      )}
    </TableSheet>
  );
}

interface UnverifiedProps {
  readonly here: string;
  readonly email: string;
  readonly people: GateServices["people"];
}

function Unverified({ here, email, people }: UnverifiedProps) {
  return (
    <Sheet title="Confirm your email">
      <p>
        We emailed a link to {email}. Follow it to sell live and to set up two-step login. The sandbox works without it.
        {whereEmailsLie(people)}
      </p>
      <Form action={`${here}/verify`} submit="Send the email again" />
    </Sheet>
  );
}
