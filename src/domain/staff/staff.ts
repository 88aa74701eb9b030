import type { Clock, Instant } from "../../kernel/clock.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import { deleteBackupCodes } from "../identity/people/backup-code-queries.ts";
import { linkTo, mintOneTimeToken, takeOneTimeToken } from "../identity/people/one-time-tokens.ts";
import { deletePasskeysOf } from "../identity/people/passkey-queries.ts";
import { type Person, type PersonId, parseEmail, readEmail, readPersonName } from "../identity/people/person.ts";
import {
  findPersonByEmail,
  insertPerson,
  updatePersonName,
  updatePersonPassword,
  updateTotpOff,
} from "../identity/people/person-queries.ts";
import { enter, type PeopleServices, sendNotice } from "../identity/people/send-notice.ts";
import { endSessionsOf, hashToken } from "../identity/people/sessions.ts";
import { deleteInvitationsTo, findToken, listInvitationRows } from "../identity/people/token-queries.ts";
import { type Actor, actorName } from "./actor.ts";
import { withdrawAllOf } from "./decide-change.ts";
import { staffFactorsReset, staffInvited, staffRemoved, staffRoleChanged } from "./emails.ts";
import { type StaffRole, staffRoles } from "./roles.ts";
import {
  deleteStaffMember,
  findStaffMember,
  insertStaffMember,
  listStaff,
  lockStaff,
  type StaffMember,
  updateStaffRole,
} from "./staff-queries.ts";

/** Where a link lets a person in who has no place yet. */
const joinPage = "/operator/join";

type LinkServices = Pick<PeopleServices, "clock" | "randomness"> & { readonly database: Database };

/**
 * Makes a link that makes the first person of the company: good once, for an hour, and only while there is nobody. One that
 * was made before is good as well. Null where there is somebody.
 */
export async function firstOperatorLink(services: LinkServices, publicUrl: string): Promise<string | null> {
  if ((await listStaff(services.database)).length > 0) return null;
  const token = await mintOneTimeToken(services.database, services, { purpose: "first_operator", personId: null });
  return linkTo(publicUrl, joinPage, token);
}

/** An invitation that was not accepted yet. */
export interface StaffInvitation {
  readonly email: string;
  readonly role: StaffRole;
  readonly invitedBy: string;
  readonly endsAt: Instant;
}

/** Invitations that wait, and those that have expired, the oldest first. */
export async function listStaffInvitations(db: Queryable): Promise<StaffInvitation[]> {
  return (await listInvitationRows(db)).map(({ payload, endsAt }) => ({ ...parseInvitation(payload), endsAt }));
}

function parseInvitation(payload: string): Omit<StaffInvitation, "endsAt"> {
  return JSON.parse(payload) as Omit<StaffInvitation, "endsAt">;
}

/**
 * Invites an address by an email whose link is good once, for 7 days; one that was sent before is good no longer. Locks the
 * table of staff. The caller's database enters it in the audit log. @throws Refusal VALIDATION_ERROR
 */
export async function inviteStaff(
  services: Pick<PeopleServices, "database" | "clock" | "randomness" | "secretBox" | "company">,
  given: { readonly email: string; readonly role: StaffRole; readonly publicUrl: string; readonly invitedBy: string },
): Promise<{ readonly kind: "invited" | "member"; readonly link: string | null }> {
  const { role, publicUrl, invitedBy } = given;
  const email = readEmail(given.email);
  return services.database.transaction(async (tx) => {
    const staff = await lockStaff(tx);
    if (staff.some((member) => member.email === email)) return { kind: "member", link: null };
    await deleteInvitationsTo(tx, email);
    const payload = JSON.stringify({ email, role, invitedBy });
    const token = await mintOneTimeToken(tx, services, { purpose: "staff_invitation", personId: null, payload });
    const link = linkTo(publicUrl, joinPage, token);
    await sendNotice(tx, services, { email, name: email }, (frame) => staffInvited(frame, { role, link }));
    return { kind: "invited", link };
  });
}

export function withdrawStaffInvitation(
  { database }: { readonly database: Database },
  { email }: { readonly email: string },
): Promise<{ readonly kind: "withdrawn" | "unknown" }> {
  return database.transaction(async (tx) => ({
    kind: (await deleteInvitationsTo(tx, email)) ? "withdrawn" : "unknown",
  }));
}

/** What a link offers: the first place of all, or the one that an invitation names. */
export type Offer =
  | { readonly kind: "first" }
  | { readonly kind: "invited"; readonly email: string; readonly role: StaffRole; readonly invitedBy: string };

/** For the page behind a link, before the button. Null where the link was used, has expired or never was. */
export async function findOffer(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  token: string,
): Promise<Offer | null> {
  const hash = hashToken(token);
  const now = clock.now();
  const invited = await findToken(database, { hash, purpose: "staff_invitation", now });
  if (invited !== null) return { kind: "invited", ...parseInvitation(invited.payload ?? "{}") };
  const first = await findToken(database, { hash, purpose: "first_operator", now });
  return first !== null && (await listStaff(database)).length === 0 ? { kind: "first" } : null;
}

/**
 * Gives whoever follows a link an account with its place: once. The first one says the address itself. Somebody who worked
 * here before comes back with a new password. @throws Refusal VALIDATION_ERROR, MAINTENANCE: the link is still good
 */
export async function joinStaff(
  services: PeopleServices,
  given: { readonly token: string; readonly email: string; readonly name: string; readonly password: string },
): Promise<{ readonly kind: "joined"; readonly email: string } | { readonly kind: "refused" }> {
  const { database, clock, passwords } = services;
  const offer = await findOffer(services, given.token);
  if (offer === null) return { kind: "refused" };
  const email = offer.kind === "first" ? readEmail(given.email) : offer.email;
  const role = offer.kind === "first" ? "admin" : offer.role;
  const name = readPersonName(given.name);
  passwords.check(given.password, { email, name });
  const passwordHash = await passwords.hash(given.password);
  const now = clock.now();
  return database.transaction(async (tx) => {
    const staff = await lockStaff(tx);
    const purpose = offer.kind === "first" ? "first_operator" : "staff_invitation";
    const taken = await takeOneTimeToken(tx, services, purpose, given.token);
    if (taken === null || (offer.kind === "first" && staff.length > 0)) return { kind: "refused" };
    const person = await enterPerson(tx, { email, name, passwordHash, now });
    await insertStaffMember(tx, { personId: person, role, now });
    const joined = { realm: "staff", email, name } as const;
    await enter(tx, { person: joined, command: "console staff join", details: { role } });
    return { kind: "joined", email };
  });
}

async function enterPerson(
  tx: Tx,
  given: { readonly email: string; readonly name: string; readonly passwordHash: string; readonly now: Instant },
): Promise<PersonId> {
  const { email, name, passwordHash, now } = given;
  const person = await insertPerson(tx, { realm: "staff", email, name, passwordHash, emailVerifiedAt: now, now });
  if (person !== null) return person.id;
  const known = await findPersonByEmail(tx, "staff", email);
  if (known === null) throw refuseField("VALIDATION_ERROR", "email", "This address can't be used.");
  await updatePersonName(tx, known.id, name);
  await updatePersonPassword(tx, known.id, passwordHash);
  return known.id;
}

/**
 * The person who does something by a command, as the audit log names people: where there are any, a person of the company by its email;
 * else the name as it was typed. @throws Refusal VALIDATION_ERROR, which lists them
 */
export async function namedPerson(db: Queryable, typed: string): Promise<string> {
  const staff = await listStaff(db);
  if (staff.length === 0) return typed;
  const email = typed.trim().toLowerCase();
  const person = staff.find((each) => each.email === email);
  if (person !== undefined) return actorName(person);
  const emails = staff.map((each) => each.email).join(", ");
  throw refuse("VALIDATION_ERROR", { message: `${typed} is not a staff member. Give the email of one: ${emails}.` });
}

/**
 * The person of the company who asks for something by a command, in one of these roles; null while the company has none.
 * @throws Refusal VALIDATION_ERROR where the name is nobody's, or not of these roles
 */
export async function findStaffPerson(
  db: Queryable,
  typed: string,
  roles: readonly StaffRole[],
): Promise<Person | null> {
  const staff = await listStaff(db);
  if (staff.length === 0) return null;
  const email = parseEmail(typed);
  const member = staff.find((each) => each.email === email && roles.includes(each.role));
  const person = member === undefined ? null : await findPersonByEmail(db, "staff", member.email);
  if (person !== null) return person;
  const message = `--by must be the email of a person of the company who is ${roles.join(" or ")}: staff lists them.`;
  throw refuse("VALIDATION_ERROR", { message });
}

/** The same, or while the company has no staff whoever is named. @throws Refusal as `findStaffPerson` */
export async function findActor(db: Queryable, typed: string, roles: readonly StaffRole[]): Promise<Actor> {
  return (await findStaffPerson(db, typed, roles)) ?? { id: null, name: typed, email: null };
}

/** Why somebody's place could not be changed. */
type NotChanged = "unknown" | "last_admin" | "unchanged";

/** Gives a person another role, which acts at the next request. Locks the table of staff. An email tells of it. */
export function changeStaffRole(
  services: Pick<PeopleServices, "database" | "clock" | "secretBox" | "company">,
  given: { readonly personId: PersonId; readonly role: StaffRole },
): Promise<{ readonly kind: "changed" | NotChanged; readonly member: StaffMember | null }> {
  const { personId, role } = given;
  return services.database.transaction(async (tx) => {
    const staff = await lockStaff(tx);
    const member = staff.find((each) => each.personId === personId) ?? null;
    if (member === null) return { kind: "unknown", member };
    if (member.role === role) return { kind: "unchanged", member };
    if (isLastAdmin(staff, member)) return { kind: "last_admin", member };
    await updateStaffRole(tx, personId, role);
    await sendNotice(tx, services, member, (frame) => staffRoleChanged(frame, { role }));
    return { kind: "changed", member };
  });
}

/**
 * Takes a person's authenticator app, backup codes and passkeys away, as its phone is lost: it logs in with its password
 * and sets up others before anything else. An email tells of it.
 */
export function resetFactors(
  services: Pick<PeopleServices, "database" | "clock" | "secretBox" | "company">,
  { personId }: { readonly personId: PersonId },
): Promise<StaffMember | null> {
  return services.database.transaction(async (tx) => {
    const member = await findStaffMember(tx, personId);
    if (member === null) return null;
    await updateTotpOff(tx, personId);
    await deleteBackupCodes(tx, personId);
    await deletePasskeysOf(tx, personId);
    await endSessionsOf(tx, personId, null);
    await sendNotice(tx, services, member, staffFactorsReset);
    return member;
  });
}

/** Takes a person's place away, ends its sessions and withdraws what it asked for. Locks the table of staff. An email tells of it. */
export function removeStaff(
  services: Pick<PeopleServices, "database" | "clock" | "secretBox" | "company">,
  { personId }: { readonly personId: PersonId },
): Promise<{ readonly kind: "removed" | Exclude<NotChanged, "unchanged">; readonly member: StaffMember | null }> {
  return services.database.transaction(async (tx) => {
    const staff = await lockStaff(tx);
    const member = staff.find((each) => each.personId === personId) ?? null;
    if (member === null) return { kind: "unknown", member };
    if (isLastAdmin(staff, member)) return { kind: "last_admin", member };
    await deleteStaffMember(tx, personId);
    await endSessionsOf(tx, personId, null);
    await withdrawAllOf(tx, services, personId, `${member.name} was removed from the staff.`.slice(0, 200));
    await sendNotice(tx, services, member, staffRemoved);
    return { kind: "removed", member };
  });
}

/** @throws Refusal VALIDATION_ERROR before anybody is asked to agree to it */
export async function refuseLastAdmin(db: Queryable, personId: PersonId): Promise<void> {
  const staff = (await listStaff(db)).filter(({ isKeptOut }) => !isKeptOut);
  const member = staff.find((each) => each.personId === personId);
  if (member === undefined || !isLastAdmin(staff, member)) return;
  throw refuse("VALIDATION_ERROR", { message: "That’s the last admin. Make someone else admin first." });
}

function isLastAdmin(staff: readonly StaffMember[], { personId, role }: StaffMember): boolean {
  const [admin] = staffRoles;
  return role === admin && staff.every((each) => each.personId === personId || each.role !== admin);
}
