import type { MerchantId } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/database/database.ts";
import { memberRemoved, roleChanged } from "../identity/letters/letter-texts.ts";
import type { PeopleServices } from "../identity/people/people-services.ts";
import type { Person, PersonId } from "../identity/people/person.ts";
import { enter, sendNotice } from "../identity/people/send-notice.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { lockMerchant } from "../merchants/queries.ts";
import { memberAmong, ownersAmong } from "./owners.ts";
import { deleteMember, listMembers, type Member, updateMemberRole } from "./queries.ts";
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
 * something else at once do not leave it without one. A letter tells of it. @throws Refusal NOT_FOUND
 */
export function changeRole(
  services: PeopleServices,
  { role, ...target }: Target & { readonly role: Role },
): Promise<{ readonly kind: "changed" | "unchanged" | Refused }> {
  const { merchantId, personId, by } = target;
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const member = memberAmong(members, personId);
    if (!isOwner(members, by)) return { kind: "not_owner" };
    if (member === undefined) return { kind: "unknown" };
    if (member.role === role) return { kind: "unchanged" };
    if (isLastOwner(members, member)) return { kind: "last_owner" };
    await updateMemberRole(tx, { merchantId, personId, role });
    const { email } = member;
    await sendNotice(tx, services, member, (frame) =>
      roleChanged(frame, { merchant: merchant.name, email, role: roleTitle(role) }),
    );
    const details = { merchant: formatMerchantId(merchantId), email, from: member.role, to: role };
    await enter(tx, { person: by, command: "console member role", details });
    return { kind: "changed" };
  });
}

/**
 * Takes a member away, which acts at its next request: owners may take away others, and everybody itself. Locks the merchant's
 * row. A letter tells of it. @throws Refusal NOT_FOUND
 */
export function removeMember(
  services: PeopleServices,
  target: Target,
): Promise<{ readonly kind: "removed" | Refused }> {
  const { merchantId, personId, by } = target;
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const member = memberAmong(members, personId);
    if (by.id !== personId && !isOwner(members, by)) return { kind: "not_owner" };
    if (member === undefined) return { kind: "unknown" };
    if (isLastOwner(members, member)) return { kind: "last_owner" };
    await deleteMember(tx, merchantId, personId);
    const { email } = member;
    await sendNotice(tx, services, member, (frame) => memberRemoved(frame, { merchant: merchant.name, email }));
    const details = { merchant: formatMerchantId(merchantId), email, role: member.role };
    await enter(tx, { person: by, command: "console member remove", details });
    return { kind: "removed" };
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
