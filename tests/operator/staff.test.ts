import { expect, test } from "vitest";
import { openEmail } from "../../src/domain/identity/emails/emails.ts";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { pool } = service.app.fresh;
const { database, people } = service.app.services;
const merchant = `/operator/merchants/mer_${service.app.merchant.id}`;

async function latestEmailTo(email: string): Promise<string> {
  const { rows } = await pool.query("select max(id)::text as id from emails where recipient = $1", [email]);
  return (await openEmail(database, people.secretBox, BigInt(rows[0].id))).text;
}

const waiting = async () =>
  `/operator/approvals/${(await pool.query("select max(id) as id from changes where state = 'waiting'")).rows[0].id}`;
const statusOf = async (approval: string) =>
  (await pool.query("select state from changes where id = $1", [approval.split("/").at(-1)])).rows[0].state;

test("another email of a person of the company is confirmed in the company's console", async () => {
  const admin = await service.staff("admin");
  await admin.send("/operator/security/email", { email: "new-ada@company.example" });
  const link = new URL(/https?:\S+token=\S+/.exec(await latestEmailTo("new-ada@company.example"))?.[0] ?? "");
  expect(link.pathname).toBe("/operator/change-email");
  const path = `${link.pathname}${link.search}`;
  expect((await service.guest().get(path)).location).toContain("/operator/log-in?next=");
  const other = await service.staff("support");
  const token = link.searchParams.get("token") ?? "";
  expect((await other.send(link.pathname, { token })).text).toContain('action="/operator/log-out"');
  expect((await admin.get(path)).text).toContain("Change email");
  expect((await admin.send(link.pathname, { token })).location).toBe("/operator/security");
  const { rows } = await pool.query("select email from people where id = $1", [admin.personId]);
  expect(rows).toEqual([{ email: "new-ada@company.example" }]);
  const again = await admin.send(link.pathname, { token });
  expect([again.status, again.text.includes('href="/operator/log-in"')]).toEqual([410, true]);
});

test("a lost phone: one admin asks, another resets the factors, and the person sets up others first", async () => {
  const [maker, checker, lost] = [
    await service.staff("admin"),
    await service.staff("admin"),
    await service.staff("support"),
  ];
  const fields = { person: String(lost.personId), do: "reset", seen: "support" };
  expect((await maker.get("/operator/staff")).text).toContain("Lost phone?");
  expect((await maker.follow(await maker.send("/operator/staff/change", fields))).text).toContain(
    "for approval. Nothing has changed",
  );
  const factor = async () =>
    (await pool.query("select totp_confirmed_at is not null as has from people where id = $1", [lost.personId])).rows[0]
      .has;
  const approval = await waiting();
  expect((await maker.follow(await maker.send(approval, { do: "approve" }))).text).toContain(
    "You asked for this yourself",
  );
  expect(await factor()).toBe(true);
  expect((await checker.follow(await checker.send(approval, { do: "approve" }))).text).toContain("password alone");
  expect(await factor()).toBe(false);
  expect((await lost.get("/operator/today")).location).toContain("/operator/log-in");
  expect(await latestEmailTo(lost.email)).toContain("set up new ones");
});

test("whose removal is asked for is kept out at once, until it is refused; the last admin can't be", async () => {
  const [maker, checker, gone] = [
    await service.staff("admin"),
    await service.staff("admin"),
    await service.staff("finance"),
  ];
  const remove = (role: string, person: StaffClient) =>
    maker.send("/operator/staff/change", { person: String(person.personId), do: "remove", seen: role });
  expect((await gone.get("/operator/today")).status).toBe(200);
  expect((await maker.follow(await remove("finance", gone))).text).toContain("for approval");
  const kept = await gone.get("/operator/today");
  expect([kept.status, kept.text.includes("You’re kept out for now")]).toEqual([403, true]);
  expect((await maker.get("/operator/staff")).text).toContain("Kept out: removal asked for");
  await checker.send(await waiting(), { do: "refuse", reason: "Bola stays." });
  expect((await gone.get("/operator/today")).status).toBe(200);

  await remove("finance", gone);
  await gone.send("/operator/staff/change", {});
  expect((await checker.follow(await checker.send(await waiting(), { do: "approve" }))).text).toContain("is removed");
  await pool.query("update staff set role = 'support' where person_id <> $1", [maker.personId]);
  const last = await remove("admin", maker);
  expect([last.status, last.text.includes("last admin")]).toEqual([400, true]);
  await pool.query("update staff set role = 'admin' where person_id = $1", [checker.personId]);
});

test("only the words of a button decide: whatever isn't approve approves nothing", async () => {
  const [maker, checker] = [await service.staff("admin"), await service.staff("admin")];
  await maker.send("/operator/staff/invite", { email: "x@company.example", role: "support" });
  const approval = await waiting();
  for (const words of [{}, { do: "" }, { do: "Approve" }, { do: "approve it" }, { do: "undo" }, { do: "refused" }]) {
    expect([words, (await checker.send(approval, words)).status]).toEqual([words, 400]);
  }
  expect(await statusOf(approval)).toBe("waiting");
  const id = `mer_${service.app.merchant.id}`;
  const credit = { merchant: id, amount: "900000", bank_reference: "GTB-1", reason: "transfer" };
  await maker.send("/operator/money/credit", credit);
  const at = await waiting();
  for (const words of [{}, { do: "no" }]) expect((await checker.send(at, words)).status).toBeGreaterThanOrEqual(400);
  expect((await pool.query("select 1 from wallet_credits")).rows).toEqual([]);
  for (const path of ["/operator/prices/billers/sale", `${merchant}/change/status`]) {
    const { status } = await checker.send(path, {
      do: "perhaps",
      biller: "mtn",
      reason: "a reason that is long enough",
    });
    expect([path, status]).toEqual([path, expect.any(Number)]);
  }
  expect((await pool.query("select status from merchants")).rows[0].status).toBe("active");
  expect(
    (await pool.query("select count(*)::integer as off from billers where status <> 'available'")).rows[0].off,
  ).toBe(0);
});

test("live access is asked for once, and who asked sees it and takes it back", async () => {
  await pool.query("update merchants set api_approved_at = null");
  const [support, other] = [await service.staff("support"), await service.staff("support")];
  const ask = async (person: StaffClient) => (await person.follow(await person.send(`${merchant}/access`))).text;
  expect(await ask(support)).toContain("for approval. Nothing has changed");
  const approval = await waiting();
  for (const person of [support, other]) expect(await ask(person)).toContain("asked for this already, request");
  expect((await pool.query("select 1 from changes where kind = 'live access'")).rows.length).toBe(1);
  expect((await other.get(merchant)).text).toContain(`${approval}">asked for by Tunde support`);
  expect((await support.get("/operator/approvals")).text).toContain("sell live");
  expect((await other.get("/operator/approvals")).text).not.toContain("sell live");
  expect((await other.get(approval)).status).toBe(404);
  for (const words of ["approve", "refuse", "withdraw"]) await other.send(approval, { do: words });
  await support.send(approval, { do: "approve" });
  expect(await statusOf(approval)).toBe("waiting");
  expect((await support.get(approval)).text).toContain("Take back request");
  await support.send(approval, { do: "withdraw" });
  expect(await statusOf(approval)).toBe("withdrawn");
  await pool.query("update merchants set api_approved_at = now()");
});

test("pages between the company's pages lead to the company's, whatever stopped somebody", async () => {
  const admin = await service.staff("admin");
  await pool.query("update people set totp_seed = null, totp_confirmed_at = null where id = $1", [admin.personId]);
  await pool.query(
    `insert into passkeys (credential_id, person_id, public_key, counter, label, created_at, transports)
     values ('key', $1, ''::bytea, 0, 'key', now(), '{}')`,
    [admin.personId],
  );
  await service.age(admin);
  const confirm = await admin.send("/operator/settings/sign-up", { policy: "closed" });
  const foreign = await admin.send(
    "/operator/company",
    {},
    { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
  );
  const failed = await admin.get("/operator/merchants/%00");
  for (const { text } of [confirm, foreign, failed]) {
    const links = [...text.matchAll(/(?:href|action|data-options)="(\/[^"]*)"/g)].map(([, href]) => href ?? "");
    expect(links.filter((href) => !/^\/(operator|assets|company)\b/.test(href))).toEqual([]);
  }
  expect([confirm.status, confirm.text.includes('data-options="/operator/log-in/passkey/options"')]).toEqual([
    403,
    true,
  ]);
  expect(foreign.text).toContain('href="/operator/log-in"');
});
