import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const own = closing(await ownDatabase());
const { pool } = own.fresh;
const { id } = await newMerchant(own.database);
const scratch = await makeScratchDirectory();
const bank = path.join(scratch.folder, "bank.txt");
await writeFile(bank, "GTBank 0123456789");
const environment = {
  DATABASE_URL: own.fresh.url,
  ENCRYPTION_KEY: testEncryptionKey,
  PUBLIC_URL: "https://shop.example",
};
const run = (...words: string[]) => operate(words, environment);
const keys = path.join(scratch.folder, "keys.json");
await writeFile(keys, JSON.stringify({ api_key: "a", public_key: "b", secret_key: "c" }));
const supplier = ["supplier", "add", "desk", "--connector", "vtpass", "--no-check", "--credentials", keys];
const hosts = [1, 2].map((host) => ["--settings", JSON.stringify({ base_url: `https://${host}.example/api` })]) as [
  string[],
  string[],
];
await run(...supplier, ...hosts[0]);
await run("credit-wallet", `mer_${id}`, "100", "--reason", "Transfer", "--bank-reference", "NIP1");

/** A command that a second person agrees to, and what it changes. */
const commands: readonly (readonly [words: readonly string[], stored: string, from: unknown, to: unknown])[] = [
  [
    ["debit-wallet", `mer_${id}`, "40", "--reason", "Twice"],
    `select balance::int from wallets where wallet_id = ${id}`,
    10_000,
    6_000,
  ],
  [
    ["limit-tier", "set", "1", "--per-day", "9000000"],
    "select per_day::int from limit_tiers where tier = 1",
    expect.anything(),
    900_000_000,
  ],
  [["fx-rate", "set", "USD", "1700"], "select max(rate)::int from fx_rates where currency = 'USD'", null, 170_000],
  [
    ["approve-merchant", `mer_${id}`],
    `select api_approved_at is not null as is from merchants where id = ${id}`,
    false,
    true,
  ],
  [["invite-owner", `mer_${id}`, "bola@shop.example"], "select count(*)::int from invitations", 0, 1],
  [["company", "set", "--bank", bank], "select max(bank_details) from company", null, "GTBank 0123456789"],
  [
    ["staff", "invite", "uche@company.example", "--role", "support"],
    "select count(*)::int from one_time_tokens where purpose = 'staff_invitation'",
    0,
    1,
  ],
  [
    ["staff", "role", "zainab@company.example", "support"],
    "select role from staff join people p on p.id = person_id where email like 'zainab%'",
    "finance",
    "support",
  ],
  [
    ["staff", "remove", "zainab@company.example"],
    "select count(*)::int from staff join people p on p.id = person_id where email like 'zainab%'",
    1,
    0,
  ],
  [
    [...supplier, ...hosts[1]],
    "select settings ->> 'base_url' from suppliers where name = 'desk'",
    "https://1.example/api",
    "https://2.example/api",
  ],
];

for (const [name, role] of [
  ["ngozi", "admin"],
  ["tunde", "admin"],
  ["zainab", "finance"],
]) {
  await pool.query(
    `with made as (
       insert into people (realm, email, name, password_hash, email_verified_at, totp_seed, totp_confirmed_at, created_at)
       values ('staff', $1, $2, 'x', now(), 'a.b.c', now(), now())
       returning id
     )
     insert into staff (person_id, role, created_at) select id, $3, now() from made`,
    [`${name}@company.example`, name, role],
  );
}

async function stored(sql: string): Promise<unknown> {
  const { rows } = await pool.query({ text: sql, rowMode: "array" });
  return rows[0]?.[0];
}

const named = commands.map((row) => ({ command: row[0].slice(0, 2).join(" "), row }));

test.each(named)("$command changes nothing before a second person agrees", async ({ row: [words, sql, from, to] }) => {
  const nobody = await run(...words);
  expect([nobody.code, nobody.error]).toEqual([1, expect.stringContaining("--by must be the email")]);
  const requested = await run(...words, "--by", "ngozi@company.example");
  const [, change = ""] = /approval (\d+) waits/.exec(requested.out) ?? [];
  expect([requested.error, change, await stored(sql)]).toEqual(["", expect.stringMatching(/\d/), from]);
  expect((await run("changes", "agree", change, "--by", "ngozi@company.example")).code).toBe(1);
  expect((await run("changes", "agree", change, "--by", "tunde@company.example")).error).toBe("");
  expect(await stored(sql)).toEqual(to);
});

test.each([
  [["debit-wallet", `mer_${id}`, "1", "--reason", "x".repeat(201)], "Must have 1 to 200 characters"],
  [["limit-tier", "set", "1", "--per-day", "1"], "The day's limit must be at least"],
])("what can't be carried out is not asked for: %j", async (words, complaint) => {
  const { code, error } = await run(...words, "--by", "ngozi@company.example");
  expect([code, error]).toEqual([1, expect.stringContaining(complaint)]);
});
