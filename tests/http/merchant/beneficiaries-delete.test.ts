import { describe, expect, test } from "vitest";
import { labels, save } from "../../support/beneficiaries.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();
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
