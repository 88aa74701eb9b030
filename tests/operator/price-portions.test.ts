import { expect, test } from "vitest";
import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import { draftPriceChange } from "../../src/domain/catalogue/price-changes/price-change.ts";
import type { PriceLine } from "../../src/domain/catalogue/price-changes/price-lines.ts";
import { changingPrices } from "../../src/domain/catalogue/price-changes/set-prices.ts";
import { carryOutNext } from "../../src/domain/staff/decide-change.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { decide, here, openPrices } from "./open-prices.ts";

// A change of more than 200 prices is agreed to at once, and carried out in portions.

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const { reset } = await openPrices(service);
const { database, catalogue } = app.services;
const madeBy = "staff:ada@company.example";
const carryOut = (by = database) => carryOutNext({ ...app.services.people, database: by }, [changingPrices]);
const stateOf = async (id: number) =>
  (await pool.query("select state, outcome, progress from changes where id = $1", [id])).rows[0];
const setBy = async (id: number) =>
  (await pool.query("select count(*)::integer as set from price_history where change_id = $1", [id])).rows[0].set;

/** So many prices of tiers above 3, each a naira over the base price. */
async function linesOf(count: number): Promise<PriceLine[]> {
  const { products, ownPrice } = await catalogue.current();
  const lines = [4, 5, 6].flatMap((tier) =>
    products.flatMap(({ id: productId }): PriceLine[] => {
      const present = ownPrice(productId, { of: "everyone" });
      if (present?.kind !== "fixed") return [];
      const after = { ...present, kobo: kobo(present.kobo + 100n) };
      return [{ productId, scope: { of: "tier", tier }, before: null, after }];
    }),
  );
  expect(lines.length).toBeGreaterThan(count);
  return lines.slice(0, count);
}

const dying: typeof database = {
  ...database,
  transaction: (work) =>
    database.transaction(async (tx) => {
      await work(tx);
      throw new Error("killed before the commit");
    }),
};

test("450 prices are asked for, agreed to once, and set in portions, whatever is killed or changed between", async () => {
  const [ada, first, second] = [
    await service.staff("catalogue"),
    await service.staff("admin"),
    await service.staff("admin"),
  ];
  const lines = await linesOf(450);
  const id = await draftPriceChange(database, { madeBy, lines });
  const path = `${here}/changes/${id}`;
  expect((await ada.follow(await decide(ada, path))).text).toContain("for approval. Nothing has changed");
  expect(await carryOut()).toBe(false);
  const approve = (admin: typeof first) => admin.send(`/operator/approvals/${id}`, { do: "approve" });
  const both = await Promise.all([approve(first), approve(second)]);
  const texts = [(await first.follow(both[0])).text, (await second.follow(both[1])).text];
  expect(texts.filter((text) => text.includes("being carried out; this page shows"))).toHaveLength(1);
  expect([(await stateOf(id)).state, await setBy(id)]).toEqual(["agreed", 0]);

  await expect(carryOut(dying)).rejects.toThrow("killed");
  expect(await setBy(id)).toBe(0);
  expect([await carryOut(), await setBy(id)]).toEqual([true, 200]);
  expect((await first.get(path)).text).toContain("200 of 450 done");
  const [{ productId, scope }] = lines.slice(300) as [PriceLine];
  await setPrice(database, { productId, scope, price: { kind: "fixed", kobo: kobo(12_345n) } });
  await expect(carryOut(dying)).rejects.toThrow("killed");
  const looks = await Promise.all([carryOut(), carryOut()]);
  while (await carryOut());
  expect([looks.includes(true), await setBy(id)]).toEqual([true, 449]);
  expect(await stateOf(id)).toMatchObject({
    state: "done",
    outcome: expect.stringContaining("in force. Merchants get catalogue.updated. 1 price changed meanwhile and stayed"),
  });
  const { rows } = await pool.query(
    "select who, details from audit_log where command = 'console prices carry-out' order by number",
  );
  expect(rows).toHaveLength(1);
  expect([rows[0].who, JSON.parse(rows[0].details)]).toMatchObject([`staff:${ada.email}`, { set: 449, changed: 1 }]);
  const ofTier = "select price::integer from tier_prices where product_id = $1 and tier = $2";
  const tier = scope.of === "tier" ? scope.tier : null;
  const own = await pool.query(ofTier, [productId, tier]);
  expect(own.rows).toEqual([{ price: 12_345 }]);
  expect((await first.get(path)).text).toContain(`product ${productId}, Tier ${tier}`);
  await reset();
});

test("a refused request sets nothing, an expired one is asked for anew, and another one waits for the first", async () => {
  const [ada, admin] = [await service.staff("catalogue"), await service.staff("admin")];
  await app.feel("catalogue");
  const lines = await linesOf(60);
  const ask = async () => {
    const id = await draftPriceChange(database, { madeBy, lines });
    return { id, answer: await decide(ada, `${here}/changes/${id}`) };
  };
  const { id } = await ask();
  const again = await ask();
  expect([again.answer.status, again.answer.text.includes(`wait for approval already, in change ${id}`)]).toEqual([
    ...[400, true],
  ]);
  await admin.send(`/operator/approvals/${id}`, { do: "refuse", reason: "Too many" });
  expect([(await stateOf(id)).state, await setBy(id)]).toEqual(["refused", 0]);
  expect((await admin.get(`${here}/changes`)).text).toContain("refused");
  // What was refused as a preview can be asked for again.
  expect((await decide(ada, `${here}/changes/${again.id}`)).status).toBe(303);
  await pool.query("update changes set ends_at = now() - interval '1 minute' where id = $1", [again.id]);
  await pool.query("update changes set state = 'expired', decided_at = now() where id = $1", [again.id]);
  await pool.query("delete from change_subjects");
  await ada.send(`/operator/approvals/${again.id}`, { do: "renew" });
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  await admin.send(`/operator/approvals/${rows[0].id}`, { do: "approve" });
  expect([await setBy(again.id), await setBy(rows[0].id)]).toEqual([0, 60]);
  await reset();
});

test("an admin's own change of many is set in portions too, and its undoing is one of them", async () => {
  const admin = await service.staff("admin");
  await app.feel("catalogue");
  const id = await draftPriceChange(database, { madeBy, lines: await linesOf(250) });
  expect((await admin.follow(await decide(admin, `${here}/changes/${id}`))).text).toContain("are being set");
  while (await carryOut());
  expect(await setBy(id)).toBe(250);
  await app.feel("catalogue");
  const undo = (await admin.send(`${here}/changes/${id}/undo`)).location ?? "";
  await decide(admin, undo);
  while (await carryOut());
  const { rows } = await pool.query("select count(*)::integer as own from tier_prices");
  expect([rows[0].own, (await admin.get(`${here}/changes/${id}`)).text.includes("Undone by")]).toEqual([0, true]);
});
