import type { PersonId } from "../../../domain/identity/people/person.ts";
import { type Invitation, listInvitations } from "../../../domain/members/invitation-queries.ts";
import { invite, resendInvitation, withdrawInvitation } from "../../../domain/members/invitations.ts";
import { changeRole, demandTwoStep, memberAmong, removeMember } from "../../../domain/members/members.ts";
import { listMembers, type Member } from "../../../domain/members/queries.ts";
import { type Role, roles, roleTitle } from "../../../domain/members/roles.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { emailsFrom, whereEmailsLie } from "../../kit/account/emails-from.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { arrivalOf } from "../../kit/arrival.ts";
import { deedIn, type Form as SentForm, type Typed, untouched } from "../../kit/form.ts";
import { whyNot } from "../../kit/gate.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, Moment, MomentOrNever, Status, spoken } from "../../kit/parts/text.tsx";
import { RemoveForm, RoleForm } from "../../kit/person-forms.tsx";
import { refuseStale } from "../../kit/stale.ts";
import type { AccountRoutes, MemberVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

const here = "/account/members";

/** The merchant's people: who may do what, who is invited. */
export function memberPages(routes: AccountRoutes, services: MerchantServices): void {
  const { people } = services;
  const show = (visit: MemberVisit, typed: Typed) => membersPage(services, visit, typed);
  const changes = { capability: "change_members", doneAt: () => here, show } as const;

  routes.page(here, { capability: "run_business", show });

  routes.form(`${here}/invite`, {
    ...changes,
    async send(visit, form) {
      const email = form.text("email");
      const invited = await invite(people, {
        ...{ merchantId: visit.member.merchantId, email, role: roleIn(form), by: visit.session.person },
        publicUrl: emailsFrom(services, visit),
        source: arrivalOf(visit.request).source,
      });
      if (invited.kind === "locked") throw refuseField("VALIDATION_ERROR", "email", whyNot(invited));
      if (invited.kind === "member") throw refuseField("VALIDATION_ERROR", "email", "Already on your team.");
      if (invited.kind !== "invited") return goBack(here, notSent[invited.kind]);
      return goTo(here, `We’ve invited ${email}. The link works once, for 7 days.${whereEmailsLie(people)}`);
    },
  });

  routes.form(`${here}/invitation`, {
    ...changes,
    async send(visit, form) {
      const about = {
        merchantId: visit.member.merchantId,
        id: wholeNumber(form.text("id")) ?? 0,
        by: visit.session.person,
      };
      if (deedIn(form, ["resend", "withdraw"]) === "withdraw") {
        const { kind } = await withdrawInvitation(people, about);
        return kind === "withdrawn" ? goTo(here, "Invitation withdrawn. Its link no longer works.") : gone();
      }
      const { source } = arrivalOf(visit.request);
      const resent = await resendInvitation(people, { ...about, source, publicUrl: emailsFrom(services, visit) });
      if (resent.kind === "resent")
        return goTo(
          here,
          `Invitation sent again, with a new link. The old one no longer works.${whereEmailsLie(people)}`,
        );
      if (resent.kind === "locked") return goBack(here, whyNot(resent));
      return resent.kind === "unknown" ? gone() : goBack(here, notSent[resent.kind]);
    },
  });

  routes.form(`${here}/change`, { ...changes, send: (visit, form) => changeMember(services, visit, form) });

  routes.form(`${here}/two-step`, {
    ...changes,
    async send(visit, form) {
      const isOn = deedIn(form, ["demand", "allow"]) === "demand";
      const { merchantId } = visit.member;
      const { kind } = await demandTwoStep(people, { merchantId, by: visit.session.person, isOn });
      if (kind === "not_owner") return gone();
      if (kind === "not_set_up") return goBack("/account/security", "Set up two-step login for yourself first.");
      return goTo(here, isOn ? "Everyone now needs two-step login." : "Two-step login is now each person’s choice.");
    },
  });
}

const notSent = {
  not_owner: "Only an owner can invite.",
  unconfirmed: "Confirm your email under Security, then invite.",
  suspended: "This account is suspended, so nobody can be invited.",
  too_many: "100 invitations are waiting already. Withdraw some first.",
};

async function changeMember({ people }: MerchantServices, visit: MemberVisit, form: SentForm): Promise<Answer> {
  const { merchantId } = visit.member;
  const personId = (wholeNumber(form.text("person")) ?? 0) as PersonId;
  const target = { merchantId, personId, by: visit.session.person };
  const member = memberAmong(await listMembers(people.database, merchantId), personId);
  if (member === undefined) return gone();
  const { name } = member;
  const role = form.text("do") === "remove" ? null : roleIn(form);
  if (role !== member.role) refuseStale(form, member.role);
  const { kind } = role === null ? await removeMember(people, target) : await changeRole(people, { ...target, role });
  switch (kind) {
    case "removed":
      return goTo(here, `${name} is removed and logged out everywhere.`);
    case "changed":
      return goTo(here, `${name} is now ${role === null ? "" : roleTitle(role)}.`);
    case "unchanged":
      return goTo(here);
    case "last_owner":
      return goBack(here, "A business needs an owner. Make someone else an owner first.");
    case "not_owner":
    case "unknown":
      return gone();
  }
}

function gone(): Answer {
  return goBack(here, "Someone else changed this. Here’s the current version.");
}

function roleIn(form: SentForm): Role {
  const role = roles.find((each) => each === form.text("role"));
  if (role === undefined) throw refuseField("VALIDATION_ERROR", "role", "Choose a role.");
  return role;
}

const roleChoices: readonly { readonly value: Role; readonly label: string }[] = [
  { value: "owner", label: "Owner: everything, also the team" },
  { value: "developer", label: "Developer: keys, webhooks, request log" },
  { value: "finance", label: "Finance: selling, wallet, statements" },
  { value: "cashier", label: "Cashier: selling, own sales only" },
  { value: "viewer", label: "Viewer: reads, changes nothing" },
];

async function membersPage({ people }: MerchantServices, visit: MemberVisit, typed: Typed): Promise<PageAnswer> {
  const { merchantId, name } = visit.member;
  const [members, invitations] = await Promise.all([
    listMembers(people.database, merchantId),
    listInvitations(people.database, merchantId),
  ]);
  const action = `${here}/change`;
  const invited = typed.form.has("email") ? typed : untouched;
  return page(
    { title: "Team", note: `Who works at ${name}` },
    <>
      <TableSheet
        title="People"
        rows={members}
        columns={[
          { title: "Name", cell: (member) => member.name, place: "lead" },
          { title: "Email", cell: (member) => member.email, place: "sub" },
          { title: "Two-step login", cell: factorOf, isExtra: true },
          { title: "Last seen", cell: ({ lastSeenAt }) => <MomentOrNever at={lastSeenAt} />, isExtra: true },
          { title: "Role", cell: (person) => <RoleForm {...{ action, person, roles }} /> },
          {
            title: "Remove",
            isTitleHidden: true,
            cell: (person) => <RemoveForm {...{ action, person }} />,
            place: "act",
          },
        ]}
      />
      {invitations.length === 0 ? null : <Invitations invitations={invitations} now={people.clock.now()} />}
      <Sheet title="Invite someone">
        <Form action={`${here}/invite`} submit="Send invitation">
          <TextField {...invited.field("email")} label="Email" type="email" />
          <SelectField {...invited.field("role")} label="Role" placeholder="Choose a role" choices={roleChoices} />
        </Form>
      </Sheet>
      <TwoStepRule isOn={visit.member.needsTwoStep} without={members.filter(hasNoFactor).length} />
    </>,
  );
}

function Invitations(props: { readonly invitations: readonly Invitation[]; readonly now: number }) {
  return (
    <TableSheet
      title="Invitations"
      caption="Invitations that wait"
      rows={props.invitations}
      columns={[
        { title: "Email", cell: ({ email }) => email, place: "lead" },
        { title: "Role", cell: ({ role }) => spoken(role), place: "sub" },
        { title: "Invited by", cell: ({ invitedBy }) => invitedBy, isExtra: true },
        {
          title: "Link",
          cell: ({ endsAt }) =>
            endsAt <= props.now ? (
              <Status>expired</Status>
            ) : (
              <>
                expires <Moment at={endsAt} />
              </>
            ),
          place: "state",
        },
        { title: "Change", isTitleHidden: true, cell: ({ id }) => <InvitationForm id={id} />, place: "act" },
      ]}
    />
  );
}

/** `without`: how many would be asked to set it up. */
function TwoStepRule({ isOn, without }: { readonly isOn: boolean; readonly without: number }) {
  const people = without === 1 ? "1 person hasn’t" : `${without} people haven’t`;
  return (
    <Sheet
      title="Two-step login for everyone"
      note={<Status kind={isOn ? "good" : "quiet"}>{isOn ? "on" : "off"}</Status>}
    >
      <p>
        A code from a phone, or a passkey, as well as the password.{" "}
        {without === 0 ? "Everyone has set it up." : `${people} set it up yet and must do so before anything else.`}
      </p>
      <Form
        action={`${here}/two-step`}
        submit={`Turn ${isOn ? "off" : "on"} for everyone`}
        kind="plain"
        hidden={{ do: isOn ? "allow" : "demand" }}
      />
    </Sheet>
  );
}

function hasNoFactor({ hasTotp, passkeys }: Member): boolean {
  return !hasTotp && passkeys === 0;
}

/** Sent again, it gets a new link, and the old one is good no longer. */
function InvitationForm({ id }: { readonly id: number }) {
  const shared = { action: `${here}/invitation`, kind: "plain", isInline: true } as const;
  return (
    <Buttons>
      <Form {...shared} submit="Send again" hidden={{ id: String(id), do: "resend" }} />
      <Form {...shared} submit="Withdraw invitation" hidden={{ id: String(id), do: "withdraw" }} />
    </Buttons>
  );
}

function factorOf({ hasTotp, passkeys }: Member) {
  const factors = [hasTotp ? "app" : "", passkeys > 0 ? countText(passkeys, "passkey") : ""].filter(Boolean);
  return factors.length === 0 ? <Status>none</Status> : factors.join(", ");
}
