import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/database/database.ts";
import { invited, memberJoined } from "../identity/emails/email-texts.ts";
import { claimAddress } from "../identity/people/addresses.ts";
import { linkTo } from "../identity/people/one-time-tokens.ts";
import { type Person, readEmail, readPersonName } from "../identity/people/person.ts";
import {
  findPersonByEmail,
  insertPerson,
  updatePersonName,
  updatePersonPassword,
  updatePersonVerified,
} from "../identity/people/person-queries.ts";
import { enter, type Locked, type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import { hashToken, mintToken } from "../identity/people/sessions.ts";
import { countAttempt, emailThrottle, sourceThrottle } from "../identity/people/throttle.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { MerchantRow } from "../merchants/queries.ts";
import {
  deleteEndedInvitations,
  deleteInvitation,
  deleteOpenInvitation,
  findInvitationRow,
  findOpenInvitation,
  insertInvitation,
  listInvitations,
  type OpenInvitation,
} from "./invitation-queries.ts";
import { isOwner, lockMembers, memberAmong, noticeOwners } from "./members.ts";
import { insertMember, type Member } from "./queries.ts";
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
 * Invites an address to a merchant by an email; one that was sent to it before is good no longer. Locks the merchant's row.
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
  const throttles = [sourceThrottle("invitation", source), emailThrottle("invitation", merchantId)];
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

/** Sends an invitation anew, good for another week; the email before is good no longer. @throws Refusal NOT_FOUND */
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
    const { name: invitedBy } = await services.company(tx);
    await sendInvitation(tx, services, { merchant, email, role: "owner", invitedBy, publicUrl });
    return { kind: "invited" };
  });
}

function isMember(members: readonly Member[], email: string): boolean {
  return members.some((member) => member.email === email);
}

/** Writes an invitation, in place of one to the same address. The caller holds the merchant's row. */
export async function sendInvitation(
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

/** The invitation behind a link: for its page, before the button. Null where it is good no longer. */
export async function findInvitation(
  { database, clock }: Pick<PeopleServices, "database" | "clock">,
  token: string,
): Promise<OpenInvitation | null> {
  return findOpenInvitation(database, hashToken(token), clock.now());
}

type Accepted<Refused extends string> =
  | { readonly kind: "accepted"; readonly merchantId: MerchantId; readonly email: string }
  | { readonly kind: Refused };

/** Accepts an invitation as a person who is logged in, with the address that was invited. Once. The owners are told. */
export async function acceptInvitation(
  services: PeopleServices,
  { token, person }: { readonly token: string; readonly person: Person },
): Promise<Accepted<"refused" | "other_address">> {
  const found = await findInvitation(services, token);
  if (found === null || person.realm !== "merchant") return { kind: "refused" };
  if (found.email !== person.email) return { kind: "other_address" };
  return services.database.transaction(async (tx): Promise<Accepted<"refused">> => {
    if (!(await deleteOpenInvitation(tx, hashToken(token), services.clock.now()))) return { kind: "refused" };
    // The link came by an email to the address.
    await updatePersonVerified(tx, person.id, services.clock.now());
    return join(tx, services, found, person);
  });
}

/**
 * Accepts an invitation as a person who has no account, and makes it, with the address that was invited; one that a stranger
 * may have made, as it never confirmed the address, becomes theirs. It logs in with its password then. A password that is refused leaves the invitation good. @throws Refusal VALIDATION_ERROR, MAINTENANCE
 */
export async function acceptAsNewPerson(
  services: PeopleServices,
  given: { readonly token: string; readonly name: string; readonly password: string },
): Promise<Accepted<"refused" | "has_account">> {
  const { database, clock, passwords } = services;
  const found = await findInvitation(services, given.token);
  if (found === null) return { kind: "refused" };
  if (found.hasAccount) return { kind: "has_account" };
  const name = readPersonName(given.name);
  const { email } = found;
  passwords.check(given.password, { email, name });
  const passwordHash = await passwords.hash(given.password);
  const now = clock.now();
  return database
    .transaction(async (tx): Promise<Accepted<"refused" | "has_account">> => {
      const person = await enterPerson(tx, { email, name, passwordHash, now });
      if (person === null) return { kind: "has_account" };
      // Thrown away with everything else where another one accepted it just now.
      if (!(await deleteOpenInvitation(tx, hashToken(given.token), now))) throw new AcceptedBefore();
      return join(tx, services, found, person);
    })
    .catch((error: unknown) => {
      if (error instanceof AcceptedBefore) return { kind: "refused" };
      throw error;
    });
}

/** A new person with a confirmed address, or one that never confirmed it, anew. Null where one did. */
async function enterPerson(
  tx: Tx,
  given: { readonly email: string; readonly name: string; readonly passwordHash: string; readonly now: Instant },
): Promise<Person | null> {
  const { email, name, passwordHash, now } = given;
  const person = await insertPerson(tx, { realm: "merchant", emailVerifiedAt: now, ...given });
  if (person !== null) return person;
  const known = await findPersonByEmail(tx, "merchant", email);
  if (known === null || !(await claimAddress(tx, known.id, now))) return null;
  await updatePersonName(tx, known.id, name);
  await updatePersonPassword(tx, known.id, passwordHash);
  return known;
}

/** Undoes a transaction. */
class AcceptedBefore extends Error {
  override readonly name = "AcceptedBefore";
}

async function join(
  tx: Tx,
  services: PeopleServices,
  invitation: OpenInvitation,
  person: Person,
): Promise<Accepted<never>> {
  const { merchantId, merchantName: merchant, role, email } = invitation;
  const isNew = await insertMember(tx, { merchantId, personId: person.id, role, now: services.clock.now() });
  // Somebody who became a member otherwise keeps the role.
  if (isNew) {
    await noticeOwners(tx, services, merchantId, (frame) =>
      memberJoined(frame, { merchant, email, role: roleTitle(role) }),
    );
  }
  const details = { merchant: formatMerchantId(merchantId), role, invitedBy: invitation.invitedBy };
  await enter(tx, { person, command: "console member accept", details });
  return { kind: "accepted", merchantId, email };
}
