import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Catalog, type Column, readCatalog } from "../../scripts/generate/catalog-queries.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { projectRoot } from "./source-text.ts";

let migrated: FreshDatabase;
let loaded: FreshDatabase;
beforeAll(async () => {
  [migrated, loaded] = [await freshDatabase(), await freshDatabase()];
});
afterAll(async () => {
  for (const fresh of [migrated, loaded]) await fresh.drop();
});

const catalogOf = ({ pool }: FreshDatabase) => readCatalog(openDatabase(pool));

/** What does not depend on the order in which tables were made, or on comments, which the file has as text alone. */
function withoutOrderAndComments(catalog: Catalog): unknown {
  const sorted = (items: readonly { readonly name: string }[]) =>
    [...items].sort((one, other) => (one.name < other.name ? -1 : 1));
  const whole = { ...catalog, tables: sorted(catalog.tables), rowTypes: sorted(catalog.rowTypes) };
  return JSON.parse(JSON.stringify(whole, (key, value) => (key === "comment" ? undefined : value)));
}

test("schema.sql loads into an empty database, which then has the schema of a migrated one", async () => {
  await loaded.pool.query("drop schema public cascade; create schema public");
  // One simple query, as psql sends it.
  await loaded.pool.query(readFileSync(join(projectRoot, "migrations/schema.sql"), "utf8"));
  expect(withoutOrderAndComments(await catalogOf(loaded))).toEqual(withoutOrderAndComments(await catalogOf(migrated)));
});

describe("the schema explains itself", () => {
  test("every column of every table and type has a comment, which is a sentence", async () => {
    const { tables, rowTypes } = await catalogOf(migrated);
    const columns = [...tables, ...rowTypes].flatMap((each) => each.columns);
    expect(columns.length).toBeGreaterThan(400);
    expect(columns.filter((column) => !isExplained(column)).map(({ table, name }) => `${table}.${name}`)).toEqual([]);
  });

  test("a column without a comment, and one whose comment is no sentence, is noticed", () => {
    const column = { table: "wallets", name: "balance" } as Column;
    const reply = (comment: string | null) => isExplained({ ...column, comment });
    expect([reply(null), reply("kobo"), reply("What the merchant can spend.")]).toEqual([false, false, true]);
  });
});

function isExplained({ comment }: Column): boolean {
  return comment !== null && /\w.*[.)]$/s.test(comment);
}
