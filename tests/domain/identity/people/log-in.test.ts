import { expect, test } from "vitest";
import { logIn } from "../../../../src/domain/identity/people/log-in.ts";
import { mintOneTimeToken } from "../../../../src/domain/identity/people/one-time-tokens.ts";
import { openPasswords } from "../../../../src/domain/identity/people/passwords.ts";
import { refreshFactor } from "../../../../src/domain/identity/people/refresh-factor.ts";
import { endSessionsOf, isFresh, listSessions, readSession } from "../../../../src/domain/identity/people/sessions.ts";
import { logInByLink } from "../../../../src/domain/members/log-in-link.ts";
import { openPasswordHash, type PasswordHash } from "../../../../src/platform/password-hash.ts";
import { closing } from "../../../support/closing.ts";
import { from, loggedIn, newOwner, origin, ownPeople, password, sessionOf } from "../../../support/people.ts";

const own = closing(await ownPeople());

const attempt = (email: string, given: string, source: string) =>
  logIn(own.services, { realm: "merchant", email, password: given, source, origin });

test("an unknown address and a wrong password are answered alike, at the same cost", async () => {
  await newOwner(own.services, "uniform@example.com");
  const verified: string[] = [];
  const real = openPasswordHash();
  const hashing: PasswordHash = {
    hash: real.hash,
    verify: (hashed, given) => {
      verified.push(hashed);
      return real.verify(hashed, given);
    },
  };
  const services = { ...own.services, passwords: openPasswords(hashing, { ownList: [] }) };
  for (const email of ["uniform@example.com", "nobody@example.com"]) {
    const given = { realm: "merchant", email, password: "not the password", source: email, origin } as const;
    expect(await logIn(services, given)).toEqual({ kind: "wrong" });
  }
  // What a hash costs is in its parameters, which stand before its salt.
  const costs = verified.map((hashed) => hashed.split("$").slice(0, 4).join("$"));
  expect(costs).toEqual(Array(2).fill("$argon2id$v=19$m=19456,t=2,p=1"));
});

test("ten wrong passwords from one source lock it out of the account and nobody else", async () => {
  await newOwner(own.services, "locked@example.com");
  for (let turn = 0; turn < 10; turn++)
    expect((await attempt("locked@example.com", "wrong", "198.51.100.1")).kind).toBe("wrong");
  expect(await attempt("locked@example.com", password, "198.51.100.1")).toEqual({
    kind: "locked",
    retryAfterSeconds: expect.any(Number),
  });
  expect((await attempt("locked@example.com", password, "203.0.113.5")).kind).toBe("in");
  expect((await attempt("another@example.com", "wrong", "198.51.100.1")).kind).toBe("wrong");
});

test("attempts that come at once are all counted before any is looked at", async () => {
  await newOwner(own.services, "at-once@example.com");
  const kinds = await Promise.all(
    Array.from({ length: 25 }, async () => (await attempt("at-once@example.com", "wrong", "198.51.100.2")).kind),
  );
  expect(kinds.filter((kind) => kind === "wrong")).toHaveLength(10);
});

test("a source that tries many accounts is held up, whatever they are", async () => {
  const kinds: string[] = [];
  for (let turn = 0; turn < 102; turn++)
    kinds.push((await attempt(`many${turn}@example.com`, "wrong", "198.51.100.3")).kind);
  expect(kinds.indexOf("locked")).toBe(100);
});

test("a person of one realm does not log in to the other", async () => {
  await newOwner(own.services, "realm@example.com");
  const staff = { realm: "staff" as const, email: "realm@example.com", password, source: "x", origin };
  expect(await logIn(own.services, staff)).toEqual({ kind: "wrong" });
});

test("every log-in makes a new token, and the table holds none of them", async () => {
  await newOwner(own.services, "tokens@example.com");
  const first = await attempt("tokens@example.com", password, "a");
  const second = await attempt("tokens@example.com", password, "a");
  if (first.kind !== "in" || second.kind !== "in") throw new Error("not logged in");
  expect(first.token).not.toBe(second.token);
  const { rows } = await own.fresh.pool.query("select encode(token_hash, 'base64') as hash from sessions");
  expect(JSON.stringify(rows)).not.toContain(first.token.slice(0, 20));
});

test("a factor given again makes the session fresh, under a new token, and the old one ends", async () => {
  await newOwner(own.services, "fresh@example.com");
  const before = await loggedIn(own.services, "fresh@example.com");
  own.pass(16 * 60_000);
  expect(isFresh(before, own.services.clock.now())).toBe(false);
  expect(await refreshFactor(own.services, before, { password: "wrong" }, from)).toEqual({ kind: "wrong" });
  const renewed = await refreshFactor(own.services, before, { password }, from);
  const after = await sessionOf(own.services, renewed);
  expect(isFresh(after, own.services.clock.now())).toBe(true);
  const hashes = (await listSessions(own.services, after)).map(({ hash }) => hash.toString("hex"));
  expect(hashes).toContain(after.hash.toString("hex"));
  expect(hashes).not.toContain(before.hash.toString("hex"));
  // Twice with the same old session: it has ended.
  expect(await refreshFactor(own.services, before, { password }, from)).toEqual({ kind: "wrong" });
});

test("a session ends when it is idle, after its longest time, and when others are logged out", async () => {
  await newOwner(own.services, "ends@example.com");
  const first = await attempt("ends@example.com", password, "a");
  const kept = await loggedIn(own.services, "ends@example.com");
  if (first.kind !== "in") throw new Error("not logged in");
  expect(await readSession(own.services, "merchant", first.token)).not.toBeNull();
  expect(await readSession(own.services, "staff", first.token)).toBeNull();
  await endSessionsOf(own.database, kept.person.id, kept.hash);
  expect(await readSession(own.services, "merchant", first.token)).toBeNull();
  const idle = await attempt("ends@example.com", password, "a");
  if (idle.kind !== "in") throw new Error("not logged in");
  own.pass(13 * 3_600_000);
  expect(await readSession(own.services, "merchant", idle.token)).toBeNull();
});

test("a log-in link is good once, also at once, and not after an hour", async () => {
  const { session } = await newOwner(own.services, "link@example.com");
  const mint = () => mintOneTimeToken(own.database, own.services, { purpose: "log_in", personId: session.person.id });
  const token = await mint();
  const tries = await Promise.all(Array.from({ length: 5 }, () => logInByLink(own.services, { token, origin })));
  expect(tries.map(({ kind }) => kind).sort()).toEqual(["in", "wrong", "wrong", "wrong", "wrong"]);
  const late = await mint();
  own.pass(3_600_001);
  expect(await logInByLink(own.services, { token: late, origin })).toEqual({ kind: "wrong" });
});
