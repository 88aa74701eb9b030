import { describe, expect, test } from "vitest";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { expectListed, expectProblem } from "../../support/wire-expectations.ts";

/** The service's clock, which the purchases below set. */
let now = Date.now();
/** Transaction ids by reference. */
const ids = new Map<string, string>();

type Sale = readonly [at: string, path: string, body: { reference: string } & Record<string, unknown>];

// Oldest first. 23:30 in Lagos is the day before in London, and seconds have fractions.
const sales: readonly Sale[] = [
  ["2026-11-19T23:30:00+01:00", "data", { reference: "a", product_id: 1002, phone: "08031234567" }],
  ["2026-11-20T00:00:00+01:00", "airtime", { reference: "b", network: "GLO", amount: 100, phone: "08051234567" }],
  ["2026-11-20T00:30:00+01:00", "airtime", { reference: "c", network: "MTN", amount: 100, phone: "08031230002" }],
  ["2026-11-20T14:03:09.700+01:00", "data", { reference: "d", product_id: 1002, phone: "08031230003" }],
  [
    "2026-11-20T23:59:59.999+01:00",
    "electricity",
    { reference: "e", product_id: 3001, meter_number: "45012345678", amount: 5_000, phone: "08031234567" },
  ],
  [
    "2026-11-21T00:00:00+01:00",
    "recharge-pin",
    { reference: "f", network: "MTN", denomination: 100, quantity: 2, phone: "+234 803 123 4567" },
  ],
  ["2026-11-21T10:00:00+01:00", "sms", { reference: "g", sender_id: "SHOP", message: "Hi", recipients: "08031230002" }],
];

const app = closing(await startApp({ clock: { now: () => now } }));
const key = app.merchant.testKey;
for (const [at, path, body] of sales) {
  now = Date.parse(at);
  const bought = await app.call(key, path === "sms" ? "/sms/send" : `/${path}/purchase`, { body });
  ids.set(body.reference, bought.body.transaction_id);
}

const list = (query = "", as = key): Promise<Answer> => app.call(as, `/transactions${query === "" ? "" : `?${query}`}`);

async function references(query: string): Promise<string> {
  const answer = await list(query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.meta.total).toBe(answer.body.transactions.length);
  return answer.body.transactions.map((row: { reference: string }) => row.reference).join("");
}

describe("200", () => {
  test("lists everything, newest first, with the exact total", async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["transactions", "meta"]);
    expect(answer.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 20, total: 7 });
    expect(answer.body.transactions.map((row: { reference: string }) => row.reference).join("")).toBe("gfedcba");
    for (const row of answer.body.transactions) expectListed(row);
  });

  test("a row is the requery's transaction, without its secrets", async () => {
    const { transactions } = (await list()).body;
    for (const row of transactions) {
      const { token, status_history, next_check_after, delivery, ...rest } = (
        await app.call(key, `/transactions/${row.reference}`)
      ).body;
      const hint = delivery === null ? null : { kind: delivery.kind, has_delivery: true };
      expect(row).toEqual({ ...rest, delivery: hint });
      if (token) expect(JSON.stringify(transactions)).not.toContain(token);
      for (const { pin } of delivery?.pins ?? []) expect(JSON.stringify(transactions)).not.toContain(pin);
    }
  });

  test.each([
    ["status=successful", "feba"],
    ["status=pending", "d"],
    ["status=failed", "gc"],
    ["category=airtime", "cb"],
    ["category=recharge_pin", "f"],
    ["category=esim", ""],
    ["biller_slug=mtn-data", "da"],
    ["biller_slug=nobody", ""],
    ["network=MTN", "fdca"],
    ["network=mtn", "fdca"],
    ["network=GLO", "b"],
    ["network=AIRTEL", ""],
    ["phone=08031234567", "fea"],
    ["phone=%2B234%20803-123-4567", "fea"],
    ["phone=2348031234567", "fea"],
    ["customer_ref=45012345678", "e"],
    ["customer_ref=08031234567", "fa"],
    ["reference=d", "d"],
    ["reference=D", ""],
    ["reference=a%20b", ""],
    ["transaction_id=SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D", ""],
    ["transaction_id=7", ""],
    ["bulk_reference=a", ""],
    ["channel=api", "gfedcba"],
    ["channel=bulk", ""],
    ["status=successful&category=data&network=MTN&phone=08031234567", "a"],
    ["status=failed&category=data", ""],
  ])("?%s lists %j", async (query, expected) => {
    expect(await references(query)).toBe(expected);
  });

  test("?transaction_id finds its own", async () => {
    for (const [reference, id] of ids) expect(await references(`transaction_id=${id}`)).toBe(reference);
    expect(await references(`transaction_id=${ids.get("a")}&reference=b`)).toBe("");
  });
});

describe("200 from and to", () => {
  test.each([
    ["from=2026-11-20", "gfedcb"],
    ["to=2026-11-20", "edcba"],
    ["from=2026-11-20&to=2026-11-20", "edcb"],
    ["from=2026-11-21&to=2026-11-20", ""],
    ["from=2026-11-20T00:30:00%2B01:00", "gfedc"],
    ["from=2026-11-19T23:30:00Z", "gfedc"],
    ["to=2026-11-19T23:30:00Z", "cba"],
    ["to=2026-11-20T00:29:59%2B01:00", "ba"],
    ["from=2026-11-20T14:03:09.701%2B01:00", "gfe"],
    ["to=2026-11-20T14:03:09.699%2B01:00", "cba"],
    ["to=2026-11-20T14:03:09.700%2B01:00", "dcba"],
    ["to=2026-11-20T00:00%2B01:00", "ba"],
    ["from=2026-11-20&status=pending", "d"],
  ])("?%s lists %j", async (query, expected) => {
    expect(await references(query)).toBe(expected);
  });

  test("both include the transaction whose own purchased_at they are", async () => {
    const { transactions } = (await list()).body;
    for (const { reference, purchased_at } of transactions) {
      const at = encodeURIComponent(purchased_at);
      expect(await references(`from=${at}&to=${at}`)).toContain(reference);
    }
  });

  test("a plus sign that arrives as a space is still an offset", async () => {
    expect(await references("from=2026-11-20T00:30:00+01:00")).toBe("gfedc");
    expect(await references("to=2026-11-20T14:03:09+01:00")).toBe("dcba");
  });
});

describe("200 pages", () => {
  test("follow one another without gap or repetition, and the last is short", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`per_page=3&page=${page}`)));
    const rows = pages.map(({ body }) => body.transactions.map((row: { reference: string }) => row.reference).join(""));
    expect(rows).toEqual(["gfe", "dcb", "a", ""]);
    expect(pages.map(({ body }) => body.meta)).toEqual(
      [1, 2, 3, 4].map((page) => ({ current_page: page, last_page: 3, per_page: 3, total: 7 })),
    );
  });

  test("count what the filter finds", async () => {
    const { body } = await list("status=successful&per_page=3&page=2");
    expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 3, total: 4 });
    expect(body.transactions).toHaveLength(1);
  });

  test.each([1, 7, 20, 100])("the last page that is named can be read, %i rows a page", async (perPage) => {
    const { id, testKey } = await app.createMerchant();
    // As many as there would be after a year: the count is what the pages are made of.
    const counted = "update wallets set purchase_count = 110018 where wallet_id = -$1::integer";
    await app.fresh.pool.query(counted, [id]);
    const { meta } = (await list(`per_page=${perPage}`, testKey)).body;
    expect(meta.total).toBe(110_018);
    const last = await list(`per_page=${perPage}&page=${meta.last_page}`, testKey);
    expect([last.status, last.body.meta?.last_page]).toEqual([200, meta.last_page]);
    const next = await list(`per_page=${perPage}&page=${meta.last_page + 1}`, testKey);
    expectProblem(next, 400, "INVALID_PAGE", { fields: ["page"] });
    await app.fresh.pool.query("update wallets set purchase_count = 0 where abs(wallet_id) = $1", [id]);
  });

  test("an empty list has one page", async () => {
    const { body } = await list("", app.merchant.liveKey ?? "");
    expect(body).toEqual({ transactions: [], meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 } });
  });
});

describe("400", () => {
  const faults: readonly (readonly [query: string, code: ProblemCode, field: string])[] = [
    ["status=success", "INVALID_STATUS", "status"],
    ["status=", "INVALID_STATUS", "status"],
    ["status=failed&status=pending", "INVALID_STATUS", "status"],
    ["category=groceries", "INVALID_CATEGORY", "category"],
    ["category=", "INVALID_CATEGORY", "category"],
    ...["biller_slug", "customer_ref", "reference", "transaction_id", "bulk_reference"].map(
      (name) => [`${name}=`, "VALIDATION_ERROR", name] as const,
    ),
    ["per_page=0", "INVALID_PER_PAGE", "per_page"],
    ["per_page=101", "INVALID_PER_PAGE", "per_page"],
    ["per_page=ten", "INVALID_PER_PAGE", "per_page"],
    ["per_page=", "INVALID_PER_PAGE", "per_page"],
    ["per_page=1.5", "INVALID_PER_PAGE", "per_page"],
    ["per_page=1e1", "INVALID_PER_PAGE", "per_page"],
    ["per_page=5&per_page=6", "INVALID_PER_PAGE", "per_page"],
    ["page=0", "INVALID_PAGE", "page"],
    ["page=-1", "INVALID_PAGE", "page"],
    ["page=two", "INVALID_PAGE", "page"],
    ["page=99999999999999999999", "INVALID_PAGE", "page"],
    ["from=yesterday", "INVALID_DATE", "from"],
    ["from=", "INVALID_DATE", "from"],
    ["from=2026-02-30", "INVALID_DATE", "from"],
    ["to=20-11-2026", "INVALID_DATE", "to"],
    ["to=2026-11-20T14:03:09", "INVALID_DATE", "to"],
    ["to=2026-11-20T25:00:00Z", "INVALID_DATE", "to"],
    ["from=2026-11-20&from=2026-11-21", "INVALID_DATE", "from"],
    ["phone=0803", "INVALID_PHONE", "phone"],
    ["network=VODAFONE", "VALIDATION_ERROR", "network"],
    ["channel=web", "VALIDATION_ERROR", "channel"],
    ...["customer_ref", "reference", "transaction_id", "bulk_reference", "biller_slug", "network"].map(
      (field) => [`${field}=%00`, "VALIDATION_ERROR", field] as const,
    ),
    [`from=${"2".repeat(41)}`, "INVALID_DATE", "from"],
    [`customer_ref=${"x".repeat(101)}`, "VALIDATION_ERROR", "customer_ref"],
    ["biller_slug=a&biller_slug=b", "VALIDATION_ERROR", "biller_slug"],
  ];
  test.each(faults)("?%s is %s on %s", async (query, code, field) => {
    const answer = await list(query);
    expectProblem(answer, 400, code, { fields: [field] });
  });

  test("a page too deep to count to says how to narrow the list", async () => {
    const answer = await list("page=1000000&per_page=100");
    expectProblem(answer, 400, "INVALID_PAGE", { fields: ["page"] });
    expect(answer.body.message).toMatch(/from and to/);
  });

  test("bytes that are no UTF-8 find nothing, and break nothing", async () => {
    expect(await references("reference=%FF")).toBe("");
  });
});
