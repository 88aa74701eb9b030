import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hideCategory, offerProduct, withdrawProduct } from "../../src/domain/catalogue/changes/administration.ts";
import { creditWallet } from "../../src/domain/wallet/wallet.ts";
import { kobo } from "../../src/kernel/money.ts";
import { formOf, submit } from "../support/forms.ts";
import { enterProvider, keep, takeBack } from "../support/payments/kept-payments.ts";
import { filled, orderForm, referenceIn, type Selling, saleForm, startSelling } from "../support/selling-by-hand.ts";

let service: Selling["service"];
let finance: Selling["finance"];
let shop: Selling["shop"];
let selling: Selling;
const check: Selling["check"] = (...given) => selling.check(...given);
const exampleOf: Selling["exampleOf"] = (slug) => selling.exampleOf(slug);
const purchasesOf: Selling["purchasesOf"] = (reference) => selling.purchasesOf(reference);
const balance: Selling["balance"] = (mode) => selling.balance(mode);

beforeAll(async () => {
  selling = await startSelling();
  ({ service, finance, shop } = selling);
});

afterAll(() => service.close());

describe("one purchase", () => {
  test("is charged once however often its form is sent: a second click, a reload, the back button, another tab", async () => {
    const { product, typed } = await exampleOf("data");
    const form = await saleForm(finance, `/test/buy/data?product=${product.id}`);
    const fields = { ...filled(form, typed), phone: "08031230077" };
    const priced = async () => finance.follow(await submit(finance, form, fields));
    const [first, reloaded] = [await priced(), await priced()];
    const order = orderForm(first);
    expect(orderForm(reloaded).action).toBe(order.action);

    const before = await balance();
    const [bought, clicked] = await Promise.all([submit(finance, order), submit(finance, order)]);
    // The page that was loaded again has a token of its own: only the reference tells that it is the same purchase.
    const again = await submit(finance, orderForm(reloaded));
    for (const { status, location } of [bought, clicked, again]) {
      expect([status, location]).toEqual([303, `/test/buy/bought/${referenceIn(order.action)}`]);
    }
    const { rows } = await service.app.fresh.pool.query(
      "select total::text as total from purchases where customer_ref = '08031230077'",
    );
    expect(rows).toHaveLength(1);
    expect(await balance()).toBe(before - BigInt(rows[0].total));
    expect((await finance.follow(again)).text).toContain("You already made this sale. It was charged once.");
  });

  test("that was made a few minutes ago is asked about, and made again by whoever has read that", async () => {
    const [first, other] = [
      await check("airtime", { phone: "08031230031", amount: "700" }),
      await check("airtime", { phone: "08031230031", amount: "700" }),
    ];
    expect(first.text).not.toContain("You sold this");
    expect((await submit(finance, orderForm(first))).status).toBe(303);
    const before = await balance();
    const question = await submit(finance, orderForm(other));
    expect([question.status, question.text.replace(/<[^>]+>/g, "")]).toEqual([
      409,
      expect.stringContaining("You sold this a moment ago, at"),
    ]);
    expect(await balance()).toBe(before);
    expect((await submit(finance, orderForm(question))).status).toBe(303);
    expect(await balance()).toBeLessThan(before);
    const otherAmount = await check("airtime", { phone: "08031230031", amount: "800" });
    expect(otherAmount.text).not.toContain("You sold this");
  });

  test("shows all that is wrong with it at once: what is unread, what is out of range, and what is left out", async () => {
    for (const amount of ["10", "1.500"]) {
      const both = await check("airtime", { phone: "0803", amount });
      expect([both.status, both.text]).toEqual([400, expect.stringContaining("2 things to fix")]);
    }
    const letter = await check("airtime", { phone: "0803123456O", amount: "100" });
    expect(letter.text).toContain("“0803123456O” isn’t a phone number. “O” is a letter.");
  });

  test("of another number, or from the form opened anew, is another purchase", async () => {
    const [one, other, anew] = [
      await check("data", { phone: "08031230011" }),
      await check("data", { phone: "08031230012" }),
      await check("data", { phone: "08031230011" }),
    ];
    expect(new Set([one, other, anew].map((answer) => orderForm(answer).action)).size).toBe(3);
  });

  test("that was changed after its price was seen is priced again, and charged only then", async () => {
    const order = orderForm(await check("airtime", { phone: "08031230021", amount: "500" }));
    const before = await balance();
    const changed = await submit(finance, order, { amount: "5000" });
    expect([changed.status, changed.text.includes("You changed the sale")]).toEqual([409, true]);
    expect(orderForm(changed).fields).toMatchObject({ amount: "5000", expected_price: "4840.00" });
    expect(await balance()).toBe(before);
    expect((await submit(finance, orderForm(changed))).status).toBe(303);
    expect(await balance()).toBe(before - 484_000n);
  });

  test("stands in an address: back after it leads to a page that says so, and its button is gone", async () => {
    const { product, typed } = await exampleOf("electricity");
    const form = await saleForm(finance, `/test/buy/electricity?product=${product.id}`);
    const checked = await submit(finance, form, { ...filled(form, typed), amount: "1,500" });
    expect(checked.status).toBe(303);
    const place = checked.location ?? "";
    const priced = await finance.get(place);
    expect(formOf(priced, "/check").fields).toMatchObject({ meter_number: "4501 2345 678", amount: "1,500" });
    const order = orderForm(priced);
    await submit(finance, order);
    const back = await finance.get(place);
    expect(back.text).toContain("You already made this sale. It was charged once.");
    expect(back.text).toContain(`/test/buy/bought/${referenceIn(order.action)}`);
    expect(back.text).not.toContain("formaction=");
  });

  test("is told and not charged where the price is another one now", async () => {
    const order = orderForm(await check("data", { phone: "08031230021" }));
    const before = await balance();
    const refused = await submit(finance, order, { expected_price: "1.00" });
    expect([refused.status, refused.text.includes("The price changed to ₦640.00. Pay the new price?")]).toEqual([
      409,
      true,
    ]);
    expect(await balance()).toBe(before);
    expect(orderForm(refused).action).toBe(order.action);
    expect((await submit(finance, orderForm(refused))).status).toBe(303);
  });

  test("is refused where the wallet holds too little, with what to do and nothing lost", async () => {
    const poor = await service.app.createMerchant({ credit: null });
    const owner = await service.member("owner", poor.id);
    const checked = await check("data", { phone: "08031230031" }, { client: owner, mode: "live" });
    expect(checked.text).toContain("Add money first");
    const refused = await submit(owner, orderForm(checked));
    expect([refused.status, refused.text.includes("You haven’t been charged")]).toEqual([400, true]);
    expect(orderForm(refused).fields.phone).toBe("0803 123 0031");
  });

  test("of a wallet that owes says what it owes before anything is confirmed", async () => {
    const { app } = service;
    const spender = await app.createMerchant({ credit: null });
    const owner = await service.member("owner", spender.id);
    await enterProvider(app);
    const payment = await keep(app, "T-owes", { amount: 10_000_00n, merchantId: spender.id });
    const wallet = { merchantId: spender.id, mode: "live" } as const;
    await app.services.database.transaction((tx) =>
      creditWallet(tx, { wallet, amount: kobo(-7_500_00n), kind: "adjustment", reason: "spent" }),
    );
    await takeBack(app, payment, 10_000_00n);
    const checked = await check("data", { phone: "08031230031" }, { client: owner, mode: "live" });
    expect(checked.text).toContain("Your wallet owes ₦7,500.00 of a transfer that was taken back");
    const refused = await submit(owner, orderForm(checked));
    expect([refused.status, refused.text.includes("You haven’t been charged")]).toEqual([400, true]);
  });

  test("is refused for an amount out of range at its field", async () => {
    const refused = await check("airtime", { amount: "99,000,000" });
    expect([refused.status, refused.text.includes('id="amount-error"')]).toEqual([400, true]);
    expect(formOf(refused, "/check").fields.amount).toBe("99,000,000");
  });

  test("is refused where the number is nobody's", async () => {
    const refused = await check("electricity", { meter_number: "45012340009" });
    expect([refused.status, refused.text.includes('id="meter_number-error"')]).toEqual([400, true]);
  });

  test("is refused at the button where the product went off offer since", async () => {
    const order = orderForm(await check("voice"));
    const { product } = await exampleOf("voice");
    const { database, catalogue } = service.app.services;
    const isOffered = async () => (await catalogue.current()).findProduct(product.id)?.available;
    await withdrawProduct(database, product.id, null);
    await expect.poll(isOffered).toBe(false);
    const refused = await submit(finance, order);
    expect([refused.status, refused.text.includes("Choose another product")]).toEqual([400, true]);
    expect(formOf(refused, "/check").fields.phone).toBe("0803 123 4567");
    await offerProduct(database, product.id);
    await expect.poll(isOffered).toBe(true);
  });

  test("is refused as the same again where the merchant guards against that", async () => {
    await service.app.fresh.pool.query("update merchants set duplicate_guard_seconds = 60 where id = $1", [shop.id]);
    expect((await submit(finance, orderForm(await check("data", { phone: "08031230041" })))).status).toBe(303);
    const refused = await submit(finance, orderForm(await check("data", { phone: "08031230041" })));
    expect([refused.status, refused.text.includes("Check Transactions before you sell it again")]).toEqual([409, true]);
    await service.app.fresh.pool.query("update merchants set duplicate_guard_seconds = null where id = $1", [shop.id]);
  });

  test("that its supplier declines is told as failed and refunded", async () => {
    const order = orderForm(await check("data", { phone: "08031230002" }));
    const before = await balance();
    const result = await finance.follow(await submit(finance, order));
    expect(result.text).toMatch(/Not delivered. ₦[\d,.]+ is back in your wallet/);
    expect(await balance()).toBe(before);
  });

  test("that stays open is told as pending, on a page that looks again", async () => {
    const order = orderForm(await check("data", { phone: "08031230001" }));
    const result = await finance.follow(await submit(finance, order));
    expect(result.text).toMatch(/delivery isn’t confirmed yet|>Delivered</);
  });
});

describe("whoever may not", () => {
  test("has no live access is told how to ask for it, and a form of an old tab buys nothing", async () => {
    const fresh = await service.app.createMerchant({ approved: false });
    const owner = await service.member("owner", fresh.id);
    const page = await owner.get("/live/buy");
    expect([page.status, page.text.includes("/account/business")]).toEqual([200, true]);
    const order = await check("data", { phone: "08031230061" }, { client: owner });
    const form = orderForm(order);
    const answer = await owner.send(form.action.replace("/test/", "/live/"), form.fields);
    expect(answer.text).toContain("Live selling isn’t approved yet");
    expect(await purchasesOf(referenceIn(form.action))).toEqual([]);
  });

  test("has an old factor confirms it first in live, and then buys what was typed", async () => {
    const owner = await service.member("owner", shop.id);
    const form = orderForm(await check("data", { phone: "08031230081" }, { client: owner, mode: "live" }));
    await service.age(owner);
    const calls = await submit(owner, form);
    expect(calls.text).toContain('name="factor"');
    expect(await purchasesOf(referenceIn(form.action))).toEqual([]);
    const confirm = formOf(calls, form.action);
    const bought = await submit(owner, confirm, { factor: owner.password });
    expect([bought.status, bought.location]).toEqual([303, `/live/buy/bought/${referenceIn(form.action)}`]);
    expect(await purchasesOf(referenceIn(form.action))).toMatchObject([{ channel: "dashboard" }]);
  });

  test("asks for another merchant's purchase, finds nothing", async () => {
    const form = orderForm(await check("education"));
    await submit(finance, form);
    const other = await service.app.createMerchant();
    const stranger = await service.member("owner", other.id);
    const path = `/test/buy/bought/${referenceIn(form.action)}`;
    expect((await stranger.get(path)).status).toBe(404);
    const revealed = await stranger.send(path);
    expect(revealed.text).not.toContain("Pins");
  });
});

test("a hidden category is not offered, and its form is not found", async () => {
  const merchant = await service.app.createMerchant();
  await hideCategory(service.app.services.database, merchant.id, "betting");
  const owner = await service.member("owner", merchant.id);
  await expect.poll(async () => (await owner.get("/test/buy")).text.includes("/test/buy/betting")).toBe(false);
  const { product } = await exampleOf("betting");
  expect((await owner.get(`/test/buy/betting?product=${product.id}`)).status).toBe(404);
});

describe("an SMS by hand", () => {
  test("is checked with its recipients counted and listed, and one that is named twice said", async () => {
    const checked = await check("sms", { recipients: "08031234567\n8051234567; +234 803 123 4567" });
    expect(checked.text).toContain("2, and 1 repeated, sent to once");
    expect(checked.text).toContain("0803 123 4567, 0805 123 4567");
    orderForm(checked);
  });

  test("is stopped by a recipient that can't be read, which is named", async () => {
    const checked = await check("sms", { recipients: "08031234567\n0803123456\n8.03E+09" });
    expect(checked.status).toBe(400);
    expect(checked.text).toContain("2 of 3 can't be read as Nigerian mobile numbers: “0803123456”, “8.03E+09”.");
    expect(checked.text).not.toMatch(/\/order\/web-/);
  });
});

describe("an amount by hand", () => {
  test.each(["100,00", "1.500", "1,00,000"])(
    "that may mean two amounts is asked about, never guessed: %s",
    async (amount) => {
      const checked = await check("airtime", { amount });
      expect([checked.status, checked.text]).toEqual([
        400,
        expect.stringContaining(`“${amount}” isn't read as an amount: write`),
      ]);
    },
  );

  test("is read with its groups and its sign", async () => {
    expect((await check("airtime", { amount: "₦1,500.00" })).text).toContain("₦1,500.00");
  });

  test("below which a business is told is refused like any other, and kept as typed", async () => {
    const form = formOf(await finance.get("/test/wallet"), "/wallet/threshold");
    const refused = await submit(finance, form, { threshold: "5000,00" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("write 5000.00 or 500,000.")]);
    expect(formOf(refused, "/wallet/threshold").fields.threshold).toBe("5000,00");
  });
});
