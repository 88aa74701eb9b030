import type { MerchantId } from "../../kernel/ids.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { withLastStep } from "../../platform/database/joined-database.ts";
import { auditDetails } from "../audit/audit-log.ts";
import { hasWritten, insertEntry } from "../audit/audit-queries.ts";
import {
  type Frame,
  memberRemoved,
  roleChanged,
  twoStepDemanded,
  twoStepOptional,
} from "../identity/emails/email-texts.ts";
import type { EmailText } from "../identity/emails/emails.ts";
import { auditName, type Person, type PersonId } from "../identity/people/person.ts";
import { enter, type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { lockMerchant, type MerchantRow } from "../merchants/queries.ts";
import {
  deleteMember,
  deleteTwoStepRule,
  insertTwoStepRule,
  listMembers,
  type Member,
  updateMemberRole,
} from "./queries.ts";
import { type Role, roleTitle } from "./roles.ts";

/** Why a member could not be changed. */
type Refused = "last_owner" | "unknown" | "not_owner";

/** The membership that is changed, and the member who changes it. */
interface Target {
  readonly merchantId: MerchantId;
  readonly personId: PersonId;
  readonly by: Person;
}

/**
 * Gives a member another role, which acts at its next request. Locks the merchant's row: two owners who make each other
 * something else at once do not leave it without one. An email tells of it. @throws Refusal NOT_FOUND
 */
export function changeRole(
  services: PeopleServices,
  { role, ...target }: Target & { readonly role: Role },
): Promise<{ readonly kind: "changed" | "unchanged" | Refused }> {
  const { merchantId, personId, by } = target;
  return services.database.transaction(async (tx) => {
    const team = await lockMembers(tx, merchantId);
    if (!isOwner(team.members, by)) return { kind: "not_owner" };
    const { kind, member } = await giveRole(tx, services, { ...team, personId, role });
    if (kind === "changed") {
      const details = { merchant: formatMerchantId(merchantId), email: member.email, from: member.role, to: role };
      await enter(tx, { person: by, command: "console member role", details });
    }
    return { kind };
  });
}

/**
 * Takes a member away, which acts at its next request: owners may take away others, and everybody itself. Locks the merchant's
 * row. An email tells of it. @throws Refusal NOT_FOUND
 */
export function removeMember(
  services: PeopleServices,
  target: Target,
): Promise<{ readonly kind: "removed" | Refused }> {
  const { merchantId, personId, by } = target;
  return services.database.transaction(async (tx) => {
    const team = await lockMembers(tx, merchantId);
    if (by.id !== personId && !isOwner(team.members, by)) return { kind: "not_owner" };
    const { kind, member } = await takeAway(tx, services, { ...team, personId });
    if (kind === "removed") {
      const details = { merchant: formatMerchantId(merchantId), email: member.email, role: member.role };
      await enter(tx, { person: by, command: "console member remove", details });
    }
    return { kind };
  });
}

/** A merchant whose row is locked, and one of its people. */
interface OnTeam {
  readonly merchant: MerchantRow;
  readonly members: readonly Member[];
  readonly personId: PersonId;
}

type EmailServices = Pick<PeopleServices, "clock" | "secretBox" | "company">;
type NotMoved = { readonly kind: "unknown"; readonly member?: never };

/** Gives a member another role and writes to it, whoever asked for it; the last owner stays one. */
export async function giveRole(
  tx: Tx,
  services: EmailServices,
  { merchant, members, personId, role }: OnTeam & { readonly role: Role },
): Promise<{ readonly kind: "changed" | "unchanged" | "last_owner"; readonly member: Member } | NotMoved> {
  const member = memberAmong(members, personId);
  if (member === undefined) return { kind: "unknown" };
  if (member.role === role) return { kind: "unchanged", member };
  if (isLastOwner(members, member)) return { kind: "last_owner", member };
  await updateMemberRole(tx, { merchantId: merchant.id, personId, role });
  const { email } = member;
  await sendNotice(tx, services, member, (frame) =>
    roleChanged(frame, { merchant: merchant.name, email, role: roleTitle(role) }),
  );
  return { kind: "changed", member };
}

/** Takes a member away and writes to it, whoever asked for it; the last owner stays. */
export async function takeAway(
  tx: Tx,
  services: EmailServices,
  { merchant, members, personId }: OnTeam,
): Promise<{ readonly kind: "removed" | "last_owner"; readonly member: Member } | NotMoved> {
  const member = memberAmong(members, personId);
  if (member === undefined) return { kind: "unknown" };
  if (isLastOwner(members, member)) return { kind: "last_owner", member };
  await deleteMember(tx, merchant.id, personId);
  const { email } = member;
  await sendNotice(tx, services, member, (frame) => memberRemoved(frame, { merchant: merchant.name, email }));
  return { kind: "removed", member };
}

/**
 * Demands two-step login of everybody on a team, or no longer, which acts at each one's next request. An owner who has not set
 * it up is asked to do so before. Locks the merchant's row. Emails tell of it. @throws Refusal NOT_FOUND
 */
export function demandTwoStep(
  services: PeopleServices,
  { merchantId, by, isOn }: Omit<Target, "personId"> & { readonly isOn: boolean },
): Promise<{ readonly kind: "changed" | "unchanged" | "not_owner" | "not_set_up" }> {
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    if (!isOwner(members, by)) return { kind: "not_owner" };
    if (isOn && !by.hasTotp && !by.hasPasskey) return { kind: "not_set_up" };
    const now = services.clock.now();
    const isChanged = isOn ? await insertTwoStepRule(tx, merchantId, now) : await deleteTwoStepRule(tx, merchantId);
    if (!isChanged) return { kind: "unchanged" };
    const about = { merchant: merchant.name, by: by.name };
    const text = (frame: Frame) => (isOn ? twoStepDemanded(frame, about) : twoStepOptional(frame, about));
    for (const member of members) await sendNotice(tx, services, member, text);
    const details = { merchant: formatMerchantId(merchantId) };
    await enter(tx, { person: by, command: isOn ? "console two-step demand" : "console two-step allow", details });
    return { kind: "changed" };
  });
}

/** A merchant's members, who stay as they are until the transaction ends. */
export async function lockMembers(tx: Tx, merchantId: MerchantId) {
  const merchant = await lockMerchant(tx, merchantId);
  return { merchant, members: await listMembers(tx, merchantId) };
}

export function isOwner(members: readonly Member[], { id }: Pick<Person, "id">): boolean {
  return memberAmong(members, id)?.role === "owner";
}

function isLastOwner(members: readonly Member[], member: Member): boolean {
  return member.role === "owner" && ownersAmong(members).length === 1;
}

/** Writes an email to every owner of a merchant, in the transaction of what it tells. */
export async function noticeOwners(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "secretBox" | "company">,
  merchantId: MerchantId,
  text: (frame: Frame) => EmailText,
): Promise<void> {
  for (const owner of ownersAmong(await listMembers(tx, merchantId))) await sendNotice(tx, services, owner, text);
}

export function ownersAmong(members: readonly Member[]): Member[] {
  return members.filter(({ role }) => role === "owner");
}

/** The member of a merchant with a number; undefined where there is none. */
export function memberAmong(members: readonly Member[], id: PersonId): Member | undefined {
  return members.find(({ personId }) => personId === id);
}

/**
 * The database for a change that a member makes by a function which knows nothing of members, such as `createKey`: each
 * transaction that changes something ends with an email to the owners, where there is a text, and the audit log's entry.
 */
export function memberDatabase(
  services: Pick<PeopleServices, "clock" | "secretBox" | "company"> & { readonly database: Database },
  change: {
    readonly by: Person;
    readonly merchantId: MerchantId;
    /** As the audit log has it: `console key create`. */
    readonly command: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly email?: (frame: Frame) => EmailText;
  },
): Database {
  const { by, merchantId, command, details = {}, email } = change;
  return withLastStep(services.database, async (tx) => {
    if (!(await hasWritten(tx))) return;
    if (email !== undefined) await noticeOwners(tx, services, merchantId, email);
    const named = { merchant: formatMerchantId(merchantId), ...details };
    await insertEntry(tx, { who: auditName(by), command, details: auditDetails(named) });
  });
}
