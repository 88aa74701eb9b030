import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openLineRows } from "../../../src/domain/bulk-orders/line-rows.ts";
import { insertBulkOrder } from "../../../src/domain/bulk-orders/queries.ts";
import { acceptedPurchase, termColumns, termFields } from "../../../src/domain/purchases/purchase.ts";
import {
  findPurchasesByReference,
  insertPurchases,
  type NewPurchase,
  newPurchaseColumns,
} from "../../../src/domain/purchases/queries.ts";
import { purchaseTime, type Reference, type WalletKey } from "../../../src/kernel/ids.ts";
import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase, migrationsDirectory } from "../../support/database.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

const day = "2026-11-20";

const fresh = closing(await freshDatabase());
const options = {
  connectionString: fresh.url,
  connectionsMax: 1,
  applicationName: "test",
  plans: "batched",
} as const;
const database = closing(openDatabase(openPool(options)));

/** The columns of a table or a type, each with its SQL type, in their order. */
async function columnsOf(name: string): Promise<Map<string, string>> {
  const { rows } = await fresh.pool.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, null) as type
       from pg_attribute a
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`,
    [name],
  );
  return new Map(rows.map((column) => [column.name, column.type]));
}

test("rows of new_purchase are written with the type's columns, in their order", async () => {
  expect(newPurchaseColumns.map(({ name }) => name)).toEqual([...(await columnsOf("new_purchase")).keys()]);
});

test("what is stored as it comes has a column in purchases, of the same SQL type", async () => {
  const [given, kept] = [await columnsOf("new_purchase"), await columnsOf("purchases")];
  const stored = newPurchaseColumns.filter(({ isStored }) => isStored).map(({ name }) => name);
  expect(stored.map((name) => [name, kept.get(name)])).toEqual(stored.map((name) => [name, given.get(name)]));
});

test("accept_purchases stores every column that comes with a purchase", async () => {
  const text = await readFile(path.join(migrationsDirectory, "functions", "accept_purchases.sql"), "utf8");
  const [, list = ""] = /insert into purchases \(([^)]*)\)/.exec(text.replaceAll(/--.*/g, "")) ?? [];
  const written = list.split(",").map((column) => column.trim());
  const stored = newPurchaseColumns.filter(({ isStored }) => isStored).map((column) => column.name);
  expect(stored.filter((column) => !written.includes(column))).toEqual([]);
});

const samples: Readonly<Record<string, unknown>> = {
  text: "given",
  json: { given: "by the test" },
  integer: 7,
  bigint: 7n,
  boolean: true,
};

/** A purchase of which no field is null. */
async function wholePurchase(wallet: WalletKey, reference: string): Promise<NewPurchase> {
  const types = await columnsOf("purchases");
  const bulk = { reference: "order" as Reference, line: 0 };
  const purchase = newPurchase(wallet, reference, { channel: "bulk", bulk, details: { given: "by the test" } });
  const unset = termFields.filter((field) => purchase.terms[field] === null);
  const set = Object.fromEntries(unset.map((field) => [field, samples[types.get(termColumns[field].name) ?? ""]]));
  return { ...purchase, terms: { ...purchase.terms, ...set } };
}

const ways: readonly [string, (purchase: NewPurchase) => Promise<unknown>][] = [
  ["alone", (purchase) => insertPurchases(database, [purchase], day)],
  [
    "as a line of a bulk order",
    (purchase) => {
      const rows = openLineRows();
      rows.add(purchase);
      const { id, total, fingerprint } = purchase.terms;
      const order = {
        id,
        reference: "order" as Reference,
        category: "data",
        fingerprint,
        amount: total,
        total,
      } as const;
      return insertBulkOrder(database, purchase.terms.wallet, order, { ...rows.written, day });
    },
  ],
];

test.each(ways)("every field of a purchase that was bought %s is read back as it was given", async (way, buy) => {
  const wallet = await fundedWallet(database, walletKey(way.length), 1_000_000n);
  const purchase = await wholePurchase(wallet, "whole");
  await buy(purchase);
  const [found] = await findPurchasesByReference(database, [purchase.terms]);
  const { id } = purchase.terms;
  const acceptance = { number: 1n, balanceBefore: 1_000_000n as never, purchasedAt: purchaseTime(id), vended: null };
  expect(found).toEqual(acceptedPurchase(purchase.terms, acceptance));
  expect(found).toMatchObject(purchase.terms);
  expect(Object.entries(purchase.terms).filter(([, value]) => value == null)).toEqual([]);
});
