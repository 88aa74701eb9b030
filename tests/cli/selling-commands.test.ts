import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// Product 1002 is 640 naira to everybody; both suppliers take 90 % of it.

const refused: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const noConnection: VendOutcome = { ...refused, errorCode: "OPERATOR_UNAVAILABLE" };
const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
let app: TestApp;
let folder: string;
let references = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-selling-"));
  app = await startApp({ suppliers: [first, second], workers: true });
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  for (const supplier of [first, second]) {
    supplier.calls.length = 0;
    supplier.answer = vended;
  }
});

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

async function buy(key = app.merchant.liveKey ?? "") {
  references += 1;
  const body = { reference: `sell-${references}`, product_id: 1002, phone: "08031234567" };
  return app.call(key, "/data/purchase", { body });
}

/** Every process feels a change within a second. */
async function untilBought(supplier: string): Promise<void> {
  for (let look = 0; look < 100; look++) {
    await buy();
    const last = [first, second].find(({ calls }) => calls.length > 0);
    for (const { calls } of [first, second]) calls.length = 0;
    if (last?.name === supplier) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing went to ${supplier}`);
}

const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());
const span = ["--from", today, "--to", today];

describe("suppliers and routes", () => {
  test("credentials are stored sealed and never shown; a supplier keeps its connector", async () => {
    const file = path.join(folder, "credentials.json");
    writeFileSync(file, JSON.stringify({ api_key: "CANARY-1", public_key: "CANARY-2", secret_key: "CANARY-3" }));
    const words = [
      "supplier",
      "add",
      "spare",
      "--connector",
      "vtpass",
      "--no-check",
      "--settings",
      '{"base_url":"https://x.example"}',
    ];
    const added = await run(...words, "--credentials", file, "--json");
    expect(added.lines).toEqual([
      {
        supplier: "spare",
        connector: "vtpass",
        state: "enabled",
        settings: { base_url: "https://x.example" },
        credentials: "sealed",
      },
    ]);
    const { rows } = await app.fresh.pool.query(
      "select name, connector, settings, credentials, state from suppliers where name = 'spare'",
    );
    expect(JSON.stringify(rows)).not.toContain("CANARY-1");
    expect((await run("supplier", "list")).out).not.toContain("CANARY");
    expect(added.error).toContain("SUPPLIER_ORIGINS does not name https://x.example. Mend it");
    // New settings go with the credentials that it has.
    const moved = await run(...words.slice(0, -1), '{"base_url":"https://y.example"}', "--json");
    expect(moved.lines).toMatchObject([{ settings: { base_url: "https://y.example" }, credentials: "sealed" }]);
    expect(await run("supplier", "add", "spare", "--connector", "manual")).toMatchObject({
      code: 1,
      error: expect.stringContaining("another connector"),
    });
  });

  test("what its connector could not use is refused at once, and nothing is stored", async () => {
    const words = ["supplier", "add", "slip", "--connector", "vtpass", "--settings", '{"base_url":"x.example"}'];
    const { code, error } = await run(...words);
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^The supplier was not stored: settings\.base_url must be /),
    ]);
    expect(error).toContain("credentials.secret_key is missing");
    expect((await run("supplier", "list")).out).not.toContain("slip");
  });

  test("a disabled supplier gets nothing new, a cheaper route gets everything once the product goes by cost", async () => {
    await untilBought("first");
    expect((await run("supplier", "disable", "first")).code).toBe(0);
    await untilBought("second");
    expect((await run("supplier", "enable", "first")).code).toBe(0);
    await untilBought("first");
    const cheap = ["route", "set", "1002", "second", "--code", "D-1", "--cost", "500.00", "--priority", "2"];
    expect((await run(...cheap)).code).toBe(0);
    expect((await run("route", "choose", "1002", "cost")).code).toBe(0);
    await untilBought("second");
    const { lines } = await run("route", "list", "1002", "--json");
    expect(lines.map(({ supplier, cost, choose_by }) => [supplier, cost, choose_by])).toEqual([
      ["first", "90%", "cost"],
      ["second", "500.00", "cost"],
    ]);
    await run("route", "set", "1002", "second", "--code", "D-1", "--cost", "90%", "--priority", "2");
    await run("route", "choose", "1002", "priority");
    await untilBought("first");
  });

  test.each([
    ["an unknown product", ["route", "set", "999999", "first", "--code", "x", "--cost", "1.00"]],
    ["an unknown supplier", ["route", "set", "1002", "nobody", "--code", "x", "--cost", "1.00"]],
    ["a cost that is none", ["route", "set", "1002", "first", "--code", "x", "--cost", "free"]],
    ["a supplier that is not there", ["supplier", "disable", "nobody"]],
    ["a name that cannot be", ["supplier", "add", "Not A Name", "--connector", "manual"]],
  ])("%s is refused with one sentence", async (_name, words) => {
    const { code, error } = await run(...words);
    expect([code, error.trim().split("\n").length]).toEqual([1, 1]);
  });
});

describe("report and reconcile", () => {
  test("margin and the four sets come out to the kobo", async () => {
    const other = await app.createMerchant();
    const key = other.liveKey ?? "";
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await buy(key)).body.transaction_id);
    first.answer = refused;
    const rerouted: string = (await buy(key)).body.transaction_id;
    second.answer = noConnection;
    expect((await buy(key)).status).toBe(422);

    const report = await run("report", ...span, "--json");
    const own = report.lines.filter(({ merchant }) => merchant === `mer_${other.id}`);
    expect(own).toEqual([
      figures("first", { sold: 4, sales: "2560.00", cost: "2304.00", margin: "256.00" }, other.id),
      figures("second", { sold: 1, failed: 1, sales: "640.00", cost: "576.00", margin: "64.00" }, other.id),
    ]);
    const csv = await run("report", ...span, "--per", "supplier", "--csv");
    expect(csv.out.split("\n")[0]).toBe(
      "supplier,sold,failed,pending,reversed,sales,cost,margin,without_cost,goodwill,refunded_later,refunds_taken_back,cost_changes",
    );

    // The supplier charged too much for one, left one out, and knows of two that we don't; one of these we hold declined.
    const statement = path.join(folder, "statement.csv");
    const lines = [`${ids[0]}-1,576.00`, `${ids[1]}-1,"₦577.00"`, "TXN-STRANGE-1,100.00", `${rerouted}-1,576.00`];
    writeFileSync(statement, `reference,amount\n${lines.join("\n")}\n`);
    const out = path.join(folder, "differences.csv");
    const compared = await run("reconcile", "first", statement, ...span, "--out", out, "--json");
    expect(compared.code).toBe(1);
    const sets = Object.fromEntries(compared.lines.map(({ set, ...rest }) => [set, rest]));
    expect(sets.both).toEqual({ count: 1, ours: "576.00", theirs: "576.00" });
    expect(sets.amounts_differ).toEqual({ count: 1, ours: "576.00", theirs: "577.00" });
    expect(sets.theirs_only).toEqual({ count: 2, ours: "0.00", theirs: "676.00" });
    const differences = readFileSync(out, "utf8");
    for (const id of [ids[2], ids[3]]) expect(differences).toContain(`ours_only,${id}-1,${id},576.00,,not in the`);
    expect(differences).toContain(`theirs_only,${rerouted}-1,${rerouted},,576.00,line 4: declined here`);
    expect(differences).toContain("theirs_only,TXN-STRANGE-1,,,100.00,line 3: not ours");
  });

  test("a statement that agrees ends with code 0, one that charges twice does not", async () => {
    second.answer = vended;
    await run("supplier", "disable", "first");
    await untilBought("second");
    const { rows } = await app.fresh.pool.query<{ reference: string; amount: string }>(
      `select supplier_reference as reference, cost / 100.0 as amount
         from vend_attempts
        where supplier = 'second' and verdict = 'vended'`,
    );
    const lines = rows.map(({ reference, amount }) => `${reference},${Number(amount).toFixed(2)}`);
    const statement = path.join(folder, "agreed.csv");
    writeFileSync(statement, `reference,amount\n${lines.join("\n")}\n`);
    expect((await run("reconcile", "second", statement, ...span)).code).toBe(0);
    writeFileSync(statement, `reference,amount\n${[...lines, lines[0]].join("\n")}\n`);
    const twice = await run("reconcile", "second", statement, ...span, "--json");
    expect([twice.code, twice.lines.find(({ set }) => set === "theirs_only").count]).toEqual([1, 1]);
    await run("supplier", "enable", "first");
  });

  test.each([
    ["a supplier that nobody entered", ["reconcile", "nobody", "/nowhere.csv", ...span]],
    ["a file that is not there", ["reconcile", "first", "/nowhere.csv", ...span]],
    ["a time that ends before it begins", ["report", "--from", "2026-11-02", "--to", "2026-11-01"]],
    ["a day that is none", ["report", "--from", "2026-02-30", "--to", "2026-03-01"]],
  ])("%s is refused with one sentence", async (_name, words) => {
    const { code, error } = await run(...words);
    expect([code, error.trim().split("\n").length]).toEqual([1, 1]);
  });
});

function figures(supplier: string, sums: Record<string, unknown>, merchant: number) {
  const later = { goodwill: "0.00", refunded_later: "0.00", refunds_taken_back: "0.00", cost_changes: "0.00" };
  const counts = { sold: 0, failed: 0, pending: 0, reversed: 0, without_cost: 0, ...later, ...sums };
  const texts = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]));
  return { supplier, category: "data", merchant: `mer_${merchant}`, ...texts };
}
