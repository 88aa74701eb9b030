import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { declined, type FakeSupplier, openFakeSupplier, rawText } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A statement that names sales by the supplier's own references, which need be neither there nor of one sale alone.
// Product 1002 costs 576 naira.

let supplier: FakeSupplier;
let app: TestApp;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-reconcile-"));
  supplier = openFakeSupplier("first");
  app = await startApp({ suppliers: [supplier] });
});

afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Buys once for each reference that the supplier gives. @returns our ids of the purchases */
async function sell(...references: readonly (string | null)[]): Promise<string[]> {
  const ids: string[] = [];
  for (const providerReference of references) {
    supplier.answer = { kind: "vended", providerReference, fulfilment: { kind: "topup" } };
    ids.push(await buy());
  }
  return ids;
}

async function buy(): Promise<string> {
  const body = { reference: `buy-${supplier.calls.length}`, product_id: 1002, phone: "08031234567" };
  return (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body.transaction_id;
}

/** Compares all sales with a statement of these references. */
async function reconcile(...references: readonly string[]) {
  const [statement, out] = [path.join(folder, "statement.csv"), path.join(folder, "differences.csv")];
  writeFileSync(statement, `reference,amount\n${references.map((reference) => `${reference},576.00\n`).join("")}`);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());
  const words = ["--from", today, "--to", today, "--by", "provider_reference", "--out", out, "--json"];
  const environment = { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey };
  const { code, lines } = await operate(["reconcile", "first", statement, ...words], environment);
  const counts = Object.fromEntries(lines.map(({ set, count }) => [set, count]));
  const differences = readFileSync(out, "utf8").trim().split("\n").slice(1);
  return { code, counts, differences: differences.toSorted() };
}

test("a sale without a reference of the supplier's is missed, and it is said why", async () => {
  const [first, second] = await sell(null, null, "SUP-A");
  expect(await reconcile("SUP-A")).toEqual({
    code: 1,
    counts: { both: 1, ours_only: 2, theirs_only: 0, amounts_differ: 0 },
    differences: [first, second].map((id) => `ours_only,,${id},576.00,,no reference of the supplier's is recorded,`),
  });
});

test.each([1, 3])("sales that share a reference agree with no line, be there %i of it", async (lines) => {
  const ids = await sell("SUP-A", "SUP-A", "SUP-A", "SUP-B");
  const named = new Array<string>(lines).fill("SUP-A");
  expect(await reconcile("SUP-B", ...named)).toEqual({
    code: 1,
    counts: { both: 1, ours_only: 3, theirs_only: named.length, amounts_differ: 0 },
    differences: [
      ...ids.slice(0, 3).map((id) => `ours_only,SUP-A,${id},576.00,,3 sales have this reference here,SUP-A`),
      ...named.map((_, at) => `theirs_only,SUP-A,,,576.00,line ${at + 2}: 3 sales have this reference here,SUP-A`),
    ],
  });
});

test("lines that share a reference stand for one sale, whether it is ours or not", async () => {
  const [id] = await sell("SUP-A");
  expect(await reconcile("SUP-A", "SUP-A", "SUP-Z", "SUP-Z")).toEqual({
    code: 1,
    counts: { both: 1, ours_only: 0, theirs_only: 3, amounts_differ: 0 },
    differences: [
      "theirs_only,SUP-Z,,,576.00,line 3: not ours,SUP-Z",
      "theirs_only,SUP-Z,,,576.00,line 4: not ours,SUP-Z",
      `theirs_only,SUP-A,${id},,576.00,line 2: charged once more,SUP-A`,
    ].toSorted(),
  });
});

test("a reference that a declined attempt had as well is that of the sale", async () => {
  for (const isBefore of [true, false]) {
    const name = isBefore ? "SUP-A" : "SUP-B";
    if (!isBefore) await sell(name);
    supplier.answer = { ...declined, providerReference: name };
    await buy();
    if (isBefore) await sell(name);
  }
  const { code, counts } = await reconcile("SUP-A", "SUP-B");
  expect([code, counts.both]).toEqual([0, 2]);
});

test("a sale that its supplier took back is missed in no statement, and noted in one that still has it", async () => {
  const [id] = await sell("SUP-A", "SUP-B");
  supplier.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText, reversed: true };
  const occasion = { source: "callback", providerReference: null };
  expect(await app.services.requery("first", `${id}-1`, occasion)).toBe("late_reversal");
  expect(await reconcile("SUP-B")).toEqual({
    code: 0,
    counts: { both: 1, ours_only: 0, theirs_only: 0, amounts_differ: 0 },
    differences: [],
  });
  expect(await reconcile("SUP-A", "SUP-B")).toEqual({
    code: 1,
    counts: { both: 1, ours_only: 0, theirs_only: 1, amounts_differ: 0 },
    differences: [`theirs_only,SUP-A,${id},,576.00,line 1: reversed here,SUP-A`],
  });
});
