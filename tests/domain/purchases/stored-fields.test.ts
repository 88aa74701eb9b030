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
import { type Settlement, updateSettled } from "../../../src/domain/purchases/settle-queries.ts";
import { purchaseTime, type Reference, type WalletKey } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import { migrationsDirectory } from "../../support/database.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";
import { mintDeliveryId } from "../../support/webhooks.ts";

const day = "2026-11-20";

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "batched" }));

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

/** What was said, what is kept of it, and the body of the event about it. */
const cases = [
  [`{"Status":"successful","note":"a \\"quote\\", {braces}, a \\\\ and ₦"}`, null, `{"data":{"phone":"080"}}`],
  [null, "", null],
  ["one\u0001two", null, `{"data":"\\u0001"}`],
  ["", "", null],
  ["NULL", null, null],
] as const;

test("each attempt keeps its own evidence and each event its own body, whatever stands in its neighbours'", async () => {
  const wallet = await fundedWallet(database, walletKey(2, "live"), 1_000_000n);
  const purchases = cases.map((_, index) => newPurchase(wallet, `order-${index}`));
  await insertPurchases(database, purchases, day);
  const settlements = cases.map(([evidence, , body], index): Settlement => {
    const { id, reference } = purchases[index]!.terms;
    const reply = { endpointNumber: 1, event: "transaction.successful", isExample: false } as const;
    const events = body === null ? [] : [{ ...reply, deliveryId: mintDeliveryId(), reference, subjectId: id, body }];
    const said = { errorCode: null, providerReference: null, fulfilment: null, supplierReference: `s-${index}` };
    const rest = { attempt: 1, completedAt: Date.now() };
    return { wallet, id, reference, epoch: 0, status: "successful", evidence, events, codes: [], ...said, ...rest };
  });
  expect(await updateSettled(database, settlements)).toHaveLength(cases.length);
  const { rows } = await fresh.pool.query(
    `select a.evidence, d.body
       from vend_attempts a
       join purchases p on p.id = a.purchase_id
       left join webhook_deliveries d on d.id = p.delivery_id and d.subject_id = p.id
      order by a.supplier_reference`,
  );
  expect(rows).toEqual(cases.map(([said, kept, body]) => ({ evidence: kept ?? said, body })));
});
