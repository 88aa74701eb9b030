import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { pool } = service.app.fresh;

const here = "/operator/settings";
const tiers = async () =>
  (
    await pool.query(
      "select tier, name, per_transaction::int as sale, per_day::int as day from limit_tiers order by tier",
    )
  ).rows;

async function twoAdmins() {
  return [await service.staff("admin"), await service.staff("admin")] as const;
}

/** Approves what waits last. */
async function approve(checker: StaffClient): Promise<string> {
  const { rows } = await pool.query("select max(id) as id from changes");
  return (await checker.follow(await checker.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }))).text;
}

test("sign-up is closed by two admins, at once for everybody, and what SIGN_UP said holds until then", async () => {
  const [maker, checker] = await twoAdmins();
  const guest = service.guest();
  const signUp = (email: string) =>
    guest.send("/sign-up", { business: "New Shop", name: "Ada", email, password: "a quiet harbour 7" });
  expect((await guest.get("/sign-up")).text).toContain("Business");
  await maker.send(`${here}/sign-up`, { policy: "closed" });
  expect((await guest.get("/sign-up")).text).toContain("Business");
  expect(await approve(checker)).toContain("Sign-up is by invitation now");
  expect((await guest.get("/sign-up")).text).toContain("Sign-up is closed");
  await signUp("late@shop.example");
  expect((await pool.query("select 1 from people where email = 'late@shop.example'")).rows).toEqual([]);

  await maker.send(`${here}/sign-up`, { policy: "confirm" });
  await approve(checker);
  await signUp("waits@shop.example");
  const { rows } = await pool.query("select status from merchants where email = 'waits@shop.example'");
  expect(rows).toEqual([{ status: "suspended" }]);
});

test("the sandbox is switched off and on by two admins", async () => {
  const [maker, checker] = await twoAdmins();
  const isOn = async () => (await pool.query("select is_on from platform_switches")).rows;
  for (const [position, before] of [
    ["off", true],
    ["on", false],
  ] as const) {
    await maker.send(`${here}/sandbox`, { position });
    expect(await isOn()).toEqual([{ is_on: before }]);
    expect(await approve(checker)).toContain(`The sandbox is ${position} now`);
    expect(await isOn()).toEqual([{ is_on: !before }]);
  }
});

test("a limit tier is made, named and changed by two admins, but not over another’s change", async () => {
  const [maker, checker] = await twoAdmins();
  const [first] = await tiers();
  const short = await maker.send(`${here}/limit-tiers/new`, { name: "Gold", per_sale: "100", per_day: "5" });
  expect(short.text).toContain("at least that of one sale");
  await maker.send(`${here}/limit-tiers/new`, { name: "Gold", per_sale: "200,000", per_day: "5,000,000" });
  expect(await tiers()).toHaveLength(3);
  await approve(checker);
  expect((await tiers())[3]).toEqual({ tier: 4, name: "Gold", sale: 20_000_000, day: 500_000_000 });

  const change = { name: "Bronze", per_sale: "10", per_day: "20" };
  await maker.send(`${here}/limit-tiers/1`, change);
  await pool.query("update limit_tiers set per_day = per_day + 100 where tier = 1");
  expect(await approve(checker)).toContain("has changed since it was asked for");
  expect((await tiers())[0]).toEqual({ ...first, day: first.day + 100 });
  await maker.send(`${here}/limit-tiers/1`, change);
  await approve(checker);
  expect((await tiers())[0]).toEqual({ tier: 1, name: "Bronze", sale: 1_000, day: 2_000 });
  expect((await maker.get(`/operator/merchants/mer_${service.app.merchant.id}`)).text).toContain("Bronze (tier 1)");
});

test("a price tier is named, which the log has, and takes its number back", async () => {
  const admin = await service.staff("admin");
  await admin.send(`${here}/price-tiers/2`, { name: "Resellers" });
  expect((await admin.get(here)).text).toContain("Resellers (tier 2)");
  await admin.send(`${here}/price-tiers/2`, { name: "" });
  expect((await admin.get(here)).text).not.toContain("Resellers");
  expect((await admin.send(`${here}/price-tiers/12`, { name: "No such" })).status).toBe(404);
  const { rows } = await pool.query(
    "select details from audit_log where command like '%price-tier-name' order by number",
  );
  expect(rows.map(({ details }) => details)).toEqual([
    '{"tier":2,"from":null,"to":"Resellers"}',
    '{"tier":2,"from":"Resellers","to":null}',
  ]);
});
