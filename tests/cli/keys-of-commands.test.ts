import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encryptionKeyFile } from "../../src/platform/sealing/encryption-key.ts";
import { keyIdOf } from "../../src/platform/sealing/secret-box.ts";
import { manual } from "../../src/providers/manual/connector.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey, testSecretBox } from "../support/webhooks.ts";

// What a command seals the service must be able to open: it takes the service's key, or none.

let app: TestApp;
let folder: string;
/** Each a command that seals or opens, with words that it would do its work by. */
const commands: Record<string, string[]> = {};
const keys = { api_key: "a", public_key: "p", secret_key: "s" };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-command-keys-"));
  app = await startApp({ suppliers: [manual("desk")] });
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
  const body = { ...meter, amount: "5000.00", reference: "by-hand" };
  const bought = await app.call(app.merchant.liveKey, "/electricity/purchase", { body });
  const { rows } = await app.fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  const credentials = file("credentials.json", JSON.stringify(keys));
  const pins = file("pins.csv", "pin\n1111222233334444\n");
  const unchecked = ["--connector", "vtpass", "--no-check"];
  const settings = ["--settings", '{"base_url":"https://x.example"}'];
  const verdict = ["--by", "ada", "--evidence", "their statement of today"];
  Object.assign(commands, {
    "supplier add": ["supplier", "add", "fresh", ...unchecked, ...settings, "--credentials", credentials],
    "vouchers import": ["vouchers", "import", pins, "--product", String(rows[0].id)],
    "review resolve": ["review", "resolve", bought.body.transaction_id, "declined", ...verdict],
    "keys status": ["keys", "status"],
    "keys rotate": ["keys", "rotate"],
    "keys add": ["keys", "add"],
  });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

function dataDirectory(name: string, key: string | null): string {
  const directory = path.join(folder, name);
  mkdirSync(directory, { recursive: true });
  if (key !== null) writeFileSync(encryptionKeyFile(directory), `${key}\n`, { mode: 0o600 });
  return directory;
}

const run = (words: readonly string[] | undefined, settings: Record<string, string>) =>
  operate(words ?? [], { DATABASE_URL: app.fresh.url, ...settings });

async function stored() {
  const { rows } = await app.fresh.pool.query(
    `select (select count(*)::int from suppliers where name = 'fresh') as suppliers,
            (select count(*)::int from vouchers) as vouchers,
            (select count(*)::int from purchases where status = 'pending') as pending,
            (select string_agg(key_id, ' ') from sealing_key) as key`,
  );
  return rows[0];
}

const names = ["supplier add", "vouchers import", "review resolve", "keys status", "keys rotate", "keys add"];

describe.each(names)("%s", (name) => {
  test("refuses where there is no key, and makes none", async () => {
    const before = await stored();
    const directory = dataDirectory("empty", null);
    const refused = await run(commands[name], { DATA_DIR: directory });
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.error).toMatch(/^This command needs the service's encryption key, .*: set ENCRYPTION_KEY .*\.\n$/);
    expect(readdirSync(directory)).toEqual([]);
    const missing = path.join(folder, "not-there");
    expect((await run(commands[name], { DATA_DIR: missing })).error).toBe(refused.error.replace(directory, missing));
    expect(readdirSync(folder)).not.toContain("not-there");
    expect(await stored()).toEqual(before);
  });

  test("refuses a key that the database does not name", async () => {
    await app.fresh.pool.query("insert into sealing_key (key_id) values ($1) on conflict do nothing", [
      keyIdOf(Buffer.from(testEncryptionKey, "base64")),
    ]);
    const before = await stored();
    const stranger = Buffer.alloc(32, 9).toString("base64");
    const directory = dataDirectory("stranger", stranger);
    const refused = await run(commands[name], { DATA_DIR: directory });
    expect(refused.error).toMatch(/^Secrets in this database are sealed under key .*, and none of the keys given/);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(readFileSync(encryptionKeyFile(directory), "utf8")).toBe(`${stranger}\n`);
    expect(await stored()).toEqual(before);
  });
});

test("with the key file of the service's data directory commands seal what the service opens", async () => {
  const directory = dataDirectory("service", testEncryptionKey);
  for (const name of ["supplier add", "vouchers import", "review resolve"]) {
    const done = await run(commands[name], { DATA_DIR: directory });
    expect([done.code, done.error.replace(/^supplier\.unusable: .* SUPPLIER_ORIGINS .*\n/, "")]).toEqual([0, ""]);
  }
  expect(await stored()).toMatchObject({ suppliers: 1, vouchers: 1, pending: 0 });
  const { rows } = await app.fresh.pool.query("select credentials from suppliers where name = 'fresh'");
  expect(JSON.parse(testSecretBox.open(rows[0].credentials, "suppliers/fresh"))).toEqual(keys);
  const added = await run(commands["keys add"], { DATA_DIR: directory });
  expect([added.error, added.code]).toEqual(["", 0]);
  expect(readFileSync(encryptionKeyFile(directory), "utf8").split("\n")).toEqual([
    expect.stringMatching(/^.{44}$/),
    testEncryptionKey,
    "",
  ]);
  // The process of this test holds the old key alone; ENCRYPTION_KEY has no say here.
  expect((await run(commands["keys rotate"], { DATA_DIR: directory })).error).toMatch(
    /^Processes run without key \w+ \(at .*\): restart the service, then rotate\.\n$/,
  );
});

test("commands that neither seal nor open need no key", async () => {
  expect((await run(["merchants", "--json"], { DATA_DIR: path.join(folder, "not-there") })).code).toBe(0);
});
