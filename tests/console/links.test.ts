import { generateSync } from "otplib";
import { expect, test } from "vitest";
import type { PersonId } from "../../src/domain/identity/people/person.ts";
import { membershipsOf } from "../../src/domain/members/membership.ts";
import { type ConsoleClient, consolePassword, type MemberClient } from "../support/console.ts";
import { emailsTo } from "../support/people.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();

/** The token of the link in the newest email to somebody. */
async function tokenFor(email: string): Promise<string> {
  const [newest] = await emailsTo(service.app.services.database, email);
  const [, token = ""] = /\?token=(\S+)/.exec(newest?.text ?? "") ?? [];
  return token;
}

async function personOf({ email }: MemberClient): Promise<PersonId> {
  const { rows } = await service.app.fresh.pool.query("select id from people where email = $1", [email]);
  return Number(rows[0].id) as PersonId;
}

/** Invites a person who has a business elsewhere already. @returns the person, the link's token and the inviting owner */
async function invitee() {
  const owner = await service.member("owner");
  const guest = await service.member("owner", (await service.app.createMerchant()).id);
  expect((await owner.send("/account/members/invite", { email: guest.email, role: "viewer" })).status).toBe(303);
  const isMember = async (who: MemberClient) =>
    (await membershipsOf(service.app.services.database, await personOf(who))).some(
      ({ merchantId }) => merchantId === owner.merchantId,
    );
  return { owner, guest, token: await tokenFor(guest.email), isMember };
}

async function setUpApp(member: MemberClient): Promise<(stepsAhead: number) => string> {
  const begun = await member.send("/account/security/app");
  const secret = /\b[A-Z2-7]{32,}\b/.exec(begun.text)?.[0] ?? "";
  const codeOf = (stepsAhead: number) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + stepsAhead * 30 });
  expect((await member.send("/account/security/app/confirm", { code: codeOf(0) })).status).toBe(200);
  return codeOf;
}

async function afterPassword({ email }: MemberClient): Promise<ConsoleClient> {
  const browser = service.guest();
  expect((await browser.send("/log-in", { email, password: consolePassword })).status).toBe(200);
  return browser;
}

test("an invitation is accepted by its link once, and the second click finds it ended", async () => {
  const { guest, token, isMember } = await invitee();
  expect((await guest.get(`/accept-invitation?token=${token}`)).text).toContain("You’re invited as viewer.");
  expect(await isMember(guest)).toBe(false);
  expect((await guest.send("/accept-invitation", { token })).status).toBe(303);
  expect(await isMember(guest)).toBe(true);
  for (const again of [
    await guest.send("/accept-invitation", { token }),
    await guest.get(`/accept-invitation?token=${token}`),
  ])
    expect([again.status, again.text.includes("has expired")]).toEqual([410, true]);
});

test("an invitation is for its address alone: nobody else who has the link becomes a member, or makes an account", async () => {
  const { guest, token, isMember } = await invitee();
  const thief = await service.member("owner", (await service.app.createMerchant()).id);
  for (const answer of [
    await thief.get(`/accept-invitation?token=${token}`),
    await thief.send("/accept-invitation", { token }),
  ])
    expect([answer.status, answer.text.includes("for another account")]).toEqual([403, true]);
  const stranger = service.guest();
  expect((await stranger.send("/accept-invitation", { token })).location).toContain("/log-in");
  const made = await stranger.send("/accept-invitation/new", { token, name: "Eve", password: "some other pass 12" });
  expect(made.location).toContain("/log-in");
  expect((await stranger.send("/log-in", { email: guest.email, password: "some other pass 12" })).status).toBe(401);
  expect([await isMember(thief), await isMember(guest)]).toEqual([false, false]);
});

test("who owes a code accepts nothing yet", async () => {
  const { guest, token, isMember } = await invitee();
  const codeOf = await setUpApp(guest);
  const browser = await afterPassword(guest);
  expect((await browser.get(`/accept-invitation?token=${token}`)).location).toContain("/log-in");
  expect((await browser.send("/accept-invitation", { token })).location).toContain("/log-in");
  expect(await isMember(guest)).toBe(false);
  expect((await browser.send("/log-in/code", { code: codeOf(1) })).status).toBe(303);
  expect((await browser.send("/accept-invitation", { token })).location).toBe("/live/overview");
  expect(await isMember(guest)).toBe(true);
});

test("a code that was used is refused in every other browser", async () => {
  const owner = await service.member("owner");
  const codeOf = await setUpApp(owner);
  const [own, other] = [await afterPassword(owner), await afterPassword(owner)];
  const code = codeOf(1);
  expect((await own.send("/log-in/code", { code })).status).toBe(303);
  expect((await other.send("/log-in/code", { code })).status).toBe(401);
  expect((await other.get("/live/overview")).location).toContain("/log-in/code");
});

test("a reset link sets one password, and the second one that is sent by it is not set", async () => {
  const owner = await service.member("owner");
  const browser = service.guest();
  expect((await browser.send("/reset-password", { email: owner.email })).status).toBe(200);
  const token = await tokenFor(owner.email);
  const [first, second] = ["violet anchor 8 lamps", "another anchor 9 lamps"];
  expect((await browser.send("/reset-password/new", { token, password: first })).location).toBe("/log-in");
  expect((await owner.get("/live/overview")).location).toContain("/log-in");
  expect((await browser.send("/reset-password/new", { token, password: second })).status).toBe(410);
  expect((await browser.send("/log-in", { email: owner.email, password: second })).status).toBe(401);
  expect((await browser.send("/log-in", { email: owner.email, password: first })).status).toBe(303);
});

test("the last owner stays owner, whatever the form says", async () => {
  const shop = await service.app.createMerchant();
  const owner = await service.member("owner", shop.id);
  const person = String(await personOf(owner));
  for (const change of [{ do: "role", role: "viewer" }, { do: "remove" }]) {
    const answer = await owner.send("/account/members/change", { person, ...change });
    expect((await owner.follow(answer)).text).toContain("A business needs an owner");
  }
  const [membership] = await membershipsOf(service.app.services.database, await personOf(owner));
  expect(membership).toMatchObject({ merchantId: shop.id, role: "owner" });
});
