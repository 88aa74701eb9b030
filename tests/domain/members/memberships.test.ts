import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { keyChanged } from "../../../src/domain/identity/emails/email-texts.ts";
import { logIn } from "../../../src/domain/identity/people/log-in.ts";
import type { Person } from "../../../src/domain/identity/people/person.ts";
import { listInvitations } from "../../../src/domain/members/invitation-queries.ts";
import {
  acceptAsNewPerson,
  acceptInvitation,
  findInvitation,
  invite,
  purgeInvitations,
  resendInvitation,
  withdrawInvitation,
} from "../../../src/domain/members/invitations.ts";
import { approveLiveAccess, askLiveAccess, saveBusinessDetails } from "../../../src/domain/members/live-access.ts";
import { listLiveAccessRequests } from "../../../src/domain/members/live-access-queries.ts";
import { logInByLink, makeLogInLink } from "../../../src/domain/members/log-in-link.ts";
import { changeRole, memberDatabase, removeMember } from "../../../src/domain/members/members.ts";
import { membershipsOf, principalOf, sellingGate } from "../../../src/domain/members/membership.ts";
import { listMembers } from "../../../src/domain/members/queries.ts";
import type { Role } from "../../../src/domain/members/roles.ts";
import { createKey } from "../../../src/domain/merchants/api-keys.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import {
  auditEntries,
  emailsTo,
  linkedToken,
  membershipIn,
  newOwner,
  origin,
  ownPeople,
  password,
  publicUrl,
} from "../../support/people.ts";

const own = closing(await ownPeople());

const inviteAs = (by: Person, merchantId: MerchantId, email: string, role: Role = "developer") =>
  invite(own.services, { merchantId, email, role, by, publicUrl, source: `invites ${merchantId}` });

/** A merchant with an owner, and somebody else who has become a member of it. */
async function withMember(name: string, role: Role = "developer") {
  const { merchantId, session } = await newOwner(own.services, `owner-${name}@example.com`);
  const { session: other } = await newOwner(own.services, `member-${name}@example.com`);
  const owner = session.person;
  const member = other.person;
  await inviteAs(owner, merchantId, member.email, role);
  const token = await linkedToken(own.database, member.email);
  expect((await acceptInvitation(own.services, { token, person: member })).kind).toBe("accepted");
  return { merchantId, owner, member };
}

const enterAs = (email: string) =>
  logIn(own.services, { realm: "merchant", email, password, source: `s ${email}`, origin });

test("a member buys as its merchant, in the mode asked for and without a key", async () => {
  const { merchantId, session } = await newOwner(own.services, "buys@example.com");
  const membership = await membershipIn(own.database, { merchantId, personId: session.person.id });
  if (membership === null) throw new Error("no membership");
  expect(principalOf(membership, "live")).toMatchObject({
    merchantId,
    mode: "live",
    keyId: null,
    limits: expect.anything(),
  });
  expect(principalOf(membership, "test")).toMatchObject({ mode: "test", limits: null });
  expect([sellingGate(membership, "live"), sellingGate(membership, "test")]).toEqual(["API_ACCESS_NOT_APPROVED", null]);
});

test("an invitation is accepted once, also at once, and by the address that was invited alone", async () => {
  const { merchantId, session } = await newOwner(own.services, "inviter@example.com");
  const { session: invited } = await newOwner(own.services, "invited@example.com");
  const { session: other } = await newOwner(own.services, "finder@example.com");
  await inviteAs(session.person, merchantId, "Invited@example.com", "finance");
  const token = await linkedToken(own.database, "invited@example.com");
  expect(await findInvitation(own.services, token)).toMatchObject({ role: "finance", hasAccount: true });
  expect(await acceptInvitation(own.services, { token, person: other.person })).toEqual({ kind: "other_address" });
  expect(await acceptAsNewPerson(own.services, { token, name: "Eve", password })).toEqual({ kind: "has_account" });
  const tries = await Promise.all(
    [1, 2, 3].map(async () => (await acceptInvitation(own.services, { token, person: invited.person })).kind),
  );
  expect(tries.sort()).toEqual(["accepted", "refused", "refused"]);
  expect(await membershipsOf(own.database, other.person.id)).toHaveLength(1);
  expect((await membershipIn(own.database, { merchantId, personId: invited.person.id }))?.role).toBe("finance");
  expect((await emailsTo(own.database, "inviter@example.com"))[0]?.subject).toContain("invited@example.com joined");
});

test("who has no account makes it by the invitation, once, also at once, with a confirmed address", async () => {
  const { merchantId, session } = await newOwner(own.services, "inviter-new@example.com");
  await inviteAs(session.person, merchantId, "brand-new@example.com", "viewer");
  const token = await linkedToken(own.database, "brand-new@example.com");
  await expect(acceptAsNewPerson(own.services, { token, name: "New", password: "short" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  const tries = await Promise.all(
    [1, 2, 3].map(async () => (await acceptAsNewPerson(own.services, { token, name: "New", password })).kind),
  );
  expect(tries.filter((kind) => kind === "accepted")).toHaveLength(1);
  // Nor does it bring back whoever was removed since.
  expect(await findInvitation(own.services, token)).toBeNull();
  const attempt = await enterAs("brand-new@example.com");
  expect(attempt).toMatchObject({ kind: "in", person: { emailVerifiedAt: expect.any(Number) } });
});

test("an invitation that was sent anew, withdrawn or is a week old lets nobody in by the email before", async () => {
  const { merchantId, session } = await newOwner(own.services, "sends@example.com");
  const by = session.person;
  const invited = await inviteAs(by, merchantId, "emails@example.com");
  if (invited.kind !== "invited") throw new Error(invited.kind);
  const first = await linkedToken(own.database, "emails@example.com");
  expect((await resendInvitation(own.services, { merchantId, id: invited.id, by, publicUrl, source: "x" })).kind).toBe(
    "resent",
  );
  expect(await findInvitation(own.services, first)).toBeNull();
  const second = await linkedToken(own.database, "emails@example.com");
  own.pass(7 * 86_400_000 + 1);
  expect(await findInvitation(own.services, second)).toBeNull();
  await resendInvitation(own.services, { merchantId, id: invited.id, by, publicUrl, source: "x" });
  const third = await linkedToken(own.database, "emails@example.com");
  expect(await withdrawInvitation(own.services, { merchantId, id: invited.id, by })).toEqual({ kind: "withdrawn" });
  expect(await acceptAsNewPerson(own.services, { token: third, name: "N", password })).toEqual({ kind: "refused" });
  await inviteAs(by, merchantId, "old-emails@example.com");
  own.pass(38 * 86_400_000);
  expect(await purgeInvitations(own.services, 100)).toBeGreaterThanOrEqual(1);
  expect(await listInvitations(own.database, merchantId)).toEqual([]);
});

test("who is no owner, or of another merchant, invites, changes and removes nobody", async () => {
  const { merchantId, owner, member } = await withMember("not-owner");
  const { session: stranger } = await newOwner(own.services, "stranger-m@example.com");
  for (const by of [member, stranger.person]) {
    expect((await inviteAs(by, merchantId, "x@example.com")).kind).toBe("not_owner");
    const target = { merchantId, personId: owner.id, by };
    expect((await changeRole(own.services, { ...target, role: "viewer" })).kind).toBe("not_owner");
    expect((await removeMember(own.services, target)).kind).toBe("not_owner");
  }
  expect((await removeMember(own.services, { merchantId, personId: stranger.person.id, by: owner })).kind).toBe(
    "unknown",
  );
});

test("a role acts at the next request, and so does a removal; both are told and entered", async () => {
  const { merchantId, owner, member } = await withMember("acts");
  const target = { merchantId, personId: member.id, by: owner };
  expect(await changeRole(own.services, { ...target, role: "finance" })).toEqual({ kind: "changed" });
  expect(await changeRole(own.services, { ...target, role: "finance" })).toEqual({ kind: "unchanged" });
  expect((await membershipIn(own.database, { merchantId, personId: member.id }))?.role).toBe("finance");
  expect(await removeMember(own.services, target)).toEqual({ kind: "removed" });
  expect(await membershipIn(own.database, { merchantId, personId: member.id })).toBeNull();
  const subjects = (await emailsTo(own.database, member.email)).map(({ subject }) => subject);
  expect(subjects[0]).toContain("was removed from");
  expect(subjects[1]).toContain("A role at");
  const commands = (await auditEntries(own.database)).filter(({ who }) => who === `member:${owner.email}`);
  expect(commands.map(({ command }) => command)).toEqual(
    expect.arrayContaining(["console member invite", "console member role", "console member remove"]),
  );
});

test("a merchant never loses its last owner, also where two owners go at once", async () => {
  const { merchantId, owner, member } = await withMember("last");
  const self = { merchantId, personId: owner.id, by: owner };
  expect(await removeMember(own.services, self)).toEqual({ kind: "last_owner" });
  expect(await changeRole(own.services, { ...self, role: "viewer" })).toEqual({ kind: "last_owner" });
  await changeRole(own.services, { merchantId, personId: member.id, by: owner, role: "owner" });
  const kinds = await Promise.all([
    removeMember(own.services, { merchantId, personId: owner.id, by: member }),
    removeMember(own.services, { merchantId, personId: member.id, by: owner }),
    changeRole(own.services, { ...self, role: "viewer" }),
    changeRole(own.services, { merchantId, personId: member.id, by: member, role: "viewer" }),
  ]);
  expect(kinds.map(({ kind }) => kind)).toContain("last_owner");
  const owners = (await listMembers(own.database, merchantId)).filter(({ role }) => role === "owner");
  expect(owners.length).toBeGreaterThanOrEqual(1);
});

test("staff can't be members: the tables refuse it", async () => {
  const { merchantId } = await newOwner(own.services, "staffless@example.com");
  const { rows } = await own.fresh.pool.query(
    "insert into people (realm, email, name, created_at) values ('staff', 'staff@example.com', 'S', now()) returning id",
  );
  const [{ id }] = rows as [{ id: number }];
  for (const realm of ["merchant", "staff"]) {
    const added = own.fresh.pool.query(
      "insert into members (merchant_id, person_id, realm, role, created_at) values ($1, $2, $3, 'viewer', now())",
      [merchantId, id, realm],
    );
    await expect(added).rejects.toThrow(/members_(realm_check|person_id_realm_fkey)/);
  }
});

test("live access is asked for once, by an owner with a confirmed address and details, and granted by an email", async () => {
  const { merchantId, session } = await newOwner(own.services, "live@example.com");
  const by = session.person;
  expect(await askLiveAccess(own.services, { merchantId, by })).toEqual({ kind: "no_details" });
  const details = {
    businessName: "Ada Ltd",
    registrationNumber: null,
    address: "1 Allen, Ikeja",
    phone: "08031234567",
    website: null,
    sells: "Airtime\nand data",
  };
  const wrong = saveBusinessDetails(own.services, { merchantId, by, details: { ...details, phone: "1" } });
  await expect(wrong).rejects.toMatchObject({ detail: { errors: { phone: [expect.any(String)] } } });
  await saveBusinessDetails(own.services, { merchantId, by, details });
  await own.fresh.pool.query("update people set email_verified_at = null where id = $1", [by.id]);
  expect(await askLiveAccess(own.services, { merchantId, by })).toEqual({ kind: "unverified" });
  await own.fresh.pool.query("update people set email_verified_at = now() where id = $1", [by.id]);
  const kinds = await Promise.all(
    [1, 2, 3].map(async () => (await askLiveAccess(own.services, { merchantId, by })).kind),
  );
  expect(kinds.sort()).toEqual(["asked", "asked_before", "asked_before"]);
  expect(await listLiveAccessRequests(own.database, { all: false })).toMatchObject([
    { merchantId, businessName: "Ada Ltd" },
  ]);
  expect(await approveLiveAccess(own.services, merchantId, publicUrl)).toBe(true);
  expect(await approveLiveAccess(own.services, merchantId, publicUrl)).toBe(false);
  expect(
    (await emailsTo(own.database, "live@example.com")).filter(({ subject }) => subject.includes("can sell live")),
  ).toHaveLength(1);
  expect(await listLiveAccessRequests(own.database, { all: false })).toEqual([]);
});

test("a merchant that the operator made is entered by a link, and its own address owns it then", async () => {
  const { id } = await newMerchant(own.database);
  const made = await makeLogInLink(own.services, { merchantId: id, publicUrl });
  expect(made).toMatchObject({ email: "ada@example.com", isNewOwner: true });
  const token = new URL(made.link).searchParams.get("token") ?? "";
  const attempt = await logInByLink(own.services, { token, origin });
  if (attempt.kind !== "in") throw new Error(attempt.kind);
  expect((await membershipIn(own.database, { merchantId: id, personId: attempt.person.id }))?.role).toBe("owner");
  expect((await makeLogInLink(own.services, { merchantId: id, publicUrl })).isNewOwner).toBe(false);
});

test("a key that a member makes is entered and told with it, or not made", async () => {
  const { merchantId, session } = await newOwner(own.services, "maker@example.com");
  const by = session.person;
  const database = memberDatabase(own.services, {
    by,
    merchantId,
    command: "console key create",
    details: { mode: "test" },
    email: (frame) => keyChanged(frame, { merchant: "M", what: "made a test key", by: by.email }),
  });
  const services = { database, clock: own.services.clock, randomness: randomBytes };
  const key = await createKey(services, { merchantId, mode: "test", label: "", createdBy: by.email });
  expect((await emailsTo(own.database, by.email))[0]?.text).toContain("made a test key");
  const last = (await auditEntries(own.database)).at(-1);
  expect(last).toMatchObject({ who: "member:maker@example.com", command: "console key create" });
  expect(JSON.stringify(last)).not.toContain(key.text);
  const count = (await auditEntries(own.database)).length;
  const refused = createKey(services, { merchantId, mode: "live", label: "", createdBy: by.email });
  await expect(refused).rejects.toMatchObject({ code: "API_ACCESS_NOT_APPROVED" });
  expect((await auditEntries(own.database)).length).toBe(count);
});
