import { generateSync } from "otplib";
import { beforeEach, expect, test } from "vitest";
import { consolePassword } from "../support/console.ts";
import { emailsTo } from "../support/people.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

// What this source did in other files of the console's, which locks it out.
beforeEach(() => service.app.fresh.pool.query("delete from log_in_failures"));

const signUp = async (email: string) => {
  const browser = service.guest();
  const typed = { business: "Ada's Airtime", name: "Ada", email, password: "correct marble teapot 9" };
  const { status, text, location } = await browser.send("/sign-up", typed);
  return { status, location, text: text.replaceAll(email, "X"), cookies: browser.cookies.size };
};

async function newestLink(email: string): Promise<string> {
  const [newest] = await emailsTo(service.app.services.database, email);
  return new URL(/https?:\/\/\S+/.exec(newest?.text ?? "")?.[0] ?? "").href.replace(service.url, "");
}

const secretIn = (text: string) => /\b[A-Z2-7]{32,}\b/.exec(text)?.[0] ?? "";
const codeOf = (secret: string, stepsAhead = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + stepsAhead * 30 });

test("a sign-up answers one page for known and unknown addresses, and sends each one email", async () => {
  const { email: known } = await service.member("owner");
  const before = (await emailsTo(service.app.services.database, known)).length;
  for (let turn = 0; turn < 4; turn++) {
    const [old, fresh] = [await signUp(known), await signUp(`newcomer-${turn}@shop.example`)];
    expect(old).toEqual(fresh);
    expect(old).toMatchObject({ status: 200, cookies: 0 });
  }
  expect((await emailsTo(service.app.services.database, known)).length - before).toBe(4);
  expect(await emailsTo(service.app.services.database, "newcomer-0@shop.example")).toHaveLength(1);
});

test("a confirmation link asks for the account's own log-in, and confirms nothing for another one", async () => {
  const email = "proving@shop.example";
  await signUp(email);
  const link = await newestLink(email);
  const token = new URL(link, service.url).searchParams.get("token") ?? "";
  const isConfirmed = async () =>
    (await service.app.fresh.pool.query("select email_verified_at as at from people where email = $1", [email])).rows[0]
      .at !== null;
  const stranger = service.guest();
  expect((await stranger.get(link)).location).toBe(`/log-in?next=${encodeURIComponent(link)}`);
  expect((await stranger.send("/verify-email", { token })).location).toContain("/log-in?next=");
  const other = await service.member("owner");
  expect((await other.send("/verify-email", { token })).status).toBe(403);
  expect(await isConfirmed()).toBe(false);
  const own = service.guest();
  const next = new URL((await own.get(link)).location ?? "", service.url).searchParams.get("next") ?? "";
  const entered = await own.send("/log-in", { email, password: "correct marble teapot 9", next });
  expect(entered.location).toBe(link);
  expect((await own.get(link)).text).toContain("Confirm email");
  expect((await own.send("/verify-email", { token })).location).toBe("/test/overview");
  expect(await isConfirmed()).toBe(true);
});

test("who never confirmed an address changes nothing live, and everything in the sandbox", async () => {
  const owner = await service.member("owner");
  await service.app.fresh.pool.query("update people set email_verified_at = null where email = $1", [owner.email]);
  const live = await owner.send("/live/keys", { label: "Till" });
  expect([live.status, live.text.includes("Confirm your email first")]).toEqual([403, true]);
  expect((await owner.send("/test/keys", { label: "Till" })).status).toBe(200);
});

test("after a wrong code the set-up of an app shows the same secret, whose next code is taken", async () => {
  const owner = await service.member("owner");
  const secret = secretIn((await owner.send("/account/security/app")).text);
  for (let turn = 0; turn < 2; turn++) {
    const { status, text } = await owner.send("/account/security/app/confirm", { code: "000000" });
    expect([status, secretIn(text), text.includes("That code didn’t match.")]).toEqual([400, secret, true]);
  }
  expect((await owner.send("/account/security/app/confirm", { code: codeOf(secret) })).status).toBe(200);
  expect(secretIn((await owner.send("/account/security/app/confirm", { code: "000000" })).text)).toBe("");
});

test("who has an app is asked for its code or a backup code, and the password is not enough", async () => {
  const owner = await service.member("owner");
  const secret = secretIn((await owner.send("/account/security/app")).text);
  const { text: shown } = await owner.send("/account/security/app/confirm", { code: codeOf(secret) });
  const [backupCode = ""] = /\b([a-z2-7]{4}-){3}[a-z2-7]{4}\b/.exec(shown) ?? [];
  const invite = async (factor: string) => {
    await service.age(owner);
    const about = { email: `by-${factor.slice(0, 4)}@shop.example`, role: "viewer", factor };
    return (await owner.send("/account/members/invite", about)).status;
  };
  expect(await invite(consolePassword)).toBe(403);
  expect(await invite(codeOf(secret, 1))).toBe(303);
  expect(await invite(backupCode)).toBe(303);
});

test("who has a passkey is asked for it, also after a log-in by password, and a reset offers to remove it", async () => {
  const owner = await service.member("owner");
  const { pool } = service.app.fresh;
  await pool.query(
    `insert into passkeys (credential_id, person_id, public_key, counter, transports, label, created_at)
     select 'lost', id, 'k', 0, '{}', 'l', now() from people where email = $1`,
    [owner.email],
  );
  const browser = service.guest();
  await browser.send("/log-in", { email: owner.email, password: consolePassword });
  for (const factor of [consolePassword, "passkey", ""]) {
    const { status, text } = await browser.send("/account/security/password", { password: "violet anchor 8", factor });
    expect([status, text.includes("Confirm with passkey"), text.includes('type="password"')]).toEqual([
      403,
      true,
      false,
    ]);
  }
  await browser.send("/reset-password", { email: owner.email });
  const link = await newestLink(owner.email);
  expect((await browser.get(link)).text).toContain("Remove my passkeys too");
  const token = new URL(link, service.url).searchParams.get("token") ?? "";
  await browser.send("/reset-password/new", { token, password: "violet anchor 8 lamps", passkeys: "on" });
  expect((await pool.query("select 1 from passkeys where credential_id = 'lost'")).rows).toEqual([]);
});
