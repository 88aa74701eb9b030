import { beforeEach, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { MemberClient } from "../support/console.ts";
import { logRequests } from "../support/logged-requests.ts";
import { sharedConsole } from "../support/shared-console.ts";

let merchant: RegisteredMerchant;
let developer: MemberClient;

const service = await sharedConsole();
beforeEach(async () => {
  merchant = await service.app.createMerchant();
  developer = await service.member("developer", merchant.id);
});

const dayMs = 86_400_000;
const failed = (code: string, times: number) => Array.from({ length: times }, () => ({ code, status: 402 }));
const log = (code: string, times: number, daysAgo = 0) =>
  logRequests(service.app, { merchantId: merchant.id, at: Date.now() - daysAgo * dayMs }, failed(code, times));
const shown = async (query = "") => (await developer.get(`/live/errors${query}`)).text;
const codesIn = (text: string) => [...text.matchAll(/<code>([A-Z_]+)<\/code>/g)].map(([, code]) => code);

test("without one it says so", async () => {
  expect(await shown()).toContain("No errors");
});

test("codes are counted by endpoint, with what they mean, and lead to the requests behind them", async () => {
  await log("INSUFFICIENT_BALANCE", 3);
  await log("INSUFFICIENT_BALANCE", 2, 3);
  await log("CLIENT_LEFT", 1);
  await log("OUT_OF_STOCK", 1);
  await log("A_CODE_OF_OLD", 1);
  const text = await shown();
  expect(codesIn(text)[0]).toBe("INSUFFICIENT_BALANCE");
  expect(new Set(codesIn(text))).toEqual(
    new Set(["INSUFFICIENT_BALANCE", "CLIENT_LEFT", "OUT_OF_STOCK", "A_CODE_OF_OLD"]),
  );
  expect(text).toContain('href="/docs/errors#INSUFFICIENT_BALANCE"');
  expect(text).toContain("8 failed requests, the last 30 days");
  expect(text).toMatch(/aria-label="INSUFFICIENT_BALANCE at \/data\/purchase by day\. [^"]*: 2, [^"]*: 3"/);
  const href = /href="(\/live\/requests\?code=INSUFFICIENT_BALANCE[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  const { text: behind } = await developer.get(href ?? "");
  expect([...behind.matchAll(/class="row-link"/g)]).toHaveLength(5);
});

test("errors that the log has no room for are counted with the others, and the page says how many", async () => {
  await log("INSUFFICIENT_BALANCE", 3);
  expect(await shown()).not.toContain("has no details");
  await service.app.fresh.pool.query(
    "update request_error_days set requests = requests + 1234, not_kept = 1234 where abs(wallet_id) = $1",
    [merchant.id],
  );
  const text = await shown();
  expect(text).toContain("1,237 failed requests, the last 30 days");
  expect(text).toContain("1,234 have no details in the request log: too many came in one second.");
});

test("the range is chosen", async () => {
  await log("INSUFFICIENT_BALANCE", 1);
  await log("OUT_OF_STOCK", 1, 5);
  await log("INVALID_PHONE", 1, 20);
  expect(new Set(codesIn(await shown()))).toEqual(new Set(["INSUFFICIENT_BALANCE", "OUT_OF_STOCK", "INVALID_PHONE"]));
  expect(new Set(codesIn(await shown("?days=7")))).toEqual(new Set(["INSUFFICIENT_BALANCE", "OUT_OF_STOCK"]));
  expect(codesIn(await shown("?days=1"))).toEqual(["INSUFFICIENT_BALANCE"]);
  expect(codesIn(await shown("?days=x"))).toHaveLength(3);
});

test("another merchant's errors and the other mode's are not counted", async () => {
  const other = await service.app.createMerchant();
  await logRequests(service.app, { merchantId: other.id }, failed("INVALID_PHONE", 1));
  await logRequests(service.app, { merchantId: merchant.id, mode: "test" }, failed("INVALID_METER", 1));
  expect(codesIn(await shown())).toEqual([]);
  expect(codesIn((await developer.get("/test/errors")).text)).toEqual(["INVALID_METER"]);
});
