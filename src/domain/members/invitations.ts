import type { MerchantId } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/database/database.ts";
import { invited } from "../identity/letters/letter-texts.ts";
import { linkTo } from "../identity/people/one-time-tokens.ts";
import type { Locked, PeopleServices } from "../identity/people/people-services.ts";
import { type Person, readEmail } from "../identity/people/person.ts";
import { findPersonByEmail } from "../identity/people/person-queries.ts";
import { enter, sendNotice } from "../identity/people/send-notice.ts";
import { hashToken, mintToken } from "../identity/people/sessions.ts";
import { countAttempt, letterThrottle, sourceThrottle } from "../identity/people/throttle.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { MerchantRow } from "../merchants/queries.ts";
import {
  deleteEndedInvitations,
  deleteInvitation,
  findInvitationRow,
  insertInvitation,
  listInvitations,
} from "./invitation-queries.ts";
import { isOwner, lockMembers } from "./members.ts";
import { memberAmong } from "./owners.ts";
import type { Member } from "./queries.ts";
import { type Role, roleTitle } from "./roles.ts";

const dayMs = 86_400_000;
const lifeMs = 7 * dayMs;

export interface InvitationRequest {
  readonly merchantId: MerchantId;
  readonly email: string;
  readonly role: Role;
  readonly by: Person;
  readonly publicUrl: string;
  /** See `sourceOf`. */
  readonly source: string;
}

/** Why somebody's invitations are not sent: they go to strangers, under a name that the business chose. */
type NotSent = "not_owner" | "unconfirmed" | "suspended";
type Invited =
  | { readonly kind: "invited"; readonly id: number }
  | { readonly kind: "member" | "too_many" | NotSent }
  | Locked;

/** Invitations of one merchant that were not accepted yet. */
const waitingMax = 100;

/**
 * Invites an address to a merchant by a letter; one that was sent to it before is good no longer. Locks the merchant's row.
 * @throws Refusal VALIDATION_ERROR, NOT_FOUND
 */
export async function invite(services: PeopleServices, request: InvitationRequest): Promise<Invited> {
  const { merchantId, role, by, publicUrl } = request;
  const email = readEmail(request.email);
  const locked = await countInvitation(services, request);
  if (locked !== null) return locked;
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const refused = whyNotSent(merchant, members, by);
    if (refused !== null) return { kind: refused };
    if (isMember(members, email)) return { kind: "member" };
    const waiting = await listInvitations(tx, merchantId);
    if (waiting.length >= waitingMax) return { kind: "too_many" };
    const invitation = { merchant, email, role, invitedBy: by.email, publicUrl };
    const id = await sendInvitation(tx, services, invitation);
    const details = { merchant: formatMerchantId(merchantId), email, role };
    await enter(tx, { person: by, command: "console member invite", details });
    return { kind: "invited", id };
  });
}

function countInvitation(
  services: PeopleServices,
  { merchantId, source }: Pick<InvitationRequest, "merchantId" | "source">,
): Promise<Locked | null> {
  const throttles = [sourceThrottle("invitation", source), letterThrottle("invitation", merchantId)];
  return countAttempt(services, { act: "invitation", source, throttles });
}

function whyNotSent({ status }: MerchantRow, members: readonly Member[], by: Person): NotSent | null {
  if (!isOwner(members, by)) return "not_owner";
  if (memberAmong(members, by.id)?.isVerified !== true) return "unconfirmed";
  return status === "suspended" ? "suspended" : null;
}

interface Named {
  readonly merchantId: MerchantId;
  readonly id: number;
  readonly by: Person;
}

/** Sends an invitation anew, good for another week; the letter before is good no longer. @throws Refusal NOT_FOUND */
export async function resendInvitation(
  services: PeopleServices,
  request: Named & Pick<InvitationRequest, "publicUrl" | "source">,
): Promise<{ readonly kind: "resent" | "unknown" | NotSent } | Locked> {
  const { merchantId, id, by, publicUrl } = request;
  const locked = await countInvitation(services, request);
  if (locked !== null) return locked;
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    const refused = whyNotSent(merchant, members, by);
    if (refused !== null) return { kind: refused };
    const found = await findInvitationRow(tx, merchantId, id);
    if (found === null) return { kind: "unknown" };
    const { email, role } = found;
    await sendInvitation(tx, services, { merchant, email, role, invitedBy: by.email, publicUrl });
    const details = { merchant: formatMerchantId(merchantId), email, role };
    await enter(tx, { person: by, command: "console member invite again", details });
    return { kind: "resent" };
  });
}

/** Takes an invitation back. @throws Refusal NOT_FOUND */
export function withdrawInvitation(
  services: PeopleServices,
  { merchantId, id, by }: Named,
): Promise<{ readonly kind: "withdrawn" | "unknown" | "not_owner" }> {
  return services.database.transaction(async (tx) => {
    const { members } = await lockMembers(tx, merchantId);
    if (!isOwner(members, by)) return { kind: "not_owner" };
    const found = await findInvitationRow(tx, merchantId, id);
    if (found === null || !(await deleteInvitation(tx, merchantId, id))) return { kind: "unknown" };
    const details = { merchant: formatMerchantId(merchantId), email: found.email };
    await enter(tx, { person: by, command: "console member withdraw", details });
    return { kind: "withdrawn" };
  });
}

/**
 * Invites an owner on behalf of the operator, whose command enters it in the audit log. Locks the merchant's row.
 * @throws Refusal VALIDATION_ERROR, NOT_FOUND
 */
export async function inviteOwner(
  services: Pick<PeopleServices, "database" | "clock" | "randomness" | "secretBox" | "company">,
  request: Omit<InvitationRequest, "by" | "role" | "source"> & { readonly operator: string },
): Promise<{ readonly kind: "invited" | "member" }> {
  const { merchantId, publicUrl } = request;
  const email = readEmail(request.email);
  return services.database.transaction(async (tx) => {
    const { merchant, members } = await lockMembers(tx, merchantId);
    if (isMember(members, email)) return { kind: "member" };
    const { name: invitedBy } = await services.company();
    await sendInvitation(tx, services, { merchant, email, role: "owner", invitedBy, publicUrl });
    return { kind: "invited" };
  });
}

function isMember(members: readonly Member[], email: string): boolean {
  return members.some((member) => member.email === email);
}

async function sendInvitation(
  tx: Tx,
  services: Pick<PeopleServices, "clock" | "randomness" | "secretBox" | "company">,
  invitation: {
    readonly merchant: { readonly id: MerchantId; readonly name: string };
    readonly email: string;
    readonly role: Role;
    readonly invitedBy: string;
    readonly publicUrl: string;
  },
): Promise<number> {
  const { merchant, email, role, invitedBy, publicUrl } = invitation;
  const token = mintToken(services);
  const now = services.clock.now();
  const stored = { merchantId: merchant.id, email, role, invitedBy, createdAt: now, endsAt: now + lifeMs };
  const id = await insertInvitation(tx, { ...stored, hash: hashToken(token) });
  const known = await findPersonByEmail(tx, "merchant", email);
  const link = linkTo(publicUrl, "/accept-invitation", token);
  await sendNotice(tx, services, { email, name: known?.name ?? email }, (frame) =>
    invited(frame, { merchant: merchant.name, invitedBy, role: roleTitle(role), link }),
  );
  return id;
}

/** How long those that have ended are shown, to be sent again. */
const keptMs = 30 * dayMs;

/** Deletes invitations that ended long ago. @returns how many */
export function purgeInvitations(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  limit: number,
): Promise<number> {
  return deleteEndedInvitations(database, clock.now() - keptMs, limit);
}
