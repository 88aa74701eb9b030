import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import type { WalletKey } from "../../../src/kernel/ids.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import type { Answer } from "../../support/app.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { bookAdjustments } from "../../support/wallet-history.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = await sharedApp();

// 23:30 in Lagos is the day before in London, and seconds have fractions.
const history = [
  { at: "2026-10-31T23:30:00+01:00", amount: 100_000, reason: "a" },
  { at: "2026-11-01T00:00:00+01:00", amount: 50_000, reason: "b" },
  { at: "2026-11-01T00:30:00+01:00", amount: -20_000, reason: "c" },
  { at: "2026-11-20T14:03:09.700+01:00", amount: 10_050, reason: "d" },
  { at: "2026-11-30T23:59:59.999+01:00", amount: -40_000, reason: "e" },
  { at: "2026-12-01T00:00:00+01:00", amount: 1, reason: "f" },
];

const walletOf = ({ id }: RegisteredMerchant, mode: "live" | "test"): WalletKey => ({
  merchantId: id,
  mode,
});

/** Its live wallet has the entries below. */
const merchant = await app.createMerchant({ credit: null });
await bookAdjustments(app.fresh, walletOf(merchant, "live"), history);

const read = (query = "", key = merchant.liveKey): Promise<Answer> =>
  app.call(key, `/wallet/statement${query === "" ? "" : `?${query}`}`);

const readCsv = async (query = "", key = merchant.liveKey): Promise<Answer> =>
  app.call(key, `/wallet/statement${query === "" ? "" : `?${query}`}`, { headers: { accept: "text/csv" } });

const reasonsOf = ({ body }: Answer): string =>
  body.entries.map(({ description }: { description: string }) => description).join("");

describe("200", () => {
  test("a purchase, its refund and a top-up are lines with their references and balances", async () => {
    const { testKey } = await app.createMerchant();
    const bought = await app.call(testKey, "/data/purchase", {
      body: { product_id: 1002, phone: "08031234567", reference: "good" },
    });
    const failed = await app.call(testKey, "/data/purchase", {
      body: { product_id: 1002, phone: "08031230002", reference: "bad" },
    });
    const answer = await read("", testKey);
    const at = expect.stringMatching(lagosInstant);
    const [good, bad] = [bought.body.transaction_id, failed.body.transaction_id];
    const product = bought.body.product;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        opening_balance: "0.00",
        closing_balance: "99360.00",
        entries: [
          {
            seq: 1,
            at,
            kind: "top_up",
            reference: null,
            transaction_id: null,
            description: "Sandbox starting balance",
            amount: "100000.00",
            balance_after: "100000.00",
          },
          {
            seq: 2,
            at,
            kind: "purchase",
            reference: "good",
            transaction_id: good,
            description: `${product} for 08031234567`,
            amount: "-640.00",
            balance_after: "99360.00",
          },
          {
            seq: 3,
            at,
            kind: "purchase",
            reference: "bad",
            transaction_id: bad,
            description: `${product} for 08031230002`,
            amount: "-640.00",
            balance_after: "98720.00",
          },
          {
            seq: 4,
            at,
            kind: "refund",
            reference: "bad",
            transaction_id: bad,
            description: `Refund: ${product} for 08031230002`,
            amount: "640.00",
            balance_after: "99360.00",
          },
        ],
        meta: { current_page: 1, last_page: 1, per_page: 20, total: 4 },
      },
    ]);
  });

  test("the two modes, and two merchants, have statements of their own", async () => {
    const other = await app.createMerchant({ credit: null });
    const none = await read("", other.liveKey);
    expect(none.body).toEqual({
      opening_balance: "0.00",
      closing_balance: "0.00",
      entries: [],
      meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 },
    });
    expect(reasonsOf(await read("", other.testKey))).toBe("Sandbox starting balance");
    expect(reasonsOf(await read("", merchant.testKey))).toBe("Sandbox starting balance");
    expect(reasonsOf(await read())).toBe("abcdef");
  });

  test.each([
    ["", "abcdef", "0.00", "1000.51"],
    ["from=2026-11-01&to=2026-11-30", "bcde", "1000.00", "1000.50"],
    ["to=2026-10-31", "a", "0.00", "1000.00"],
    ["from=2026-12-01", "f", "1000.50", "1000.51"],
    ["from=2026-12-02", "", "1000.51", "1000.51"],
    ["to=2026-10-30", "", "0.00", "0.00"],
    ["from=2026-11-02&to=2026-11-19", "", "1300.00", "1300.00"],
    ["from=2026-11-01T00:00:00%2B01:00&to=2026-11-20T14:03:09%2B01:00", "bcd", "1000.00", "1400.50"],
    ["from=2026-10-31T22:30:00Z&to=2026-10-31T22:30:00Z", "a", "0.00", "1000.00"],
    ["from=2026-11-01T00:00:00+01:00", "bcdef", "1000.00", "1000.51"],
    ["from=2030-01-01", "", "1000.51", "1000.51"],
  ])("?%s shows %j, and opens and closes with the balances of its range", async (query, reasons, opening, closing) => {
    const answer = await read(query);
    expect([reasonsOf(answer), answer.body.opening_balance, answer.body.closing_balance]).toEqual([
      reasons,
      opening,
      closing,
    ]);
  });

  test("pages follow one another without gap or repetition, with the balances of the whole range", async () => {
    const query = "from=2026-11-01&to=2026-11-30&per_page=3";
    const pages = await Promise.all([1, 2, 3].map((page) => read(`${query}&page=${page}`)));
    expect(pages.map(reasonsOf)).toEqual(["bcd", "e", ""]);
    for (const [index, { body }] of pages.entries()) {
      expect(body).toMatchObject({ opening_balance: "1000.00", closing_balance: "1000.50" });
      expect(body.meta).toEqual({ current_page: index + 1, last_page: 2, per_page: 3, total: 4 });
    }
  });
});

describe("200 as CSV", () => {
  test.each(["", "from=2026-11-01&to=2026-11-30", "from=2026-12-02"])(
    "?%s has the same lines as JSON",
    async (query) => {
      const [asJson, asCsv] = [await read(query), await readCsv(`${query}&page=9&per_page=1`.replace(/^&/, ""))];
      expect([asCsv.status, asCsv.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
      expect(asCsv.headers.get("vary")).toBe("accept");
      expect(asCsv.body.split("\r\n")[0]).toBe("seq,at,kind,reference,transaction_id,description,amount,balance_after");
      const records = parse(asCsv.body, { columns: true }) as Record<string, string>[];
      const texts = asJson.body.entries.map((entry: object) =>
        Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value === null ? "" : String(value)])),
      );
      expect(records).toEqual(texts);
    },
  );

  test("what a spreadsheet would take for a formula is text, and an amount below zero stays a number", async () => {
    const { id, liveKey } = await app.createMerchant({ credit: null });
    const reason = '=HYPERLINK("http://evil.example","1,2")';
    const at = "2026-11-01T00:00:00Z";
    const entries = [
      { at, amount: 5_000, reason },
      { at, amount: -1_000, reason: "-2+3" },
    ];
    await bookAdjustments(app.fresh, { merchantId: id, mode: "live" }, entries);
    const { body } = await readCsv("", liveKey);
    const [, first, second] = body.split("\r\n");
    expect(first).toContain(`,"'=HYPERLINK(""http://evil.example"",""1,2"")",50.00,50.00`);
    expect(second).toMatch(/,'-2\+3,-10\.00,40\.00$/);
    expect((await read("", liveKey)).body.entries[0].description).toBe(reason);
  });

  test.each([
    ["text/csv", "text/csv"],
    ["text/csv; charset=utf-8", "text/csv"],
    ["Text/CSV;q=0.9, application/json;q=0.1", "text/csv"],
    ["text/csv, */*;q=0.1", "text/csv"],
    ["*/*", "application/json"],
    ["application/json, text/plain, */*", "application/json"],
    ["application/json, text/csv", "application/json"],
    ["text/csv;q=0", "application/json"],
    ["text/html", "application/json"],
  ])("who accepts %s gets %s", async (accept, type) => {
    const answer = await app.call(merchant.liveKey, "/wallet/statement", { headers: { accept } });
    expect(answer.headers.get("content-type")).toBe(`${type}; charset=utf-8`);
  });

  test("a refusal is JSON, and the head of a CSV reads no entry", async () => {
    expectProblem(await readCsv("from=odd"), 400, "INVALID_DATE", { fields: ["from"] });
    const head = await app.call(merchant.liveKey, "/wallet/statement", {
      method: "HEAD",
      headers: { accept: "text/csv" },
    });
    expect([head.status, head.headers.get("content-type"), head.body]).toEqual([200, "text/csv; charset=utf-8", null]);
  });
});

describe("400", () => {
  const faults: readonly (readonly [query: string, code: ProblemCode, field: string])[] = [
    ["from=yesterday", "INVALID_DATE", "from"],
    ["from=2026-02-30", "INVALID_DATE", "from"],
    ["to=2026-11-20T14:03:09", "INVALID_DATE", "to"],
    ["to=", "INVALID_DATE", "to"],
    ["from=2026-11-21&to=2026-11-20", "INVALID_DATE", "to"],
    ["per_page=101", "INVALID_PER_PAGE", "per_page"],
    ["page=0", "INVALID_PAGE", "page"],
    ["kind=refund", "VALIDATION_ERROR", "kind"],
    ["merchant_id=1", "VALIDATION_ERROR", "merchant_id"],
  ];
  test.each(faults)("?%s is %s on %s", async (query, code, field) => {
    const answer = await read(query);
    expectProblem(answer, 400, code, { fields: [field] });
  });
});
