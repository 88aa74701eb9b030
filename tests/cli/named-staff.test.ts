import { expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const own = closing(await ownDatabase());
const { pool } = own.fresh;
const { id } = await newMerchant(own.database);

const run = (...words: string[]) => operate(words, { DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: testEncryptionKey });
const credit = (reference: string, ...words: string[]) =>
  run("credit-wallet", `mer_${id}`, "2000000", "--reason", "Transfer", "--bank-reference", reference, ...words);

async function hire(email: string): Promise<void> {
  const { rows } = await pool.query(
    `insert into people (realm, email, name, password_hash, email_verified_at, created_at)
     values ('staff', $1, 'Ngozi', 'x', now(), now())
     returning id`,
    [email],
  );
  await pool.query("insert into staff (person_id, role, created_at) values ($1, 'admin', now())", [rows[0].id]);
}

test("while there are no staff, a command names anybody; from then on one of them, by email, alone", async () => {
  expect((await credit("NIP1", "--by", "ada")).code).toBe(0);
  for (const email of ["ngozi@company.example", "tunde@company.example"]) await hire(email);
  const unknown = await run("--as", "ada", "suspend-merchant", `mer_${id}`);
  expect(unknown.error).toContain(
    "ada is not a staff member. Give the email of one: ngozi@company.example, tunde@company.example.",
  );
  expect((await credit("NIP2", "--by", "Ngozi")).code).toBe(1);
  expect((await pool.query("select status from merchants where id = $1", [id])).rows).toEqual([{ status: "active" }]);
  expect((await pool.query("select 1 from wallet_credits where bank_reference = 'NIP2'")).rows).toEqual([]);

  await run("--as", " Ngozi@company.example", "suspend-merchant", `mer_${id}`);
  const { rows } = await pool.query("select who from audit_log where command = 'suspend-merchant'");
  expect(rows).toEqual([{ who: "staff:ngozi@company.example" }]);
});

test("a credit that one of the staff asks for is approved by another one, in whatever spelling", async () => {
  await pool.query("update people set totp_seed = 'a.b.c', totp_confirmed_at = now()");
  expect((await credit("NIP3", "--by", "ngozi@company.example")).code).toBe(0);
  const { rows } = await pool.query("select max(id) as id from changes");
  const agree = (...words: string[]) => run(...words, String(rows[0].id));
  expect((await agree("changes", "agree", "--by", "NGOZI@company.example")).error).toContain("someone else has to");
  expect((await agree("changes", "agree")).error).toBe("Say who decides, with --by or --as.\n");
  const agreed = await agree("--as", "tunde@company.example", "changes", "agree");
  expect([agreed.error, agreed.out]).toEqual(["", expect.stringContaining("credited to")]);
  const stored = await pool.query("select requested_by, approved_by from wallet_credits where bank_reference = 'NIP3'");
  expect(stored.rows).toEqual([
    { requested_by: "staff:ngozi@company.example", approved_by: "staff:tunde@company.example" },
  ]);
});
