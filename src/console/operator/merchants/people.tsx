import type { PersonId } from "../../../domain/identity/people/person.ts";
import { readEmail } from "../../../domain/identity/people/person.ts";
import {
  cancelInvitation,
  changePerson,
  makeOwner,
  sendInvitationAgain,
} from "../../../domain/members/company-changes.ts";
import { listInvitations } from "../../../domain/members/invitation-queries.ts";
import { memberAmong } from "../../../domain/members/members.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { type Role, roles, roleTitle } from "../../../domain/members/roles.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { lettersFrom } from "../../kit/account/letters-from.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { MomentOrNever } from "../../kit/parts/text.tsx";
import { refuseStale } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { changing, merchantAt, merchantIn, merchantPath } from "./found-merchant.ts";
import { Invitations, RemoveForm, RoleForm } from "./people-forms.tsx";

/** An owner spends the merchant's money: a second person approves each that the company makes. */
export const merchantOwner: TwoPeople = {
  kind: "merchant owner",
  roles: ["admin"],
  async carryOut({ people }, database, payload) {
    const email = String(payload.email);
    const given = { merchantId: merchantIn(payload), email, publicUrl: String(payload.publicUrl) };
    const done = await makeOwner({ ...people, database }, given);
    if (done === "invited") return `${email} is invited as an owner.`;
    return done === "changed" ? `${email} is an owner now.` : `${email} was an owner already.`;
  },
};

/** A merchant's people and invitations: what the company may change about them. */
export function peoplePages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id/people";
  const show = async (visit: StaffVisit, typed: Typed) =>
    peoplePage(services, await merchantAt(services, visit), typed);
  const doneAt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}/people`;
  const change = { capability: "change_merchants", doneAt, show } as const;
  routes.page(path, { capability: "change_merchants", show });
  routes.form(`${path}/invite`, {
    ...change,
    async send(visit, form) {
      const merchant = await merchantAt(services, visit);
      return askForOwner(services, visit, merchant, readEmail(form.text("email")));
    },
  });
  routes.form(`${path}/change`, {
    ...change,
    send: async (visit, form) => changeOne(services, visit, { merchant: await merchantAt(services, visit), form }),
  });
  routes.form(`${path}/invitation`, {
    ...change,
    async send(visit, form) {
      const merchant = await merchantAt(services, visit);
      const given = { merchantId: merchant.id, id: Number(form.text("id")) || 0 };
      const isAgain = form.text("do") === "again";
      const command = isAgain ? "console merchant invite-again" : "console merchant cancel-invitation";
      const database = changing(services, visit, merchant, { command, details: { invitation: given.id } });
      if (!isAgain)
        return goTo(doneAt(visit), `The invitation to ${await cancelInvitation({ database }, given)} is cancelled.`);
      const publicUrl = lettersFrom(services, visit);
      const email = await sendInvitationAgain({ ...services.people, database }, { ...given, publicUrl });
      return goTo(doneAt(visit), `${email} has a new invitation. The link before works no longer.`);
    },
  });
}

function askForOwner(
  services: OperatorServices,
  visit: StaffVisit,
  merchant: MerchantRow,
  email: string,
): Promise<Answer> {
  const id = formatMerchantId(merchant.id);
  return askForTwo(services, visit, merchantOwner, {
    summary: `Make ${email} an owner of ${merchant.name} (${id})`,
    payload: { merchant: id, email, publicUrl: lettersFrom(services, visit) },
    doneAt: `${merchantPath(merchant.id)}/people`,
  });
}

async function changeOne(
  services: OperatorServices,
  visit: StaffVisit,
  { merchant, form }: { readonly merchant: MerchantRow; readonly form: SentForm },
): Promise<Answer> {
  const at = `${merchantPath(merchant.id)}/people`;
  const personId = (Number(form.text("person")) || 0) as PersonId;
  const member = memberAmong(await listMembers(services.reads, merchant.id), personId);
  if (member === undefined) return goBack(at, "That person is no longer on the team.");
  const role = form.text("do") === "remove" ? null : roleIn(form);
  if (role === member.role) return goTo(at);
  refuseStale(form, member.role);
  if (role === "owner") return askForOwner(services, visit, merchant, member.email);
  const command = role === null ? "console merchant remove-person" : "console merchant person-role";
  const details = { email: member.email, from: member.role, to: role };
  const database = changing(services, visit, merchant, { command, details });
  const name = await changePerson({ ...services.people, database }, { merchantId: merchant.id, personId, role });
  return goTo(at, role === null ? `${name} is removed from ${merchant.name}.` : `${name} is now ${roleTitle(role)}.`);
}

function roleIn(form: SentForm): Role {
  const role = roles.find((each) => each === form.text("role"));
  if (role === undefined) throw refuseField("VALIDATION_ERROR", "role", "Choose a role.");
  return role;
}

async function peoplePage(services: OperatorServices, merchant: MerchantRow, typed: Typed): Promise<PageAnswer> {
  const { reads, people } = services;
  const at = merchantPath(merchant.id);
  const [members, invitations] = await Promise.all([
    listMembers(reads, merchant.id),
    listInvitations(reads, merchant.id),
  ]);
  const crumbs = [
    ["Merchants", "/operator/merchants"],
    [merchant.name, at],
  ] as const;
  return page(
    { title: "People", note: `Who works at ${merchant.name}`, crumbs, problem: typed.whole, status: typed.status },
    <>
      <Sheet title="People" isPadded={false}>
        <Table
          caption="People"
          rows={members}
          columns={[
            { title: "Name", cell: ({ name }) => name, place: "lead" },
            { title: "Email", cell: ({ email }) => email, place: "sub" },
            { title: "Last seen", cell: ({ lastSeenAt }) => <MomentOrNever at={lastSeenAt} />, isExtra: true },
            { title: "Role", cell: (member) => <RoleForm {...{ member, at }} />, place: "act" },
            {
              title: "Remove",
              isTitleHidden: true,
              cell: (member) => <RemoveForm {...{ member, at }} />,
              place: "act",
            },
          ]}
          empty={<Empty title="Nobody can log in">Invite an owner below.</Empty>}
        />
      </Sheet>
      {invitations.length === 0 ? null : <Invitations {...{ invitations, at }} now={people.clock.now()} />}
      <Sheet title="Invite an owner" note="A second person approves">
        <Form action={`${at}/people/invite`} submit="Ask for invitation">
          <TextField
            {...typed.field("email")}
            label="Email"
            type="email"
            hint="Owners invite everyone else. The link works once, for 7 days."
          />
        </Form>
      </Sheet>
    </>,
  );
}
