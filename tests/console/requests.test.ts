import { beforeEach, describe, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { type PurchaseId, parseStoredReference } from "../../src/kernel/ids.ts";
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

const log = (requests: Parameters<typeof logRequests>[2], mode: "live" | "test" = "live", merchantId = merchant.id) =>
  logRequests(service.app, { merchantId, mode }, requests);
const placesIn = (text: string) =>
  [...text.matchAll(/href="(\/(?:live|test)\/requests\/[0-9.]+)"/g)].map(([, at]) => at);
const list = async (query = "") => (await developer.get(`/live/requests${query}`)).text;

const paid = (reference: string) => ({
  id: 1n as unknown as PurchaseId,
  reference: parseStoredReference(reference) as never,
});

test("requests are listed newest first, each leads to all that is kept of it", async () => {
  await log([
    { requestId: "r-1", body: { phone: "08031234567", reference: "order-1" }, purchase: paid("order-1") },
    { requestId: "r-2", code: "INSUFFICIENT_BALANCE", url: "/api/v1/merchant/data/purchase?x='y'", method: "POST" },
  ]);
  const places = placesIn(await list());
  expect(places).toHaveLength(2);
  const refused = await developer.get(places[0] ?? "");
  expect([refused.status, refused.text.includes("INSUFFICIENT_BALANCE"), refused.text.includes("r-2")]).toEqual([
    200,
    true,
    true,
  ]);
  expect(refused.text).toContain('href="/docs/errors#INSUFFICIENT_BALANCE"');
  const sold = await developer.get(places[1] ?? "");
  expect(sold.text).toContain('href="/live/transactions/order-1"');
  expect(sold.text).toContain("203.0.113.9");
  expect(sold.text).not.toContain("08031234567");
  expect(sold.text).toContain("Bearer $DISPENSE_KEY");
});

test("a line for the shell is one word each, whatever was sent", async () => {
  await log([{ body: { note: "it's $(reboot) `x`" } }]);
  const [place = ""] = placesIn(await list());
  const { text } = await developer.get(place);
  expect(text).toContain("-d '{&quot;note&quot;:&quot;it'\\''s $(reboot) `x`&quot;}'");
});

describe("filters", () => {
  beforeEach(() =>
    log([
      { requestId: "a", status: 200, address: "192.0.2.1", endpoint: "/api/v1/merchant/wallet/balance" },
      { requestId: "b", code: "INVALID_PHONE", status: 400, address: "192.0.2.2" },
      { requestId: "c", code: "MAINTENANCE", status: 503, body: { reference: "order-9" } },
    ]),
  );

  test.each([
    ["?status=2xx", 1],
    ["?status=4xx", 1],
    ["?status=failed", 2],
    ["?code=invalid_phone", 1],
    ["?endpoint=wallet/balance", 1],
    ["?address=192.0.2.2", 1],
    ["?q=order-9", 1],
    ["?q=b", 1],
    ["?from=2020-01-01&to=2020-01-02", 0],
    ["?from=2020-01-01", 3],
    ["?key=key_1", 3],
    ["?key=key_2", 0],
    ["?address=192.0.2.2&status=2xx", 0],
  ])("%s finds %i", async (query, count) => {
    const text = await list(query);
    expect(placesIn(text)).toHaveLength(count);
    if (count === 0) expect(text).toContain("No requests match");
  });

  test.each(["q=%00", "code=%00x", "before=x", `q=${"x".repeat(5_000)}`, "q=%ED%A0%80", "q=<b>x</b>"])(
    "%s does no harm",
    async (query) => {
      const answer = await developer.get(`/live/requests?${query}`);
      expect([answer.status, answer.text.includes("<b>x")]).toEqual([200, false]);
    },
  );
});

test("pages go on where the last one ended, and back to the newest, which alone is live", async () => {
  await log(Array.from({ length: 120 }, (_, at) => ({ requestId: `r-${at}` })));
  const seen: string[] = [];
  let href: string | undefined = "/live/requests";
  while (href !== undefined) {
    const { text } = await developer.get(href);
    seen.push(...(placesIn(text) as string[]));
    expect(text.includes('data-island="live"')).toBe(href === "/live/requests");
    href = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});

test("another merchant's and the other mode's requests are not found", async () => {
  const other = await service.app.createMerchant();
  await log([{ requestId: "foreign", body: { reference: "order-foreign" } }], "live", other.id);
  await log([{ requestId: "of-test" }], "test");
  expect(placesIn(await list())).toEqual([]);
  expect(placesIn(await list("?q=order-foreign"))).toEqual([]);
  const [inTest = ""] = placesIn((await developer.get("/test/requests")).text);
  expect((await developer.get(inTest)).status).toBe(200);
  expect((await developer.get(inTest.replace("/test/", "/live/"))).status).toBe(404);
  const owner = await service.member("owner", other.id);
  const [foreign = ""] = placesIn((await owner.get("/live/requests")).text);
  expect([(await owner.get(foreign)).status, (await developer.get(foreign)).status]).toEqual([200, 404]);
  expect((await developer.get("/live/requests/nothing")).status).toBe(404);
});

test("stored markup stays text", async () => {
  await log([{ url: "/api/v1/merchant/<img src=x>", requestId: "<img src=y>", body: { a: "<img src=z>" } }]);
  const text = await list();
  const [place = ""] = placesIn(text);
  expect([text.includes("<img"), (await developer.get(place)).text.includes("<img")]).toEqual([false, false]);
});

test("a viewer reads without the line for the shell, finance does not", async () => {
  await log([{ requestId: "r-1" }]);
  const viewer = await service.member("viewer", merchant.id);
  const [place = ""] = placesIn((await viewer.get("/live/requests")).text);
  const { status, text } = await viewer.get(place);
  expect([status, text.includes("DISPENSE_KEY")]).toEqual([200, false]);
  const finance = await service.member("finance", merchant.id);
  expect([(await finance.get("/live/requests")).status, (await finance.get(place)).status]).toEqual([403, 403]);
});
