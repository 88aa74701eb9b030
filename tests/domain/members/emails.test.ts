import { expect, test } from "vitest";
import { lastMonth, writeMonthlyStatements } from "../../../src/domain/history/statement/monthly-emails.ts";
import { saveEmailChoices } from "../../../src/domain/members/email-choices.ts";
import { type EmailKind, emailKinds } from "../../../src/domain/members/email-kinds.ts";
import { noteLogIn } from "../../../src/domain/members/log-ins.ts";
import { changeRole } from "../../../src/domain/members/members.ts";
import { writeLowBalance, writeTeamNotices } from "../../../src/domain/members/notices/notices.ts";
import { insertMember, listMembers } from "../../../src/domain/members/queries.ts";
import type { Role } from "../../../src/domain/members/roles.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { auditEntries, emailsTo, newOwner, origin, ownPeople } from "../../support/people.ts";

const own = closing(await ownPeople());
const { services, database } = own;
const { pool } = own.fresh;
const dayMs = 86_400_000;

/** A business with an owner, a developer and a cashier, whose addresses begin with `name`. */
async function team(name: string) {
  const { merchantId, session } = await newOwner(services, `${name}-owner@example.com`);
  for (const role of ["developer", "cashier"] as const) {
    const { session: other } = await newOwner(services, `${name}-${role}@example.com`);
    await database.transaction((tx) =>
      insertMember(tx, { merchantId, personId: other.person.id, role, now: services.clock.now() }),
    );
  }
  const members = await listMembers(database, merchantId);
  const memberOf = (role: Role) => {
    const found = members.find((member) => member.role === role);
    if (found === undefined) throw new Error(`no ${role}`);
    return { personId: found.personId, merchantId, role };
  };
  return { merchantId, owner: session.person, memberOf, emailOf: (role: Role) => `${name}-${role}@example.com` };
}

async function subjects(email: string, about: string): Promise<string[]> {
  return (await emailsTo(database, email)).map(({ subject }) => subject).filter((subject) => subject.includes(about));
}

const allBut = (off: EmailKind) => new Set(Object.keys(emailKinds).filter((kind) => kind !== off));

async function liveKey(
  merchantId: MerchantId,
  label: string,
  dates: { ends: number | null; used: number; made: number },
) {
  const at = (ms: number | null) => (ms === null ? null : new Date(services.clock.now() + ms));
  const { rows } = await pool.query(
    `insert into api_keys (merchant_id, mode, slot, hash, first_characters, last_characters, label, created_by, created_at, expires_at)
     values ($1, 'live', (select count(*) + 1 from api_keys where merchant_id = $1), sha256($2::text::bytea), 'abcd', 'wxyz', $2, 'test', $3, $4)
     returning id`,
    [merchantId, label, at(dates.made), at(dates.ends)],
  );
  await pool.query("insert into api_key_uses (key_id, used_at) values ($1, $2)", [rows[0].id, at(dates.used)]);
}

test("a key in use that ends within a day, and one unused for months, are written of once, also by two workers at once", async () => {
  const { merchantId, emailOf } = await team("keys");
  await liveKey(merchantId, "Old till", { made: -5 * dayMs, ends: dayMs / 2, used: -60_000 });
  await liveKey(merchantId, "Nobody misses it", { made: -50 * dayMs, ends: dayMs / 2, used: -10 * dayMs });
  await liveKey(merchantId, "Forgotten", { made: -200 * dayMs, ends: null, used: -95 * dayMs });
  await liveKey(merchantId, "In use", { made: -200 * dayMs, ends: null, used: -dayMs });
  const written = await Promise.all([writeTeamNotices(services, 100), writeTeamNotices(services, 100)]);
  expect(written[0] + written[1]).toBe(2);
  expect(await writeTeamNotices(services, 100)).toBe(0);
  for (const role of ["owner", "developer"] as const) {
    const emails = (await emailsTo(database, emailOf(role))).filter(({ subject }) => subject.includes("key"));
    expect(emails.map(({ text }) => /“([^”]+)”/.exec(text)?.[1]).sort()).toEqual(["Forgotten", "Old till"]);
    for (const { text } of emails) expect(text).toContain("https://console.example.ng/account/notifications");
  }
  expect(await subjects(emailOf("cashier"), "key")).toEqual([]);
});

test("a webhook that fails for an hour, and one that we turned off, are written of once each, to those who chose it", async () => {
  const { merchantId, emailOf, memberOf } = await team("hooks");
  await saveEmailChoices(services, memberOf("developer"), allBut("webhook_failing"));
  await pool.query(
    `insert into webhook_endpoints (merchant_id, endpoint_number, url, secret, secret_hint, disabled_at, disabled_reason, updated_at)
     select $1, n, 'https://shop.example/hook-' || n, 'sealed', 'abcd', case n when 2 then now() end, case n when 2 then 'failing' end, now()
       from generate_series(1, 3) n`,
    [merchantId],
  );
  await pool.query(
    `insert into webhook_failing_endpoints (merchant_id, endpoint_number, failing_since, last_failed_at)
     values ($1, 1, now() - interval '2 hours', now()), ($1, 3, now() - interval '20 minutes', now())`,
    [merchantId],
  );
  await writeTeamNotices(services, 100);
  await writeTeamNotices(services, 100);
  expect((await subjects(emailOf("owner"), "webhook")).sort()).toEqual([
    "Ada's Airtime: a webhook is failing",
    "Ada's Airtime: we turned a webhook off",
  ]);
  expect(await subjects(emailOf("developer"), "webhook")).toEqual([]);
});

test("a low balance is written in the transaction that marks it, not again within four hours, and never to a cashier", async () => {
  const { merchantId, emailOf } = await team("low");
  const fallen = { merchantId, balance: kobo(123_456n), threshold: kobo(20_000_000n) };
  const undone = database.transaction(async (tx) => {
    await writeLowBalance(tx, services, fallen);
    throw new Error("it died");
  });
  await expect(undone).rejects.toThrow("it died");
  expect(await subjects(emailOf("owner"), "balance")).toEqual([]);
  for (const waitMs of [0, 0, 4 * 3_600_000]) {
    own.pass(waitMs);
    await database.transaction((tx) => writeLowBalance(tx, services, fallen));
  }
  expect(await subjects(emailOf("owner"), "balance")).toEqual(
    Array(2).fill("Ada's Airtime: balance below ₦200,000.00"),
  );
  expect((await emailsTo(database, emailOf("owner")))[0]?.text).toContain("₦1,234.56");
  for (const role of ["developer", "cashier"] as const) expect(await subjects(emailOf(role), "balance")).toEqual([]);
});

test("the month's statement goes once to those who chose it before the month was over", async () => {
  const { memberOf, emailOf } = await team("month");
  const { last, before } = lastMonth(services.wallTime, services.clock.now() + 40 * dayMs);
  await saveEmailChoices(services, memberOf("owner"), new Set(["monthly_statement"]));
  expect(await writeMonthlyStatements(services, 10)).toBe(0);
  own.pass(before + 3_600_000 - services.clock.now());
  expect(await Promise.all([writeMonthlyStatements(services, 10), writeMonthlyStatements(services, 10)])).toContain(1);
  expect(await writeMonthlyStatements(services, 10)).toBe(0);
  const [email, ...more] = (await emailsTo(database, emailOf("owner"))).filter(({ subject }) =>
    subject.includes("statement"),
  );
  expect(more).toEqual([]);
  expect(email?.text).toContain(`https://console.example.ng/live/wallet?from=${last.slice(0, 8)}01&to=${last}`);
  expect(email?.text).toContain("Closing balance: ₦0.00");
});

test("who loses a role loses its emails, and a choice of before is no way back to them", async () => {
  const { merchantId, owner, memberOf, emailOf } = await team("role");
  const developer = memberOf("developer");
  await saveEmailChoices(services, developer, allBut("new_place"));
  await changeRole(services, { merchantId, personId: developer.personId, role: "cashier", by: owner });
  await liveKey(merchantId, "Left", { made: -200 * dayMs, ends: null, used: -95 * dayMs });
  await writeTeamNotices(services, 100);
  expect(await subjects(emailOf("owner"), "key")).toHaveLength(1);
  expect(await subjects(emailOf("developer"), "key")).toEqual([]);
});

test("a login with a device not seen before is written to its person, the first one of an account is not", async () => {
  const { owner, memberOf, emailOf, merchantId } = await team("device");
  const logIn = (device: string) =>
    noteLogIn(services, { person: owner, device, source: origin.address, origin, publicUrl: null });
  const emails = () => subjects(emailOf("owner"), "New login");
  await pool.query("delete from log_in_failures");
  await logIn("till");
  await logIn("till");
  expect(await emails()).toEqual([]);
  await logIn("thief");
  expect(await emails()).toHaveLength(1);
  await logIn("thief");
  own.pass(300 * dayMs);
  await logIn("till");
  expect(await emails()).toHaveLength(1);
  await saveEmailChoices(services, memberOf("owner"), allBut("new_place"));
  await logIn("another");
  expect(await emails()).toHaveLength(1);
  const entries = (await auditEntries(database)).filter(({ command }) => command === "console log-in");
  const named = entries.filter(({ details }) => details.includes(`"merchant":"mer_${merchantId}"`));
  expect(named.map(({ details }) => JSON.parse(details).isNewDevice)).toEqual([false, false, true, false, false, true]);
});
