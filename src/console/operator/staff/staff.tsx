import type { PersonId } from "../../../domain/identity/people/person.ts";
import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { parseStaffRole, type StaffRole, staffRoles } from "../../../domain/staff/roles.ts";
import {
  changeStaffRole,
  inviteStaff,
  listStaffInvitations,
  refuseLastAdmin,
  removeStaff,
  resetFactors,
  withdrawStaffInvitation,
} from "../../../domain/staff/staff.ts";
import {
  findStaffMember,
  listStaff,
  removalKind,
  type StaffMember,
  subjectOfStaff,
} from "../../../domain/staff/staff-queries.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import { emailsFrom, whereEmailsLie } from "../../kit/account/emails-from.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { choice, email } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment, MomentOrNever, Status } from "../../kit/parts/text.tsx";
import { RemoveForm, RoleForm } from "../../kit/person-forms.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import { askForTwo, type KindServices, type TwoPeople } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/staff";

const roleNames: Readonly<Record<StaffRole, string>> = {
  admin: "admin: everything",
  finance: "finance: money, review, reports",
  catalogue: "catalogue: suppliers, prices, vouchers",
  support: "support: reads, answers merchants",
};
const roleChoices = staffRoles.map((role) => ({ value: role, label: roleNames[role] }));

/** Somebody who joins the staff: a second person approves. */
export const invitation = changeOfTwo({
  at: `${here}/invite`,
  may: "change_staff",
  doneAt: () => here,
  find: () => ({}),
  fields: fields({
    email: email("Email", { hint: "The link works once, for 7 days." }),
    role: choice<StaffRole>("Role", roleChoices, { initial: "support", unread: "Choose a role." }),
  }),
  looks: () => ({ submit: "Send invitation" }),
  kind: "invite staff",
  approve: ["admin"],
  subjects: ({ email }) => [`invitation ${email}`],
  summary: ({ values: { email, role } }) => `Invite ${email} as ${role}`,
  freeze: ({ values: { email, role } }, visit, services) => ({
    ...{ email, role, invitedBy: visit.session.person.email, publicUrl: emailsFrom(services, visit) },
  }),
  async run({ people }, { email, role }, { invitedBy, publicUrl }) {
    const given = { email, role, invitedBy: String(invitedBy), publicUrl: String(publicUrl) };
    const { kind } = await inviteStaff(people, given);
    return kind === "member"
      ? `${email} is on the staff already.`
      : `${email} is invited as ${role}, by email.${whereEmailsLie(people)}`;
  },
});

type Run = (people: KindServices["people"], fields: Fields) => Promise<string>;

/** A change of a person's place, resting on who that is and in which role now. */
function ofPerson(kind: string, run: Run, rules: Pick<TwoPeople, "about"> = {}): TwoPeople {
  return {
    ...{ kind, ...rules, ask: matrix.change_staff.roles, approve: ["admin"] },
    subjects: ({ person }) => [subjectOfStaff(Number(person))],
    by: ({ people }) => ({
      async readFacts(db, fields) {
        const member = await findStaffMember(db, personIn(fields).personId);
        return {
          Person: member === null ? "no longer on the staff" : `${member.name} (${member.email})`,
          Role: member?.role ?? null,
        };
      },
      carryOut: (database, { fields }) => run({ ...people, database }, fields),
    }),
  };
}

export const roleChange = ofPerson("change staff role", async (people, fields) => {
  const role = parseStaffRole(String(fields.role)) ?? "support";
  const { kind, member } = await changeStaffRole(people, { ...personIn(fields), role });
  refuseUnless(kind);
  return `${member?.name ?? "The person"} is now ${role}.`;
});

export const removal = ofPerson(removalKind, async (people, fields) => {
  const { kind, member } = await removeStaff(people, personIn(fields));
  refuseUnless(kind);
  return `${member?.name ?? "The person"} is removed and logged out everywhere.`;
});

export const factorReset = ofPerson(
  "reset two-step login",
  async (people, fields) => {
    const member = await resetFactors(people, personIn(fields));
    if (member === null) refuseUnless("unknown");
    return `${member?.name} logs in with the password alone, and sets up two-step login before anything else.`;
  },
  { about: (fields) => personIn(fields).personId },
);

function personIn({ person }: JsonObject) {
  return { personId: Number(person) as PersonId };
}

function refuseUnless(kind: "changed" | "unchanged" | "removed" | "unknown" | "last_admin"): void {
  if (kind === "last_admin") throw refused("That’s the last admin. Make someone else admin first.");
  if (kind === "unknown") throw refuse("NOT_FOUND", { message: "That person is no longer on the staff." });
}

/** The people of the company: who may do what, who is invited. */
export function staffPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => staffPage(services, visit, typed);
  const change = { capability: "change_staff", doneAt: () => here, show } as const;

  routes.page(here, { capability: "see_staff", show });

  invitation.addTo(routes, services, show);

  routes.form(`${here}/withdraw`, {
    ...change,
    async send(visit, form) {
      const email = form.text("email");
      const database = changing(services, visit, "console staff withdraw", { email });
      await withdrawStaffInvitation({ database }, { email });
      return goTo(here, `The invitation to ${email} is withdrawn.`);
    },
  });

  routes.form(`${here}/change`, {
    ...change,
    async send(visit, form) {
      const member = await memberIn(services, form);
      refuseStale(form, member.role);
      const ask = (kind: TwoPeople, request: ReturnType<typeof removalRequest>) =>
        askForTwo(services, visit, kind, { ...request, doneAt: here });
      if (form.text("do") === "remove") {
        await refuseLastAdmin(services.reads, member.personId);
        return ask(removal, removalRequest(member));
      }
      if (form.text("do") === "reset") {
        return ask(
          factorReset,
          aboutMember(member, (person) => `Reset the two-step login of ${person}`),
        );
      }
      return ask(roleChange, roleRequest(member, roleIn(form)));
    },
  });
}

export function removalRequest(member: StaffMember) {
  return aboutMember(member, (person) => `Remove ${person}`);
}

export function roleRequest(member: StaffMember, role: StaffRole) {
  return aboutMember(member, (person) => `Make ${person} ${role}`, { role });
}

function aboutMember({ personId, name, email }: StaffMember, say: (person: string) => string, more: JsonObject = {}) {
  return { summary: say(`${name} (${email})`), fields: { person: personId, ...more } as JsonObject };
}

async function memberIn({ reads }: OperatorServices, form: SentForm): Promise<StaffMember> {
  const member = (await listStaff(reads)).find(({ personId }) => String(personId) === form.text("person"));
  if (member === undefined) throw refuse("NOT_FOUND", { message: "That person is no longer on the staff." });
  return member;
}

function roleIn(form: SentForm): StaffRole {
  const role = parseStaffRole(form.text("role"));
  if (role === null) throw wrong("role", "Choose a role.");
  return role;
}

async function staffPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, people } = services;
  const [staff, invitations] = await Promise.all([listStaff(reads), listStaffInvitations(reads)]);
  const now = people.clock.now();
  const action = `${here}/change`;
  return page(
    { title: "Staff", note: "Who runs this service" },
    <>
      <TableSheet
        title="People"
        caption="Staff"
        rows={staff}
        columns={[
          { title: "Name", cell: NameAndAccess, place: "lead" },
          { title: "Email", cell: ({ email }) => email, place: "sub" },
          {
            title: "Two-step login",
            cell: (person) =>
              person.hasSecondFactor ? (
                <ResetForm {...{ action, person }} />
              ) : (
                <Status kind="waiting">not set up</Status>
              ),
          },
          { title: "Last seen", cell: ({ lastSeenAt }) => <MomentOrNever at={lastSeenAt} /> },
          { title: "Role", cell: (person) => <RoleForm {...{ action, person }} roles={staffRoles} />, place: "act" },
          {
            title: "Remove",
            isTitleHidden: true,
            cell: (person) => <RemoveForm {...{ action, person }} />,
            place: "act",
          },
        ]}
      />
      <TableSheet
        title="Invitations"
        rows={invitations}
        columns={[
          { title: "Email", cell: ({ email }) => email, place: "lead" },
          { title: "Role", cell: ({ role }) => role, place: "sub" },
          { title: "Invited by", cell: ({ invitedBy }) => invitedBy },
          {
            title: "Works until",
            cell: ({ endsAt }) => (endsAt <= now ? <Status>expired</Status> : <Moment at={endsAt} />),
          },
          {
            title: "Withdraw",
            isTitleHidden: true,
            cell: ({ email }) => (
              <Form action={`${here}/withdraw`} submit="Withdraw" kind="plain" hidden={{ email }} isInline />
            ),
            place: "act",
          },
        ]}
        empty={<Empty title="No invitations waiting">Invited people appear here until they join.</Empty>}
      />
      <Sheet title="Invite a person">{invitation.draw(visit, typed, {})}</Sheet>
    </>,
  );
}

function NameAndAccess({ name, isKeptOut }: StaffMember) {
  return (
    <>
      {name} {isKeptOut ? <Status kind="bad">kept out: removal asked for</Status> : null}
    </>
  );
}

/** For a person whose phone is lost. */
function ResetForm({ action, person }: { readonly action: string; readonly person: StaffMember }) {
  const { personId, name, role } = person;
  const hidden = { person: String(personId), do: "reset", ...seen(role) };
  return (
    <details>
      <summary>On</summary>
      <p>Lost phone? Their app, backup codes and passkeys stop working. A second admin approves.</p>
      <Form {...{ action, hidden }} submit={`Reset two-step login of ${name}`} kind="danger" isInline />
    </details>
  );
}
