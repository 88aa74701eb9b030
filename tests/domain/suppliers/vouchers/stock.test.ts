import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { VendRequest } from "../../../../src/categories/supplier-request.ts";
import { loadStartingCatalogue } from "../../../../src/domain/catalogue/starting/starting-catalogue.ts";
import { importVouchers } from "../../../../src/domain/suppliers/vouchers/import.ts";
import { listStock } from "../../../../src/domain/suppliers/vouchers/queries.ts";
import { openEmptyShelves, openStock, usualThreshold } from "../../../../src/domain/suppliers/vouchers/stock.ts";
import type { VoucherRow } from "../../../../src/domain/suppliers/vouchers/voucher-format.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import { secretBox } from "../../../../src/platform/sealing/secret-box.ts";
import { voucherStock } from "../../../../src/providers/voucher-stock/connector.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { movableClock, vendRequest, wishes } from "../../../support/suppliers/vend-requests.ts";

const lagos = wallTime("Africa/Lagos");
const clock = movableClock();
const box = secretBox([Buffer.alloc(32, 5)]);

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 8, plans: "batched" }));
await loadStartingCatalogue(database);
const services = { database, secretBox: box, clock, wallTime: lagos, randomness: randomBytes };
const { rows } = await fresh.pool.query(
  `select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' order by p.id`,
);
const products = rows.map(({ id }) => id);

const emptyShelves = openEmptyShelves();
const stock = () => openStock({ ...services, emptyShelves });

async function* rowsOf(rows: readonly Partial<VoucherRow>[]): AsyncGenerator<VoucherRow> {
  for (const [index, row] of rows.entries()) {
    yield { line: index + 2, code: "", serial: "", expiresOn: "", ...row };
  }
}

async function put(productId: number, rows: readonly Partial<VoucherRow>[]) {
  const refused: [number, string][] = [];
  const reply = await importVouchers(services, { productId, batch: "file.csv", rows: rowsOf(rows) }, (line, because) =>
    refused.push([line, because]),
  );
  return { imported: reply.imported, refused };
}

let codes = 0;
const fresh16 = () => String(7_000_000_000_000_000 + codes++);
const many = (count: number) => Array.from({ length: count }, () => ({ code: fresh16(), serial: `S${codes}` }));

function wants(productId: number, quantity: number, more: Partial<VendRequest> = {}): VendRequest {
  return vendRequest({ ...wishes.recharge_pin, productId, quantity, ...more });
}

test("claims at one time sell every voucher once, and each claim all that it wants or nothing", async () => {
  const productId = products[0]!;
  await put(productId, many(50));
  const requests = Array.from({ length: 20 }, () => wants(productId, 3));
  const connector = voucherStock("stock", stock());
  const outcomes = await Promise.all(requests.map((request) => connector.vend(request)));
  const sold = outcomes.filter(({ kind }) => kind === "vended");
  expect(sold).toHaveLength(16);
  expect(outcomes.filter((o) => o.kind === "declined" && o.errorCode === "OUT_OF_STOCK")).toHaveLength(4);
  const pins = sold.flatMap((o) => (o.kind === "vended" ? (o.fulfilment as { pins: { pin: string }[] }).pins : []));
  expect(new Set(pins.map(({ pin }) => pin)).size).toBe(48);
  const [row] = (await listStock(database, "2026-11-20", usualThreshold)).filter((one) => one.productId === productId);
  expect(row).toMatchObject({ unsold: 2n, sold: 48n });
});

test("the last voucher, while another attempt is just buying it, is waited for and not sold a second time", async () => {
  const productId = products[6]!;
  await put(productId, many(1));
  const buyer = await fresh.pool.connect();
  await buyer.query("begin");
  await buyer.query(
    "insert into voucher_claims (attempt, product_id, outcome) values ('TXN-of-another-1', $1, 'sold')",
    [productId],
  );
  await buyer.query("update vouchers set sold_to = 'TXN-of-another-1' where product_id = $1", [productId]);
  const late = voucherStock("stock", stock()).vend(wants(productId, 1));
  const isWaiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await fresh.pool.query(isWaiting)).rowCount).toBe(1);
  await buyer.query("commit");
  buyer.release();
  expect(await late).toMatchObject({ kind: "declined", errorCode: "OUT_OF_STOCK" });
  const { rows } = await fresh.pool.query("select sold_to from vouchers where product_id = $1", [productId]);
  expect(rows).toEqual([{ sold_to: "TXN-of-another-1" }]);
});

test("an attempt that asks again, at once or later, gets the vouchers it got and no others", async () => {
  const productId = products[1]!;
  await put(productId, many(10));
  const connector = voucherStock("stock", stock());
  const request = wants(productId, 2);
  const [first, twin] = await Promise.all([connector.vend(request), connector.vend(request)]);
  expect(first.kind).toBe("vended");
  expect(twin).toEqual(first);
  expect(await connector.requery(request)).toEqual(first);
  const counted = await fresh.pool.query(
    "select count(*)::int from vouchers where product_id = $1 and sold_to is not null",
    [productId],
  );
  expect(counted.rows).toEqual([{ count: 2 }]);
});

test("an attempt that is asked about before it arrived gets nothing when it arrives after all", async () => {
  const productId = products[1]!;
  const connector = voucherStock("stock", stock());
  const request = wants(productId, 1);
  expect(await connector.requery(request)).toMatchObject({ kind: "declined" });
  expect(await connector.vend(request)).toMatchObject({ kind: "declined" });
});

test("a refusal for want of stock stays one, whatever is put on the shelf afterwards", async () => {
  const productId = products[2]!;
  const connector = voucherStock("stock", stock());
  const request = wants(productId, 2);
  await put(productId, many(1));
  expect(await connector.vend(request)).toMatchObject({ kind: "declined", errorCode: "OUT_OF_STOCK" });
  await put(productId, many(5));
  expect(await connector.requery(request)).toMatchObject({ kind: "declined", errorCode: "OUT_OF_STOCK" });
  expect(await connector.vend(request)).toMatchObject({ kind: "declined", errorCode: "OUT_OF_STOCK" });
});

test("a database that does not answer leaves a purchase unknown", async () => {
  const gone = { query: () => Promise.reject(new Error("terminated")) };
  const broken = openStock({ ...services, emptyShelves, database: gone });
  expect((await voucherStock("stock", broken).vend(wants(products[0]!, 1))).kind).toBe("unknown");
});

test("a category that hands over no vouchers uses none up", async () => {
  const productId = products[1]!;
  const request = wants(productId, 1, { category: "airtime" });
  expect((await voucherStock("stock", stock()).vend(request)).kind).toBe("declined");
  expect(
    (await fresh.pool.query("select 1 from voucher_claims where attempt = $1", [request.supplierReference])).rows,
  ).toEqual([]);
});

test("a code gets in once, however it is grouped and whichever of its biller's products it is called", async () => {
  const [code, other] = [fresh16(), fresh16()];
  const grouped = `${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)}`;
  expect(await put(products[3]!, [{ code }, { code: grouped }, { code: other }])).toEqual({
    imported: 2,
    refused: [[3, "duplicate"]],
  });
  expect(await put(products[3]!, [{ code }])).toEqual({ imported: 0, refused: [[2, "duplicate"]] });
  const { rows } = await fresh.pool.query(
    "select id from products where biller_slug = (select biller_slug from products where id = $1) and id <> $1",
    [products[3]],
  );
  expect(await put(rows[0].id, [{ code: other }])).toEqual({ imported: 0, refused: [[2, "of another product"]] });
});

test("a line that cannot be sold is refused with its reason, and the others get in", async () => {
  const rows: Partial<VoucherRow>[] = [
    { code: fresh16(), expiresOn: "2026-11-20" },
    { code: "" },
    { code: "12;34" },
    { code: fresh16(), serial: "a\tb" },
    { code: fresh16(), expiresOn: "2026-02-30" },
    { code: fresh16(), expiresOn: "2026-11-19" },
  ];
  expect(await put(products[4]!, rows)).toEqual({
    imported: 1,
    refused: [
      [3, "no code"],
      [4, "unreadable code"],
      [5, "unreadable serial"],
      [6, "unreadable date"],
      [7, "expired"],
    ],
  });
});

test("a gift card's PIN is sold with its code, and a card without one, or of an older version, as before", async () => {
  const { rows } = await fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'giftcard' order by p.id desc",
  );
  const productId = rows[0].id;
  const [first, second] = [fresh16(), fresh16()];
  const reply = await put(productId, [
    { code: first, pin: "48-21" },
    { code: second },
    { code: fresh16(), pin: "4\t8" },
  ]);
  expect(reply).toEqual({ imported: 2, refused: [[4, "unreadable pin"]] });
  const cards = vendRequest({ ...wishes.giftcard, productId, quantity: 2 });
  expect(await voucherStock("stock", stock()).vend(cards)).toMatchObject({
    kind: "vended",
    fulfilment: {
      cards: [
        { code: first, pin: "48-21" },
        { code: second, pin: null },
      ],
    },
  });
  const old = { claim: async () => sold, find: async () => sold };
  const sold = { kind: "sold", vouchers: [{ code: first, serial: null, expiresAt: null }] } as const;
  expect(await voucherStock("stock", old).vend({ ...cards, quantity: 1 })).toMatchObject({
    fulfilment: { cards: [{ pin: null }] },
  });
});

const longCode = "ABCDE-12345-FGHIJ-67890-KLMNO-54321-PQRST";

test("a code too long for the PINs of its category is refused by its line; a gift card of that length is sold whole", async () => {
  expect(await put(products[5]!, [{ code: longCode }, { code: "P".repeat(30) }])).toEqual({
    imported: 1,
    refused: [[2, "code too long for the category"]],
  });
  const { rows } = await fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'giftcard' limit 1",
  );
  expect(await put(rows[0].id, [{ code: longCode }])).toEqual({ imported: 1, refused: [] });
  const card = vendRequest({ ...wishes.giftcard, productId: rows[0].id, quantity: 1 });
  expect(await voucherStock("stock", stock()).vend(card)).toMatchObject({
    kind: "vended",
    fulfilment: { cards: [{ code: longCode }] },
  });
});

test("a code that lies on the shelf and is too long waits for a person, and is never sold cut off", async () => {
  const shelf = { claim: async () => sold, find: async () => sold };
  const sold = { kind: "sold", vouchers: [{ code: longCode, serial: null, expiresAt: null }] } as const;
  const outcome = await voucherStock("stock", shelf).vend(wants(products[5]!, 1));
  expect(outcome).toMatchObject({ kind: "unknown", evidence: expect.stringContaining("longer than") });
  expect(outcome.evidence).not.toContain("ABCDE");
});

test("a voucher is sold until its last day, and not after it", async () => {
  const productId = products[4]!;
  const connector = voucherStock("stock", stock());
  clock.time += 86_400_000;
  expect((await connector.vend(wants(productId, 1))).kind).toBe("declined");
  clock.time -= 86_400_000;
  expect(await connector.vend(wants(productId, 1))).toMatchObject({
    kind: "vended",
    fulfilment: { pins: [{ expires_at: "2026-11-20T23:59:59+01:00" }] },
  });
});

test("an unknown product, and one whose category sells no vouchers, take no file", async () => {
  await expect(put(999_999, many(1))).rejects.toMatchObject({ code: "PRODUCT_NOT_FOUND" });
  const { rows } = await fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'airtime' limit 1",
  );
  await expect(put(rows[0].id, many(1))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("the database holds no code that can be read, or be found by trying", async () => {
  const code = fresh16();
  await put(products[0]!, [{ code, serial: "SERIALNUMBER1" }]);
  const { rows } = await fresh.pool.query(
    "select v.number, v.fingerprint, v.sealed, v.batch, k.sealed as key from vouchers v cross join voucher_keys k where product_id = $1 order by number desc limit 1",
    [products[0]],
  );
  const text = JSON.stringify(rows, (_key, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
  );
  for (const secret of [code, "SERIALNUMBER1", Buffer.from(code).toString("base64").slice(0, 18)]) {
    expect(text).not.toContain(secret);
  }
});
