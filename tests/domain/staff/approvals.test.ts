import { beforeEach, expect, test } from "vitest";
import { newMerchant } from "../../../rig/merchants.ts";
import { plainPerson } from "../../../src/domain/identity/people/log-in.ts";
import type { Person } from "../../../src/domain/identity/people/person.ts";
import { findPersonByEmail } from "../../../src/domain/identity/people/person-queries.ts";
import { type ApprovalId, listApprovals } from "../../../src/domain/staff/approval-queries.ts";
import { approve, propose, refuseApproval, withdrawApproval } from "../../../src/domain/staff/approvals.ts";
import { firstOperatorLink, inviteStaff, joinStaff } from "../../../src/domain/staff/staff.ts";
import { listStaff } from "../../../src/domain/staff/staff-queries.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { ownPeople, password, publicUrl } from "../../support/people.ts";

const dayMs = 86_400_000;
const proposal = { kind: "test", summary: "Rename it.", payload: { name: "New name" }, roles: ["admin"] } as const;
const isAllowed = () => true;

let own: Awaited<ReturnType<typeof ownPeople>>;
let ada: Person;
let bola: Person;
let merchantId: number;
beforeEach(async () => {
  own = closing(await ownPeople());
  merchantId = (await newMerchant(own.database)).id;
  const join = (link: string | null, email: string) =>
    joinStaff(own.services, { token: new URL(link ?? "").searchParams.get("token") ?? "", email, name: "A", password });
  await join(await firstOperatorLink(own.services, publicUrl), "ada@example.ng");
  const invited = { email: "bola@example.ng", role: "admin", publicUrl, invitedBy: "test" } as const;
  await join((await inviteStaff(own.services, invited)).link, "");
  await own.fresh.pool.query("update people set totp_seed = 'a.b.c', totp_confirmed_at = now() where realm = 'staff'");
  const personOf = async (email: string) => {
    const stored = await findPersonByEmail(own.database, "staff", email);
    if (stored === null) throw new Error("nobody has this address");
    return plainPerson(stored);
  };
  [ada, bola] = [await personOf("ada@example.ng"), await personOf("bola@example.ng")];
});

/** Writes something that can be counted. */
async function rename(database: Database): Promise<string> {
  await database.transaction(async (tx) => {
    await tx.query({ name: "rename_test", text: "update merchants set name = name || '!' where id = $1" }, [
      merchantId,
    ]);
  });
  return "renamed";
}

async function marksOf(): Promise<string> {
  const { rows } = await own.fresh.pool.query("select name from merchants where id = $1", [merchantId]);
  return rows[0].name.replace(/[^!]/g, "");
}

async function newRequest(): Promise<ApprovalId> {
  const proposed = await propose(own.services, { by: ada, proposal }, rename);
  if (proposed.kind !== "waiting") throw new Error("somebody else could have approved it");
  return proposed.id;
}

const approvedBy = (by: Person, id: ApprovalId) => approve(own.services, { id, by, isAllowed }, rename);

test("a change waits for a second person, and is carried out once", async () => {
  const id = await newRequest();
  expect(await marksOf()).toBe("");
  expect(await approvedBy(ada, id)).toEqual({ kind: "own" });
  expect(await approvedBy(bola, id)).toMatchObject({ kind: "done", result: "renamed" });
  expect(await approvedBy(bola, id)).toEqual({ kind: "decided" });
  expect(await marksOf()).toBe("!");
  expect(await listApprovals(own.database, Date.now(), 10)).toMatchObject([
    { status: "done", makerName: "A", checkerName: "A", isAlone: false },
  ]);
});

test("the database itself lets nobody approve what they asked for", async () => {
  const id = await newRequest();
  const forged = own.fresh.pool.query(
    "update approvals set status = 'done', checker_id = maker_id, decided_at = now() where id = $1",
    [id],
  );
  await expect(forged).rejects.toMatchObject({ constraint: "approvals_by_two_people" });
});

test("of two who approve at once one does, and what the other one wrote is undone", async () => {
  const id = await newRequest();
  const outcomes = await Promise.allSettled([approvedBy(bola, id), approvedBy(bola, id), approvedBy(bola, id)]);
  const done = outcomes.filter((each) => each.status === "fulfilled" && each.value.kind === "done");
  expect(done).toHaveLength(1);
  expect(await marksOf()).toBe("!");
});

test("what was changed in the database after it was asked for is not carried out", async () => {
  const id = await newRequest();
  await own.fresh.pool.query(`update approvals set payload = '{"name":"Other"}' where id = $1`, [id]);
  expect(await approvedBy(bola, id)).toEqual({ kind: "changed" });
  expect(await marksOf()).toBe("");
  expect(await refuseApproval(own.services, { id, by: bola, isAllowed })).toEqual({ kind: "refused" });
});

test("after 24 hours it can't be approved any more", async () => {
  const id = await newRequest();
  own.pass(dayMs + 1);
  expect(await approvedBy(bola, id)).toEqual({ kind: "expired" });
  expect(await marksOf()).toBe("");
});

test("what is refused or taken back is never carried out, and only its maker takes it back", async () => {
  const [refused, withdrawn] = [await newRequest(), await newRequest()];
  expect(await refuseApproval(own.services, { id: refused, by: bola, isAllowed })).toEqual({ kind: "refused" });
  expect(await withdrawApproval(own.services, { id: withdrawn, by: bola })).toEqual({ kind: "decided" });
  expect(await withdrawApproval(own.services, { id: withdrawn, by: ada })).toEqual({ kind: "withdrawn" });
  for (const id of [refused, withdrawn]) expect(await approvedBy(bola, id)).toEqual({ kind: "decided" });
  expect(await marksOf()).toBe("");
});

test("a change that fails while it is carried out still waits, and what it wrote before is undone", async () => {
  const id = await newRequest();
  const failing = approve(own.services, { id, by: bola, isAllowed }, (database) =>
    database.transaction(async (tx) => {
      await tx.query({ name: "rename_test", text: "update merchants set name = name || '!' where id = $1" }, [
        merchantId,
      ]);
      throw new Error("the supplier is away");
    }),
  );
  await expect(failing).rejects.toThrow("the supplier is away");
  expect(await marksOf()).toBe("");
  expect(await approvedBy(bola, id)).toMatchObject({ kind: "done" });
});

test("where nobody else could approve it, it is done at once and marked so; a person without a second factor couldn't", async () => {
  await own.fresh.pool.query("update people set totp_seed = null, totp_confirmed_at = null where id = $1", [bola.id]);
  expect((await listStaff(own.database)).map(({ hasSecondFactor }) => hasSecondFactor)).toEqual([true, false]);
  expect(await propose(own.services, { by: ada, proposal }, rename)).toEqual({ kind: "done", result: "renamed" });
  expect(await marksOf()).toBe("!");
  expect(await listApprovals(own.database, Date.now(), 10)).toMatchObject([
    { status: "done", isAlone: true, checkerName: null },
  ]);
});

test("only roles that a kind names approve it", async () => {
  const id = await newRequest();
  const outcome = await approve(own.services, { id, by: bola, isAllowed: (kind) => kind !== "test" }, rename);
  expect(outcome).toEqual({ kind: "not_allowed" });
  expect(await marksOf()).toBe("");
});
