import { beforeAll, expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { pool } = service.app.fresh;
const merchant = `mer_${service.app.merchant.id}`;
let [ada, bola, finance] = [] as unknown as [StaffClient, StaffClient, StaffClient];

beforeAll(async () => {
  [ada, bola, finance] = [await service.staff("admin"), await service.staff("admin"), await service.staff("finance")];
});

const tierOf = async () =>
  (await pool.query("select limit_tier from merchants where id = $1", [service.app.merchant.id])).rows[0].limit_tier;
const creditsOf = async () => (await pool.query("select count(*)::int as count from wallet_credits")).rows[0].count;

/** Asked for by one admin, decided by the other. */
async function changeStaff(personId: number, fields: Record<string, string>): Promise<void> {
  await ada.send("/operator/staff/change", { person: String(personId), ...fields });
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  expect((await bola.send(`/operator/approvals/${rows[0].id}`, { do: "approve" })).status).toBe(303);
}

test("what is sent from the open tab of a person with another role now, or of one who was removed, changes nothing", async () => {
  const credit = () =>
    finance.send("/operator/money/credit", { merchant, amount: "5,000", bank_reference: "NIP/7", reason: "Transfer" });
  await changeStaff(finance.personId, { role: "support" });
  expect(await credit()).toMatchObject({ status: 403 });
  await changeStaff(finance.personId, { do: "remove" });
  expect((await credit()).status).toBeGreaterThan(400);
  expect(await creditsOf()).toBe(0);

  const third = await service.staff("admin");
  await changeStaff(third.personId, { do: "remove" });
  const sent = await third.send(`/operator/merchants/${merchant}/change/limits`, { limit_tier: "3" });
  expect([sent.status > 400, await tierOf()]).toEqual([true, 1]);
});

test("a role that somebody else changed meanwhile is not changed from the page of before", async () => {
  const { personId } = await service.staff("support");
  await changeStaff(personId, { role: "catalogue", seen: "support" });
  const stale = await ada.send("/operator/staff/change", {
    person: String(personId),
    role: "finance",
    seen: "support",
  });
  expect([stale.status, stale.text.includes("it’s now catalogue")]).toEqual([400, true]);
  expect((await pool.query("select 1 from changes where state = 'waiting'")).rowCount).toBe(0);
});

test("a request whose payload was changed in the database, or is a day old, is carried out by nobody, and says so", async () => {
  const other = await service.staff("support");
  const roleOf = async () =>
    (await pool.query("select role from staff where person_id = $1", [other.personId])).rows[0].role;
  async function requestWith(change: string): Promise<string> {
    await ada.send("/operator/staff/change", { person: String(other.personId), role: "finance" });
    const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
    await pool.query(`update changes set ${change} where id = $1`, [rows[0].id]);
    return `/operator/approvals/${rows[0].id}`;
  }
  const forged = await requestWith("fields = replace(fields, 'finance', 'admin')");
  expect((await bola.follow(await bola.send(forged, { do: "approve" }))).text).toContain("was changed in the database");
  await bola.send(forged, { do: "refuse" });
  const old = await requestWith(
    "requested_at = requested_at - interval '25 hours', ends_at = ends_at - interval '25 hours'",
  );
  expect((await bola.follow(await bola.send(old, { do: "approve" }))).text).toContain("has expired after 24 hours");
  expect((await bola.get(old)).text).not.toContain("Approve and carry out");
  expect(await roleOf()).toBe("support");
});
