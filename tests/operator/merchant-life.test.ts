import { expect, test } from "vitest";
import { ownersEmailed } from "../../src/console/operator/merchants/owners-emailed.ts";
import { newestEmails, openEmail } from "../../src/domain/identity/emails/emails.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;

async function one<Row>(sql: string, values: unknown[] = []): Promise<Row> {
  return (await pool.query(sql, values)).rows[0];
}

/** The newest email to an address. */
async function emailTo(email: string): Promise<{ readonly subject: string; readonly text: string }> {
  const { database, people } = service.app.services;
  const newest = (await newestEmails(database, 50)).find(({ recipient }) => recipient === email);
  return openEmail(database, people.secretBox, newest?.id ?? 0n);
}

async function shop() {
  const merchant = await service.app.createMerchant();
  return { ...merchant, at: `/operator/merchants/${formatMerchantId(merchant.id)}` };
}

const roleOf = async (email: string) =>
  (
    await one<{ role: string } | undefined>(
      "select role from members b join people p on p.id = b.person_id where email = $1",
      [email],
    )
  )?.role ?? null;

const personOf = async (email: string) =>
  (await one<{ id: string }>("select id::text from people where email = $1", [email])).id;

test("a new merchant is made once, in its tiers, without keys, and its owner comes in by the emailed link", async () => {
  const admin = await service.staff("admin");
  const fields = { name: "Ikeja Phones", email: "ada@ikeja.example", price_tier: "2", limit_tier: "3" };
  const wrong = await admin.send("/operator/new-merchant", { ...fields, email: "nobody" });
  expect([wrong.status, wrong.text.includes("Ikeja Phones"), wrong.text.includes("An email looks like")]).toEqual([
    400,
    true,
    true,
  ]);
  const once = "o".repeat(43);
  const page = await admin.follow(await admin.send("/operator/new-merchant", { ...fields, once }));
  await admin.send("/operator/new-merchant", { ...fields, once });
  const rows = await pool.query("select id, price_tier, limit_tier, status from merchants where name = 'Ikeja Phones'");
  expect(rows.rows).toEqual([{ id: expect.any(Number), price_tier: 2, limit_tier: 3, status: "active" }]);
  const id = rows.rows[0].id;
  expect(await one("select count(*)::int from wallets where wallet_id in ($1, -$1::int)", [id])).toEqual({ count: 2 });
  expect(await one("select count(*)::int from api_keys where merchant_id = $1", [id])).toEqual({ count: 0 });
  expect(page.text).toContain("Ikeja Phones is created");
  expect(page.text).toContain("console merchant create");
  const { text } = await emailTo("ada@ikeja.example");
  const token = /token=([\w-]+)/.exec(text)?.[1] ?? "";
  const guest = service.guest();
  await guest.send("/accept-invitation/new", { token, name: "Ada Obi", password: "a quiet harbour 7" });
  expect(await roleOf("ada@ikeja.example")).toBe("owner");
});

test("a person of a merchant is changed and removed by an admin, but never its last owner, and not from a stale page", async () => {
  const admin = await service.staff("admin");
  const { id, at } = await shop();
  const owner = await service.member("owner", id);
  const viewer = await service.member("viewer", id);
  const person = await personOf(viewer.email);
  const change = { person, role: "finance", seen: "viewer" };
  expect((await admin.follow(await admin.send(`${at}/people/change`, change))).text).toContain("is now finance");
  expect(await roleOf(viewer.email)).toBe("finance");
  const stale = await admin.send(`${at}/people/change`, { ...change, role: "developer" });
  expect([stale.status, stale.text.includes("it’s now finance")]).toEqual([400, true]);
  const remove = { do: "remove", seen: "owner", person: await personOf(owner.email) };
  expect((await admin.send(`${at}/people/change`, remove)).text).toContain("That’s the last owner");
  const nobody = await admin.send(`${at}/people/change`, { person: "99999999999", do: "remove", seen: "finance" });
  expect(nobody.status).toBeLessThan(500);
  await admin.send(`${at}/people/change`, { person, do: "remove", seen: "finance" });
  expect([await roleOf(viewer.email), await roleOf(owner.email)]).toEqual([null, "owner"]);
  expect((await viewer.get("/live/overview")).text).toContain("belongs to no business");
  const { rows } = await pool.query("select command from audit_log where who = $1 order by number", [
    `staff:${admin.email}`,
  ]);
  expect(rows.map(({ command }) => command)).toEqual([
    "console merchant person-role",
    "console merchant remove-person",
  ]);
});

test("an owner is made by two people alone, by invitation or on the team, and an invitation is sent anew or cancelled", async () => {
  const [maker, checker] = [await service.staff("admin"), await service.staff("admin")];
  const { id, at } = await shop();
  const finance = await service.member("finance", id);
  const approve = async () => {
    const { number } = await one<{ number: number }>("select max(id) as number from changes");
    const own = await maker.follow(await maker.send(`/operator/approvals/${number}`, { do: "approve" }));
    expect(own.text).not.toContain("Somebody else decided");
    return checker.follow(await checker.send(`/operator/approvals/${number}`, { do: "approve" }));
  };
  await maker.send(`${at}/people/change`, { person: await personOf(finance.email), role: "owner", seen: "finance" });
  expect(await roleOf(finance.email)).toBe("finance");
  expect((await approve()).text).toContain("is an owner now");
  expect(await roleOf(finance.email)).toBe("owner");

  const open = () =>
    one<{ id: string; hash: string } | undefined>(
      "select id::text, token_hash::text as hash from invitations where merchant_id = $1",
      [id],
    );
  await maker.send(`${at}/people/invite`, { email: "new@shop.example" });
  expect(await open()).toBe(undefined);
  await approve();
  const first = await open();
  await maker.send(`${at}/people/invitation`, { id: first?.id ?? "", do: "again" });
  const second = await open();
  expect([second?.id, second?.hash === first?.hash]).toEqual([first?.id, false]);
  await maker.send(`${at}/people/invitation`, { id: first?.id ?? "", do: "cancel" });
  expect(await open()).toBe(undefined);
  const gone = await maker.send(`${at}/people/invitation`, { id: first?.id ?? "", do: "again" });
  expect(gone.status).toBe(404);
});

test("the owners of a suspended merchant read why, by email and where they are stopped, and are told when it is over", async () => {
  const admin = await service.staff("admin");
  const { id, at } = await shop();
  const owner = await service.member("owner", id);
  const suspend = { do: "suspend", reason: "many chargebacks", seen: "active" };
  const done = await admin.follow(await admin.send(`${at}/change/status`, suspend));
  expect(done.text).toContain("sells nothing. An email tells its owners why. No mail server is set up yet: ");
  expect((await emailTo(owner.email)).text).toContain("“many chargebacks”");
  expect((await owner.send("/test/sandbox/reset", { merchant: formatMerchantId(id) })).text).toContain(
    "“many chargebacks”",
  );
  expect((await admin.get(at)).text).toContain("Suspended: it sells nothing");
  await admin.send(`${at}/change/status`, { do: "resume", reason: "all settled", seen: "suspended" });
  expect((await emailTo(owner.email)).subject).toContain("can sell again");
  expect(await one("select status, suspended_because from merchants where id = $1", [id])).toEqual({
    status: "active",
    suspended_because: null,
  });
});

test("live access is refused with a reason that the owners read, who correct their details and ask again", async () => {
  const support = await service.staff("support");
  const { id, at } = await shop();
  await pool.query("update merchants set api_approved_at = null where id = $1", [id]);
  const owner = await service.member("owner", id);
  const details = {
    businessName: "Yaba Ltd",
    address: "1 Road",
    phone: "08030000000",
    sells: "airtime",
    merchant: formatMerchantId(id),
  };
  await owner.send("/account/business", { ...details, do: "ask" });
  expect((await support.get(at)).text).toContain("Asks for live access");
  expect((await support.send(`${at}/access/refuse`, { reason: " " })).text).toContain("Say why");
  await support.send(`${at}/access/refuse`, { reason: "no such register number" });
  expect((await emailTo(owner.email)).text).toContain("“no such register number”");
  expect((await owner.get("/account/business")).text).toContain("“no such register number”");
  expect((await support.follow(await support.send(`${at}/access/refuse`, { reason: "again" }))).text).toContain(
    "isn’t waiting",
  );
  await owner.send("/account/business", { ...details, registrationNumber: "RC 1", do: "ask" });
  expect(
    await one(
      "select requested_at is not null as asks, refused_because from live_access_requests where merchant_id = $1",
      [id],
    ),
  ).toEqual({
    asks: true,
    refused_because: null,
  });
});

test("live access is taken back by an admin alone, who says why", async () => {
  const [admin, support] = [await service.staff("admin"), await service.staff("support")];
  const { id, at } = await shop();
  const mayStill = async () =>
    (await one<{ may: boolean }>("select api_approved_at is not null as may from merchants where id = $1", [id])).may;
  const reason = { reason: "its owner asked us by phone" };
  expect((await support.send(`${at}/access/withdraw`, reason)).text).toContain("Not for your role");
  expect((await admin.send(`${at}/access/withdraw`, { reason: " " })).text).toContain("Say why");
  expect(await mayStill()).toBe(true);
  expect((await admin.get(at)).text).toContain(`${at}/access/withdraw`);
  const done = await admin.follow(await admin.send(`${at}/access/withdraw`, reason));
  expect(done.text).toContain("has the sandbox only");
  expect([await mayStill(), done.text.includes("Withdraw live access")]).toEqual([false, false]);
});

test("a change says that a merchant's owners were emailed only where it has some and a mail server is set up", async () => {
  const [ownerless, owned] = [await shop(), await shop()];
  await service.member("finance", ownerless.id);
  await service.member("owner", owned.id);
  const { database } = service.app.services;
  const said = (sendsEmails: boolean, { id }: typeof owned) => ownersEmailed({ database, sendsEmails }, id, "why");
  expect(await said(true, owned)).toBe(" Its owners were emailed why.");
  expect(await said(false, owned)).toMatch(/^ An email tells its owners why\. No mail server is set up yet: .* emails/);
  expect(await said(true, ownerless)).toBe(" It has no owners, so nobody was emailed.");
});
