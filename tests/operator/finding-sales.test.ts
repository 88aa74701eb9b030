import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";

// Product 1002 is data for 640 naira.

const supplier = openFakeSupplier("first");
const service = closing(await startConsole({ suppliers: [supplier] }));
const { app } = service;
const [bola, support] = [await service.staff("finance"), await service.staff("support")];

async function rows(text: string, values: unknown[] = []) {
  return (await app.fresh.pool.query(text, values)).rows;
}

test("the end of a number, its owner, a reference in any case and the receipt's number lead to a sale, a bank's reference to its merchant", async () => {
  const number = "45099817263";
  const key = app.merchant.liveKey ?? "";
  const bought = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: number, amount: "5000.00" };
  const body = { ...bought, phone: "08055512984", reference: "shop-Till-7" };
  const { delivery, transaction_id: id } = (await app.call(key, "/electricity/purchase", { body })).body;
  await rows(
    `insert into beneficiaries (merchant_id, id, label, category, customer_ref, customer_name, created_at, updated_at)
     values ($1, 'ben_' || repeat('0', 26), 'Third floor', 'electricity', $2, 'Ngozi OKONKWO', now(), now())`,
    [app.merchant.id, number],
  );
  const sought = async (text: string, person = support) =>
    (await person.get(`/operator/search?q=${encodeURIComponent(text)}`)).location;
  const said = [
    "7263",
    "981 7263",
    "2984",
    "5551-2984",
    "okonkwo",
    "ngozi ok",
    "third FLOOR",
    delivery.receipt_number.toLowerCase(),
  ];
  for (const text of [...said, "SHOP-till-7", id.toLowerCase()])
    expect([text, await sought(text)]).toEqual([text, `/operator/sales/${id}`]);
  for (const text of ["263", "okonkwa"]) expect([text, await sought(text)]).toEqual([text, null]);

  await rows(
    `with waiting as (
       insert into changes (kind, summary, fields, subjects, requested_as, requested_at, ends_at)
       values ('wallet credit', 'Credit it', $1, '{}', 'ada', now(), now() + interval '1 day')
       returning id
     )
     insert into change_subjects select 'bank reference NIP0001/23', id from waiting`,
    [JSON.stringify({ merchant: `mer_${app.merchant.id}` })],
  );
  const merchant = `/operator/merchants/mer_${app.merchant.id}`;
  expect([await sought("nip 0001/23", bola), await sought("nip 0001/23")]).toEqual([merchant, null]);
});

test("the list of sales has pages, says how many and for how much, and is a file for whoever sees money", async () => {
  const shop = await app.createMerchant({ credit: kobo(100_000_00n) });
  for (let sold = 0; sold < 52; sold += 1) {
    const body = { product_id: 1002, phone: "08031234567", reference: `page-${sold}` };
    if (sold === 51) supplier.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: "BARRED" };
    await app.call(shop.liveKey ?? "", "/data/purchase", { body });
  }
  const list = `/operator/sales?merchant=mer_${shop.id}`;
  const referencesIn = (text: string) =>
    text.match(/page-\d+/g)?.filter((name, at, all) => all.indexOf(name) === at) ?? [];
  const first = await support.get(list);
  expect(first.text).toContain("52 sales, ₦33,280.00 charged, ₦640.00 of it refunded");
  const next = /href="([^"]*before=\d+)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await support.get(next);
  expect([referencesIn(first.text).length, referencesIn(second.text)]).toEqual([50, ["page-1", "page-0"]]);
  expect(second.text).toContain("52 sales");

  const at = `/operator/sales.csv?merchant=mer_${shop.id}`;
  expect([(await support.get(at)).status, first.text.includes("sales.csv")]).toEqual([403, false]);
  const file = await bola.get(at);
  expect([referencesIn(file.text).length, file.text.includes(`,mer_${shop.id},`)]).toEqual([52, true]);
  const [entry] = await rows(
    "select who, details from audit_log where command = 'console export' order by number desc limit 1",
  );
  expect([entry.who, entry.details.includes("transactions.csv")]).toEqual([`staff:${bola.email}`, true]);
});
