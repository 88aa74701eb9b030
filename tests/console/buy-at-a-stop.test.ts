import { expect, test } from "vitest";
import { answerLater, openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { submit } from "../support/forms.ts";
import { orderForm, referenceIn, startSelling } from "../support/selling-by-hand.ts";

test("a sale by hand whose supplier is slow is answered as charged and pending when the service stops", async () => {
  const supplier = openFakeSupplier();
  const { service, check, purchasesOf } = await startSelling({ suppliers: [supplier] });
  try {
    const owner = await service.member("owner");
    const form = orderForm(await check("data", {}, { client: owner, mode: "live" }));
    const answer = answerLater(supplier);
    const sent = submit(owner, form);
    await expect.poll(() => supplier.calls.length).toBe(1);
    service.app.services.waiting.stop();
    const { status, location } = await sent;
    expect([status, location]).toEqual([303, `/live/buy/bought/${referenceIn(form.action)}`]);
    expect(await purchasesOf(referenceIn(form.action))).toMatchObject([{ channel: "dashboard", status: "pending" }]);
    answer(vended);
    await expect
      .poll(() => purchasesOf(referenceIn(form.action)))
      .toMatchObject([{ channel: "dashboard", status: "successful" }]);
  } finally {
    await service.close();
  }
});
