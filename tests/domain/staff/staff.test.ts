import { expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import type { PersonId } from "../../../src/domain/identity/people/person.ts";
import type { StaffRole } from "../../../src/domain/staff/roles.ts";
import {
  changeStaffRole,
  findOffer,
  firstOperatorLink,
  inviteStaff,
  joinStaff,
  listStaffInvitations,
  removeStaff,
} from "../../../src/domain/staff/staff.ts";
import { listStaff } from "../../../src/domain/staff/staff-queries.ts";
import { closing } from "../../support/closing.ts";
import { newOwner, ownPeople, password, publicUrl } from "../../support/people.ts";

const invitedBy = "staff:ada@example.ng";
const hourMs = 3_600_000;

function tokenOf(link: string | null): string {
  return link === null ? "" : (new URL(link).searchParams.get("token") ?? "");
}

async function opened() {
  const own = closing(await ownPeople());
  const join = (token: string, email = "") => joinStaff(own.services, { token, email, name: "Ada Obi", password });
  const invite = async (email: string, role: StaffRole = "support") =>
    tokenOf((await inviteStaff(own.services, { email, role, publicUrl, invitedBy })).link);
  const first = async () => tokenOf(await firstOperatorLink(own.services, publicUrl));
  return { own, join, invite, first };
}

test("the printed link makes the first admin once, and no link does once there is one", async () => {
  const { own, join, first } = await opened();
  const [one, other] = [await first(), await first()];
  expect(await join(one, "ada@example.ng")).toEqual({ kind: "joined", email: "ada@example.ng" });
  expect(await join(one, "eve@example.ng")).toEqual({ kind: "refused" });
  expect(await join(other, "eve@example.ng")).toEqual({ kind: "refused" });
  expect(await firstOperatorLink(own.services, publicUrl)).toBeNull();
  expect((await listStaff(own.database)).map(({ email, role }) => [email, role])).toEqual([
    ["ada@example.ng", "admin"],
  ]);
});

test("of two who follow two printed links at once one becomes the first admin", async () => {
  const { join, first, own } = await opened();
  const [one, other] = [await first(), await first()];
  const kinds = await Promise.all([join(one, "ada@example.ng"), join(other, "eve@example.ng")]);
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(["joined", "refused"]);
  expect(await listStaff(own.database)).toHaveLength(1);
});

test("the printed link expires after an hour, and a refused password leaves it good", async () => {
  const { own, join, first } = await opened();
  const late = await first();
  own.pass(hourMs + 1);
  expect(await join(late, "ada@example.ng")).toEqual({ kind: "refused" });
  const token = await first();
  const weak = joinStaff(own.services, { token, email: "ada@example.ng", name: "Ada Obi", password: "short" });
  await expect(weak).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await join(token, "ada@example.ng")).toMatchObject({ kind: "joined" });
});

test("an invitation gives its own address and role alone, once, and a newer one ends it", async () => {
  const { own, join, first, invite } = await opened();
  await join(await first(), "ada@example.ng");
  const older = await invite("chidi@example.ng", "finance");
  const newer = await invite("Chidi@example.ng", "support");
  expect(await findOffer(own.services, older)).toBeNull();
  expect(await listStaffInvitations(own.database)).toMatchObject([{ email: "chidi@example.ng", role: "support" }]);
  expect(await join(newer, "eve@example.ng")).toEqual({ kind: "joined", email: "chidi@example.ng" });
  expect(await join(newer, "eve@example.ng")).toEqual({ kind: "refused" });
  expect((await listStaff(own.database)).map(({ email, role }) => [email, role])).toEqual([
    ["ada@example.ng", "admin"],
    ["chidi@example.ng", "support"],
  ]);
  const again = await inviteStaff(own.services, { email: "chidi@example.ng", role: "admin", publicUrl, invitedBy });
  expect(again).toEqual({ kind: "member", link: null });
});

test("somebody is always admin: the last one keeps the role and the place", async () => {
  const { own, join, first, invite } = await opened();
  await join(await first(), "ada@example.ng");
  await join(await invite("bola@example.ng", "admin"));
  const [ada, bola] = (await listStaff(own.database)).map(({ personId }) => personId) as [PersonId, PersonId];
  const change = (personId: PersonId) => changeStaffRole(own.services, { personId, role: "support" });
  const kinds = (await Promise.all([change(ada), change(bola)])).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["changed", "last_admin"]);
  const admin = (await listStaff(own.database)).find(({ role }) => role === "admin")?.personId as PersonId;
  expect(await removeStaff(own.services, { personId: admin })).toMatchObject({ kind: "last_admin" });
});

test("the same address is one person for a merchant and another one for the company: neither lets the other in", async () => {
  const { own, join, first } = await opened();
  await newMerchant(own.database);
  await newOwner(own.services, "ada@example.ng");
  await join(await first(), "ada@example.ng");
  const { rows } = await own.fresh.pool.query("select realm from people where email = 'ada@example.ng' order by realm");
  expect(rows).toEqual([{ realm: "merchant" }, { realm: "staff" }]);
  const crossed = own.fresh.pool.query(
    "insert into staff (person_id, role, created_at) select id, 'admin', now() from people where realm = 'merchant'",
  );
  await expect(crossed).rejects.toMatchObject({ constraint: "staff_are_people" });
});
