import { expect, test } from "vitest";
import { commonPasswords } from "../../../../src/domain/identity/people/common-passwords.ts";
import { openPasswords } from "../../../../src/domain/identity/people/passwords.ts";
import { openPasswordHash, TooBusy } from "../../../../src/platform/password-hash.ts";

const hashing = openPasswordHash();
const passwords = openPasswords(hashing, { ownList: ["Our Company Password"] });
const ada = { email: "ada.obi@example.com", name: "Ada Obi" };
const complaintAbout = (password: string) => {
  try {
    passwords.check(password, ada);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  "password1234",
  "P@ssw0rd1234!!",
  "qwertyuiop1234",
  "iloveyou-2026!",
  "123456789012345",
  "aaaaaaaaaaaaaaaa",
  "abcabcabcabcabc",
  "dragonmonkey77",
  "our company password",
  "ada.obi@example.com",
  "Ada Obi 2026",
  "x".repeat(201),
  "with a\u0007bell in it",
])("the password %j is refused", (password) => {
  expect(complaintAbout(password)).not.toBeNull();
});

test.each(["correct marble teapot", "u8#kQ!2xPz7w", "ńgụ ọma na-eme ihe", "seventeen goats on a roof"])(
  "the password %j is taken",
  (password) => {
    expect(complaintAbout(password)).toBeNull();
  },
);

test("eleven characters are too few, twelve are enough", () => {
  expect(complaintAbout("kQ2!xPz7w8#")).toContain("at least 12");
  expect(complaintAbout("kQ2!xPz7w8#v")).toBeNull();
});

test("more than a thousand well-known passwords are known", () => {
  expect(commonPasswords.size).toBeGreaterThan(1_000);
});

test("a hash is argon2id with a salt of its own, and fits its password alone", async () => {
  const [one, two] = await Promise.all([passwords.hash("correct marble"), passwords.hash("correct marble")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwords.isRight(one, "correct marble")).toBe(true);
  expect(await passwords.isRight(one, "correct marbles")).toBe(false);
  expect(await passwords.isRight(null, "\u0000")).toBe(false);
  expect(await passwords.isRight(one, "x".repeat(1_000_000))).toBe(false);
});

test("a password typed in another form of Unicode is the same", async () => {
  const hash = await passwords.hash("caf\u00e9 au lait 1");
  expect(await passwords.isRight(hash, "cafe\u0301 au lait 1")).toBe(true);
});

test("two are hashed at once, forty wait, and more are refused as busy", async () => {
  const own = openPasswordHash();
  const tries = await Promise.allSettled(Array.from({ length: 60 }, () => own.hash("some password")));
  const refused = tries.filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(18);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(TooBusy);
  expect(await own.hash("afterwards")).toContain("argon2id");
});

test("whoever logs in while too many do is asked to come back", async () => {
  const busy = openPasswords(
    { hash: () => Promise.reject(new TooBusy("busy")), verify: () => Promise.reject(new TooBusy("busy")) },
    { ownList: [] },
  );
  await expect(busy.isRight(null, "x")).rejects.toMatchObject({
    code: "MAINTENANCE",
    detail: { retryAfterSeconds: 5 },
  });
});
