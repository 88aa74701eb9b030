import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { logIn } from "../../../../src/domain/identity/people/log-in.ts";
import { refreshFactor } from "../../../../src/domain/identity/people/refresh-factor.ts";
import { giveSecondFactor } from "../../../../src/domain/identity/people/second-factor.ts";
import { readSession, type Session } from "../../../../src/domain/identity/people/sessions.ts";
import { beginTotp, confirmTotp, renewBackupCodes, turnOffTotp } from "../../../../src/domain/identity/people/totp.ts";
import { totpUri } from "../../../../src/domain/identity/people/totp-codes.ts";
import { closing } from "../../../support/closing.ts";
import {
  auditEntries,
  emailsTo,
  from,
  loggedIn,
  newOwner,
  origin,
  ownPeople,
  password,
  sessionOf,
} from "../../../support/people.ts";

const own = closing(await ownPeople());

const codeOf = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(own.services.clock.now() / 1_000), strategy: "totp" });

/** Somebody with an app in use, whose password was given just now: the code is owed. */
async function withApp(email: string) {
  const { session: first } = await newOwner(own.services, email);
  const begun = await beginTotp(own.services, first);
  if (begun.kind !== "begun") throw new Error(begun.kind);
  const confirmed = await confirmTotp(own.services, first, codeOf(begun.secret));
  if (confirmed.kind !== "confirmed") throw new Error(confirmed.kind);
  own.pass(60_000);
  const { secret } = begun;
  return { first, secret, backupCodes: confirmed.backupCodes, owing: await loggedIn(own.services, email) };
}

const give = (session: Session, code: string, source = from.source) =>
  giveSecondFactor(own.services, session, { code }, { source, origin });

test("who has an app owes a code after the password, and gets a new token for it", async () => {
  const { owing, secret } = await withApp("owes@example.com");
  expect(owing.level).toBe("password");
  const attempt = await give(owing, codeOf(secret));
  expect((await sessionOf(own.services, attempt)).level).toBe("second_factor");
  const { rows } = await own.fresh.pool.query("select 1 from sessions where token_hash = $1", [owing.hash]);
  expect(rows).toEqual([]);
});

test("while the code is owed, the password given again does not stand for it", async () => {
  const { owing } = await withApp("step-up@example.com");
  await expect(refreshFactor(own.services, owing, { password }, from)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("a code is taken once, also by two that come at once, and none of an earlier step is", async () => {
  const { secret } = await withApp("replay@example.com");
  const earlier = codeOf(secret);
  own.pass(30_000);
  const sessions = await Promise.all(Array.from({ length: 4 }, () => loggedIn(own.services, "replay@example.com")));
  const code = codeOf(secret);
  const kinds = await Promise.all(sessions.map(async (session) => (await give(session, code)).kind));
  expect(kinds.sort()).toEqual(["in", "wrong", "wrong", "wrong"]);
  const again = await loggedIn(own.services, "replay@example.com");
  expect((await give(again, code)).kind).toBe("wrong");
  expect((await give(again, earlier, "elsewhere")).kind).toBe("wrong");
});

test("codes can't be guessed: five from one source and twenty in all, and then they wait", async () => {
  const { owing, secret } = await withApp("brute@example.com");
  const kinds: string[] = [];
  for (let turn = 0; turn < 6; turn++) kinds.push((await give(owing, "000000", "203.0.113.1")).kind);
  expect(kinds).toEqual(["wrong", "wrong", "wrong", "wrong", "wrong", "locked"]);
  expect((await give(owing, codeOf(secret), "203.0.113.1")).kind).toBe("locked");
  const others = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => (await give(owing, "000000", `many ${index}`)).kind),
  );
  expect(others.filter((kind) => kind === "wrong").length).toBeLessThanOrEqual(15);
  expect((await give(owing, codeOf(secret), "one more")).kind).toBe("locked");
  own.pass(3_600_001);
  expect((await give(await loggedIn(own.services, "brute@example.com"), codeOf(secret), "one more")).kind).toBe("in");
});

test("a backup code is good once, also at once, and its use is told and entered", async () => {
  const { backupCodes } = await withApp("backup@example.com");
  expect(backupCodes).toHaveLength(10);
  const [code = ""] = backupCodes;
  const sessions = await Promise.all(Array.from({ length: 3 }, () => loggedIn(own.services, "backup@example.com")));
  const tries = await Promise.all(
    sessions.map((session) => giveSecondFactor(own.services, session, { backupCode: code.toUpperCase() }, from)),
  );
  expect(tries.map(({ kind }) => kind).sort()).toEqual(["in", "wrong", "wrong"]);
  const [email] = await emailsTo(own.database, "backup@example.com");
  expect(email).toMatchObject({ subject: "A backup code was used", text: expect.stringContaining("You have 9 left") });
  const entries = await auditEntries(own.database);
  expect(entries).toContainEqual(
    expect.objectContaining({ who: "member:backup@example.com", command: "console backup-code use" }),
  );
});

test("an app is changed by a fresh session alone, at a confirmed address, and only one at a time", async () => {
  const { session } = await newOwner(own.services, "change@example.com");
  const unverified = { ...session, person: { ...session.person, emailVerifiedAt: null } };
  expect((await beginTotp(own.services, unverified)).kind).toBe("unverified");
  const begun = await beginTotp(own.services, session);
  if (begun.kind !== "begun") throw new Error(begun.kind);
  expect(begun.uri).toContain(`secret=${begun.secret}`);
  expect((await confirmTotp(own.services, session, "123")).kind).toBe("wrong");
  const kinds = await Promise.all(
    [1, 2].map(async () => (await confirmTotp(own.services, session, codeOf(begun.secret))).kind),
  );
  expect(kinds.sort()).toEqual(["confirmed", "in_use"]);
  expect((await beginTotp(own.services, session)).kind).toBe("in_use");
  own.pass(16 * 60_000);
  expect(await turnOffTotp(own.services, session)).toEqual({ kind: "stale" });
  expect(await renewBackupCodes(own.services, session)).toEqual({ kind: "stale" });
  const fresh = { ...session, factorAt: own.services.clock.now() };
  expect((await renewBackupCodes(own.services, fresh)).kind).toBe("made");
  expect(await turnOffTotp(own.services, fresh)).toEqual({ kind: "off" });
  const subjects = (await emailsTo(own.database, "change@example.com")).map(({ subject }) => subject);
  expect(subjects.slice(0, 3)).toEqual([
    "Your authenticator app was removed",
    "You have new backup codes",
    "Your account now has an authenticator app",
  ]);
});

test("an app taken into use logs other browsers out", async () => {
  const { session } = await newOwner(own.services, "others@example.com");
  const other = await logIn(own.services, {
    realm: "merchant",
    email: "others@example.com",
    password,
    source: "x",
    origin,
  });
  const begun = await beginTotp(own.services, session);
  if (begun.kind !== "begun" || other.kind !== "in") throw new Error("not begun");
  await confirmTotp(own.services, session, codeOf(begun.secret));
  expect(await readSession(own.services, "merchant", other.token)).toBeNull();
});

test.each([
  ["Shop: Main", "Shop Main"],
  ["A:B : C", "A B C"],
  [":", "Account"],
  ["Kobo House", "Kobo House"],
])("an app is told the company %j and the address by a label with one colon", (company, issuer) => {
  const { pathname, searchParams } = new URL(totpUri({ issuer: company, email: "ada@example.com", secret: "ABCD" }));
  expect(decodeURIComponent(pathname).split(":")).toEqual([expect.stringMatching(`/${issuer}$`), "ada@example.com"]);
  expect(Object.fromEntries(searchParams)).toMatchObject({ issuer, secret: "ABCD" });
});

test("nothing that lets somebody in is stored in the clear", async () => {
  const { secret, backupCodes } = await withApp("canary@example.com");
  const tables = [
    "people",
    "passkeys",
    "backup_codes",
    "sessions",
    "one_time_tokens",
    "log_in_failures",
    "invitations",
    "emails",
    "audit_log",
  ];
  let dump = "";
  for (const table of tables) {
    const { rows } = await own.fresh.pool.query(`select t::text as row from ${table} t`);
    dump += rows.map(({ row }: { row: string }) => row).join("\n");
  }
  expect(dump).toContain("canary@example.com");
  for (const canary of [password, secret, ...backupCodes, backupCodes[0]?.replaceAll("-", "") ?? "", "token="]) {
    expect(dump).not.toContain(canary);
  }
  const { rows } = await own.fresh.pool.query("select password_hash from people");
  for (const { password_hash: hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
