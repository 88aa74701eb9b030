import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// What a supplier writes for the operator's terminal to obey: clear, colour, a title, another direction of writing.

const evidence = "\u001b[2J\u009b31mpaid\u202e\u2066 \r\ttwice\u007f";
const theirs = "A\u001b]0;pwned\u0007B";
const spelt = "\\u{1b}[2J\\u{9b}31mpaid\\u{202e}\\u{2066} \\u{d}\\u{9}twice\\u{7f}";
const controls = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

const supplier = openFakeSupplier("first");
let app: TestApp;
let folder: string;
let transactionId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-terminal-"));
  app = await startApp({ suppliers: [supplier] });
  supplier.answer = { kind: "unknown", evidence, providerReference: theirs, askNobody: true };
  const body = { reference: "parked", product_id: 1002, phone: "08031234567" };
  transactionId = (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body.transaction_id;
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

test("a supplier's words are spelt out where a terminal would obey them, and the columns still stand", async () => {
  const { out } = await run("review", "show", transactionId);
  expect(out).not.toMatch(controls);
  expect(out).toContain(`first: ${spelt}\n`);
  expect(out).toContain("which it calls A\\u{1b}]0;pwned\\u{7}B");
  const attempts = out.split("\n").filter((line) => line.startsWith("│") && line.split("│").length > 4);
  expect(attempts.some((line) => line.includes("A\\u{1b}]0;pwned\\u{7}B"))).toBe(true);
  expect(new Set(attempts.map((line) => line.length)).size).toBe(1);
});

test("a program reads them from JSON as they were, and a terminal obeys none of it", async () => {
  const { out, lines } = await run("review", "show", transactionId, "--json");
  expect(out).not.toMatch(controls);
  expect(lines[0].attempts[0]).toMatchObject({ evidence, provider_reference: theirs });
});

test("a statement's headings are spelt out in the complaint that names them", async () => {
  const statement = path.join(folder, "statement.csv");
  writeFileSync(statement, "\u001b[2Jname,amount\n");
  const { code, error } = await run("reconcile", "first", statement, "--from", "2026-11-01", "--to", "2026-11-01");
  expect(code).toBe(1);
  expect(error).toContain("one of \\u{1b}[2Jname, amount");
  expect(error).not.toMatch(controls);
});
