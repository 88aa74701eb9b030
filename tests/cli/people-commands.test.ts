import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { logInByLink } from "../../src/domain/members/log-in-link.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { newOwner, origin, ownPeople } from "../support/people.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const scratch = closing(await makeScratchDirectory());
const own = closing(await ownPeople());
const id = (await newMerchant(own.database)).id;

const run = (words: readonly string[], settings: Record<string, string> = {}) =>
  operate(words, {
    DATABASE_URL: own.fresh.url,
    DATA_DIR: scratch.folder,
    ENCRYPTION_KEY: testEncryptionKey,
    PUBLIC_URL: "https://console.example.ng",
    ...settings,
  });

test("an owner is invited by an email that emails shows, and the command is entered once", async () => {
  const { code, lines } = await run(["invite-owner", `mer_${id}`, "Owner@Example.com", "--json"]);
  expect([code, lines]).toEqual([0, [{ merchant_id: `mer_${id}`, email: "Owner@Example.com", invited: true }]]);
  const [email] = (await run(["emails", "--json"])).lines;
  expect(email).toMatchObject({ to: "owner@example.com", state: "waits to be sent" });
  expect(JSON.stringify(email)).not.toContain("token=");
  const { out } = await run(["emails", email.email]);
  expect(out).toMatch(/^https:\/\/console\.example\.ng\/accept-invitation\?token=[\w-]{43}$/m);
  const { rows } = await own.fresh.pool.query("select command from audit_log");
  expect(rows).toEqual([{ command: "invite-owner" }]);
});

test("a link into the console is printed once made, and never where nobody knows the address", async () => {
  const { code, out } = await run(["login-link", `mer_${id}`]);
  expect(code).toBe(0);
  expect(out).toMatch(/^https:\/\/console\.example\.ng\/log-in\/link\?token=[\w-]{43}\n/);
  const { rows } = await own.fresh.pool.query("select details from audit_log where command = 'login-link'");
  expect(JSON.stringify(rows)).not.toContain(/token=([\w-]+)/.exec(out)?.[1]);
  const local = await run(["login-link", `mer_${id}`], { PUBLIC_URL: "", PORT: "9090" });
  expect(local.out).toMatch(/^http:\/\/127\.0\.0\.1:9090\/log-in\/link/);
  const open = await run(["login-link", `mer_${id}`], { PUBLIC_URL: "", HOST: "0.0.0.0" });
  expect(open).toMatchObject({ code: 1, error: expect.stringContaining("PUBLIC_URL must be set") });
});

test("the people of a merchant are listed once a login link made one an owner, and no merchant's are refused", async () => {
  expect((await run(["people", `mer_${id}`, "--json"])).lines).toEqual([]);
  const token = /token=([\w-]+)/.exec((await run(["login-link", `mer_${id}`])).out)?.[1] ?? "";
  expect((await logInByLink(own.services, { token, origin })).kind).toBe("in");
  const { lines } = await run(["people", `mer_${id}`, "--json"]);
  expect(lines).toMatchObject([{ email: "ada@example.com", role: "owner", verified: true, totp: false, passkeys: 0 }]);
  expect((await run(["people", "mer_999999"])).code).toBe(1);
});

test("the company is set field by field, and a logo that is no picture is refused", async () => {
  const { folder } = scratch;
  const file = (name: string) => path.join(folder, name);
  await writeFile(file("logo.png"), Buffer.from("89504e470d0a1a0a0000", "hex"));
  await writeFile(file("page.html"), "<html><svg></svg></html>");
  await writeFile(file("bank.txt"), "Kobo Bank\n0123456789\n");
  expect((await run(["company", "set"])).code).toBe(1);
  expect((await run(["company", "set", "--logo", file("page.html")])).error).toContain("PNG, JPEG or SVG");
  await run(["company", "set", "--name", "Kobo House", "--logo", file("logo.png"), "--bank", file("bank.txt")]);
  await run(["company", "set", "--support-email", "help@kobo.example"]);
  expect((await run(["company", "show", "--json"])).lines).toEqual([
    {
      name: "Kobo House",
      logo: "image/png, 10 bytes",
      support_email: "help@kobo.example",
      support_phone: null,
      bank: "Kobo Bank\n0123456789",
    },
  ]);
  await run(["company", "set", "--logo", "none"]);
  expect((await run(["company", "show", "--json"])).lines).toMatchObject([{ name: "Kobo House", logo: null }]);
});

test("an approved merchant's owners get an email, once", async () => {
  const { merchantId } = await newOwner(own.services, "approved@example.com");
  expect((await run(["live-access", "list"])).out).toBe("Nobody waits for live access.\n");
  expect((await run(["approve-merchant", `mer_${merchantId}`])).out).toContain("is approved");
  await run(["approve-merchant", `mer_${merchantId}`]);
  const emails = (await run(["emails", "--json"])).lines.filter(({ to }) => to === "approved@example.com");
  expect(emails.filter(({ subject }) => subject.includes("can sell live"))).toHaveLength(1);
});

test("a rotation of keys reaches emails and the seeds of apps", async () => {
  const next = Buffer.alloc(32, 9).toString("base64");
  const { code, lines } = await run(["keys", "rotate", "--json"], { ENCRYPTION_KEY: `${next},${testEncryptionKey}` });
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ removable: true });
  const [email] = (await run(["emails", "--json"], { ENCRYPTION_KEY: next })).lines;
  expect((await run(["emails", email.email], { ENCRYPTION_KEY: next })).out).toContain("Hello");
});
