import { expect, test } from "vitest";
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogIn,
  listPasskeys,
  logInByPasskey,
  removePasskey,
  siteOf,
} from "../../../../src/domain/identity/people/passkeys.ts";
import { refreshFactor } from "../../../../src/domain/identity/people/refresh-factor.ts";
import type { Session } from "../../../../src/domain/identity/people/sessions.ts";
import { type Authenticator, openAuthenticator } from "../../../support/authenticator.ts";
import { closing } from "../../../support/closing.ts";
import {
  auditEntries,
  emailsTo,
  from,
  newOwner,
  origin,
  ownPeople,
  publicUrl,
  sessionOf,
} from "../../../support/people.ts";

const own = closing(await ownPeople());

const site = siteOf(publicUrl);

async function add(session: Session, authenticator: Authenticator) {
  const begun = await beginPasskey(own.services, session, site);
  if (begun.kind !== "begun") throw new Error(begun.kind);
  const response = authenticator.register(begun.options.challenge);
  const given = { token: begun.token, response, label: "Phone", site };
  return { ...(await addPasskey(own.services, session, given)), given };
}

async function challenge() {
  const begun = await beginPasskeyLogIn(own.services, { source: "home", site });
  if (begun.kind !== "begun") throw new Error(begun.kind);
  return { token: begun.token, challenge: begun.options.challenge };
}

const enterBy = (token: string, response: unknown, realm: "merchant" | "staff" = "merchant") =>
  logInByPasskey(own.services, { realm, token, response, site, origin });

test("a passkey logs in alone and counts as both factors; it is told and entered", async () => {
  const { session } = await newOwner(own.services, "passkey@example.com");
  const authenticator = openAuthenticator({ origin: publicUrl });
  expect((await add(session, authenticator)).kind).toBe("added");
  const calls = await challenge();
  const attempt = await enterBy(calls.token, authenticator.logIn(calls.challenge));
  expect(attempt).toMatchObject({ kind: "in", needs: null, person: { email: "passkey@example.com" } });
  expect((await sessionOf(own.services, attempt)).level).toBe("second_factor");
  expect((await emailsTo(own.database, "passkey@example.com"))[0]?.text).toContain("a passkey");
  expect((await auditEntries(own.database)).map(({ command }) => command)).toContain("console passkey add");
});

test("a challenge is used up by whatever comes of it, and nobody logs in by an answer seen before", async () => {
  const { session } = await newOwner(own.services, "challenge@example.com");
  const authenticator = openAuthenticator({ origin: publicUrl });
  const { given } = await add(session, authenticator);
  expect(await addPasskey(own.services, session, given)).toEqual({ kind: "refused" });
  const calls = await challenge();
  const response = authenticator.logIn(calls.challenge);
  const kinds = await Promise.all([1, 2, 3].map(async () => (await enterBy(calls.token, response)).kind));
  expect(kinds.sort()).toEqual(["in", "wrong", "wrong"]);
  const next = await challenge();
  expect((await enterBy(next.token, response)).kind).toBe("wrong");
  expect((await enterBy(next.token, authenticator.logIn(next.challenge))).kind).toBe("wrong");
  const late = await challenge();
  own.pass(300_001);
  expect((await enterBy(late.token, authenticator.logIn(late.challenge))).kind).toBe("wrong");
});

test("a count that does not move on is a copy, and is refused", async () => {
  const { session } = await newOwner(own.services, "count@example.com");
  const authenticator = openAuthenticator({ origin: publicUrl });
  await add(session, authenticator);
  const log = async (count: number) => {
    const calls = await challenge();
    return (await enterBy(calls.token, authenticator.logIn(calls.challenge, count))).kind;
  };
  expect([await log(5), await log(5), await log(4), await log(6)]).toEqual(["in", "wrong", "wrong", "in"]);
});

test("who is not verified by the authenticator, comes from another site or of another realm, is refused", async () => {
  const { session } = await newOwner(own.services, "other@example.com");
  expect((await add(session, openAuthenticator({ origin: publicUrl, isVerifying: false }))).kind).toBe("refused");
  expect((await add(session, openAuthenticator({ origin: "https://evil.example" }))).kind).toBe("refused");
  const authenticator = openAuthenticator({ origin: publicUrl });
  await add(session, authenticator);
  const calls = await challenge();
  expect((await enterBy(calls.token, authenticator.logIn(calls.challenge), "staff")).kind).toBe("wrong");
  for (const response of [null, {}, { id: authenticator.id }, "text", { id: authenticator.id, response: 7 }]) {
    const { token } = await challenge();
    expect((await enterBy(token, response)).kind).toBe("wrong");
  }
});

test("a passkey is added and removed by a fresh session at a confirmed address, and belongs to one person", async () => {
  const { session } = await newOwner(own.services, "own@example.com");
  const { session: stranger } = await newOwner(own.services, "stranger@example.com");
  const authenticator = openAuthenticator({ origin: publicUrl });
  const unverified = { ...session, person: { ...session.person, emailVerifiedAt: null } };
  expect((await beginPasskey(own.services, unverified, site)).kind).toBe("unverified");
  await add(session, authenticator);
  expect((await add(stranger, authenticator)).kind).toBe("refused");
  expect(await listPasskeys(own.services, session.person.id)).toMatchObject([{ id: authenticator.id }]);
  expect((await removePasskey(own.services, stranger, authenticator.id)).kind).toBe("unknown");
  expect((await removePasskey(own.services, { ...session, factorAt: 0 }, authenticator.id)).kind).toBe("stale");
  expect((await removePasskey(own.services, session, authenticator.id)).kind).toBe("removed");
  const calls = await challenge();
  expect((await enterBy(calls.token, authenticator.logIn(calls.challenge))).kind).toBe("wrong");
});

test("a passkey makes its own person's session fresh, and nobody else's", async () => {
  const { session } = await newOwner(own.services, "renew@example.com");
  const { session: stranger } = await newOwner(own.services, "renew-stranger@example.com");
  const authenticator = openAuthenticator({ origin: publicUrl });
  await add(session, authenticator);
  const answer = async () => {
    const { token, challenge: text } = await challenge();
    return { passkey: { token, response: authenticator.logIn(text), site } };
  };
  expect((await refreshFactor(own.services, stranger, await answer(), from)).kind).toBe("wrong");
  expect((await refreshFactor(own.services, session, await answer(), from)).kind).toBe("in");
});
