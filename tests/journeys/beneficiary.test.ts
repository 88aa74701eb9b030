import { describe, expect, test } from "vitest";
import { type CategorySlug, categoryOf } from "../../src/categories/category-slugs.ts";
import { type Answer, startApp } from "../support/app.ts";
import { save } from "../support/beneficiaries.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

let references = 0;
const unknownId = "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
const merchant = await app.createMerchant();

function newReference(): string {
  references += 1;
  return `ref-${references}`;
}

/** The sample purchase of a category without the customer's number, and with these changes. */
function buy(category: CategorySlug, changes: object, options: { reference?: string; key?: string } = {}) {
  const { reference = newReference(), key = merchant.testKey } = options;
  const { path, body } = sampleOf(category);
  const number = { [categoryOf(category).customerField]: undefined };
  return app.call(key, path, { body: { reference, ...body, ...number, ...changes } });
}

/** Saves a number for a category's purchases and answers the beneficiary's id. */
async function keep(category: CategorySlug, customerRef: string, changes: object = {}): Promise<string> {
  const bare = { biller_slug: null, meter_type: null, customer_name: null, phone: null };
  const { id } = await save(app, merchant.testKey, { ...bare, category, customer_ref: customerRef, ...changes });
  return id;
}

const change = (id: string, body: object) =>
  app.call(merchant.testKey, `/beneficiaries/${id}`, { method: "PUT", body });
const remove = (id: string) => app.call(merchant.testKey, `/beneficiaries/${id}`, { method: "DELETE" });
const balance = async () => (await app.call(merchant.testKey, "/wallet/balance")).body.balance;

/** A number of a category that ends so. */
function numberOf(category: CategorySlug, suffix: string): string {
  const [number] = Object.values(sampleOf(category).numbered(suffix)).flat();
  return String(number);
}

describe.each(samplePurchases.map(({ category }) => category))("%s", (category) => {
  test("a saved number is bought for by its id, and the replay is the same purchase", async () => {
    const number = numberOf(category, "7001");
    const id = await keep(category, number);
    const reference = newReference();
    const bought = await buy(category, { beneficiary_id: id }, { reference });
    expectPurchase(bought, category, { status: "successful" });
    expect(bought.body.customer_ref).toBe(number);
    const again = await buy(category, { beneficiary_id: id }, { reference });
    expectPurchase(again, category, { status: "successful", replayed: true });
    expect(again.body).toEqual(bought.body);
  });

  test("its last digits decide in sandbox", async () => {
    const failing = await keep(category, numberOf(category, "0002"));
    expectPurchase(await buy(category, { beneficiary_id: failing }), category, { status: "failed" });
  });
});

describe("what is filled in", () => {
  test("a number that is sent as well has to be the same, in whatever spelling", async () => {
    const id = await keep("data", "08031117002");
    const same = await buy("data", { beneficiary_id: id, phone: "+234 803 111 7002" });
    expectPurchase(same, "data", { status: "successful" });
    const other = await buy("data", { beneficiary_id: id, phone: "08031117003" });
    expectProblem(other, 400, "VALIDATION_ERROR", { fields: ["phone"] });
  });

  test("a contact phone is not the number: it is asked for, and kept as sent", async () => {
    const id = await keep("electricity", "45012347004", { phone: "08051234567" });
    const without = await buy("electricity", { beneficiary_id: id, phone: undefined });
    expectProblem(without, 400, "VALIDATION_ERROR", { fields: ["phone"] });
    const { body } = await buy("electricity", { beneficiary_id: id, phone: "08031234567" });
    expect(body).toMatchObject({ phone: "08031234567", customer_ref: "45012347004" });
  });

  test("without a beneficiary the number is missed where it is required", async () => {
    for (const { category } of samplePurchases) {
      const { customerField, body } = categoryOf(category);
      const answer = await buy(category, {});
      if (body.required?.includes(customerField)) {
        expectProblem(answer, 400, "VALIDATION_ERROR", { fields: [customerField] });
      } else {
        expectPurchase(answer, category, { status: "successful" });
      }
    }
  });

  test("a verification of the saved number holds for the purchase", async () => {
    const id = await keep("betting", "1047005");
    const verified = await app.call(merchant.testKey, "/betting/verify", {
      body: { biller: "bet9ja", customer_id: "1047005" },
    });
    const { verification_id } = verified.body;
    expectPurchase(await buy("betting", { beneficiary_id: id, verification_id }), "betting", { status: "successful" });
    const other = await keep("betting", "1047006");
    const stale = await buy("betting", { beneficiary_id: other, verification_id });
    expectProblem(stale, 400, "VERIFICATION_EXPIRED");
  });

  test("live and sandbox share it, each with purchases of its own", async () => {
    const id = await keep("airtime", "08031117007");
    const reference = newReference();
    for (const [key, mode] of [
      [merchant.testKey, "test"],
      [merchant.liveKey!, "live"],
    ] as const) {
      const bought = await buy("airtime", { beneficiary_id: id }, { reference, key });
      expect([bought.status, bought.body.customer_ref, bought.headers.get("x-api-mode")]).toEqual([
        201,
        "08031117007",
        mode,
      ]);
    }
  });
});

describe("a beneficiary that does not fit", () => {
  async function expectRefused(category: CategorySlug, changes: object, check: (answer: Answer) => void) {
    const before = await balance();
    const reference = newReference();
    check(await buy(category, changes, { reference }));
    expect(await balance()).toBe(before);
    expectProblem(await app.call(merchant.testKey, `/transactions/${reference}`), 404, "TRANSACTION_NOT_FOUND");
  }

  test.each([unknownId, "ben_1", "x", "\u0001"])("404 %j names nobody", async (id) => {
    await expectRefused("data", { beneficiary_id: id }, (answer) =>
      expectProblem(answer, 404, "BENEFICIARY_NOT_FOUND"),
    );
  });

  test("404 another merchant's", async () => {
    const { testKey } = await app.createMerchant();
    const { id } = await save(app, testKey);
    await expectRefused("electricity", { beneficiary_id: id }, (answer) =>
      expectProblem(answer, 404, "BENEFICIARY_NOT_FOUND"),
    );
  });

  test("400 one of another category", async () => {
    const id = await keep("airtime", "08031117008");
    await expectRefused("data", { beneficiary_id: id }, (answer) =>
      expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["beneficiary_id"] }),
    );
  });

  test("400 one of another biller, however the product is named; its own biller is sold", async () => {
    const id = await keep("electricity", "45012347009", { biller_slug: "eko-electric" });
    const byProduct = { product_id: 3001, biller: undefined, meter_type: undefined };
    for (const selector of [{}, byProduct]) {
      await expectRefused("electricity", { beneficiary_id: id, ...selector }, (answer) =>
        expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["beneficiary_id"] }),
      );
    }
    const own = await buy("electricity", { beneficiary_id: id, biller: "eko-electric" });
    expectPurchase(own, "electricity", { status: "successful" });
  });

  test("400 a prepaid meter where a postpaid one is bought for, however that is said; its own type is sold", async () => {
    const facts = { biller_slug: "ikeja-electric", meter_type: "prepaid" };
    const ids = [
      await keep("electricity", "45012347021", facts),
      await keep("electricity", "45012347022", { meter_type: "prepaid" }),
    ];
    for (const beneficiary_id of ids) {
      for (const selector of [
        { meter_type: "postpaid" },
        { product_id: 3002, biller: undefined, meter_type: undefined },
      ]) {
        await expectRefused("electricity", { beneficiary_id, ...selector }, (answer) =>
          expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["beneficiary_id"] }),
        );
      }
      expectPurchase(await buy("electricity", { beneficiary_id }), "electricity", { status: "successful" });
    }
    const any = await keep("electricity", "45012347023");
    const postpaid = await buy("electricity", { beneficiary_id: any, meter_type: "postpaid" });
    expectPurchase(postpaid, "electricity", { status: "successful" });
  });

  test("a saved network refuses nothing: numbers are ported", async () => {
    const id = await keep("airtime", "08031117024", { network: "MTN" });
    expectPurchase(await buy("airtime", { beneficiary_id: id, network: "GLO" }), "airtime", { status: "successful" });
  });

  test("400 an id that is no text", async () => {
    for (const id of [1, "", ["x"], "x".repeat(65)]) {
      await expectRefused("data", { beneficiary_id: id, phone: "08031234567" }, (answer) =>
        expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["beneficiary_id"] }),
      );
    }
  });
});

describe("a replay", () => {
  test.each([
    ["successful", "7010"],
    ["failed", "0002"],
    ["pending", "0003"],
  ] as const)(
    "of a %s purchase is answered after its beneficiary was changed, and after it was deleted",
    async (status, end) => {
      const id = await keep("cable", `7011${end}`);
      const reference = newReference();
      const bought = await buy("cable", { beneficiary_id: id }, { reference });
      expectPurchase(bought, "cable", { status });
      const before = await balance();
      const changed = { customer_ref: `7012${end}`, biller_slug: "dstv" };
      for (const act of [() => change(id, changed), () => remove(id)]) {
        expect((await act()).status).toBe(200);
        const again = await buy("cable", { beneficiary_id: id }, { reference });
        expectPurchase(again, "cable", { status, replayed: true });
        expect(again.body).toEqual(bought.body);
        expect(await balance()).toBe(before);
      }
      expectProblem(await buy("cable", { beneficiary_id: id }), 404, "BENEFICIARY_NOT_FOUND");
    },
  );

  test("with the number sent as well is one with it, and a conflict without", async () => {
    const id = await keep("data", "08031117011");
    const reference = newReference();
    await buy("data", { beneficiary_id: id, phone: "08031117011" }, { reference });
    await remove(id);
    const again = await buy("data", { beneficiary_id: id, phone: "+2348031117011" }, { reference });
    expectPurchase(again, "data", { status: "successful", replayed: true });
    for (const other of [{ beneficiary_id: id }, { phone: "08031117011" }]) {
      const conflict = await buy("data", other, { reference });
      expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    }
  });

  test("with another beneficiary, even of the same number, or another product is a conflict", async () => {
    const one = await keep("data", "08031117012");
    const other = await keep("data", "08031117012", { biller_slug: "mtn-data" });
    const reference = newReference();
    await buy("data", { beneficiary_id: one }, { reference });
    for (const changes of [
      { beneficiary_id: other },
      { beneficiary_id: one, product_id: 1003 },
      { beneficiary_id: unknownId },
    ]) {
      const conflict = await buy("data", changes, { reference });
      expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    }
  });

  test("of what was bought in another category, without a number or in bulk is a conflict", async () => {
    const id = await keep("giftcard", "08031117013");
    const [unnumbered, meter, bulk] = [newReference(), newReference(), newReference()];
    expectPurchase(await buy("giftcard", {}, { reference: unnumbered }), "giftcard", { status: "successful" });
    const { path, body } = sampleOf("electricity");
    await app.call(merchant.testKey, path, { body: { reference: meter, ...body } });
    const order = { reference: bulk, product_id: 1002, phones: ["08031234567"] };
    expect((await app.call(merchant.testKey, "/data/bulk", { body: order })).status).toBe(201);
    for (const reference of [unnumbered, meter, bulk]) {
      const conflict = await buy("giftcard", { beneficiary_id: id }, { reference });
      expectProblem(conflict, 409, "REFERENCE_CONFLICT", { meta: { reference } });
    }
  });

  test("of many at once, one is charged", async () => {
    const id = await keep("airtime", "08031117014");
    const reference = newReference();
    const before = Number(await balance());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => buy("airtime", { beneficiary_id: id }, { reference })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.transaction_id}`)).size).toBe(1);
    const first = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null);
    expect(first).toHaveLength(1);
    expect(Number(await balance())).toBeCloseTo(before - Number(first[0]!.body.total_deducted), 2);
  });
});

test("a purchase that its beneficiary refuses is counted as refused, and one that is made is counted once", async () => {
  const count = async (outcome: string) => {
    const line = new RegExp(`dispense_purchases_total\\{outcome="${outcome}",category="data",mode="test"\\} (\\d+)`);
    return Number(line.exec(await app.services.metrics.text())?.[1] ?? 0);
  };
  const before = [await count("refused"), await count("successful")];
  expect((await buy("data", { beneficiary_id: unknownId })).status).toBe(404);
  expect((await buy("data", { beneficiary_id: await keep("data", "08031234567") })).status).toBe(201);
  expect([await count("refused"), await count("successful")]).toEqual(before.map((each) => each + 1));
});
