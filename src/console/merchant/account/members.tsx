import type { PersonId } from "../../../domain/identity/people/person.ts";
import { listInvitations } from "../../../domain/members/invitation-queries.ts";
import { invite, resendInvitation, withdrawInvitation } from "../../../domain/members/invitations.ts";
import { changeRole, removeMember } from "../../../domain/members/members.ts";
import { listMembers, type Member } from "../../../domain/members/queries.ts";
import { type Role, roles } from "../../../domain/members/roles.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { arrivalOf } from "../../kit/arrival.ts";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { whyNot } from "../../kit/gate.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, MomentOrNever, Status } from "../../kit/parts/text.tsx";
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
        publicUrl: lettersFrom(services, visit),
        source: arrivalOf(visit.request).source,
      });
      if (invited.kind === "locked") throw refuseField("VALIDATION_ERROR", "email", whyNot(invited));
      if (invited.kind === "member") throw refuseField("VALIDATION_ERROR", "email", "Is a member already.");
      if (invited.kind !== "invited") return goBack(here, notSent[invited.kind]);
      return goTo(here, `${email} is invited. The link works once, for 7 days.`);
    },
  });

  routes.form(`${here}/invitation`, {
    ...changes,
    async send(visit, form) {
      const about = { merchantId: visit.member.merchantId, id: Number(form.text("id")) || 0, by: visit.session.person };
      if (form.text("do") === "withdraw") {
        const { kind } = await withdrawInvitation(people, about);
        return kind === "withdrawn" ? goTo(here, "The invitation is withdrawn: its link is good no longer.") : gone();
      }
      const { source } = arrivalOf(visit.request);
      const resent = await resendInvitation(people, { ...about, source, publicUrl: lettersFrom(services, visit) });
      if (resent.kind === "resent") return goTo(here, "The invitation was sent again, with a new link.");
      if (resent.kind === "locked") return goBack(here, whyNot(resent));
      return resent.kind === "unknown" ? gone() : goBack(here, notSent[resent.kind]);
    },
  });

  routes.form(`${here}/change`, { ...changes, send: (visit, form) => changeMember(services, visit, form) });
}

const notSent = {
  not_owner: "Only an owner can invite.",
  unconfirmed: "Confirm your email under Security first, then invite.",
  suspended: "This account is suspended, so nobody can be invited.",
  too_many: "100 invitations are waiting already. Withdraw some first.",
};

async function changeMember({ people }: MerchantServices, visit: MemberVisit, form: SentForm): Promise<Answer> {
  const target = {
    merchantId: visit.member.merchantId,
    personId: (Number(form.text("person")) || 0) as PersonId,
    by: visit.session.person,
  };
  const removes = form.text("do") === "remove";
  const { kind } = removes
    ? await removeMember(people, target)
    : await changeRole(people, { ...target, role: roleIn(form) });
  switch (kind) {
    case "removed":
      return goTo(here, "The member is removed: every open page of theirs is closed to them from now on.");
    case "changed":
      return goTo(here, "The role is changed, and holds from the next click on.");
    case "unchanged":
      return goTo(here);
    case "last_owner":
      return goBack(here, "A business needs an owner: make somebody else one first.");
    case "not_owner":
    case "unknown":
      return gone();
  }
}

function gone(): Answer {
  return goBack(here, "That was changed by somebody else meanwhile: look again.");
}

function roleIn(form: SentForm): Role {
  const role = roles.find((each) => each === form.text("role"));
  if (role === undefined) throw refuseField("VALIDATION_ERROR", "role", "Choose a role.");
  return role;
}

/** Where links in letters lead. @throws Refusal where the operator has set no address and this is none of the machine itself */
export function lettersFrom({ publicUrl }: Pick<MerchantServices, "publicUrl">, { place }: MemberVisit): string {
  const origin = publicUrl ?? place.local;
  if (origin !== null) return origin;
  throw refuse("VALIDATION_ERROR", {
    message: "The operator of this service has to set PUBLIC_URL before letters can be sent.",
  });
}

const roleChoices = [
  { value: "owner", label: "owner: everything" },
  { value: "developer", label: "developer: keys, webhooks, request log" },
  { value: "finance", label: "finance: buying, wallet, statements" },
  { value: "viewer", label: "viewer: reads" },
];

async function membersPage({ people }: MerchantServices, visit: MemberVisit, typed: Typed): Promise<PageAnswer> {
  const { merchantId, name } = visit.member;
  const [members, invitations] = await Promise.all([
    listMembers(people.database, merchantId),
    listInvitations(people.database, merchantId),
  ]);
  const now = people.clock.now();
  return page(
    { title: "Members", note: `Who may enter ${name}`, status: typed.status },
    <>
      <Sheet title="People" isPadded={false}>
        <Table
          caption="Members"
          rows={members}
          columns={[
            { title: "Name", cell: (member) => member.name, place: "lead" },
            { title: "E-mail", cell: (member) => member.email, place: "sub" },
            { title: "Second factor", cell: factorOf },
            { title: "Last seen", cell: ({ lastSeenAt }) => <MomentOrNever at={lastSeenAt} /> },
            { title: "Role", cell: (member) => <RoleForm member={member} /> },
            { title: "Remove", isTitleHidden: true, cell: (member) => <RemoveForm member={member} /> },
          ]}
          empty={null}
        />
      </Sheet>
      <Sheet title="Invitations" isPadded={false}>
        <Table
          caption="Invitations that wait"
          rows={invitations}
          columns={[
            { title: "E-mail", cell: ({ email }) => email, place: "lead" },
            { title: "Role", cell: ({ role }) => role, place: "sub" },
            { title: "By", cell: ({ invitedBy }) => invitedBy },
            {
              title: "Good until",
              cell: ({ endsAt }) => (endsAt <= now ? <Status>expired</Status> : <Moment at={endsAt} />),
            },
            { title: "Change", isTitleHidden: true, cell: ({ id }) => <InvitationForm id={id} /> },
          ]}
          empty={<Empty title="Nobody is invited">An invitation is good for a week, and once.</Empty>}
        />
      </Sheet>
      <Sheet title="Invite somebody">
        <Form action={`${here}/invite`} submit="Invite" error={typed.whole}>
          <TextField {...typed.field("email")} label="E-mail" type="email" />
          <SelectField
            {...typed.field("role")}
            value={typed.form.text("role") || "viewer"}
            label="Role"
            choices={roleChoices}
          />
        </Form>
      </Sheet>
    </>,
  );
}

/** Sent again, it gets a new link, and the old one is good no longer. */
function InvitationForm({ id }: { readonly id: number }) {
  const shared = { action: `${here}/invitation`, kind: "plain", isInline: true } as const;
  return (
    <Buttons>
      <Form {...shared} submit="Send again" hidden={{ id: String(id), do: "resend" }} />
      <Form {...shared} submit="Withdraw" hidden={{ id: String(id), do: "withdraw" }} />
    </Buttons>
  );
}

function factorOf({ hasTotp, passkeys }: Member) {
  const factors = [hasTotp ? "app" : "", passkeys > 0 ? `${passkeys} passkey${passkeys === 1 ? "" : "s"}` : ""].filter(
    Boolean,
  );
  return factors.length === 0 ? <Status kind="waiting">none</Status> : factors.join(", ");
}

function RoleForm({ member: { personId, name, role: present } }: { readonly member: Member }) {
  const hidden = { person: String(personId), do: "role" };
  return (
    <Form action={`${here}/change`} submit="Change" kind="plain" hidden={hidden} isInline>
      <select name="role" aria-label={`Role of ${name}`}>
        {roles.map((role) => (
          <option key={role} value={role} selected={role === present}>
            {role}
          </option>
        ))}
      </select>
    </Form>
  );
}

function RemoveForm({ member: { personId, name } }: { readonly member: Member }) {
  const hidden = { person: String(personId), do: "remove" };
  return (
    <details>
      <summary>Remove</summary>
      <Form action={`${here}/change`} submit={`Remove ${name}`} kind="danger" hidden={hidden} isInline />
    </details>
  );
}
