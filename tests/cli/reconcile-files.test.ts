import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// The statement of a supplier that sold once, for 576 naira, and the file of what does not agree.

const supplier = openFakeSupplier("first");
const differs = "reference,amount\nTXN-STRANGE-1,100.00\n";
let app: TestApp;
let folder: string;
let statement: string;

beforeAll(async () => {
  app = await startApp({ suppliers: [supplier] });
  supplier.answer = vended;
  const body = { reference: "sold-1", product_id: 1002, phone: "08031234567" };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
});
beforeEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), "dispense-statement-"));
  statement = path.join(folder, "statement.csv");
  writeFileSync(statement, differs);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });

function wordsOf(...words: readonly string[]): string[] {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());
  return ["reconcile", "first", statement, "--from", today, "--to", today, ...words];
}

const reconcile = (...words: readonly string[]) => operate(wordsOf(...words), environment());

test("a statement is never written over, whatever it is called by", async () => {
  const [link, hardLink] = [path.join(folder, "link.csv"), path.join(folder, "hard-link.csv")];
  symlinkSync("statement.csv", link);
  linkSync(statement, hardLink);
  for (const out of [statement, path.join(folder, ".", "statement.csv"), link, hardLink]) {
    expect(await reconcile("--out", out)).toMatchObject({
      code: 1,
      out: "",
      error: `--out ${out} is the statement itself: name another file for what does not agree.\n`,
    });
    expect(readFileSync(statement, "utf8")).toBe(differs);
  }
});

test("a file that can't be written is told before anything is compared", async () => {
  const nowhere = path.join(folder, "nowhere", "out.csv");
  for (const [out, said] of [
    [nowhere, /^--out .* can't be written \(ENOENT\): name a file in a folder that you may write to\.\n$/],
    [folder, /^--out .* is no file: name one that may be written anew\.\n$/],
  ] as const) {
    const reply = await reconcile("--out", out);
    expect([reply.code, reply.out, reply.error]).toEqual([1, "", expect.stringMatching(said)]);
  }
});

test("what does not agree takes the place of an older file once all of it is known, and not before", async () => {
  const [out, link] = [path.join(folder, "differences.csv"), path.join(folder, "newest.csv")];
  writeFileSync(out, "of yesterday\n");
  symlinkSync("differences.csv", link);
  writeFileSync(statement, `${differs}"never closed\n`);
  expect((await reconcile("--out", out)).error).toMatch(
    /^Line 3 of .*statement\.csv is no CSV \(CSV_QUOTE_NOT_CLOSED\)\.\n$/,
  );
  expect(readFileSync(out, "utf8")).toBe("of yesterday\n");
  writeFileSync(statement, differs);
  expect((await reconcile("--out", link)).code).toBe(1);
  expect(readFileSync(out, "utf8")).toContain("theirs_only,TXN-STRANGE-1,,,100.00,line 1: not ours,\n");
  expect(readdirSync(folder).toSorted()).toEqual(["differences.csv", "newest.csv", "statement.csv"]);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s leaves nothing behind but the file of before", async (signal) => {
  const out = path.join(folder, "differences.csv");
  writeFileSync(out, "of yesterday\n");
  writeFileSync(statement, `${differs}${"TXN-STRANGE-2,100.00\n".repeat(1_000_000)}`);
  const program = path.resolve(import.meta.dirname, "../../dist/operator.js"); // the global setup bundled it
  const child = spawn(process.execPath, [program, ...wordsOf("--out", out)], {
    env: { PATH: process.env.PATH ?? "", ...environment() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [reply, error] = [textOf(child.stdout), textOf(child.stderr)];
  await expect
    .poll(() => readdirSync(folder).filter((name) => name.includes(".new-")), { interval: 20 })
    .toHaveLength(1);
  child.kill(signal);
  const [code] = await once(child, "close");
  expect([code, await reply, await error]).toEqual([
    signal === "SIGINT" ? 130 : 143,
    "",
    `Interrupted: nothing is told, and ${out} is as it was.\n`,
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(["differences.csv", "statement.csv"]);
  expect(readFileSync(out, "utf8")).toBe("of yesterday\n");
});

async function textOf(output: Readable): Promise<string> {
  let text = "";
  for await (const part of output.setEncoding("utf8")) text += part;
  return text;
}

test("a column that the statement lacks is named, whichever it is and however short the statement", async () => {
  for (const text of [differs, "reference,amount\n"]) {
    writeFileSync(statement, text);
    for (const option of ["--amount-column", "--reference-column"]) {
      expect(await reconcile(option, "Charged")).toMatchObject({
        code: 1,
        out: "",
        error: `There is no column Charged: say ${option}, one of reference, amount.\n`,
      });
    }
  }
});

test("a statement without a sale does not agree with one, and one without a heading is none", async () => {
  writeFileSync(statement, "reference,amount\n");
  const { code, lines } = await reconcile("--json");
  expect([code, lines.find(({ set }) => set === "ours_only").count]).toEqual([1, 1]);
  writeFileSync(statement, "");
  const out = path.join(folder, "differences.csv");
  expect(await reconcile("--out", out)).toMatchObject({
    code: 1,
    out: "",
    error: `${statement} is empty: a statement has at least a line of headings.\n`,
  });
  expect(existsSync(out)).toBe(false);
});

test("no reference of a supplier is a formula in the file, and fed back it names the same sale", async () => {
  supplier.answer = { kind: "vended", providerReference: "=1+1", fulfilment: { kind: "topup" } };
  const body = { reference: "sold-2", product_id: 1002, phone: "08031234567" };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
  const out = path.join(folder, "differences.csv");
  const strange = ["+234", "-2", "@sum", "\uFF1D1"];
  writeFileSync(statement, ["reference,amount", "=1+1,1.00", ...strange.map((word) => `${word},2.00`)].join("\n"));
  const differences = () => readFileSync(out, "utf8").split("\n");
  await reconcile("--by", "provider_reference", "--out", out);
  const said = [expect.stringMatching(/^amounts_differ,'=1\+1,TXN\w+,576\.00,1\.00,line 1: another amount,'=1\+1$/)];
  const [, ...rows] = differences();
  expect(rows).toEqual(expect.arrayContaining(said));
  for (const [i, word] of strange.entries()) {
    expect(rows).toContain(`theirs_only,'${word},,,2.00,line ${i + 2}: not ours,'${word}`);
  }
  expect(rows.filter((row) => /(^|,)[=+@\uFF1D-]/.test(row))).toEqual([]);
  writeFileSync(statement, readFileSync(out));
  await reconcile("--by", "provider_reference", "--amount-column", "theirs", "--out", out);
  expect(differences()).toEqual(expect.arrayContaining(said));
});

test("amounts that differ by no more than the tolerance agree, which the summary tells; more does not", async () => {
  supplier.answer = { kind: "vended", providerReference: "SUP-7", fulfilment: { kind: "topup" } };
  const body = { reference: "rounded", product_id: 1002, phone: "08031234567" };
  const { transaction_id: id } = (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body;
  const out = path.join(folder, "differences.csv");
  writeFileSync(statement, `reference,amount\n${id}-1,576.01\n`);
  const both = async (...words: string[]) => {
    const { lines } = await reconcile(...words, "--json");
    return lines.find(({ set }) => set === "both");
  };
  expect(await both()).toEqual({ set: "both", count: 0, ours: "0.00", theirs: "0.00" });
  const tolerated = { set: "both", count: 1, ours: "576.00", theirs: "576.01", rounded: 1, tolerance: "0.01" };
  expect(await both("--tolerance", "0.01", "--out", out)).toEqual(tolerated);
  expect(readFileSync(out, "utf8")).not.toContain(id);
  expect((await reconcile("--tolerance", "0.01")).out).toContain(
    "Amounts up to 0.01 naira apart count as the same: 1 are, 0.01 naira in all.\n",
  );
  writeFileSync(statement, `reference,amount\n${id}-1,576.02\n`);
  expect(await both("--tolerance", "0.01", "--out", out)).toMatchObject({ count: 0, rounded: 0 });
  // By our reference, the supplier's own stands beside it.
  expect(readFileSync(out, "utf8")).toContain(`,${id},576.00,576.02,line 1: another amount,SUP-7\n`);
  for (const tolerance of ["0", "10.01", "1%"]) {
    const said = await reconcile("--tolerance", tolerance);
    expect([said.code, said.error]).toEqual([1, expect.stringContaining("naira from 0.01 to 10.00.")]);
  }
});

test("a statement's amounts are read as they stand, and one that may mean two amounts is none", async () => {
  supplier.answer = { kind: "vended", providerReference: "SUP-8", fulfilment: { kind: "topup" } };
  const body = { reference: "grouped", product_id: 1002, phone: "08031234567" };
  const { transaction_id: id } = (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body;
  const out = path.join(folder, "differences.csv");
  for (const [amount, isRead] of [
    ["576,00", false],
    ["57,600", true],
    ["₦ 576.0", true],
    ["576.000", false],
  ] as const) {
    writeFileSync(statement, `reference;amount\n${id}-1;${amount}\n`);
    await reconcile("--out", out);
    expect([amount, readFileSync(out, "utf8").includes("no readable amount")]).toEqual([amount, !isRead]);
  }
  writeFileSync(statement, "sep=;\nreference;amount\n8.03E+09;576\n");
  expect((await reconcile()).error).toContain(`Line 3 of ${statement} has the reference 8.03E+09. A spreadsheet keeps`);
});
