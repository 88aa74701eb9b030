import { listInvitations } from "../../../domain/memberships/invitation-queries.ts";
import { invite, resendInvitation, withdrawInvitation } from "../../../domain/memberships/invitations.ts";
import { changeRole, removeMember } from "../../../domain/memberships/members.ts";
import { listMembers, type Member } from "../../../domain/memberships/queries.ts";
import { type Role, roles } from "../../../domain/memberships/roles.ts";
import type { PersonId } from "../../../domain/people/person.ts";
import { type Refusal, refuse, refuseField } from "../../../kernel/problems.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.ts";
import { arrivalOf } from "../../kit/arrival.ts";
import { emptyForm, type Form } from "../../kit/form.ts";
import { type GateServices, whyNot } from "../../kit/gate.ts";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Buttons, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentFormat, Status } from "../../kit/parts/text.tsx";
import { statusOf } from "../../kit/refusal-status.ts";
import type { Routes } from "../../kit/routes.ts";
import type { Visit } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";

const here = "/account/members";

export type MemberPageServices = GateServices & { readonly timeZone: string };

/** The merchant's people: who may do what, who is invited. */
export function memberPages(routes: Routes<Visit>, services: MemberPageServices): void {
  const { people } = services;
  const format = momentFormat(services.timeZone);
  const show = (visit: Visit, form: Form, refusal: Refusal | null) =>
    membersPage(services, visit, { form, refusal, format });

  routes.page(here, { capability: "run_business", show: (visit) => show(visit, emptyForm, null) });

  const changes = {
    capability: "change_members" as const,
    doneAt: () => here,
    refused: show,
  };

  routes.form(`${here}/invite`, {
    ...changes,
    async send(visit, form) {
      const publicUrl = lettersFrom(services, visit);
      const email = form.text("email");
      const role = roleIn(form);
      const invited = await invite(people, {
        merchantId: visit.member.merchantId,
        email,
        role,
        by: personOf(visit),
        publicUrl,
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
      const about = { merchantId: visit.member.merchantId, id: Number(form.text("id")) || 0, by: personOf(visit) };
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

async function changeMember({ people }: MemberPageServices, visit: Visit, form: Form): Promise<Answer> {
  const target = {
    merchantId: visit.member.merchantId,
    personId: (Number(form.text("person")) || 0) as PersonId,
    by: personOf(visit),
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

function personOf({ session }: Visit) {
  return session.person;
}

function roleIn(form: Form): Role {
  const role = roles.find((each) => each === form.text("role"));
  if (role === undefined) throw refuseField("VALIDATION_ERROR", "role", "Choose a role.");
  return role;
}

/** Where links in letters lead. @throws Refusal where the operator has set no address and this is none of the machine itself */
export function lettersFrom({ publicUrl }: Pick<GateServices, "publicUrl">, { place }: Pick<Visit, "place">): string {
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

interface Shown {
  readonly form: Form;
  readonly refusal: Refusal | null;
  readonly format: MomentFormat;
}

async function membersPage({ people }: MemberPageServices, visit: Visit, shown: Shown): Promise<PageAnswer> {
  const { merchantId, name } = visit.member;
  const [members, invitations] = await Promise.all([
    listMembers(people.database, merchantId),
    listInvitations(people.database, merchantId),
  ]);
  const { form, refusal, format } = shown;
  const errors = refusal?.detail.errors;
  const now = people.clock.now();
  return page(
    "Members",
    <>
      <PageHead title="Members">Who may enter {name}</PageHead>
      <Sheet title="People" isPadded={false}>
        <Table
          caption="Members"
          rows={members}
          columns={[
            { title: "Name", cell: (member) => member.name, place: "lead" },
            { title: "E-mail", cell: (member) => member.email, place: "under" },
            { title: "Second factor", cell: factorOf, place: "line" },
            {
              title: "Last seen",
              cell: ({ lastSeenAt }) => (lastSeenAt === null ? "never" : <Moment at={lastSeenAt} format={format} />),
              isQuiet: true,
            },
            { title: "Role", cell: (member) => <RoleForm visit={visit} member={member} />, place: "line" },
            {
              title: "Remove",
              isTitleHidden: true,
              cell: (member) => <RemoveForm visit={visit} member={member} />,
              place: "line",
            },
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
            { title: "Role", cell: ({ role }) => role, place: "under" },
            { title: "By", cell: ({ invitedBy }) => invitedBy, isQuiet: true },
            {
              title: "Good until",
              cell: ({ endsAt }) => (endsAt <= now ? <Status>expired</Status> : <Moment at={endsAt} format={format} />),
            },
            {
              title: "Change",
              isTitleHidden: true,
              cell: ({ id }) => <InvitationForm visit={visit} id={id} />,
            },
          ]}
          empty={<Empty title="Nobody is invited">An invitation is good for a week, and once.</Empty>}
        />
      </Sheet>
      <Sheet title="Invite somebody">
        <VisitForm
          visit={visit}
          action={`${here}/invite`}
          submit="Invite"
          error={errors === undefined ? refusal?.message : null}
        >
          <TextField
            name="email"
            label="E-mail"
            type="email"
            value={form.text("email")}
            error={errors?.email?.join(" ")}
          />
          <SelectField
            name="role"
            label="Role"
            value={form.text("role") || "viewer"}
            choices={roleChoices}
            error={errors?.role?.join(" ")}
          />
        </VisitForm>
      </Sheet>
    </>,
    { status: statusOf(refusal) },
  );
}

/** Sent again, it gets a new link, and the old one is good no longer. */
function InvitationForm({ visit, id }: { readonly visit: Visit; readonly id: number }) {
  const shared = { visit, action: `${here}/invitation`, kind: "plain", isInline: true } as const;
  return (
    <Buttons>
      <VisitForm {...shared} submit="Send again" hidden={{ id: String(id), do: "resend" }} />
      <VisitForm {...shared} submit="Withdraw" hidden={{ id: String(id), do: "withdraw" }} />
    </Buttons>
  );
}

function factorOf({ hasTotp, passkeys }: Member) {
  const factors = [hasTotp ? "app" : "", passkeys > 0 ? `${passkeys} passkey${passkeys === 1 ? "" : "s"}` : ""].filter(
    Boolean,
  );
  return factors.length === 0 ? <Status kind="waiting">none</Status> : factors.join(", ");
}

function RoleForm({ visit, member }: { readonly visit: Visit; readonly member: Member }) {
  return (
    <VisitForm
      visit={visit}
      action={`${here}/change`}
      submit="Change"
      kind="plain"
      hidden={{ person: String(member.personId), do: "role" }}
      isInline
    >
      <select name="role" aria-label={`Role of ${member.name}`}>
        {roles.map((role) => (
          <option key={role} value={role} selected={role === member.role}>
            {role}
          </option>
        ))}
      </select>
    </VisitForm>
  );
}

function RemoveForm({ visit, member }: { readonly visit: Visit; readonly member: Member }) {
  return (
    <details>
      <summary>Remove</summary>
      <VisitForm
        visit={visit}
        action={`${here}/change`}
        submit={`Remove ${member.name}`}
        kind="danger"
        hidden={{ person: String(member.personId), do: "remove" }}
        isInline
      />
    </details>
  );
}
