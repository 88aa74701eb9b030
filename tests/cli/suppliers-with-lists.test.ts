import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeCsv } from "../../src/platform/csv.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { type StubServer, startStub } from "../support/suppliers/stub-server.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let scratch: ScratchDirectory;
beforeAll(async () => {
  [fresh, scratch] = await Promise.all([stockedDatabase(), makeScratchDirectory()]);
});
afterAll(async () => {
  await Promise.all([scratch.remove(), fresh.drop()]);
});

/** Suppliers of eSIMs, whose stubs have a list. */
const listing = connectorsUnderTest.filter(({ name }) => ["airalo", "esim-access"].includes(name));

describe.each(listing)("$name", (under) => {
  let stub: StubServer;
  beforeAll(async () => {
    stub = await startStub(under.stub);
  });
  afterAll(() => stub.close());

  const run = (...words: string[]) =>
    operate(words, { DATABASE_URL: fresh.url, ENCRYPTION_KEY: testEncryptionKey, SUPPLIER_ORIGINS: stub.url });

  test("what it lists becomes routes under its codes, at its costs, and is then no difference", async () => {
    const { settings, credentials } = under.entered({ baseUrl: stub.url, wrongKeys: false });
    const keys = path.join(scratch.folder, `${under.name}.json`);
    writeFileSync(keys, JSON.stringify(credentials));
    const entered = ["--connector", under.name, "--settings", JSON.stringify(settings), "--credentials", keys];
    expect(await run("supplier", "add", under.name, ...entered)).toMatchObject({ code: 0, error: "" });
    const file = path.join(scratch.folder, `${under.name}.csv`);
    const catalogue = (...words: string[]) => run("supplier", "catalogue", under.name, ...words);
    expect(await catalogue("--to", file)).toMatchObject({ code: 0, error: "" });
    const records: Record<string, string>[] = parse(readFileSync(file), { columns: true });
    expect(records.length).toBeGreaterThan(1);
    // 12401 and its neighbours are travel eSIMs; what is listed without a cost gets one.
    const marked = records.map((record, n) => ({
      ...record,
      accept: "yes",
      product_id: String(12401 + n),
      cost_new: record.cost_new || "4.50 USD",
    }));
    writeFileSync(file, writeCsv([Object.keys(marked[0] ?? {}), ...marked.map((record) => Object.values(record))]));
    expect(await catalogue("--accept", file, "--json")).toMatchObject({
      code: 0,
      lines: [{ added: records.length, repriced: 0, switched_off: 0, already: 0 }],
    });
    const { lines } = await run("route", "list", "--json");
    const routes = lines.filter(({ supplier }) => supplier === under.name);
    expect(routes.map(({ code, cost }) => [code, cost])).toEqual(
      marked.map(({ supplier_code, cost_new }: Record<string, string>) => [supplier_code, cost_new]),
    );
    expect((await catalogue("--json")).lines).toEqual([]);
  });
});
