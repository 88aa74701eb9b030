import { describe, expect, test } from "vitest";
import { categorySlugs } from "../../../src/categories/category-slugs.ts";
import { categories } from "../../../src/categories/registry.ts";
import { customerNumberOf } from "../../categories/examples.ts";
import type { Answer } from "../../support/app.ts";
import { labels, meter, save } from "../../support/beneficiaries.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = await sharedApp();
/** The key of a merchant who has no beneficiaries but those that a test has saved. */
const key = app.merchant.testKey;

const path = "/beneficiaries";
const send = (changes: object = {}, by = key): Promise<Answer> =>
  app.call(by, path, { body: { ...meter, ...changes } });
const bare = { biller_slug: undefined, meter_type: undefined, customer_name: undefined, phone: undefined };

describe("201", () => {
  test("answers what was saved, every documented field and no other", async () => {
    const { testKey } = await app.createMerchant();
    const answer = await send({}, testKey);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...meter,
      network: null,
      id: expect.stringMatching(/^ben_[0-9A-HJKMNP-TV-Z]{26}$/),
      created_at: expect.stringMatching(lagosInstant),
      updated_at: answer.body.created_at,
    });
    const listed = await app.call(testKey, path);
    expect(listed.body.beneficiaries).toEqual([answer.body]);
  });

  test("what may be left out is null, and null may be sent for it", async () => {
    const empty = { biller_slug: null, network: null, meter_type: null, customer_name: null, phone: null };
    const one = await save(app, key, { ...bare, customer_ref: "45000000001" });
    const two = await save(app, key, { ...empty, customer_ref: "45000000002" });
    expect([one, two]).toMatchObject([empty, empty]);
  });

  test.each([
    ["airtime", "+234 803 123 4567", "08031234567"],
    ["sms", "2348031234567", "08031234567"],
    ["cable", "7032145678", "7032145678"],
    ["betting", "Ada104", "Ada104"],
    ["internet", "ada@smile.ng", "ada@smile.ng"],
  ])("the number of %s is kept in one spelling", async (category, sent, kept) => {
    const { customer_ref } = await save(app, key, { ...bare, category, customer_ref: sent });
    expect(customer_ref).toBe(kept);
  });

  test("every category can be saved", async () => {
    const { testKey } = await app.createMerchant();
    for (const category of categories) {
      const { slug } = category;
      await save(app, testKey, { ...bare, category: slug, customer_ref: customerNumberOf(category), label: slug });
    }
    expect(await labels(app, testKey)).toEqual([...categorySlugs].reverse());
  });

  test("the biller's network is filled in; without a biller, the one that was sent in any case is kept", async () => {
    const phone = { ...bare, category: "airtime", customer_ref: "08050000001" };
    expect((await save(app, key, { ...phone, biller_slug: "glo-airtime" })).network).toBe("GLO");
    expect((await save(app, key, { ...phone, network: "t2" })).network).toBe("9MOBILE");
  });

  test("a contact phone is kept in local form", async () => {
    const { phone } = await save(app, key, { customer_ref: "45000000003", phone: "+234-805-123-4567" });
    expect(phone).toBe("08051234567");
  });

  test("the same number is another one for another biller, without one, and for another merchant", async () => {
    const { testKey } = await app.createMerchant();
    await save(app, testKey);
    await save(app, testKey, { biller_slug: "eko-electric" });
    await save(app, testKey, { biller_slug: null });
    await save(app, (await app.createMerchant()).testKey);
    expect(await labels(app, testKey)).toHaveLength(3);
  });

  test("ids don't follow from one another", async () => {
    const { testKey } = await app.createMerchant();
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, i) => save(app, testKey, { customer_ref: `4500000${1_000 + i}` })),
    );
    expect(new Set(saved.map(({ id }) => id.slice(14))).size).toBe(20);
  });
});

describe("400", () => {
  test("an empty object names every field that is missing", async () => {
    const answer = await app.call(key, path, { body: {} });
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["label", "category", "customer_ref"] });
  });

  test.each([
    [{ label: "" }, "VALIDATION_ERROR", "label"],
    [{ label: "   " }, "VALIDATION_ERROR", "label"],
    [{ label: "two\nlines" }, "VALIDATION_ERROR", "label"],
    [{ label: "\u0000" }, "VALIDATION_ERROR", "label"],
    [{ label: "x".repeat(101) }, "VALIDATION_ERROR", "label"],
    [{ label: null }, "VALIDATION_ERROR", "label"],
    [{ category: "cars" }, "VALIDATION_ERROR", "category"],
    [{ customer_ref: "12345" }, "INVALID_METER", "customer_ref"],
    [{ customer_ref: "45012345678\u0000" }, "VALIDATION_ERROR", "customer_ref"],
    [{ customer_ref: "45012345678\n" }, "INVALID_METER", "customer_ref"],
    [{ customer_ref: 45_012_345_678 }, "VALIDATION_ERROR", "customer_ref"],
    [{ customer_ref: "4".repeat(101) }, "VALIDATION_ERROR", "customer_ref"],
    [{ ...bare, category: "cable", customer_ref: "1234567" }, "INVALID_SMARTCARD", "customer_ref"],
    [{ ...bare, category: "data" }, "INVALID_PHONE", "customer_ref"],
    [{ biller_slug: "Ikeja Electric" }, "VALIDATION_ERROR", "biller_slug"],
    [{ biller_slug: 7 }, "VALIDATION_ERROR", "biller_slug"],
    [{ network: "VODAFONE" }, "VALIDATION_ERROR", "network"],
    [{ meter_type: "smart" }, "VALIDATION_ERROR", "meter_type"],
    [{ customer_name: "x".repeat(201) }, "VALIDATION_ERROR", "customer_name"],
    [{ phone: "4501" }, "INVALID_PHONE", "phone"],
    [
      { ...bare, category: "airtime", customer_ref: "08031234567", biller_slug: "mtn-airtime", network: "GLO" },
      "VALIDATION_ERROR",
      "network",
    ],
    [{ ...bare, category: "betting", meter_type: "prepaid" }, "VALIDATION_ERROR", "meter_type"],
  ] as const)("%j is %s on %s", async (change, code, field) => {
    const before = (await app.call(key, path)).body.meta.total;
    expectProblem(await send(change), 400, code, { fields: [field] });
    expect((await app.call(key, path)).body.meta.total).toBe(before);
  });

  test("past 10,000 of one merchant no more are kept, whatever comes at once", async () => {
    const merchant = await app.createMerchant();
    await app.fresh.pool.query(
      `insert into beneficiaries (merchant_id, id, label, category, customer_ref, created_at, updated_at)
       select $1, 'ben_' || lpad(n::text, 26, '0'), 'n', 'electricity', (45000000000 + n)::text, now(), now()
         from generate_series(1, 9998) as n`,
      [merchant.id],
    );
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, i) => send({ customer_ref: `4600000${1_000 + i}` }, merchant.testKey)),
    );
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(2);
    const refused = sent.filter(({ status }) => status !== 201);
    for (const answer of refused) expectProblem(answer, 400, "TOO_MANY_ITEMS", { meta: { max_items: 10_000 } });
    expect((await app.call(merchant.testKey, path)).body.meta.total).toBe(10_000);
  });
});

describe("404, 409", () => {
  test.each(["nobody-electric", "dstv"])("404 the biller %s", async (biller) => {
    const answer = await send({ biller_slug: biller, customer_ref: "45000000009" });
    expectProblem(answer, 404, "BILLER_NOT_FOUND");
  });

  test("409 the same category, biller and number, in whatever spelling, names the one that is kept", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const phone = { ...bare, category: "airtime", customer_ref: "08031234567" };
    for (const [first, again] of [
      [{}, { label: "Another label", meter_type: null }],
      [phone, { ...phone, customer_ref: "+2348031234567" }],
    ]) {
      const { id } = await save(app, testKey, first);
      for (const by of [testKey, liveKey!]) {
        expectProblem(await send(again, by), 409, "BENEFICIARY_EXISTS", { meta: { id } });
      }
    }
  });

  test("409 of many at once, one is saved", async () => {
    const { testKey } = await app.createMerchant();
    const sent = await Promise.all(Array.from({ length: 8 }, () => send({}, testKey)));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});

const unknownId = "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

const remove = (key: string, id: string) => app.call(key, `/beneficiaries/${id}`, { method: "DELETE" });

describe("200", () => {
  test("it is gone for both modes, the others stay, and its number can be saved anew", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const { id } = await save(app, testKey, { label: "goes" });
    await save(app, testKey, { label: "stays", biller_slug: "eko-electric" });
    const answer = await remove(liveKey!, id);
    expect([answer.status, answer.body]).toEqual([200, { deleted: true, id }]);
    for (const key of [testKey, liveKey!]) expect(await labels(app, key)).toEqual(["stays"]);
    expect((await save(app, testKey, { label: "back" })).id).not.toBe(id);
  });

  test("a body is not asked for", async () => {
    const { testKey } = await app.createMerchant();
    const { id } = await save(app, testKey);
    const answer = await app.call(testKey, `/beneficiaries/${id}`, { method: "DELETE", body: {} });
    expect(answer.status).toBe(200);
  });
});

describe("404", () => {
  test("twice: the second time there is nothing", async () => {
    const { testKey } = await app.createMerchant();
    const { id } = await save(app, testKey);
    const answers = await Promise.all([remove(testKey, id), remove(testKey, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expectProblem(await remove(testKey, id), 404, "BENEFICIARY_NOT_FOUND");
  });

  test.each([unknownId, "ben_1", "1", "ben_%00", "x".repeat(300)])("404 %s was never one", async (id) => {
    const answer = await remove(app.merchant.testKey, id);
    expectProblem(answer, 404, "BENEFICIARY_NOT_FOUND");
  });

  test("without an id it is the list's path, which deletes nothing", async () => {
    expectProblem(await remove(app.merchant.testKey, ""), 405, "METHOD_NOT_ALLOWED");
  });

  test("another merchant's is not found, and stays", async () => {
    const { testKey } = await app.createMerchant();
    const { id } = await save(app, testKey, { label: "mine" });
    expectProblem(await remove(app.merchant.testKey, id), 404, "BENEFICIARY_NOT_FOUND");
    expect(await labels(app, testKey)).toEqual(["mine"]);
  });
});
