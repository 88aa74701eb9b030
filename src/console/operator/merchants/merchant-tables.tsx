import type { StoredEntry } from "../../../domain/audit/audit-queries.ts";
import type { LedgerEntry } from "../../../domain/history/reports/queries.ts";
import type { Invitation } from "../../../domain/members/invitation-queries.ts";
import type { Member } from "../../../domain/members/queries.ts";
import { keyStateOf } from "../../../domain/merchants/api-keys.ts";
import { keyHint } from "../../../domain/merchants/key-format.ts";
import type { UsedApiKeyRow } from "../../../domain/merchants/key-queries.ts";
import { formatApiKeyId } from "../../../domain/merchants/merchant.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, MomentOrNever, Money, Status, spoken } from "../../kit/parts/text.tsx";
import { detailsText, personName } from "../audit/audit-words.ts";

interface PeopleProps {
  readonly people: readonly Member[];
  /** Invitations that were not accepted. */
  readonly invitations: readonly Invitation[];
}

/** The merchant's people, and after them those who are invited. */
export function PeopleTable({ people, invitations }: PeopleProps) {
  return (
    <Table
      caption="People"
      rows={[...people.map(knownPerson), ...invitations.map(invitedPerson)]}
      columns={[
        { title: "Name", cell: ({ name }) => name, place: "lead" },
        { title: "Email", cell: ({ email }) => email, place: "sub" },
        { title: "Role", cell: ({ role }) => role, place: "sub" },
        { title: "Two-step login", cell: ({ twoSteps }) => twoSteps },
        {
          title: "Last seen",
          cell: ({ isInvited, lastSeenAt }) => (isInvited ? null : <MomentOrNever at={lastSeenAt} />),
        },
        { title: "State", isTitleHidden: true, cell: (person) => <PersonState {...person} />, place: "state" },
      ]}
      empty={<Empty title="Nobody can log in">An owner who is invited appears here.</Empty>}
    />
  );
}

type ListedPerson = Pick<Member, "name" | "role" | "isVerified" | "lastSeenAt"> & {
  readonly email: string | null;
  readonly twoSteps: string | null;
  readonly isInvited: boolean;
};

function knownPerson({ hasTotp, passkeys, ...person }: Member): ListedPerson {
  return { ...person, twoSteps: hasTotp || passkeys > 0 ? "on" : "off", isInvited: false };
}

function invitedPerson({ email: name, role }: Invitation): ListedPerson {
  return { name, role, email: null, twoSteps: null, isVerified: false, lastSeenAt: null, isInvited: true };
}

function PersonState({ isInvited, isVerified }: ListedPerson) {
  if (isInvited) return <Status kind="waiting">invited</Status>;
  return isVerified ? null : <Status kind="waiting">email not confirmed</Status>;
}

interface KeysProps {
  readonly keys: readonly UsedApiKeyRow[];
  readonly at: string;
  readonly now: number;
  readonly mayRevoke: boolean;
}

export function KeyTable({ keys, at, now, mayRevoke }: KeysProps) {
  return (
    <Table
      caption="Keys"
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
    <Table
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
    <Table
      caption="What the company did"
      rows={log}
      columns={[
        { title: "What", cell: ({ command }) => <code>{command}</code>, place: "lead" },
        { title: "Who", cell: ({ who }) => personName(who), place: "sub" },
        { title: "When", cell: ({ at }) => <Moment at={at} />, place: "sub" },
        { title: "Details", cell: ({ details }) => detailsText(details, ["merchant", "payload_hash", "kind"]) },
      ]}
      empty={<Empty title="Nothing yet">Changes by our people appear here, and who of support looked.</Empty>}
    />
  );
}
