import { type Attack, atMost, type Figure, mustBe } from "./attack.ts";
import { openShop, post, watchOthers } from "./shop.ts";

/** Each phone once copied every field of the body: with these two, 200 million members. */
const phones = 10_000;
const unknownFields = [200, 1_000, 20_000];

export const phonesShorthand: Attack = {
  name: "phones-shorthand",
  does: "one bulk order names many phones beside thousands of unknown fields; nobody may wait for it, nothing may die.",
  secondsMax: 180,
  async run(ground) {
    const shop = await openShop(ground);
    const others = await watchOthers(shop);
    const figures: Figure[] = [];
    for (const fields of unknownFields) {
      const body = orderOf(shop.basket.product_id, fields);
      ground.progress(`${fields} unknown fields, ${body.length} bytes`);
      const answer = await post(shop, "/data/bulk", body);
      figures.push(
        mustBe(`${fields} unknown fields: answered`, answer.status, 400),
        atMost(`${fields} unknown fields: after`, answer.ms, 500, " ms"),
      );
    }
    const wait = await others.stop();
    const after = await post(shop, "/data/purchase", purchaseOf(shop.basket));
    return [
      ...figures,
      mustBe("others: balances refused", wait.errors, 0),
      atMost("others: longest wait", wait.maxMs, 100, " ms"),
      mustBe("a purchase afterwards", after.status, 201),
    ];
  },
};

function orderOf(productId: number, fields: number): string {
  const unknown = Object.fromEntries(Array.from({ length: fields }, (_, n) => [`f${n}`, 1]));
  const list = Array.from({ length: phones }, () => "08031234567");
  return JSON.stringify({ reference: `attack-${fields}`, product_id: productId, ...unknown, phones: list });
}

function purchaseOf(basket: { product_id: number; phone: string }): string {
  return JSON.stringify({ ...basket, reference: "afterwards" });
}
