import { describe, expect, test } from "vitest";
import { labels, save } from "../../support/beneficiaries.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
let key: string;
let liveKey: string;

const merchant = await app.createMerchant();
[key, liveKey] = [merchant.testKey, merchant.liveKey!];
const phone = { biller_slug: null, meter_type: null, customer_name: null };
await save(app, key, { label: "Shop meter" });
await save(app, key, {
  ...phone,
  label: "Ada",
  category: "airtime",
  customer_ref: "08051234567",
  biller_slug: "glo-airtime",
});
await save(app, key, {
  ...phone,
  label: "Ada's modem",
  category: "data",
  customer_ref: "0805 123 4567",
  phone: null,
});

describe("200", () => {
  test("newest first, each with every documented field and no other", async () => {
    const answer = await app.call(key, "/beneficiaries");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      beneficiaries: [expect.anything(), expect.anything(), expect.anything()],
      meta: { current_page: 1, last_page: 1, per_page: 20, total: 3 },
    });
    expect(await labels(app, key)).toEqual(["Ada's modem", "Ada", "Shop meter"]);
  });

  test("both modes see the same, nobody else sees any of it", async () => {
    const [test, live] = [await app.call(key, "/beneficiaries"), await app.call(liveKey, "/beneficiaries")];
    expect(live.body).toEqual(test.body);
    const stranger = await app.call(app.merchant.testKey, "/beneficiaries");
    expect(stranger.body).toEqual({
      beneficiaries: [],
      meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 },
    });
  });

  test.each([
    ["?category=data", ["Ada's modem"]],
    ["?category=sms", []],
    ["?q=ada", ["Ada's modem", "Ada"]],
    ["?q=ADA%20modem", ["Ada's modem"]],
    ["?q=0805123", ["Ada's modem", "Ada"]],
    ["?q=45012345678", ["Shop meter"]],
    ["?q=adeyemi", ["Shop meter"]],
    ["?q=glo", ["Ada"]],
    ["?q=ikeja", ["Shop meter"]],
    ["?q=ada&category=airtime", ["Ada"]],
    ["?q=", ["Ada's modem", "Ada", "Shop meter"]],
    ["?q=%25", []],
    ["?q=_", []],
    ["?q=%5C", []],
    ["?q=ada+ADA+ada", ["Ada's modem", "Ada"]],
    ["?q=a%27s", ["Ada's modem"]],
    ["?q=ada%20shop", []],
  ])("%s lists %j", async (query, expected) => {
    expect(await labels(app, key, query)).toEqual(expected);
    const { meta } = (await app.call(key, `/beneficiaries${query}`)).body;
    expect(meta.total).toBe(expected.length);
  });

  const accented = "Adébáyọ̀ Ẹ̀KỌ́ Ƙofa";

  test.each(["NFC", "NFD"] as const)(
    "a name with diacritics, kept in %s, is found with and without them, in both forms",
    async (kept) => {
      const { testKey } = await app.createMerchant();
      const body = { label: accented.normalize(kept), category: "airtime", customer_ref: "08031234567" };
      expect((await app.call(testKey, "/beneficiaries", { body })).status).toBe(201);
      const plain = ["adebayo", "ADEBAYO eko", "kofa"];
      const typed = ["adébáyọ̀", "Ẹ̀kọ́", "ƙofa"].flatMap((word) => [word.normalize("NFC"), word.normalize("NFD")]);
      for (const text of [...plain, ...typed]) {
        expect([text, await labels(app, testKey, `?q=${encodeURIComponent(text)}`)]).toEqual([text, [body.label]]);
      }
      expect(await labels(app, testKey, "?q=adebayu")).toEqual([]);
    },
  );

  test.each(["+234 805 123", "+2348051234567", "0805-123 4567", "ada +234 805 123 4567", "\u200b0805123\u202c4567"])(
    "a number is found as it is typed: %j",
    async (text) => {
      expect(await labels(app, key, `?q=${encodeURIComponent(text)}`)).toEqual(["Ada's modem", "Ada"]);
    },
  );

  test("fifty words are sought in ten thousand beneficiaries not much longer than one", async () => {
    const { id, testKey } = await app.createMerchant();
    const signs = Array.from("abcdefghijklmnopqrstuvwxyz0123456789!#$&()*-.:;<=?");
    await app.fresh.pool.query(
      `insert into beneficiaries (merchant_id, id, label, category, customer_ref, created_at, updated_at)
       select $1, 'ben_' || lpad(number::text, 26, '0'), $2, 'airtime', '0803' || lpad(number::text, 7, '0'), now(), now()
         from generate_series(1, 10000) as number`,
      [id, signs.join("")],
    );
    const quickest = async (words: readonly string[]) => {
      const took: number[] = [];
      for (let times = 0; times < 3; times++) {
        const began = performance.now();
        const { body } = await app.call(testKey, `/beneficiaries?q=${encodeURIComponent(words.join(" "))}`);
        took.push(performance.now() - began);
        expect(body.meta.total).toBe(10_000);
      }
      return Math.min(...took);
    };
    // By a text for each word it takes some fifty times as long.
    expect(await quickest(signs)).toBeLessThan(12 * (await quickest(["a"])));
  });

  test("pages cut the list without a gap, and end", async () => {
    const pages = ["?per_page=2", "?per_page=2&page=2", "?per_page=2&page=3", "?per_page=100&page=1000000"];
    const found = await Promise.all(pages.map((query) => labels(app, key, query)));
    expect(found).toEqual([["Ada's modem", "Ada"], ["Shop meter"], [], []]);
    const { meta } = (await app.call(key, "/beneficiaries?per_page=2&page=2")).body;
    expect(meta).toEqual({ current_page: 2, last_page: 2, per_page: 2, total: 3 });
  });
});

describe("400", () => {
  test.each([
    ["?per_page=0", "INVALID_PER_PAGE", "per_page"],
    ["?per_page=101", "INVALID_PER_PAGE", "per_page"],
    ["?per_page=x", "INVALID_PER_PAGE", "per_page"],
    ["?per_page=1&per_page=2", "INVALID_PER_PAGE", "per_page"],
    ["?page=0", "INVALID_PAGE", "page"],
    ["?page=-1", "INVALID_PAGE", "page"],
    ["?page=1.5", "INVALID_PAGE", "page"],
    ["?page=1000001", "INVALID_PAGE", "page"],
    ["?category=cars", "INVALID_CATEGORY", "category"],
    ["?category=data&category=sms", "INVALID_CATEGORY", "category"],
    [`?q=${"x".repeat(101)}`, "VALIDATION_ERROR", "q"],
    ["?q=%00", "VALIDATION_ERROR", "q"],
  ] as const)("%s is %s", async (query, code, field) => {
    const answer = await app.call(key, `/beneficiaries${query}`);
    expectProblem(answer, 400, code, { fields: [field] });
  });
});
