import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { consolePassword, type MemberClient, startConsole } from "../support/console.ts";
import { emailsTo } from "../support/people.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { database, people } = service.app.services;

async function setUpApp(member: MemberClient): Promise<void> {
  const begun = await member.send("/account/security/app");
  const secret = /\b[A-Z2-7]{32,}\b/.exec(begun.text)?.[0] ?? "";
  expect((await member.send("/account/security/app/confirm", { code: generateSync({ secret }) })).status).toBe(200);
}

const everyone = "/account/members/two-step";

test("a business that demands two-step login leads whoever has none to set it up, before any other page or form", async () => {
  const shop = await service.app.createMerchant();
  const [owner, cashier] = [await service.member("owner", shop.id), await service.member("cashier", shop.id)];
  const unready = await owner.follow(await owner.send(everyone, { do: "demand" }));
  expect(unready.text).toContain("Set up two-step login for yourself first.");
  expect((await cashier.get("/test/buy")).status).toBe(200);
  await setUpApp(owner);
  expect((await owner.follow(await owner.send(everyone, { do: "demand" }))).text).toContain(
    "Everyone now needs two-step login.",
  );
  expect((await emailsTo(database, cashier.email))[0]?.subject).toContain("now needs two-step login");
  for (const path of ["/test/buy", "/live/overview", "/test/my-sales", "/account/notifications", "/account/nothing"]) {
    const { status, text } = await cashier.get(path);
    expect([path, status, text.includes("Set up two-step login")]).toEqual([path, 403, true]);
  }
  expect((await cashier.send("/test/buy/airtime/check", { phone: "08031234567" })).status).toBe(403);
  expect((await cashier.get("/account/security")).text).toContain("to go on");
  await setUpApp(cashier);
  expect((await cashier.get("/test/buy")).status).toBe(200);
  expect((await owner.send(everyone, { do: "allow" })).status).toBe(303);
});

test("live keys are changed with two-step login alone where the operator demands it, and read without", async () => {
  const strict = await startConsole({
    people: {
      ...{ signUp: "open", commonPasswords: [], openMailer: null, publicUrl: null },
      liveKeysNeedTwoStep: true,
      refusalDelayMs: 0,
    },
  });
  try {
    const developer = await strict.member("developer");
    const label = { label: "Till" };
    const refused = await developer.send("/live/keys", label);
    expect([refused.status, refused.text.includes("Live keys need two-step login")]).toEqual([403, true]);
    expect((await developer.send("/live/keys/addresses", { addresses: "203.0.113.7" })).status).toBe(403);
    expect((await developer.get("/live/keys")).status).toBe(200);
    expect((await developer.send("/test/keys", label)).text).toContain("ds_test_");
    await setUpApp(developer);
    expect((await developer.send("/live/keys", label)).text).toContain("ds_live_");
  } finally {
    await strict.close();
  }
});

test("the team log says who did what, by person and page by page, and nothing of another business", async () => {
  const shop = await service.app.createMerchant();
  const [owner, developer] = [await service.member("owner", shop.id), await service.member("developer", shop.id)];
  await service.guest().send("/log-in", { email: owner.email, password: owner.password });
  await developer.send("/test/keys", { label: 'Till "merchant":"mer_1" <b>' });
  await owner.send("/account/members/invite", { email: "bola@shop.example", role: "cashier" });
  const log = (await owner.get("/account/log")).text.replace(/<\/?b>/g, "");
  expect(log).toContain("Ada developer created the test key “Till &quot;merchant&quot;:&quot;mer_1&quot; &lt;b>”");
  expect(log).toContain("Ada owner invited bola@shop.example as cashier");
  expect(log).toMatch(/Ada owner logged in with [^<]+ from 127\.0\.0\.1/);
  const ofDeveloper = (await owner.get(`/account/log?person=${developer.email}`)).text.replace(/<\/?b>/g, "");
  expect([ofDeveloper.includes("created the test key"), ofDeveloper.includes("invited bola")]).toEqual([true, false]);
  const stranger = await service.member("owner", (await service.app.createMerchant()).id);
  for (const path of ["/account/log", `/account/log?person=${developer.email}`])
    expect((await stranger.get(path)).text).not.toContain("created the test key");
  for (let made = 0; made < 50; made += 1) await owner.send("/account/notifications");
  for (let made = 0; made < 26; made += 1) {
    const invited = await owner.send("/account/members/invite", { email: `new-${made}@shop.example`, role: "viewer" });
    expect(invited.status).toBe(303);
    await database.query({ name: "free_throttle", text: "delete from log_in_failures" });
    await owner.send("/account/members/invite", { email: `more-${made}@shop.example`, role: "viewer" });
  }
  const newest = await owner.get("/account/log");
  expect(newest.text).not.toContain("created the test key");
  const next = /href="(\/account\/log\?before=\d+)"/.exec(newest.text)?.[1] ?? "none";
  expect((await owner.get(next)).text).toContain("created the test key");
});

test("a person turns emails of a business on and off, and a cashier is offered only what is the cashier's", async () => {
  const [owner, cashier] = [await service.member("owner"), await service.member("cashier")];
  const offered = (text: string) => [...text.matchAll(/type="checkbox"[^>]*|name="(\w+)"[^>]*type="checkbox"/g)].length;
  expect(offered((await owner.get("/account/notifications")).text)).toBe(7);
  expect(offered((await cashier.get("/account/notifications")).text)).toBe(1);
  await owner.send("/account/notifications", { monthly_statement: "on", low_balance: "on" });
  await cashier.send("/account/notifications", { low_balance: "on" });
  const { rows } = await service.app.fresh.pool.query(
    `select p.email, string_agg(c.kind, ' ' order by c.kind) filter (where c.is_on) as "on"
       from email_choices c join people p on p.id = c.person_id where p.email = any ($1) group by 1 order by 1`,
    [[owner.email, cashier.email]],
  );
  expect(rows).toEqual([
    { email: cashier.email, on: null },
    { email: owner.email, on: "low_balance monthly_statement" },
  ]);
});

test("after the sign-up the email is sent again by a button, and answered the same whoever has the address", async () => {
  const guest = service.guest();
  const typed = {
    business: "Kano Corner",
    name: "Amina Bello",
    email: "amina@kano.example",
    password: consolePassword,
  };
  const signedUp = await guest.send("/sign-up", typed);
  const reset = await guest.send("/reset-password", { email: "amina@kano.example.org" });
  for (const { text } of [signedUp, reset])
    expect([text.includes("amina@kano.example"), text.includes("npm run operator -- emails")]).toEqual([true, true]);
  const known = await service.member("owner");
  for (const email of ["amina@kano.example", known.email, "nobody@kano.example"]) {
    const again = await guest.send("/sign-up/again", { email });
    expect([email, again.status, again.text.includes("We’ve sent it again.")]).toEqual([email, 200, true]);
  }
  const emails = async (email: string) => (await emailsTo(database, email)).map(({ subject }) => subject);
  expect(await emails("amina@kano.example")).toEqual(["Confirm your email", "Confirm your email"]);
  expect(await emails(known.email)).toEqual(["You already have an account"]);
  expect(await emails("nobody@kano.example")).toEqual([]);
  const in_ = service.guest();
  expect((await in_.send("/log-in", typed)).location).toBe("/test/overview");
  const link = /\/verify-email\?token=\S+/.exec((await emailsTo(database, typed.email))[0]?.text ?? "")?.[0] ?? "";
  expect((await in_.get(link)).status).toBe(200);
  expect(people.signUp).toBe("open");
});
