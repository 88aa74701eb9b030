import { expect, test } from "vitest";
import { kobo } from "../../../src/kernel/money.ts";
import { callLegacy, expectLegacyError, postLegacy } from "../../support/legacy-endpoint.ts";
import { sharedApp } from "../../support/shared-app.ts";

const app = await sharedApp();

const newKey = async () => (await app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;
const data = { network: 1, plan: 2 };
const topup = { network: 1, amount: 100 };

test.each([
  ["/api/data", data, "/api/topup", topup],
  ["/api/topup", topup, "/api/data", data],
] as const)("%s lists its own last purchases as their POSTs answer them, newest first", async (...row) => {
  const [path, fields, otherPath, otherFields] = row;
  const key = await newKey();
  const sold: { Status: string }[] = [];
  for (const mobile_number of ["08031234567", "08031230002", "08031230003"]) {
    sold.unshift((await postLegacy(app, key, path, { ...fields, mobile_number })).body);
    await postLegacy(app, key, otherPath, { ...otherFields, mobile_number });
  }
  for (const each of [path, `${path}/`, `${path}/?anything=1`]) {
    const answer = await callLegacy(app, key, each);
    expect([answer.status, answer.body]).toEqual([200, { count: 3, next: null, previous: null, results: sold }]);
  }
  expect(sold.map(({ Status }) => Status)).toEqual(["processing", "failed", "successful"]);
});

test("an account that bought nothing has an empty list, and sees nobody else's", async () => {
  const { body } = await callLegacy(app, await newKey(), "/api/data/");
  expect(body).toEqual({ count: 0, next: null, previous: null, results: [] });
});

test("pages of twenty name the pages beside them", async () => {
  const key = await newKey();
  await Promise.all(
    Array.from({ length: 45 }, (_, index) =>
      postLegacy(app, key, "/api/topup", { ...topup, amount: 100 + index, mobile_number: "08031234567" }),
    ),
  );
  const seen: number[] = [];
  let next: string | null = `${app.url}/api/topup/`;
  for (let page = 1; next !== null && page <= 3; page++) {
    const {
      body,
    }: { body: { count: number; next: string | null; previous: string | null; results: { id: number }[] } } =
      await callLegacy(app, key, next.slice(app.url.length));
    expect([body.count, body.previous]).toEqual([45, page === 1 ? null : `${app.url}/api/topup/?page=${page - 1}`]);
    seen.push(...body.results.map(({ id }) => id));
    next = body.next;
  }
  expect([next, seen]).toEqual([null, Array.from({ length: 45 }, (_, index) => 45 - index)]);
});

test.each(["0", "x", "1.5", "9999999"])("400 the page %s", async (page) => {
  const answer = await callLegacy(app, app.merchant.testKey, `/api/data/?page=${page}`);
  expectLegacyError(answer, 400, ["page: Must…"]);
});
