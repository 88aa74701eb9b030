import { expect, test } from "vitest";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

// What the list holds is in billers.test.ts; here is the door, and that a purchase keeps what the list promised.
const app = await sharedApp();

const path = "/recharge-pin/denominations";

test("200 every denomination in stock is sold by network and value at its listed price", async () => {
  const { testKey } = app.merchant;
  const answer = await app.call(testKey, path);
  for (const { product_id, network, face_amount, api_price, load_code } of answer.body.denominations) {
    const wish = { network, denomination: face_amount, quantity: 1, expected_price: api_price };
    const body = { reference: `pin-${product_id}`, ...wish };
    const bought = await app.call(testKey, "/recharge-pin/purchase", { body });
    expect([bought.status, bought.body.product_id]).toEqual([201, product_id]);
    expect(bought.body).toMatchObject({ total_deducted: api_price, delivery: { face_amount, load_code } });
  }
});

test.each(["network=", "network=VODAFONE", "network=MTN&network=GLO", "network=MTN%00"])(
  "400 ?%s is VALIDATION_ERROR",
  async (query) => {
    const answer = await app.call(app.merchant.testKey, `${path}?${query}`);
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["network"] });
  },
);
