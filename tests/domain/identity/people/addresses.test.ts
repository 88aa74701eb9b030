import { expect, test } from "vitest";
import {
  askEmailChange,
  askVerification,
  changeEmail,
  verifyEmail,
} from "../../../../src/domain/identity/people/addresses.ts";
import { logIn } from "../../../../src/domain/identity/people/log-in.ts";
import { isLinkGood, useFormToken } from "../../../../src/domain/identity/people/one-time-tokens.ts";
import { askReset, changePassword, resetPassword } from "../../../../src/domain/identity/people/reset-password.ts";
import { mintToken, purgePeople, readSession } from "../../../../src/domain/identity/people/sessions.ts";
import { closing } from "../../../support/closing.ts";
import {
  auditEntries,
  emailsTo,
  linkedToken,
  loggedIn,
  newOwner,
  origin,
  ownPeople,
  password,
  publicUrl,
} from "../../../support/people.ts";

const own = closing(await ownPeople());

const newPassword = "a quite different lantern";
const enterAs = (email: string, given: string, source = "home") =>
  logIn(own.services, { realm: "merchant", email, password: given, source, origin });
const ask = (email: string, source = `source of ${email}`) =>
  askReset(own.services, { realm: "merchant", email, source, publicUrl });

test("a reset is answered alike for known and unknown addresses, and only the known one gets an email", async () => {
  await newOwner(own.services, "reset@example.com");
  expect(await ask("reset@example.com")).toEqual(await ask("unknown@example.com"));
  expect(await ask("no address")).toEqual({ kind: "sent" });
  expect((await emailsTo(own.database, "reset@example.com"))[0]?.subject).toBe("Choose a new password");
  expect(await emailsTo(own.database, "unknown@example.com")).toEqual([]);
});

test("a reset link is good once, also at once; it ends all sessions and lockouts, and is told", async () => {
  await newOwner(own.services, "once@example.com");
  const open = await enterAs("once@example.com", password);
  for (let turn = 0; turn < 10; turn++) await enterAs("once@example.com", "wrong", "stranger");
  expect((await enterAs("once@example.com", password, "stranger")).kind).toBe("locked");
  await ask("once@example.com");
  const token = await linkedToken(own.database, "once@example.com");
  expect(await isLinkGood(own.services, "reset_password", token)).toBe(true);
  expect(await isLinkGood(own.services, "log_in", token)).toBe(false);
  await expect(resetPassword(own.services, { token, password: "short" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  const kinds = await Promise.all(
    [1, 2, 3].map(async () => (await resetPassword(own.services, { token, password: newPassword })).kind),
  );
  expect(kinds.sort()).toEqual(["refused", "refused", "reset"]);
  expect(await resetPassword(own.services, { token, password: newPassword })).toEqual({ kind: "refused" });
  if (open.kind !== "in") throw new Error("not logged in");
  expect(await readSession(own.services, "merchant", open.token)).toBeNull();
  expect((await enterAs("once@example.com", password)).kind).toBe("wrong");
  expect((await enterAs("once@example.com", newPassword, "stranger")).kind).toBe("in");
  expect((await emailsTo(own.database, "once@example.com"))[0]?.subject).toBe("Your password was changed");
  expect(await auditEntries(own.database)).toContainEqual({
    who: "member:once@example.com",
    command: "console password reset",
    details: "{}",
  });
});

test("a reset link ends after an hour, and with the next password", async () => {
  await newOwner(own.services, "late@example.com");
  await ask("late@example.com");
  const token = await linkedToken(own.database, "late@example.com");
  const session = await loggedIn(own.services, "late@example.com");
  const changed = await changePassword(own.services, session, { password: newPassword, origin });
  expect(changed).toMatchObject({ kind: "changed" });
  expect(await resetPassword(own.services, { token, password })).toEqual({ kind: "refused" });
  await ask("late@example.com");
  const next = await linkedToken(own.database, "late@example.com");
  own.pass(3_600_001);
  expect(await resetPassword(own.services, { token: next, password })).toEqual({ kind: "refused" });
});

test("strangers can't fill a mailbox: five emails an hour, however many sources ask", async () => {
  await newOwner(own.services, "bombed@example.com");
  own.pass(3_600_001);
  const before = (await emailsTo(own.database, "bombed@example.com")).length;
  for (let turn = 0; turn < 9; turn++)
    expect(await ask("bombed@example.com", `source ${turn}`)).toEqual({ kind: "sent" });
  expect((await emailsTo(own.database, "bombed@example.com")).length - before).toBe(5);
});

test("an address is confirmed once by its link", async () => {
  const { session } = await newOwner(own.services, "confirm@example.com");
  await own.fresh.pool.query("update people set email_verified_at = null where email = 'confirm@example.com'");
  const person = { ...session.person, emailVerifiedAt: null };
  expect((await askVerification(own.services, person, publicUrl)).kind).toBe("sent");
  const token = await linkedToken(own.database, "confirm@example.com");
  expect(await verifyEmail(own.services, { token, session })).toEqual({ kind: "verified" });
  expect((await loggedIn(own.services, "confirm@example.com")).person.emailVerifiedAt).toEqual(expect.any(Number));
  expect(await verifyEmail(own.services, { token, session })).toEqual({ kind: "refused" });
});

test("another address is the person's once its own link is followed; both are written to", async () => {
  const { session } = await newOwner(own.services, "old@example.com");
  const change = { email: " NEW@example.com ", publicUrl };
  expect((await askEmailChange(own.services, { ...session, factorAt: 0 }, change)).kind).toBe("stale");
  expect((await askEmailChange(own.services, session, change)).kind).toBe("sent");
  expect((await enterAs("old@example.com", password)).kind).toBe("in");
  expect((await emailsTo(own.database, "old@example.com"))[0]?.text).toContain("new@example.com");
  const token = await linkedToken(own.database, "new@example.com");
  expect(await changeEmail(own.services, { token, session })).toMatchObject({
    kind: "changed",
    person: { email: "new@example.com" },
  });
  expect(await changeEmail(own.services, { token, session })).toEqual({ kind: "refused" });
  expect((await enterAs("old@example.com", password)).kind).toBe("wrong");
  expect((await enterAs("new@example.com", password)).kind).toBe("in");
  expect((await emailsTo(own.database, "old@example.com"))[0]?.subject).toBe("Your email was changed");
});

test("an address that somebody has by then is not taken over, also at once", async () => {
  const { session: one } = await newOwner(own.services, "one@example.com");
  const { session: two } = await newOwner(own.services, "two@example.com");
  await askEmailChange(own.services, one, { email: "wanted@example.com", publicUrl });
  const first = await linkedToken(own.database, "wanted@example.com");
  own.pass(1);
  await askEmailChange(own.services, two, { email: "wanted@example.com", publicUrl });
  const second = await linkedToken(own.database, "wanted@example.com");
  const kinds = await Promise.all([
    changeEmail(own.services, { token: first, session: one }),
    changeEmail(own.services, { token: second, session: two }),
  ]);
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(["changed", "taken"]);
});

test("a form that is sent twice is carried out once, and again where it was undone", async () => {
  const sent = { token: mintToken(own.services), action: "/here" };
  const undone = own.database.transaction(async (tx) => {
    expect(await useFormToken(tx, own.services, sent)).toBe(true);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const uses = await Promise.all(
    Array.from({ length: 4 }, () => own.database.transaction((tx) => useFormToken(tx, own.services, sent))),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
  expect(
    await own.database.transaction((tx) => useFormToken(tx, own.services, { token: "made up", action: "/here" })),
  ).toBe(false);
});

test("what has ended is purged, and nothing else", async () => {
  await newOwner(own.services, "kept@example.com");
  own.pass(15 * 86_400_000);
  const kept = await loggedIn(own.services, "kept@example.com");
  while ((await purgePeople(own.services, 3)) > 0);
  const { rows } = await own.fresh.pool.query("select token_hash from sessions");
  expect(rows).toEqual([{ token_hash: kept.hash }]);
  const { rows: left } = await own.fresh.pool.query("select purpose from one_time_tokens");
  expect(left).toEqual([]);
  const { rows: failures } = await own.fresh.pool.query("select 1 from log_in_failures where kept_until < now()");
  expect(failures).toEqual([]);
});
