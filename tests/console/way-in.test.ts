import { createHash } from "node:crypto";
import { request } from "node:http";
import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { consolePassword, type MemberClient, startConsole } from "../support/console.ts";
import { emailsTo } from "../support/people.ts";

const service = closing(await startConsole());

/** Whether a browser that holds this token alone is let in. */
async function isIn(token: string): Promise<boolean> {
  const browser = service.guest();
  browser.cookies.set("merchant", token);
  return (await browser.get("/live/overview")).status === 200;
}

/** Sets an authenticator app up by the pages. @returns its secret */
async function setUpApp(member: MemberClient): Promise<string> {
  const begun = await member.send("/account/security/app");
  const secret = /\b[A-Z2-7]{32,}\b/.exec(begun.text)?.[0] ?? "";
  const confirmed = await member.send("/account/security/app/confirm", { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  return secret;
}

/** A code is good once: each is one step of half a minute ahead of the last, within what clocks may differ. */
function codeOf(secret: string, stepsAhead = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + stepsAhead * 30 });
}

test("a token that was there before the log-in lets nobody in afterwards", async () => {
  const planted = "A".repeat(43);
  const { email } = await service.member("owner");
  const victim = service.guest();
  victim.cookies.set("merchant", planted);
  expect((await victim.send("/log-in", { email, password: consolePassword })).status).toBe(303);
  const given = victim.cookies.get("merchant") ?? "";
  expect([given === planted, await isIn(given), await isIn(planted)]).toEqual([false, true, false]);
});

test("a log-in in a browser that somebody else was logged in with ends at another token, and theirs is not his", async () => {
  const attacker = await service.member("owner");
  const { email } = await service.member("owner");
  const planted = attacker.cookies.get("merchant") ?? "";
  const victim = service.guest();
  victim.cookies.set("merchant", planted);
  await victim.send("/log-in", { email, password: consolePassword });
  expect(victim.cookies.get("merchant")).not.toBe(planted);
  expect((await victim.get("/account/security")).text).toContain(email);
  expect((await attacker.get("/account/security")).text).not.toContain(email);
});

test("the token before a code is another one than after it, and lets nobody in at any time", async () => {
  const owner = await service.member("owner");
  const secret = await setUpApp(owner);
  const browser = service.guest();
  await browser.send("/log-in", { email: owner.email, password: consolePassword });
  const before = browser.cookies.get("merchant") ?? "";
  expect(await isIn(before)).toBe(false);
  expect((await browser.send("/log-in/code", { code: codeOf(secret, 1) })).status).toBe(303);
  const after = browser.cookies.get("merchant") ?? "";
  expect([after === before, await isIn(after), await isIn(before)]).toEqual([false, true, false]);
});

test("a fresh factor gives another token, and the one before is no longer good", async () => {
  const owner = await service.member("owner");
  const before = owner.cookies.get("merchant") ?? "";
  await service.age(owner);
  const sent = await owner.send("/account/members/invite", {
    email: "new@shop.example",
    role: "viewer",
    factor: owner.password,
  });
  expect(sent.status).toBe(303);
  const after = owner.cookies.get("merchant") ?? "";
  expect([after === before, await isIn(after), await isIn(before)]).toEqual([false, true, false]);
});

test("the pages that ask for a factor or a log-in first keep what was typed, but for passwords", async () => {
  const owner = await service.member("owner");
  await service.age(owner);
  const typed = {
    password: "violet anchor 8 lamps",
    secret: "whsec_typed",
    email: "kept@shop.example",
    factor: "wrong",
  };
  for (const path of ["/account/security/password", "/account/members/invite"])
    for (const { status, text } of [await owner.send(path, typed), await service.guest().send(path, typed)])
      expect([path, status, text.includes("kept@shop.example"), /violet|whsec_|value="wrong"/.test(text)]).toEqual([
        path,
        status === 401 ? 401 : 403,
        true,
        false,
      ]);
});

test("another password gives another token, and the ones before it are good nowhere", async () => {
  const owner = await service.member("owner");
  const elsewhere = service.guest();
  await elsewhere.send("/log-in", { email: owner.email, password: consolePassword });
  const before = [owner, elsewhere].map(({ cookies }) => cookies.get("merchant") ?? "");
  expect((await owner.send("/account/security/password", { password: "violet anchor 8 lamps" })).status).toBe(303);
  const after = owner.cookies.get("merchant") ?? "";
  expect(before).not.toContain(after);
  expect([await isIn(after), ...(await Promise.all(before.map(isIn)))]).toEqual([true, false, false]);
  const { rows } = await service.app.fresh.pool.query(
    "select s.agent <> '' as named, s.level from sessions s join people p on p.id = s.person_id where p.email = $1",
    [owner.email],
  );
  expect(rows).toEqual([{ named: true, level: "second_factor" }]);
});

test("a person is logged in with twenty browsers at most: the next one ends the one that was used longest ago", async () => {
  const owner = await service.member("owner");
  const logIn = async () => {
    const browser = service.guest();
    await browser.send("/log-in", { email: owner.email, password: consolePassword });
    return browser.cookies.get("merchant") ?? "";
  };
  const tokens = [owner.cookies.get("merchant") ?? ""];
  while (tokens.length < 20) tokens.push(await logIn());
  const used = "update sessions set seen_at = now() + interval '1 minute' where token_hash = sha256($1)";
  await service.app.fresh.pool.query(used, [tokens[0]]);
  tokens.push(await logIn());
  expect(await Promise.all(tokens.map(isIn))).toEqual(tokens.map((_token, at) => at !== 1));
});

test("who gives only the password ends no session that was opened with a code", async () => {
  const owner = await service.member("owner");
  await setUpApp(owner);
  const before = owner.cookies.get("merchant") ?? "";
  for (let opened = 0; opened < 21; opened += 1)
    await service.guest().send("/log-in", { email: owner.email, password: consolePassword });
  expect(await isIn(before)).toBe(true);
});

test("a log-out ends the token, not only the cookie", async () => {
  const owner = await service.member("owner");
  const token = owner.cookies.get("merchant") ?? "";
  await owner.send("/log-out");
  expect(await isIn(token)).toBe(false);
});

test("nobody logs out another person's browser, whose session's name it knows", async () => {
  const [owner, other] = [await service.member("owner"), await service.member("owner")];
  const nameOf = (member: MemberClient) =>
    createHash("sha256")
      .update(member.cookies.get("merchant") ?? "")
      .digest("hex");
  await owner.send("/account/security/sessions", { session: nameOf(other) });
  expect((await other.get("/live/overview")).status).toBe(200);
  await owner.send("/account/security/sessions", { session: nameOf(owner) });
  expect((await owner.get("/live/overview")).location).toContain("/log-in");
});

test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/\tevil", ""])(
  "a log-in that is to lead to “%s” afterwards leads to the overview",
  async (next) => {
    const { email } = await service.member("owner");
    const browser = service.guest();
    expect((await browser.send("/log-in", { email, password: consolePassword, next })).location).toBe("/live/overview");
    expect((await browser.get(`/log-in?next=${encodeURIComponent(next)}`)).location).toBe("/live/overview");
    const resume = JSON.stringify({ path: next, fields: [] });
    expect((await browser.send("/log-in", { email, password: consolePassword, resume })).text).not.toContain("evil");
  },
);

test("beyond this machine a session is https alone, for this host alone, and no script reads it", async () => {
  const { email } = await service.member("owner");
  const typed = { email, password: consolePassword };
  const secure = { host: "shop.example", origin: "https://shop.example", "x-forwarded-proto": "https" };
  const { status, cookies } = await post("/log-in", secure, typed);
  const [cookie = ""] = cookies.filter((each) => each.includes("merchant="));
  expect([status, cookie.split("=", 1)[0]]).toEqual([303, "__Host-merchant"]);
  expect(cookie.toLowerCase().split("; ")).toEqual(
    expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]),
  );
  const plain = await post("/log-in", { host: "shop.example", origin: "http://shop.example" }, typed);
  expect(plain).toEqual({ status: 421, cookies: [] });
});

test("no email leads where a header says: it is this machine's address or none", async () => {
  const { port } = new URL(service.url);
  const { email } = await service.member("owner");
  const lies: Record<string, string>[] = [
    { host: "evil.example", origin: "http://evil.example" },
    { host: "evil.example", origin: "https://evil.example", "x-forwarded-proto": "https" },
    { host: `127.0.0.1.evil.example:${port}`, origin: `http://127.0.0.1.evil.example:${port}` },
    { host: `127.0.0.1:${port}`, origin: service.url, "x-forwarded-host": "evil.example" },
    { host: `127.0.0.1:${port}`, origin: service.url, forwarded: "host=evil.example" },
    // Somebody else's program on this machine.
    { host: "127.0.0.1:6666", origin: "http://127.0.0.1:6666" },
    { host: "localhost:6666", origin: "https://localhost:6666", "x-forwarded-proto": "https" },
  ];
  for (const headers of lies) {
    await post("/reset-password", headers, { email });
    await post("/sign-up", headers, {
      ...{ business: "Ada's Airtime", name: "Ada", password: "correct marble teapot 9" },
      email: `${Math.random()}@shop.example`,
    });
  }
  const emails = await service.app.fresh.pool.query<{ recipient: string }>("select recipient from emails");
  const recipients = [...new Set(emails.rows.map(({ recipient }) => recipient))];
  const texts = await Promise.all(recipients.map((each) => emailsTo(service.app.services.database, each)));
  const links = texts.flat().flatMap((email) => email?.text.match(/https?:\/\/\S+/g) ?? []);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) expect(new URL(link).origin).toBe(service.url);
});

/** With headers that `fetch` does not let anybody set. */
function post(
  path: string,
  headers: Record<string, string>,
  fields: Record<string, string>,
): Promise<{ status: number; cookies: string[] }> {
  const { hostname, port } = new URL(service.url);
  const body = new URLSearchParams(fields).toString();
  const sent = { ...headers, "content-type": "application/x-www-form-urlencoded", "content-length": body.length };
  return new Promise((resolve, reject) => {
    const calls = request({ hostname, port, path, method: "POST", headers: sent }, (answer) => {
      const { statusCode: status = 0, headers: given } = answer;
      answer.resume().on("end", () => resolve({ status, cookies: given["set-cookie"] ?? [] }));
    });
    calls.on("error", reject).end(body);
  });
}
