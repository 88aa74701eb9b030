import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentenceFor } from "../../src/cli/operator-command.ts";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { isWellFormedKey } from "../../src/domain/merchants/key-format.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operateAlone, operate as operateIn } from "../support/operate.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;
let folder: string;

beforeAll(async () => {
  own = await ownDatabase();
  await loadStartingCatalogue(own.database);
  folder = mkdtempSync(path.join(tmpdir(), "dispense-operator-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await own.drop();
});

function operate(words: readonly string[]) {
  return operateIn(words, { DATA_DIR: folder, DATABASE_URL: own.fresh.url });
}

const create = async (...words: string[]) =>
  (await operate(["create-merchant", "--name", "Ada", "--email", "ada@example.com", ...words, "--json"])).lines;
const one = async (query: string, ...values: unknown[]) => (await own.fresh.pool.query(query, values)).rows[0];

describe("create-merchant", () => {
  test("prints one line with an id and keys that work", async () => {
    const lines = await create(
      "--approve",
      "--credit",
      "50000.00",
      "--no-bank-reference",
      "--test-credit",
      "1000000.00",
    );
    expect(lines).toHaveLength(1);
    expect(Object.keys(lines[0])).toEqual(["merchant_id", "test_key", "live_key"]);
    expect(lines[0].merchant_id).toMatch(/^mer_\d+$/);
    expect([isWellFormedKey(lines[0].test_key), isWellFormedKey(lines[0].live_key)]).toEqual([true, true]);
    const id = Number(lines[0].merchant_id.slice(4));
    expect(await one("select balance::text from wallets where wallet_id = $1", id)).toEqual({
      balance: "5000000",
    });
    expect(await one("select balance::text from wallets where wallet_id = -$1::integer", id)).toEqual({
      balance: "110000000",
    });
  });

  test("prints a line for each of many, and no live key without approval", async () => {
    const words = ["create-merchant", "--name", "Ada", "--email", "ada@example.com", "--count", "300", "--json"];
    const { lines } = await operateAlone(words, { DATABASE_URL: own.fresh.url });
    expect(lines).toHaveLength(300);
    expect(new Set(lines.map(({ test_key }) => test_key)).size).toBe(300);
    expect(lines.every(({ live_key }) => live_key === null)).toBe(true);
  });

  test.each([
    [["--count", "0"], /count/],
    [["--credit", "-5"], /credit/],
    [["--credit", "10.001"], /amount in naira/],
  ])("refuses %j with a sentence and code 1", async (words, sentence) => {
    const ended = await operate(["create-merchant", "--name", "A", "--email", "a@b.c", ...words]);
    expect(ended.code).toBe(1);
    expect(ended.error).toMatch(sentence);
  });

  test("refuses an e-mail address that is none", async () => {
    const ended = await operate(["create-merchant", "--name", "A", "--email", "nobody"]);
    expect([ended.code, ended.error]).toEqual([1, "email: Must be an e-mail address.\n"]);
  });
});

test("a merchant's life: approved, keyed, credited, listed, suspended and resumed", async () => {
  const [{ merchant_id: id }] = await create();
  const early = await operate(["create-key", id, "--mode", "live"]);
  expect([early.code, early.error]).toEqual([1, "API access has not been approved yet.\n"]);
  expect((await operate(["approve-merchant", id, "--json"])).lines).toEqual([{ merchant_id: id, changed: true }]);
  const [made] = (await operate(["create-key", id, "--mode", "live", "--label", "till 1", "--json"])).lines;
  expect(isWellFormedKey(made.key)).toBe(true);
  const [rotated] = (await operate(["rotate-key", made.key_id, "--grace", "1h", "--json"])).lines;
  expect((await operate(["revoke-key", rotated.key_id, "--json"])).code).toBe(0);
  const keys = (await operate(["keys", id, "--json"])).lines;
  expect(keys.map(({ state, label }) => [state, label])).toEqual([
    ["active", "First key"],
    ["active", "till 1"],
    ["revoked", "till 1"],
  ]);
  expect(keys[1].expires_at).toMatch(/\+01:00$/);
  expect(JSON.stringify(keys)).not.toContain(made.key);
  const transfer = ["--reason", "transfer 9", "--bank-reference", "NIP 9", "--json"];
  const credited = await operate(["credit-wallet", id.slice(4), "250.50", ...transfer]);
  expect(credited.lines).toMatchObject([{ merchant_id: id, mode: "live", balance: "250.50", bank_reference: "NIP9" }]);
  expect((await operate(["suspend-merchant", id, "--json"])).lines).toEqual([{ merchant_id: id, changed: true }]);
  const [listed] = (await operate(["merchants", "--after", String(Number(id.slice(4)) - 1), "--json"])).lines;
  expect(listed).toMatchObject({ merchant_id: id, name: "Ada", status: "suspended" });
  expect((await operate(["resume-merchant", id])).out).toBe(`${id} is active.\n`);
});

test("a key says who made it: the name that --as gives, else the system's user, as in the audit log", async () => {
  const [{ merchant_id: id }] = (
    await operate(["--as", "ada", "create-merchant", "--name", "A", "--email", "a@b.c", "--json"])
  ).lines;
  const [made] = (await operate(["create-key", id, "--mode", "test", "--json"])).lines;
  await operate(["--as", "obi", "rotate-key", made.key_id, "--json"]);
  const makers = (await operate(["keys", id, "--json"])).lines.map(({ created_by }) => created_by);
  expect(makers).toEqual(["ada", userInfo().username, "obi"]);
  const whose = (await operate(["audit", "list", "--json"])).lines.map(({ who }) => who);
  expect(whose.slice(-3)).toEqual(makers);
});

test.each([
  [["create-key", "mer_1", "--mode", "test", "--label", "x".repeat(101)], /It must have at most 100 characters/],
  [["--as", "", "merchants"], /It must have 1 to 100 characters/],
  [["--as", "x".repeat(101), "merchants"], /It must have 1 to 100 characters/],
])("what is too long or empty is refused with a sentence: %j", async (words, sentence) => {
  const { code, out, error } = await operate(words);
  expect([code, out, error]).toEqual([1, "", expect.stringMatching(sentence)]);
  expect(error).not.toMatch(/^ {4}at /m);
});

test("a full disk is told in a sentence", () => {
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  expect(sentenceFor(full)).toMatch(/^The database's disk is full: make room there/);
});

test("the duplicate guard is set and switched off; what is no window is refused", async () => {
  const [{ merchant_id: id }] = await create();
  const stored = () => one("select duplicate_guard_seconds from merchants where id = $1", Number(id.slice(4)));
  const set = { merchant_id: id, duplicate_guard_seconds: 60 };
  expect((await operate(["duplicate-guard", id, "60", "--json"])).lines).toEqual([{ ...set, changed: true }]);
  expect((await operate(["duplicate-guard", id, "4"])).code).toBe(1);
  expect(await stored()).toEqual({ duplicate_guard_seconds: 60 });
  expect((await operate(["duplicate-guard", id, "off"])).out).toBe(`${id} has no duplicate guard.\n`);
  expect(await stored()).toEqual({ duplicate_guard_seconds: null });
});

test("allowlist, sandbox switch, categories and prices are set and felt in the tables", async () => {
  const [{ merchant_id: id }] = await create();
  const listed = await operate(["ip-allowlist", id, "203.0.113.7/24", "2001:db8::1", "--json"]);
  expect(listed.lines).toEqual([{ merchant_id: id, ip_allowlist: ["203.0.113.0/24", "2001:db8::1/128"] }]);
  expect((await operate(["ip-allowlist", id])).out).toBe(`${id} may call from 203.0.113.0/24, 2001:db8::1/128.\n`);
  const cleared = await operate(["ip-allowlist", id, "10.1.2.3/8"]);
  expect(cleared.error).toBe("10.1.2.3/8 has bits beyond its prefix: taken as 10.0.0.0/8.\n");
  for (const everywhere of ["0.0.0.0/0", "::/0", "10.0.0.0/0"]) {
    const refused = await operate(["ip-allowlist", id, everywhere]);
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(`${everywhere} is every address`)]);
  }
  await operate(["ip-allowlist", id, "203.0.113.7/24", "2001:db8::1"]);
  const unclear = await operate(["ip-allowlist", id, "192.0.2.1", "--anywhere"]);
  expect([unclear.code, unclear.error]).toEqual([1, "Give addresses or --anywhere, not both.\n"]);
  expect((await operate(["ip-allowlist", id, "--json"])).lines).toEqual(listed.lines);
  expect((await operate(["ip-allowlist", id, "--anywhere"])).out).toBe(`${id} may call from everywhere.\n`);
  expect((await operate(["ip-allowlist", id])).out).toBe(`${id} may call from everywhere.\n`);
  expect((await operate(["sandbox", "off", "--json"])).lines).toEqual([{ sandbox: "off", changed: true }]);
  expect(await one("select is_on from platform_switches where name = 'sandbox'")).toEqual({ is_on: false });
  expect((await operate(["sandbox", "on", "--json"])).lines).toEqual([{ sandbox: "on", changed: true }]);
  const hidden = { merchant_id: id, category: "betting", changed: true };
  expect((await operate(["hide-category", id, "betting", "--json"])).lines).toEqual([hidden]);
  expect((await operate(["hide-category", id, "betting", "--json"])).lines).toEqual([{ ...hidden, changed: false }]);
  expect((await operate(["show-category", id, "betting", "--json"])).lines).toEqual([hidden]);
  const product = await one("select id from products where amount_type = 'fixed' and face_amount is not null limit 1");
  const priced = await operate(["set-price", String(product.id), "97.5%", "--merchant", id, "--fee", "none", "--json"]);
  expect(priced.error).toBe("");
  expect(priced.lines).toEqual([{ product_id: product.id, price: "97.5%", fee: null }]);
  expect(
    await one("select price_basis_points from merchant_prices where merchant_id = $1", Number(id.slice(4))),
  ).toEqual({ price_basis_points: 9_750 });
  const fee = ["--tier", "2", "--fee", "1.5%", "--fee-cap", "100", "--json"];
  expect((await operate(["set-price", String(product.id), "985", ...fee])).lines).toEqual([
    { product_id: product.id, price: "985.00", fee: "1.5% up to 100.00" },
  ]);
  expect((await operate(["clear-price", String(product.id), "--merchant", id, "--json"])).lines).toEqual([
    { product_id: product.id, changed: true },
  ]);
  const both = await operate(["set-price", String(product.id), "985.00", "--merchant", id, "--tier", "2"]);
  expect([both.code, both.error]).toEqual([1, "Give --merchant or --tier, not both.\n"]);
});

describe("check-ledger", () => {
  test("ends with 0 for sound books, and with 1 and the rows when an invariant is broken", async () => {
    const [{ merchant_id: id }] = await create();
    const sound = await operate(["check-ledger", "--json"]);
    expect(sound.code).toBe(0);
    expect(sound.lines.length).toBeGreaterThan(5);
    expect(sound.lines.every(({ broken }) => broken.length === 0)).toBe(true);
    const merchantId = Number(id.slice(4));
    await own.fresh.pool.query("update wallets set balance = balance + 1 where abs(wallet_id) = $1", [merchantId]);
    const broken = await operate(["check-ledger", "--json"]);
    expect(broken.code).toBe(1);
    expect(broken.lines.flatMap((line) => line.broken)).toEqual(
      expect.arrayContaining([expect.objectContaining({ wallet_id: merchantId })]),
    );
    const shown = await operate(["check-ledger"]);
    expect(shown.out).toMatch(/BROKEN {2}1 balance and seq equal the entries/);
    await own.fresh.pool.query("update wallets set balance = balance - 1 where abs(wallet_id) = $1", [merchantId]);
  });
});

describe("the database", () => {
  const alone = (words: readonly string[], environment: Record<string, string> = {}) =>
    operateAlone(words, { DATA_DIR: folder, ...environment });

  test("is that of the service which runs on DATA_DIR", async () => {
    writeFileSync(path.join(folder, "connection"), `${own.fresh.ownerUrl}\n`);
    expect((await alone(["merchants", "--json"])).code).toBe(0);
    rmSync(path.join(folder, "connection"));
  });

  test("that is nowhere, away or empty is told in one sentence with code 1", async () => {
    const nowhere = await alone(["merchants"]);
    const away = await alone(["merchants"], { DATABASE_URL: "postgresql://me:hunter2@127.0.0.1:1/x" });
    const empty = await alone(["merchants"], {
      DATABASE_URL: own.fresh.url.replace(/\/[^/?]*(\?|$)/, "/postgres$1"),
    });
    expect([nowhere, away, empty].map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(nowhere.error).toMatch(/^No service runs on .* and DATABASE_URL is not set: .*\.\n$/);
    expect(away.error).toBe("No database answers at DATABASE_URL: check the address and that the server runs.\n");
    expect(empty.error).toBe(
      "The database has not been set up yet: start the service once, or, to restore a backup, run pg_restore first.\n",
    );
  });

  test("is not asked for help or by a mistyped command", async () => {
    expect((await alone(["--help"])).code).toBe(0);
    expect((await alone(["create-merchnt"])).error).toMatch(/unknown command/);
    expect((await alone(["suspend-merchant", "ada"])).error).toMatch(/merchant's id such as mer_17/);
  });
});
