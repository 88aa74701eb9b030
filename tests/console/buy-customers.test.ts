import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formOf, submit } from "../support/forms.ts";
import { orderForm, type Selling, startSelling } from "../support/selling-by-hand.ts";

let service: Selling["service"];
let finance: Selling["finance"];
let shop: Selling["shop"];
let check: Selling["check"];

beforeAll(async () => {
  ({ service, finance, shop, check } = await startSelling());
});

afterAll(() => service.close());

describe("a customer", () => {
  test("is saved after a sale, then found by name and by number with the biller, and sold to", async () => {
    const owner = await service.member("owner", shop.id);
    const checked = await check("cable", { smartcard_number: "7032145555" }, { client: owner });
    const bought = await owner.follow(await submit(owner, orderForm(checked)));
    const saving = await submit(owner, formOf(bought, "/beneficiaries/add"), { label: "Ada's <b>card</b>" });
    expect(saving.location).toContain("/test/buy/bought/web-");
    const back = await owner.follow(saving);
    expect([back.text.includes("/beneficiaries/add"), back.text.includes("<b>card")]).toEqual([false, false]);
    const byName = await owner.get("/test/buy?to=ada");
    expect([byName.status, byName.text.includes("7032 1455 55")]).toEqual([200, true]);
    const { location } = await owner.get("/test/buy?to=7032-1455-55");
    expect(location).toMatch(/^\/test\/buy\/cable\?smartcard_number=7032145555&/);
    expect((await owner.follow(await owner.get(location ?? ""))).status).toBe(200);
  });

  test("of another merchant is not offered, by name, number or last sale", async () => {
    const other = await service.app.createMerchant();
    const stranger = await service.member("owner", other.id);
    for (const path of ["/test/buy", "/test/buy?to=ada", "/test/buy?to=7032145555"]) {
      const found = await stranger.get(path);
      expect([path, found.text.includes("7032 1455 55"), found.location?.includes("biller=") ?? false]).toEqual([
        path,
        false,
        false,
      ]);
    }
  });

  test.each([
    ["0803 123 4567", /^\/test\/buy\/airtime\?phone=08031234567&product=2001$/],
    ["+234-805-640-2218", /^\/test\/buy\/airtime\?phone=08056402218&product=2002$/],
    ["4512 0098 713", /^\/test\/buy\/electricity\?meter_number=45120098713$/],
    ["7023 4410 92", /^\/test\/buy\/cable\?smartcard_number=7023441092$/],
  ])("is found by a number in any spelling: %s", async (typed, place) => {
    const found = await finance.get(`/test/buy?to=${encodeURIComponent(typed)}`);
    expect([found.status, found.location]).toEqual([303, expect.stringMatching(place)]);
  });

  test("whose phone lost its zero is asked about, with both numbers that ten digits may be", async () => {
    const question = await finance.get("/test/buy?to=8031234567");
    expect([question.status, question.text]).toEqual([400, expect.stringContaining("10 digits.")]);
    for (const way of ["airtime?phone=08031234567&amp;product=2001", "cable?smartcard_number=8031234567"])
      expect(question.text).toContain(`/test/buy/${way}`);
  });

  test.each([
    ["0803 123", "7 digits. A Nigerian mobile number has 11."],
    ["?!", "is no phone, meter or smartcard number"],
    ["Nobody Here", "No saved customer matches “Nobody Here”."],
    ["<i>x", "No saved customer matches|is no phone"],
  ])("that can't be found is asked for again, beside what was typed: %s", async (typed, sentence) => {
    const found = await finance.get(`/test/buy?to=${encodeURIComponent(typed)}`);
    expect([found.status, found.text]).toEqual([400, expect.stringMatching(new RegExp(sentence))]);
    expect(found.text).toContain('id="to-error"');
    expect(found.text).not.toContain("<i>x");
  });

  test("whose number was ported is sold to on its network from the second time on", async () => {
    const ported = "/test/buy/airtime?phone=08031230091&product=2004";
    const first = await finance.follow(await finance.get(ported));
    expect(first.text).toContain("Sell Airtel only if the customer moved it there");
    const form = formOf(first, "/check");
    await submit(finance, orderForm(await finance.follow(await submit(finance, form, { amount: "100" }))));
    const { location } = await finance.get("/test/buy?to=08031230091");
    expect(location).toBe("/test/buy/airtime?phone=08031230091&product=2004");
    const again = await finance.follow(await finance.get(location ?? ""));
    expect(again.text).toContain("Ported from MTN, as on your last sale.");
    expect(again.text).not.toContain("only if the customer moved it there");
  });
});
