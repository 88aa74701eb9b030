import { describe, expect, test } from "vitest";
import { hideCategory, setPrice, withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { openFakeSupplier } from "../../support/fake-supplier.ts";
import { callLegacy, postLegacy } from "../../support/legacy-endpoint.ts";

const app = closing(await startApp());

const ask = (key: string | null, path = "/api/user/"): Promise<Answer> => callLegacy(app, key, path);

/** A plan as a client shows it. */
interface Row {
  readonly id: number;
  readonly plan_type: string;
  readonly plan_network: string;
  readonly plan_amount: string;
}

describe("200", () => {
  test("the account, whole, with and without a trailing slash", async () => {
    const { id, testKey } = await app.createMerchant();
    for (const path of ["/api/user", "/api/user/"]) {
      const answer = await ask(testKey, path);
      expect([answer.status, Object.keys(answer.body)]).toEqual([
        200,
        ["user", "percentage", "topuppercentage", "Dataplans", "Cableplan"],
      ]);
      expect(answer.body.user).toEqual({
        id,
        email: "test@example.com",
        username: `mer_${id}`,
        FullName: "Test merchant",
        Phone: "",
        user_type: "API",
        Account_Balance: 100_000,
        wallet_balance: "100000.00",
        bonus_balance: "0.00",
      });
    }
  });

  test.each(["", "{}", '{"anything":1}', "a=b"])("some clients POST the question, with the body %j", async (body) => {
    const { testKey } = await app.createMerchant();
    const calls = (await ask(testKey)).body;
    for (const path of ["/api/user", "/api/user/"]) {
      for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
        const answer = await callLegacy(app, testKey, path, {
          method: "POST",
          body,
          headers: { "content-type": type },
        });
        expect([answer.status, answer.body]).toEqual([200, calls]);
      }
    }
  });

  test("the balance is the one of the key's mode, and follows purchases", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const live = await ask(liveKey);
    expect(live.body.user).toMatchObject({ Account_Balance: 1_000_000, wallet_balance: "1000000.00" });
    const { body } = await postLegacy(app, testKey, "/api/topup/", {
      network: 2,
      amount: "99.99",
      mobile_number: "08051234567",
    });
    const { user } = (await ask(testKey)).body;
    expect([user.wallet_balance, user.Account_Balance]).toEqual([body.balance_after, Number(body.balance_after)]);
    expect(body.balance_after).toBe("99905.01");
  });

  test("neither password nor PIN nor key nor any field of that kind", async () => {
    const { testKey } = app.merchant;
    const text = JSON.stringify((await ask(testKey)).body);
    expect(text).not.toMatch(/passw|"pin"|secret|token|hash|_key/i);
    expect(text).not.toContain(testKey);
  });

  test("what airtime costs, of its value, by network", async () => {
    const { body } = await ask(app.merchant.testKey);
    expect(body.percentage).toEqual({
      MTN: { percent: 96.8, phone: "" },
      GLO: { percent: 95, phone: "" },
      "9MOBILE": { percent: 97, phone: "" },
      AIRTEL: { percent: 97.5, phone: "" },
    });
    expect(body.topuppercentage).toEqual({
      MTN: { VTU: 96.8 },
      GLO: { VTU: 95 },
      "9MOBILE": { VTU: 97 },
      AIRTEL: { VTU: 97.5 },
    });
  });
});

describe("Dataplans", () => {
  test("a plan's row, whole", async () => {
    const { body } = await ask(app.merchant.testKey);
    expect(body.Dataplans.MTN_PLAN.SME[1]).toEqual({
      id: 2,
      dataplan_id: "2",
      network: 1,
      plan_type: "SME",
      plan_network: "MTN",
      month_validate: "30 days",
      plan: "1GB",
      plan_amount: "640.00",
    });
  });

  test("each network has all of its plans, and MTN three lists of them by type", async () => {
    const { Dataplans } = (await ask(app.merchant.testKey)).body;
    expect(Object.keys(Dataplans)).toEqual(["MTN_PLAN", "GLO_PLAN", "AIRTEL_PLAN", "9MOBILE_PLAN"]);
    for (const [name, slug] of [
      ["MTN", "mtn"],
      ["GLO", "glo"],
      ["AIRTEL", "airtel"],
      ["9MOBILE", "9mobile"],
    ] as const) {
      const { products } = (await app.call(app.merchant.testKey, `/billers/${slug}-data/products`)).body;
      const rows: Row[] = Dataplans[`${name}_PLAN`].ALL;
      expect(rows.map((row) => row.plan_amount)).toEqual(
        products.map((product: { api_price: string }) => product.api_price),
      );
      expect(new Set(rows.map((row) => row.plan_network))).toEqual(new Set([name]));
    }
    const { ALL, ...lists } = Dataplans.MTN_PLAN;
    const typesOf = (rows: Row[]) => [...new Set(rows.map((row) => row.plan_type))];
    expect(Object.entries<Row[]>(lists).map(([list, rows]) => [list, typesOf(rows)])).toEqual([
      ["SME", ["SME"]],
      ["GIFTING", ["GIFTING"]],
      ["CORPORATE", ["CORPORATE GIFTING"]],
    ]);
    for (const rows of Object.values<Row[]>(lists)) expect(ALL).toEqual(expect.arrayContaining(rows));
  });

  test("every plan can be bought by its id at its price", async () => {
    const { testKey } = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
    const { Dataplans } = (await ask(testKey)).body;
    const lists: { ALL: (Row & { network: number; dataplan_id: string })[] }[] = Object.values(Dataplans);
    for (const { ALL } of lists) {
      for (const row of ALL) {
        const { network, dataplan_id: plan } = row;
        const ident = `plan-${plan}`;
        const fields = { network, plan, mobile_number: "08031234567", ident };
        const { body } = await postLegacy(app, testKey, "/api/data/", fields);
        expect([body.Status, body.plan, body.plan_amount]).toEqual(["successful", row.id, row.plan_amount]);
      }
    }
  });
});

describe("what the merchant sees", () => {
  test("its own prices, and no plan that was withdrawn or category that is hidden", async () => {
    const { database } = app.services;
    const [own, excluded] = [await app.createMerchant(), await app.createMerchant()];
    const scope = { of: "merchant", merchantId: own.id } as const;
    await setPrice(database, { productId: 1002 as ProductId, scope, price: { kind: "fixed", kobo: kobo(60_050n) } });
    await setPrice(database, {
      productId: 2002 as ProductId,
      scope,
      price: { kind: "percent", basisPoints: basisPoints(9_125n) },
    });
    await withdrawProduct(database, 1201 as ProductId, null);
    await hideCategory(database, excluded.id, "data");
    await hideCategory(database, excluded.id, "airtime");

    await app.feel();
    const { body } = await ask(own.testKey);
    expect(body.Dataplans.MTN_PLAN.SME[1].plan_amount).toBe("600.50");
    expect(body.topuppercentage.GLO).toEqual({ VTU: 91.25 });
    expect(body.Dataplans.GLO_PLAN.ALL.map((row: Row) => row.id)).not.toContain(201);
    expect((await ask(app.merchant.testKey)).body.Dataplans.MTN_PLAN.SME[1].plan_amount).toBe("640.00");

    const hidden = (await ask(excluded.testKey)).body;
    expect(hidden.Dataplans.MTN_PLAN).toEqual({ ALL: [], SME: [], GIFTING: [], CORPORATE: [] });
    expect(hidden.topuppercentage.MTN).toEqual({ VTU: 100 });
  });

  test("a percentage fee is part of what airtime costs, as a topup deducts it", async () => {
    const { id, testKey } = await app.createMerchant();
    const fee = { kind: "percent", basisPoints: basisPoints(100n), cap: null } as const;
    const price = { kind: "percent", basisPoints: basisPoints(9_680n) } as const;
    const scope = { of: "merchant", merchantId: id } as const;
    await setPrice(app.services.database, { productId: 2001 as ProductId, scope, price, fee });
    await app.feel();
    expect((await ask(testKey)).body.percentage.MTN.percent).toBe(97.8);
    const { body } = await postLegacy(app, testKey, "/api/topup/", {
      network: 1,
      amount: "1000",
      mobile_number: "08031234567",
    });
    expect(body).toMatchObject({ Status: "successful", paid_amount: "978.00" });
  });

  test("live, the plans and the airtime that a supplier serves and no others; in sandbox everything", async () => {
    const supplied = await startApp({ suppliers: [openFakeSupplier()] });
    const { testKey, liveKey } = supplied.merchant;
    await supplied.fresh.pool.query("delete from supplier_routes where product_id not in (1002, 2002)");
    await supplied.feel("routes");
    const read = async (key: string | null) => (await callLegacy(supplied, key, "/api/user/")).body;
    const plansOf = async (key: string | null) => {
      const lists: { ALL: Row[] }[] = Object.values((await read(key)).Dataplans);
      return lists.flatMap(({ ALL }) => ALL.map(({ id }) => id));
    };

    expect(await plansOf(liveKey)).toEqual([2]);
    expect((await read(liveKey)).topuppercentage).toEqual({
      MTN: { VTU: 100 },
      GLO: { VTU: 95 },
      "9MOBILE": { VTU: 100 },
      AIRTEL: { VTU: 100 },
    });
    expect((await plansOf(testKey)).length).toBeGreaterThan(100);
    expect((await read(testKey)).topuppercentage.MTN).toEqual({ VTU: 96.8 });
    await supplied.close();
  });
});
