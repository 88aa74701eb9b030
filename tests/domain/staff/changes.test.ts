import { beforeEach, expect, test } from "vitest";
import type { Person } from "../../../src/domain/identity/people/person.ts";
import { askForChange, renewChange } from "../../../src/domain/staff/ask-change.ts";
import type { CarriedOut, Facts } from "../../../src/domain/staff/change-kinds.ts";
import { listChanges } from "../../../src/domain/staff/change-list-queries.ts";
import { type ChangeId, findChange } from "../../../src/domain/staff/change-queries.ts";
import { agreeToChange, expireChanges, refuseChange, withdrawChange } from "../../../src/domain/staff/decide-change.ts";
import { changeStaffRole, removeStaff } from "../../../src/domain/staff/staff.ts";
import { listStaff } from "../../../src/domain/staff/staff-queries.ts";
import { closing } from "../../support/closing.ts";
import { renaming, twoAdmins } from "../../support/two-admins.ts";

type Company = Awaited<ReturnType<typeof twoAdmins>>;
let { own, ada, bola, marksOf } = {} as Company;
let facts: Facts | null;
let kind: CarriedOut;
let newRequest: () => Promise<ChangeId>;
beforeEach(async () => {
  const company = closing(await twoAdmins());
  ({ own, ada, bola, marksOf } = company);
  facts = null;
  kind = { ...company.kind, readFacts: async () => facts };
  newRequest = () => company.newRequest(kind);
});

const find = () => kind;
const agree = (by: Person, id: ChangeId) => agreeToChange(own.services, { id, by }, find);
const refuse = (by: Person, id: ChangeId, reason: string | null = null) =>
  refuseChange(own.services, { id, by, reason }, () => kind.rules);
const stateOf = async (id: ChangeId) => (await findChange(own.database, id))?.state;
const emails = async () =>
  (await own.fresh.pool.query("select recipient, subject from emails order by id")).rows.map(
    ({ recipient, subject }) => `${recipient}: ${subject}`,
  );

test("a change waits for a second person, and is carried out once", async () => {
  const id = await newRequest();
  expect(await marksOf()).toBe("");
  expect(await agree(ada, id)).toEqual({ kind: "own" });
  expect(await agree(bola, id)).toMatchObject({ kind: "done", outcome: "renamed" });
  expect(await agree(bola, id)).toEqual({ kind: "decided" });
  expect(await marksOf()).toBe("!");
  expect(await listChanges(own.database, Date.now(), 10)).toMatchObject([
    { state: "done", requesterName: "A", decidedByName: "A", isAlone: false, outcome: "renamed" },
  ]);
});

test("a name that a command gave asks and agrees only while the company has no staff", async () => {
  const name = { id: null, name: "obi", email: null };
  await expect(askForChange(own.services, name, kind, renaming)).rejects.toThrow(
    "Only a staff member can ask for this",
  );
  const id = await newRequest();
  expect(await agreeToChange(own.services, { id, by: name }, find)).toEqual({ kind: "not_allowed" });
  await own.fresh.pool.query("update changes set requested_by = null, requested_as = 'eze' where id = $1", [id]);
  expect([(await agree(bola, id)).kind, await marksOf()]).toEqual(["requester_left", ""]);
});

test("the database itself lets nobody agree to what they asked for", async () => {
  const id = await newRequest();
  const forged = own.fresh.pool.query(
    "update changes set state = 'done', decided_by = requested_by, decided_at = now() where id = $1",
    [id],
  );
  await expect(forged).rejects.toMatchObject({ constraint: "changes_by_two_people" });
});

test("of all who decide at once one does, and nothing is carried out that was refused or withdrawn", async () => {
  for (let round = 0; round < 12; round++) {
    const before = (await marksOf()).length;
    const id = await newRequest();
    const decisions = [
      () => agree(bola, id),
      () => refuse(bola, id),
      () => agree(bola, id),
      () => withdrawChange(own.services, { id, by: ada }),
    ];
    const at = round % decisions.length;
    const outcomes = await Promise.all([...decisions.slice(at), ...decisions.slice(0, at)].map((decide) => decide()));
    const ends = outcomes.map(({ kind: outcome }) => outcome).filter((outcome) => outcome !== "decided");
    expect(ends).toEqual([await stateOf(id)]);
    expect((await marksOf()).length - before).toBe(ends[0] === "done" ? 1 : 0);
  }
});

test.each([
  ["fields", `'{"name":"Other"}'`],
  ["facts", `'{"Balance":"1.00"}'`],
  ["kind", "'other'"],
  ["audit_number", "1"],
])("what was changed in the database after it was asked for is not carried out: %s", async (column, value) => {
  const id = await newRequest();
  await own.fresh.pool.query(`update changes set ${column} = ${value} where id = $1`, [id]);
  expect(await agree(bola, id)).toEqual({ kind: "changed" });
  expect(await marksOf()).toBe("");
  expect(await refuse(bola, id)).toEqual({ kind: "refused" });
});

test("after 24 hours it can't be agreed to any more; it is marked expired once, and its asker told", async () => {
  const id = await newRequest();
  own.pass(86_400_001);
  expect(await agree(bola, id)).toEqual({ kind: "expired" });
  expect([await expireChanges(own.services, 10), await expireChanges(own.services, 10)]).toEqual([1, 0]);
  expect([await stateOf(id), await marksOf()]).toEqual(["expired", ""]);
  expect((await emails()).at(-1)).toBe("ada@example.ng: Your request expired: Rename it.");
  expect((await renewChange(own.services, { id, by: ada }, find)).kind).toBe("waiting");
});

test("what is refused or taken back is never carried out, and only its asker takes it back", async () => {
  const refused = await newRequest();
  expect(await refuse(bola, refused, "Too dear.")).toEqual({ kind: "refused" });
  expect(await findChange(own.database, refused)).toMatchObject({ state: "refused", reason: "Too dear." });
  const withdrawn = await newRequest();
  expect(await withdrawChange(own.services, { id: withdrawn, by: bola })).toEqual({ kind: "decided" });
  expect(await withdrawChange(own.services, { id: withdrawn, by: ada })).toEqual({ kind: "withdrawn" });
  for (const id of [refused, withdrawn]) expect(await agree(bola, id)).toEqual({ kind: "decided" });
  expect(await marksOf()).toBe("");
});

test("a change that fails while it is carried out still waits, and what it wrote before is undone", async () => {
  const id = await newRequest();
  const { carryOut } = kind;
  const failing = { ...kind, carryOut: (...given: Parameters<typeof carryOut>) => carryOut(...given).then(fail) };
  await expect(agreeToChange(own.services, { id, by: bola }, () => failing)).rejects.toThrow("the supplier is away");
  expect([await marksOf(), await stateOf(id)]).toEqual(["", "waiting"]);
  expect(await agree(bola, id)).toMatchObject({ kind: "done" });
});

function fail(): never {
  throw new Error("the supplier is away");
}

test("where nobody else could agree to it, it is done at once and marked so; a person without a second factor couldn't", async () => {
  await own.fresh.pool.query("update people set totp_seed = null, totp_confirmed_at = null where id = $1", [bola.id]);
  expect((await listStaff(own.database)).map(({ hasSecondFactor }) => hasSecondFactor)).toEqual([true, false]);
  expect(await askForChange(own.services, ada, kind, renaming)).toMatchObject({ kind: "done", outcome: "renamed" });
  expect(await marksOf()).toBe("!");
  expect(await listChanges(own.database, Date.now(), 10)).toMatchObject([
    { state: "done", isAlone: true, decidedByName: null },
  ]);
});

test("one change at a time is open about one thing; the second person to ask is told of the first", async () => {
  const id = await newRequest();
  expect(await askForChange(own.services, bola, kind, renaming)).toMatchObject({
    kind: "taken",
    by: { id, requesterId: ada.id },
  });
  await refuse(bola, id);
  const requested = await Promise.allSettled([1, 2, 3].map(() => askForChange(own.services, ada, kind, renaming)));
  const waiting = requested.filter((each) => each.status === "fulfilled" && each.value.kind === "waiting");
  expect(waiting).toHaveLength(1);
  own.pass(86_400_001);
  expect((await askForChange(own.services, ada, kind, renaming)).kind).toBe("waiting");
});

test("a change over facts that have changed is not carried out, but can be asked for anew", async () => {
  facts = { Balance: "500.00" };
  const id = await newRequest();
  facts = { Balance: "400.00" };
  expect(await agree(bola, id)).toEqual({ kind: "stale" });
  expect([await marksOf(), await stateOf(id)]).toEqual(["", "stale"]);
  expect((await emails()).at(-1)).toBe("ada@example.ng: Your request was not carried out: Rename it.");
  const renewed = await renewChange(own.services, { id, by: ada }, find);
  if (renewed.kind !== "waiting") throw new Error(renewed.kind);
  expect((await findChange(own.database, renewed.id))?.facts).toBe('{"Balance":"400.00"}');
  expect(await agree(bola, renewed.id)).toMatchObject({ kind: "done" });
});

test("only roles that a kind names agree to it, as they are now", async () => {
  const id = await newRequest();
  kind = { ...kind, rules: { ...kind.rules, approve: ["finance"] } };
  expect(await agree(bola, id)).toEqual({ kind: "not_allowed" });
  await changeStaffRole(own.services, { personId: bola.id, role: "finance" });
  expect(await agree(bola, id)).toMatchObject({ kind: "done" });
});

test("what a person asked for who may no longer ask for it is not carried out", async () => {
  const id = await newRequest();
  await changeStaffRole(own.services, { personId: ada.id, role: "support" });
  expect(await agree(bola, id)).toEqual({ kind: "requester_left" });
  expect(await refuse(bola, id)).toEqual({ kind: "refused" });
  expect(await marksOf()).toBe("");
});

test("what a person asked for who is removed is withdrawn", async () => {
  const id = await newRequest();
  await removeStaff(own.services, { personId: ada.id });
  expect(await findChange(own.database, id)).toMatchObject({
    state: "withdrawn",
    reason: "A was removed from the staff.",
  });
  expect(await agree(bola, id)).toEqual({ kind: "decided" });
});

test("nobody agrees to a change about their own person where the kind says so", async () => {
  kind = { ...kind, rules: { ...kind.rules, about: () => bola.id, ask: ["admin"] } };
  expect(await askForChange(own.services, ada, kind, renaming)).toMatchObject({ kind: "done" });
});

test("those who may agree are told of a new request, and its asker of the end", async () => {
  const before = (await emails()).length;
  await agree(bola, await newRequest());
  await refuse(bola, await newRequest(), "Too dear.");
  expect((await emails()).slice(before)).toEqual([
    "bola@example.ng: Approval needed: Rename it.",
    "ada@example.ng: Your request was approved: Rename it.",
    "bola@example.ng: Approval needed: Rename it.",
    "ada@example.ng: Your request was refused: Rename it.",
  ]);
});
