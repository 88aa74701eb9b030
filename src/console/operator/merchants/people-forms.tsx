import type { Invitation } from "../../../domain/members/invitation-queries.ts";
import type { Member } from "../../../domain/members/queries.ts";
import { roles } from "../../../domain/members/roles.ts";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, Status, spoken } from "../../kit/parts/text.tsx";
import { seen } from "../../kit/stale.ts";

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  readonly at: string;
  readonly now: number;
}

/** Invitations that were not accepted, each with what can be done with it. */
export function Invitations({ invitations, at, now }: InvitationsProps) {
  const shared = { action: `${at}/people/invitation`, kind: "plain", isInline: true } as const;
  return (
    <Sheet title="Invitations" isPadded={false}>
      <Table
        caption="Invitations that wait"
        rows={invitations}
        columns={[
          { title: "Email", cell: ({ email }) => email, place: "lead" },
          { title: "Role", cell: ({ role }) => spoken(role), place: "sub" },
          { title: "Invited by", cell: ({ invitedBy }) => invitedBy, isExtra: true },
          {
            title: "Works until",
            cell: ({ endsAt }) => (endsAt <= now ? <Status>expired</Status> : <Moment at={endsAt} />),
            place: "state",
          },
          {
            title: "Change",
            isTitleHidden: true,
            cell: ({ id }) => (
              <Buttons>
                <Form {...shared} submit="Send again" hidden={{ id: String(id), do: "again" }} />
                <Form {...shared} submit="Cancel invitation" hidden={{ id: String(id), do: "cancel" }} />
              </Buttons>
            ),
            place: "act",
          },
        ]}
        empty={null}
      />
    </Sheet>
  );
}

interface MemberProps {
  readonly member: Member;
  readonly at: string;
}

export function RoleForm({ member: { personId, name, role: present }, at }: MemberProps) {
  const hidden = { person: String(personId), ...seen(present) };
  return (
    <Form action={`${at}/people/change`} submit="Change role" kind="plain" hidden={hidden} isInline>
      <select name="role" aria-label={`Role of ${name}`}>
        {roles.map((role) => (
          <option key={role} value={role} selected={role === present}>
            {spoken(role)}
          </option>
        ))}
      </select>
    </Form>
  );
}

export function RemoveForm({ member: { personId, name, role }, at }: MemberProps) {
  const hidden = { person: String(personId), do: "remove", ...seen(role) };
  return (
    <details>
      <summary>Remove</summary>
      <p>Remove {name}? They lose this business at their next click.</p>
      <Form action={`${at}/people/change`} submit={`Remove ${name}`} kind="danger" hidden={hidden} isInline />
    </details>
  );
}
