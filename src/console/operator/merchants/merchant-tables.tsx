import type { StoredEntry } from "../../../domain/audit/audit-queries.ts";
import type { LedgerEntry } from "../../../domain/history/reports/queries.ts";
import type { Invitation } from "../../../domain/members/invitation-queries.ts";
import type { Member } from "../../../domain/members/queries.ts";
import { roles } from "../../../domain/members/roles.ts";
import { keyStateOf } from "../../../domain/merchants/api-keys.ts";
import { keyHint } from "../../../domain/merchants/key-format.ts";
import type { UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Empty } from "../../kit/parts/layout.tsx";
import { type Column, Table, TableSheet } from "../../kit/parts/list.tsx";
import { Moment, MomentOrNever, Money, Status, spoken } from "../../kit/parts/text.tsx";
import { RemoveForm, RoleForm } from "../../kit/person-forms.tsx";
import { detailsText, personName } from "../audit/audit-words.ts";

export const entriesShown = 10;
export const logShown = 20;

interface PeopleProps {
  readonly people: readonly Member[];
  /** Invitations that were not accepted. */
  readonly invitations: readonly Invitation[];
  /** The merchant's page. */
  readonly at: string;
  readonly now: number;
  readonly mayChange: boolean;
}

type Listed = Member | Invitation;
const isMember = (one: Listed): one is Member => "personId" in one;

/** The merchant's people, and after them those who are invited; each with what can be changed. */
export function PeopleTable({ people, invitations, at, now, mayChange }: PeopleProps) {
  const action = `${at}/people/change`;
  const change = (one: Listed) =>
    isMember(one) ? <RemoveForm {...{ action }} person={one} /> : <InvitationForms {...{ at }} invitation={one} />;
  const changes: Column<Listed> = { title: "Change", isTitleHidden: true, cell: change, place: "act" };
  return (
    <Table
      caption="People"
      rows={[...people, ...invitations]}
      columns={[
        { title: "Name", cell: (one) => (isMember(one) ? one.name : one.email), place: "lead" },
        { title: "Email", cell: (one) => (isMember(one) ? one.email : `invited by ${one.invitedBy}`), place: "sub" },
        {
          title: "Role",
          cell: (one) =>
            mayChange && isMember(one) ? <RoleForm {...{ action, roles }} person={one} /> : spoken(one.role),
          place: "sub",
        },
        { title: "Two-step login", cell: (one) => isMember(one) && (one.hasTotp || one.passkeys > 0 ? "on" : "off") },
        { title: "Last seen", cell: (one) => isMember(one) && <MomentOrNever at={one.lastSeenAt} /> },
        { title: "State", isTitleHidden: true, cell: (one) => <PersonState {...{ one, now }} />, place: "state" },
        ...(mayChange ? [changes] : []),
      ]}
      empty={<Empty title="Nobody can log in">An owner who is invited appears here.</Empty>}
    />
  );
}

function PersonState({ one, now }: { readonly one: Listed; readonly now: number }) {
  if (isMember(one)) return one.isVerified ? null : <Status kind="waiting">email not confirmed</Status>;
  return one.endsAt <= now ? <Status>expired</Status> : <Status kind="waiting">invited</Status>;
}

function InvitationForms({ invitation: { id }, at }: { readonly invitation: Invitation; readonly at: string }) {
  const shared = { action: `${at}/people/invitation`, kind: "plain", isInline: true } as const;
  return (
    <Buttons>
      <Form {...shared} submit="Send again" hidden={{ id: String(id), do: "again" }} />
      <Form {...shared} submit="Cancel invitation" hidden={{ id: String(id), do: "cancel" }} />
    </Buttons>
  );
}

interface KeysProps {
  readonly keys: readonly UsedApiKeyRow[];
  readonly at: string;
  readonly now: number;
  readonly mayRevoke: boolean;
}

export function KeyTable({ keys, at, now, mayRevoke }: KeysProps) {
  return (
    <TableSheet
      title="Keys"
      note="Only their ends are kept"
      rows={[...keys].reverse()}
      columns={[
        { title: "Key", cell: (key) => <code>{keyHint(key)}</code>, place: "lead" },
        { title: "Name", cell: ({ label }) => label, place: "sub" },
        { title: "Created", cell: ({ created_at: created }) => <Moment at={created} style="day" />, isExtra: true },
        { title: "Last use", cell: ({ used_at: used }) => <MomentOrNever at={used} /> },
        { title: "From", cell: ({ used_from: from }) => from, isExtra: true },
        { title: "State", cell: (key) => <Status>{keyStateOf(key, now)}</Status>, place: "state" },
        {
          title: "Revoke",
          isTitleHidden: true,
          cell: (key) =>
            mayRevoke && keyStateOf(key, now) === "active" ? (
              <ButtonLink href={`${at}/keys/${formatApiKeyId(key.id)}/revoke`} size="small">
                Revoke key
              </ButtonLink>
            ) : null,
          place: "act",
        },
      ]}
      empty={<Empty title="No keys yet">Its owners and developers create keys in their console.</Empty>}
    />
  );
}

interface EntriesProps {
  readonly entries: readonly LedgerEntry[];
  readonly transactionIds: TransactionIds;
}

export function EntryTable({ entries, transactionIds }: EntriesProps) {
  const nameOf = ({ purchaseId, bankReference }: LedgerEntry) => {
    if (purchaseId === null) return bankReference;
    const transactionId = transactionIds.format(purchaseId, "live");
    return <a href={`/operator/sales/${transactionId}`}>{transactionId}</a>;
  };
  return (
    <TableSheet
      title="Live wallet"
      note={`Last ${entriesShown} entries`}
      caption="Last entries of the live wallet"
      rows={entries}
      columns={[
        { title: "Entry", cell: ({ kind, reason }) => reason ?? spoken(kind), place: "lead" },
        { title: "Time", cell: ({ at }) => <Moment at={at} style="list" />, place: "sub" },
        { title: "Transaction or bank reference", cell: (entry) => nameOf(entry), place: "sub" },
        { title: "Balance", cell: ({ balanceAfter }) => <Money amount={balanceAfter} />, align: "end", isExtra: true },
        { title: "Amount", cell: ({ delta }) => <Money amount={delta} isSigned />, place: "amount" },
      ]}
      empty={<Empty title="No entries yet">Credits and sales appear here.</Empty>}
    />
  );
}

export function CompanyLog({ log }: { readonly log: readonly StoredEntry[] }) {
  return (
    <TableSheet
      anchor="log"
      title="What we did here"
      note={`Last ${logShown} entries of the audit log`}
      caption="What the company did"
      rows={log}
      columns={[
        { title: "What", cell: ({ command }) => <code>{command}</code>, place: "lead" },
        { title: "Who", cell: ({ who }) => personName(who), place: "sub" },
        { title: "When", cell: ({ at }) => <Moment at={at} />, place: "sub" },
        { title: "Details", cell: ({ details }) => detailsText(details, ["merchant", "hash", "kind"]) },
      ]}
      empty={<Empty title="Nothing yet">Changes by our people appear here, and who of support looked.</Empty>}
    />
  );
}
