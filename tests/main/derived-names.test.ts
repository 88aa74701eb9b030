import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestIdFor } from "../../src/providers/vtpass/request-id.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";

// VTpass takes no name of ours as it is: its statement and its console know attempts by a request id derived from it.

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-names-"));
  app = await startApp({ suppliers: [openFakeSupplier("first")] });
  for (const reference of ["one", "two", "three"]) {
    const body = { reference, product_id: 1002, phone: "08031234567" };
    expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
  }
  // The service has its connector already; the commands find VTpass.
  await app.fresh.pool.query("update suppliers set connector = 'vtpass' where name = 'first'");
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder });
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());

async function ownReferences(): Promise<string[]> {
  const { rows } = await app.fresh.pool.query("select supplier_reference from vend_attempts order by 1");
  return rows.map((row) => row.supplier_reference);
}

test("a statement that names our attempts by derived names is compared by them", async () => {
  const lines = (await ownReferences()).map((reference) => `${requestIdFor(reference)},576.00`);
  const statement = path.join(folder, "statement.csv");
  writeFileSync(statement, `request_id,amount\n${lines.join("\n")}\n`);
  const words = ["reconcile", "first", statement, "--from", today, "--to", today];
  expect(await run(...words)).toMatchObject({
    code: 1,
    error: "There is no column reference: say --reference-column, one of request_id, amount.\n",
  });
  const compared = await run(...words, "--reference-column", "request_id", "--json");
  expect([compared.code, compared.lines[0]]).toEqual([0, expect.objectContaining({ set: "both", count: 3 })]);
});

test("review tells the name by which the supplier can be asked", async () => {
  const [reference = ""] = await ownReferences();
  const [shown] = (await run("review", "show", reference.slice(0, -2), "--json")).lines;
  expect(shown.attempts[0]).toMatchObject({ supplier_reference: reference, name_there: requestIdFor(reference) });
});
