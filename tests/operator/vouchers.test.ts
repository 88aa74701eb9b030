import { beforeAll, expect, test } from "vitest";
import { importVouchers } from "../../src/domain/suppliers/vouchers/import.ts";
import { readVoucherText } from "../../src/domain/suppliers/vouchers/voucher-text.ts";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { app } = service;
const ada = await service.staff("admin");
const chidi = await service.staff("catalogue");
const support = await service.staff("support");
let product = 0;
let next = 10_000_000;

beforeAll(async () => {
  [{ id: product }] = await rows(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  await rows(
    `update products set attributes = attributes || '{"pin_digits": 12, "serial_prefix": null}' where id = ${product}`,
  );
  await rows("insert into suppliers (name, connector, state) values ('shelf', 'voucher-stock', 'enabled')");
  await rows("insert into supplier_routes (product_id, supplier, supplier_code, cost) values ($1, 'shelf', 'S', 1)", [
    product,
  ]);
});

async function rows(text: string, values: unknown[] = []) {
  return (await app.fresh.pool.query(text, values)).rows;
}

/** PINs that nobody had before. */
function pins(count: number): string[] {
  return Array.from({ length: count }, () => {
    next += 7;
    return `4711${next}`;
  });
}

const onSale = async () =>
  Number((await rows("select count(*) as n from vouchers where product_id = $1 and sold_to is null", [product]))[0].n);

/** Uploads a file and waits until it is read. @returns the import's path */
async function uploaded(by: StaffClient, text: string): Promise<string> {
  const sent = await by.send("/operator/vouchers/import", { product: String(product), "secret-file": text });
  expect(sent.status).toBe(303);
  const path = sent.location ?? "";
  const isRead = async () => !(await by.get(path)).text.includes("<progress");
  await expect.poll(isRead).toBe(true);
  return path;
}

const waiting = async () =>
  `/operator/approvals/${(await rows("select max(id) as id from changes where state = 'waiting'"))[0].id}`;

test("what is wrong with a file is shown by line, never a PIN, and none of it can be put on sale", async () => {
  const [known = "", first = "", other = ""] = pins(3);
  const stocked = await uploaded(ada, known);
  await ada.send(`${stocked}/sell`);
  const before = await onSale();
  const file = ["pin,expires_on", first, `${first},`, known, "12345", `${other},2020-01-01`, ",", other];
  const path = await uploaded(ada, file.join("\n"));
  const { text } = await support.get(path);
  for (const [line, words] of [
    ["3", "Repeats in the file"],
    ["4", "In the stock already"],
    ["5", "The PIN is not 12 digits"],
    ["6", "Expired"],
  ]) {
    expect(text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "), words).toContain(` ${line} ${words}`);
  }
  for (const pin of [known, first, other, "12345"]) expect(text).not.toContain(pin);
  expect(text).not.toContain("on sale</button>");
  await ada.send(`${path}/sell`);
  expect(await onSale()).toBe(before);
  const [{ kept }] = await rows("select string_agg(i::text, '') as kept from voucher_imports i");
  for (const pin of [known, first, other, "12345"]) {
    expect(kept).not.toContain(pin);
    expect(kept).not.toContain(Buffer.from(pin).toString("base64url").slice(0, 14));
  }
});

test("an admin puts all of a file on sale at once, what the stock has is left out, and twice changes nothing", async () => {
  const [old = "", ...fresh] = pins(51);
  await ada.send(`${await uploaded(ada, old)}/sell`);
  const before = await onSale();
  const path = await uploaded(ada, [old, ...fresh].join("\n"));
  expect(await onSale()).toBe(before);
  const both = await Promise.all([ada.send(`${path}/sell`), ada.send(`${path}/sell`)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await onSale()).toBe(before + 50);
  expect(await rows("select sealed from voucher_imports where id = $1", [idOf(path)])).toEqual([{ sealed: null }]);
  const [entry] = await rows(
    "select who, details from audit_log where command = 'console vouchers import' order by number desc limit 1",
  );
  expect(entry).toMatchObject({ who: `staff:${ada.email}`, details: expect.stringContaining('"vouchers":50') });
});

test("catalogue people import by two: before the approval nothing is for sale, and the request has no PIN", async () => {
  const fresh = pins(20);
  const before = await onSale();
  const path = await uploaded(chidi, `code;serial\n${fresh.map((pin) => `${pin};S-${pin}`).join("\n")}`);
  expect((await chidi.follow(await chidi.send(`${path}/sell`))).text).toContain(
    "Waiting for approval by a second person",
  );
  expect(await onSale()).toBe(before);
  const approval = await waiting();
  expect((await chidi.follow(await chidi.send(approval, { do: "approve" }))).text).toContain(
    "You asked for this yourself",
  );
  expect(await onSale()).toBe(before);
  const { text } = await ada.get(approval);
  expect([text.includes("20 vouchers"), fresh.some((pin) => text.includes(pin))]).toEqual([true, false]);
  expect((await ada.follow(await ada.send(approval, { do: "approve" }))).text).toContain("20 vouchers of");
  expect(await onSale()).toBe(before + 20);
});

test("another file in the place of the one that somebody asked for is not put on sale", async () => {
  const path = await uploaded(chidi, pins(5).join("\n"));
  await chidi.send(`${path}/sell`);
  const before = await onSale();
  const other = idOf(await uploaded(ada, pins(5).join("\n")));
  await rows("update voucher_imports set sealed = (select sealed from voucher_imports where id = $2) where id = $1", [
    idOf(path),
    other,
  ]);
  expect((await ada.follow(await ada.send(await waiting(), { do: "approve" }))).text).toContain("not the vouchers");
  expect(await onSale()).toBe(before);
});

test("a file that is cancelled while its request waits, or whose lines fit no more, is not put on sale", async () => {
  const path = await uploaded(chidi, pins(3).join("\n"));
  await chidi.send(`${path}/sell`);
  const approval = await waiting();
  expect((await ada.get(approval)).text).toContain("Not on sale yet");
  await ada.send(`${path}/cancel`);
  const before = await onSale();
  expect((await ada.follow(await ada.send(approval, { do: "approve" }))).text).toContain("has changed since");
  const unfit = await uploaded(ada, pins(1).join("\n"));
  await rows("update products set attributes = attributes || '{\"pin_digits\": 11}' where id = $1", [product]);
  expect((await ada.send(`${unfit}/sell`)).text).toContain("can’t be sold any more");
  await rows("update products set attributes = attributes || '{\"pin_digits\": 12}' where id = $1", [product]);
  expect(await onSale()).toBe(before);
});

test("where one of the vouchers came into the stock meanwhile, none of the file is put on sale", async () => {
  const fresh = pins(10);
  const path = await uploaded(ada, fresh.join("\n"));
  const { database, secretBox, clock, wallTime, people } = app.services;
  await importVouchers(
    { database, secretBox, clock, wallTime, randomness: people.randomness },
    { productId: product, batch: "by hand", rows: readVoucherText(fresh[9] ?? "") },
    () => {},
  );
  const before = await onSale();
  expect((await ada.send(`${path}/sell`)).text).toContain("came into the stock meanwhile");
  expect(await onSale()).toBe(before);
  expect(await rows("select state from voucher_imports where id = $1", [idOf(path)])).toEqual([{ state: "ready" }]);
});

test("an import whose process died is shown as stopped, and can't be sold; a cancelled one keeps no voucher", async () => {
  const path = await uploaded(ada, pins(3).join("\n"));
  const id = idOf(path);
  const before = await onSale();
  await rows("update voucher_imports set state = 'reading', seen_at = now() - interval '5 minutes' where id = $1", [
    id,
  ]);
  expect((await ada.get(path)).text).toContain("The service stopped while it read this file");
  await ada.send(`${path}/sell`);
  expect(await onSale()).toBe(before);
  await ada.send(`${path}/cancel`);
  expect(await rows("select sealed from voucher_imports where id = $1", [id])).toEqual([{ sealed: null }]);
});

test("a file that is no list of vouchers says why at its field, or in the import, and repeats nothing of it", async () => {
  const send = (fields: Record<string, string>) => ada.send("/operator/vouchers/import", fields);
  expect((await send({ product: "x", "secret-file": "1234" })).text).toContain("Enter a product’s number");
  expect((await send({ product: String(product), "secret-file": " " })).text).toContain("Choose the file.");
  const refused = await send({ product: "1002", "secret-file": "123456789012" });
  expect([refused.status, refused.text.includes("123456789012")]).toEqual([400, false]);
  for (const [text, words] of [
    ["serial,amount\n1,2", "must name one column pin or code"],
    ["PK\u0003\u0004", "an Excel workbook"],
    ['pin\n"4711', "CSV after line"],
    ["pin\n471100000001,77,88", "has 3 cells, and 1 were named"],
  ] as const) {
    expect((await ada.get(await uploaded(ada, text))).text).toContain(words);
  }
});

test("the stock tells what is free, how long it lasts, and when it is low, which is set there", async () => {
  await rows(
    `insert into supplier_hours (hour, supplier, product_id, vended, declined, unknown, cost, took_ms, slowest_ms)
     values (date_trunc('hour', now()) - interval '1 day', 'shelf', $1, 70, 0, 0, 0, 0, 0)`,
    [product],
  );
  const before = await onSale();
  const list = (await support.get("/operator/vouchers")).text;
  expect(list).toContain(`${(before / 10).toFixed(1)} days`);
  const path = `/operator/vouchers/products/${product}`;
  expect((await chidi.send(`${path}/threshold`, { low_at: "many" })).text).toContain("Enter a whole number");
  await chidi.send(`${path}/threshold`, { low_at: "1,500" });
  const { text } = await support.get(path);
  for (const words of ["1,500", "12 digits", `>${before}<`, ">70<"]) expect(text).toContain(words);
  expect((await support.get("/operator/vouchers")).text).toContain(`${before}, low`);
  expect((await support.send(`${path}/threshold`, { low_at: "1" })).status).toBe(403);
});

test("a long file is read in sets with progress that others see, and goes on sale in one commit", async () => {
  const before = await onSale();
  const sent = await ada.send("/operator/vouchers/import", {
    product: String(product),
    "secret-file": `pin,serial\n${pins(20_000)
      .map((pin) => `${pin},${pin}`)
      .join("\n")}`,
  });
  const path = sent.location ?? "";
  const seen = new Set<number>();
  const look = async () => {
    const value = /<progress value="(\d+)"/.exec((await support.get(path)).text)?.[1];
    if (value !== undefined) seen.add(Number(value));
    return value === undefined;
  };
  await expect.poll(look, { interval: 100 }).toBe(true);
  expect(seen.size).toBeGreaterThan(2);
  expect(await onSale()).toBe(before);
  expect((await ada.follow(await ada.send(`${path}/sell`))).text).toContain("20,000 vouchers of");
  expect(await onSale()).toBe(before + 20_000);
});

function idOf(path: string): number {
  return Number(path.split("/").at(-1));
}
