import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { askVerification } from "../../../../src/domain/identity/people/addresses.ts";
import { logIn } from "../../../../src/domain/identity/people/log-in.ts";
import { openPasswords } from "../../../../src/domain/identity/people/passwords.ts";
import { askReset } from "../../../../src/domain/identity/people/reset-password.ts";
import { giveSecondFactor } from "../../../../src/domain/identity/people/second-factor.ts";
import type { PeopleServices } from "../../../../src/domain/identity/people/send-notice.ts";
import { beginTotp, confirmTotp } from "../../../../src/domain/identity/people/totp.ts";
import { openPasswordHash, TooBusy } from "../../../../src/platform/password-hash.ts";
import type { SecurityEvent } from "../../../../src/platform/telemetry/security-events.ts";
import { closing } from "../../../support/closing.ts";
import { emailsTo, loggedIn, newOwner, origin, ownPeople, password, publicUrl } from "../../../support/people.ts";

const events: SecurityEvent[] = [];
const own = closing(await ownPeople({ security: { note: (event) => void events.push(event) } }));

const enterAs = (email: string, given: string, source: string, services: PeopleServices = own.services) =>
  logIn(services, { realm: "merchant", email, password: given, source, origin });
const kindsFrom = (source: string) =>
  events.filter((event) => event.source === source).map(({ kind, about }) => `${kind} ${about}`);

test("a log-in that hashing was too busy for counts for nothing, however often it is tried", async () => {
  const { session } = await newOwner(own.services, "busy@example.com");
  const busy = async () => {
    throw new TooBusy("busy");
  };
  const passwords = openPasswords({ ...openPasswordHash(), verify: busy }, { ownList: [] });
  for (let turn = 0; turn < 12; turn++) {
    const refused = enterAs("busy@example.com", password, "owner's shop", { ...own.services, passwords });
    await expect(refused).rejects.toMatchObject({ code: "MAINTENANCE" });
  }
  const { rows } = await own.fresh.pool.query("select 1 from log_in_failures where source = $1", ["owner's shop"]);
  expect(rows).toEqual([]);
  expect((await enterAs("busy@example.com", password, "owner's shop")).kind).toBe("in");
  expect(session.person.email).toBe("busy@example.com");
});

test("what is wrong, locked or too busy waits before its answer, and what is right does not", async () => {
  await newOwner(own.services, "waits@example.com");
  let waits = 0;
  const delayRefusal = async () => {
    waits += 1;
  };
  const services = { ...own.services, delayRefusal };
  const enter = (given: string, more: Partial<PeopleServices> = {}) =>
    enterAs("waits@example.com", given, "a waiting bot", { ...services, ...more });
  expect([(await enter(password)).kind, waits]).toEqual(["in", 0]);
  const busy = () => Promise.reject(new TooBusy("busy"));
  const passwords = openPasswords({ ...openPasswordHash(), verify: busy }, { ownList: [] });
  await expect(enter(password, { passwords })).rejects.toMatchObject({ code: "MAINTENANCE" });
  expect(waits).toBe(1);
  for (let turn = 0; turn < 10; turn++) expect((await enter("wrong")).kind).toBe("wrong");
  expect(waits).toBe(11);
  expect([(await enter(password)).kind, waits]).toEqual(["locked", 12]);
});

test("a source without failures finds a place while others, which failed, have all of theirs taken", async () => {
  const hashing = openPasswordHash();
  const flood = Array.from({ length: 200 }, (_, turn) =>
    hashing.hash("flood", { source: `flood ${turn % 50}`, rank: "failed" }).catch((error: Error) => error.name),
  );
  const one = Array.from({ length: 20 }, () =>
    hashing.hash("one source", { source: "one", rank: "new" }).catch((error: Error) => error.name),
  );
  const owner = await hashing.hash("owner", { source: "owner", rank: "new" });
  const known = await hashing.hash("owner", { source: "known", rank: "known" });
  expect([owner.startsWith("$argon2id$"), known.startsWith("$argon2id$")]).toEqual([true, true]);
  const busyAmong = async (all: readonly Promise<string>[]) =>
    (await Promise.all(all)).filter((each) => each === "TooBusy").length;
  // Two are at work at once, and twenty wait.
  expect(await busyAmong(flood)).toBe(200 - 2 - 20);
  expect(await busyAmong(one)).toBe(20 - 8);
});

test("strangers who ask for emails leave those to the owner that the owner asks for", async () => {
  const { session } = await newOwner(own.services, "emails@example.com");
  for (let turn = 0; turn < 9; turn++) {
    await askReset(own.services, { realm: "merchant", email: "emails@example.com", source: `r${turn}`, publicUrl });
  }
  const person = { ...session.person, emailVerifiedAt: null };
  const kinds: string[] = [];
  for (let turn = 0; turn < 6; turn++) kinds.push((await askVerification(own.services, person, publicUrl)).kind);
  expect(kinds).toEqual(["sent", "sent", "sent", "sent", "sent", "locked"]);
});

test("many sources that try one account are held up together, and keep nobody out who logged in from there before", async () => {
  await newOwner(own.services, "sprayed@example.com");
  expect((await enterAs("sprayed@example.com", password, "owner's shop")).kind).toBe("in");
  const kinds: string[] = [];
  for (let turn = 0; turn < 24; turn++) kinds.push((await enterAs("sprayed@example.com", "wrong", `bot ${turn}`)).kind);
  expect(kinds.indexOf("locked")).toBe(20);
  expect((await enterAs("sprayed@example.com", password, "a new bot")).kind).toBe("locked");
  expect((await enterAs("sprayed@example.com", "mistyped", "owner's shop")).kind).toBe("wrong");
  expect((await enterAs("sprayed@example.com", password, "owner's shop")).kind).toBe("in");
  own.pass(3_600_001);
  expect((await enterAs("sprayed@example.com", password, "a new bot")).kind).toBe("in");
});

test("many sources that go on for hours wait for a day, and the owner's own place still lets in", async () => {
  await newOwner(own.services, "besieged@example.com");
  expect((await enterAs("besieged@example.com", password, "owner's shop")).kind).toBe("in");
  let wrong = 0;
  for (let turn = 0; turn < 66; turn++) {
    if ((await enterAs("besieged@example.com", "wrong", `siege ${turn}`)).kind === "wrong") wrong += 1;
    else own.pass(3_600_001);
  }
  expect(wrong).toBe(60);
  expect((await enterAs("besieged@example.com", password, "a new bot")).kind).toBe("locked");
  expect((await enterAs("besieged@example.com", password, "owner's shop")).kind).toBe("in");
  own.pass(24 * 3_600_000);
  expect((await enterAs("besieged@example.com", password, "a new bot")).kind).toBe("in");
});

test("wrong passwords and codes, lockouts and floods of resets are noted with their source, and no address", async () => {
  const { session } = await newOwner(own.services, "noted@example.com");
  for (let turn = 0; turn < 11; turn++) await enterAs("noted@example.com", "wrong", "203.0.113.9");
  await enterAs("unknown@example.com", "wrong", "203.0.113.10");
  for (let turn = 0; turn < 11; turn++)
    await askReset(own.services, {
      realm: "merchant",
      email: `${turn}@example.com`,
      source: "203.0.113.11",
      publicUrl,
    });
  const person = `person ${session.person.id}`;
  expect(kindsFrom("203.0.113.9")).toEqual([...Array(10).fill(`log_in_failed ${person}`), "attempts_locked log-in"]);
  expect(kindsFrom("203.0.113.10")).toEqual(["log_in_failed no account"]);
  expect(kindsFrom("203.0.113.11")).toEqual([...Array(10).fill("reset_asked no account"), "attempts_locked reset"]);
  expect(JSON.stringify(events)).not.toContain("example.com");
});

test("a person whose codes lock gets one email a day of it, and logs in from where it did before", async () => {
  const { session } = await newOwner(own.services, "codes@example.com");
  const begun = await beginTotp(own.services, session);
  if (begun.kind !== "begun") throw new Error(begun.kind);
  const { secret } = begun;
  const codeNow = () => generateSync({ secret, epoch: Math.floor(own.services.clock.now() / 1_000), strategy: "totp" });
  await confirmTotp(own.services, session, codeNow());
  own.pass(60_000);
  const owing = () => loggedIn(own.services, "codes@example.com");
  const give = async (code: string, source: string) =>
    (await giveSecondFactor(own.services, await owing(), { code }, { source, origin })).kind;
  expect(await give(codeNow(), "owner's shop")).toBe("in");
  for (let turn = 0; turn < 20; turn++) expect(await give("000000", `thief ${turn}`)).toBe("wrong");
  expect(await give("000000", "thief 21")).toBe("locked");
  own.pass(60_000);
  expect(await give(codeNow(), "owner's shop")).toBe("in");
  for (let turn = 0; turn < 3; turn++) expect(await give("000000", "thief 22")).toBe("locked");
  const subjects = async () =>
    (await emailsTo(own.database, "codes@example.com")).filter(({ subject }) => subject.includes("code")).length;
  expect(await subjects()).toBe(1);
  expect(kindsFrom("thief 1")).toEqual([`code_failed person ${session.person.id}`]);
  expect(kindsFrom("thief 21")).toEqual(["attempts_locked code"]);
  own.pass(86_400_001);
  for (let turn = 0; turn < 6; turn++) await give("000000", "thief 1");
  expect(await subjects()).toBe(2);
});
