import { expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { askEmailChange, changeEmail, verifyEmail } from "../../../src/domain/identity/people/addresses.ts";
import { logIn } from "../../../src/domain/identity/people/log-in.ts";
import { askReset, changePassword, resetPassword } from "../../../src/domain/identity/people/reset-password.ts";
import { readSession, type Session } from "../../../src/domain/identity/people/sessions.ts";
import { acceptAsNewPerson, inviteOwner } from "../../../src/domain/members/invitations.ts";
import { logInByLink, makeLogInLink } from "../../../src/domain/members/log-in-link.ts";
import { membershipsOf } from "../../../src/domain/members/membership.ts";
import { signUp } from "../../../src/domain/members/sign-up.ts";
import { closing } from "../../support/closing.ts";
import { linkedToken, newOwner, origin, ownPeople, password, publicUrl, sessionOf } from "../../support/people.ts";

const own = closing(await ownPeople());

const strangers = "the stranger's lantern 7";
const owners = "the owner's other lamp 8";

const enterAs = (email: string, given: string) =>
  logIn(own.services, { realm: "merchant", email, password: given, source: `s ${email}`.slice(0, 64), origin });

/** A stranger signs up with somebody else's address, and prepares every way back in that there is. */
async function squat(email: string) {
  const given = { email, name: "Eve", businessName: "Eve's", password: strangers, source: `from ${email}`, publicUrl };
  await signUp(own.services, given);
  const attempt = await enterAs(email, strangers);
  const session = await sessionOf(own.services, attempt);
  const { id } = session.person;
  // No page lets an unconfirmed person make these; they go all the same.
  await own.fresh.pool.query("update people set totp_seed = 'a.b.c', totp_confirmed_at = now() where id = $1", [id]);
  await own.fresh.pool.query("insert into backup_codes (person_id, code_hash) values ($1, sha256('code'))", [id]);
  await own.fresh.pool.query(
    "insert into passkeys (credential_id, person_id, public_key, counter, transports, label, created_at) values ($1, $2, 'k', 0, '{}', 'l', now())",
    [`of ${email}`, id],
  );
  await askEmailChange(own.services, session, { email: `eve-${email}`, publicUrl });
  const wayBack = await linkedToken(own.database, `eve-${email}`);
  return { session, token: attempt.kind === "in" ? attempt.token : "", wayBack };
}

/** What is left of what the stranger had. */
async function leftOf({ session, token, wayBack }: Awaited<ReturnType<typeof squat>>) {
  const { id, email } = session.person;
  const { rows } = await own.fresh.pool.query(
    `select (select count(*)::int from passkeys where person_id = $1) as passkeys,
            (select count(*)::int from backup_codes where person_id = $1) as codes,
            totp_seed as seed, email_verified_at is not null as "isConfirmed", email
       from people where id = $1`,
    [id],
  );
  return {
    ...rows[0],
    session: await readSession(own.services, "merchant", token),
    changed: (await changeEmail(own.services, { token: wayBack, session })).kind,
    byPassword: (await enterAs(email, strangers)).kind,
  };
}

const nothingLeft = (email: string) => ({
  ...{ passkeys: 0, codes: 0, seed: null, isConfirmed: true, email },
  ...{ session: null, changed: "refused", byPassword: "wrong" },
});

async function shopOf(email: string) {
  const { id } = await newMerchant(own.database);
  await own.fresh.pool.query("update merchants set email = $2 where id = $1", [id, email]);
  return id;
}

const ownsShop = async ({ person }: Session, shop: number) =>
  (await membershipsOf(own.database, person.id)).some(({ merchantId }) => merchantId === shop);

test("a login link makes nobody an owner before it is followed, and its follower finds nothing of a stranger's account", async () => {
  const email = "link@shop.example";
  const shop = await shopOf(email);
  const stranger = await squat(email);
  const made = await makeLogInLink(own.services, { merchantId: shop, publicUrl });
  expect(made).toMatchObject({ email, isNewOwner: true });
  expect(await ownsShop(stranger.session, shop)).toBe(false);
  const attempt = await logInByLink(own.services, {
    token: new URL(made.link).searchParams.get("token") ?? "",
    origin,
  });
  expect(attempt).toMatchObject({ kind: "in", needs: null });
  expect(await ownsShop(stranger.session, shop)).toBe(true);
  expect(await leftOf(stranger)).toEqual(nothingLeft(email));
});

test("an owner who is invited at an address that a stranger signed up with gets the account, and the stranger nothing", async () => {
  const email = "invited@shop.example";
  const shop = await shopOf("else@shop.example");
  const stranger = await squat(email);
  await inviteOwner(own.services, { merchantId: shop, email, publicUrl, operator: "op" });
  const token = await linkedToken(own.database, email);
  const accepted = await acceptAsNewPerson(own.services, { token, name: "Ada", password: owners });
  expect(accepted).toMatchObject({ kind: "accepted", merchantId: shop });
  expect(await leftOf(stranger)).toEqual(nothingLeft(email));
  expect(await enterAs(email, owners)).toMatchObject({ kind: "in", needs: null, person: { name: "Ada" } });
});

test("a new password by email takes an account that was never confirmed from whoever made it", async () => {
  const email = "reset@shop.example";
  const stranger = await squat(email);
  await askReset(own.services, { realm: "merchant", email, source: "home", publicUrl });
  const token = await linkedToken(own.database, email);
  expect((await resetPassword(own.services, { token, password: owners })).kind).toBe("reset");
  expect(await leftOf(stranger)).toEqual(nothingLeft(email));
  expect(await enterAs(email, owners)).toMatchObject({ kind: "in", needs: null });
});

test("a confirmation link that another person follows confirms no stranger's account, and stays good for its own", async () => {
  const email = "confirm@shop.example";
  const { session: other } = await newOwner(own.services, "mailbox@shop.example");
  const given = { email, name: "Eve", businessName: "Eve's", password: strangers, source: "eve", publicUrl };
  await signUp(own.services, given);
  const token = await linkedToken(own.database, email);
  expect(await verifyEmail(own.services, { token, session: other })).toEqual({ kind: "other_account" });
  const { rows } = await own.fresh.pool.query("select email_verified_at from people where email = $1", [email]);
  expect(rows).toEqual([{ email_verified_at: null }]);
  const session = await sessionOf(own.services, await enterAs(email, strangers));
  expect((await verifyEmail(own.services, { token, session })).kind).toBe("verified");
});

test("a change to somebody else's address is not made by the mailbox's owner, who has no session of that account", async () => {
  const { session: eve } = await newOwner(own.services, "eve@shop.example");
  const { session: other } = await newOwner(own.services, "other-mailbox@shop.example");
  await askEmailChange(own.services, eve, { email: "wanted@shop.example", publicUrl });
  const token = await linkedToken(own.database, "wanted@shop.example");
  expect(await changeEmail(own.services, { token, session: other })).toEqual({ kind: "other_account" });
  expect((await enterAs("wanted@shop.example", password)).kind).toBe("wrong");
  expect((await changeEmail(own.services, { token, session: eve })).kind).toBe("changed");
});

test("a password that a stranger changes while the owner takes the account over is not taken", async () => {
  const email = "race@shop.example";
  const stranger = await squat(email);
  await askReset(own.services, { realm: "merchant", email, source: "home", publicUrl });
  const token = await linkedToken(own.database, email);
  const { passwords } = own.services;
  const overtaken = {
    ...passwords,
    async hash(given: string) {
      await resetPassword(own.services, { token, password: owners });
      return passwords.hash(given);
    },
  };
  const services = { ...own.services, passwords: overtaken };
  const change = changePassword(services, stranger.session, { password: "the stranger's third lamp 9", origin });
  expect(await change).toEqual({ kind: "stale" });
  expect((await enterAs(email, "the stranger's third lamp 9")).kind).toBe("wrong");
  expect(await leftOf(stranger)).toEqual(nothingLeft(email));
});
