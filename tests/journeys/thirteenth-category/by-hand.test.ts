import { afterAll, expect, test } from "vitest";
import { closing } from "../../support/closing.ts";
import { formOf, submit } from "../../support/forms.ts";
import { addParking, takeParkingAway } from "./with-parking.ts";

afterAll(takeParkingAway);
const database = closing(await addParking());
const hand = await import("../../support/selling-by-hand.ts");
const selling = await hand.startSelling({ database });
closing(selling.service);

test("a thirteenth category is chosen, verified, priced and sold by hand from its own schema, in sandbox and live", async () => {
  const { finance, check, purchasesOf, balance } = selling;
  expect((await finance.get("/test/buy")).text).toContain('/test/buy/parking"');
  expect((await finance.get("/test/buy/parking")).text).toContain("Lagos Parking 7d");
  for (const mode of ["test", "live"] as const) {
    const before = await balance(mode);
    const checked = await check("parking", {}, { mode });
    expect([checked.status, checked.text.includes("You pay"), checked.text.includes("500.00")]).toEqual([
      200,
      true,
      true,
    ]);
    // The sandbox verifies; the live supplier of the test can't.
    expect(checked.text).toMatch(
      mode === "test" ? /Account name.*Holder.*TEST /s : /We can’t check the name right now/,
    );
    expect(await balance(mode)).toBe(before);

    const form = hand.orderForm(checked);
    const reference = hand.referenceIn(form.action);
    const [sent, again] = [await submit(finance, form), await submit(finance, form)];
    for (const { location } of [sent, again]) expect(location).toBe(`/${mode}/buy/bought/${reference}`);
    expect(await purchasesOf(reference)).toMatchObject([{ channel: "dashboard", status: "successful" }]);
    expect(before - (await balance(mode))).toBe(50_000n);

    const bought = await finance.follow(sent);
    expect(bought.text).toMatch(/Gate code/i);
    expect((await finance.get(`/${mode}/transactions?category=parking`)).text).toContain(reference);
  }
});

test("its wrong number is refused at its field, and saved customers and bulk orders take it as any other", async () => {
  const { finance, check } = selling;
  const refused = await check("parking", { phone: "?wrong?" });
  expect([refused.status, refused.text.includes('id="phone-error"'), formOf(refused, "/check").fields.phone]).toEqual([
    400,
    true,
    "?wrong?",
  ]);
  const typed = formOf(await finance.get("/test/bulk/new"), "/bulk/check");
  const lines = "08031234599,99001\n08051234599,lagos-parking-7d";
  const checked = await submit(finance, typed, { category: "parking", lines, reference: "car-park" });
  expect((await submit(finance, formOf(checked, /\/bulk\/start\/[\w.:-]+$/))).location).toBe("/test/bulk/car-park");
  expect((await finance.get("/test/bulk/car-park")).text).toContain("2 of 2 ");
  expect((await finance.get("/test/beneficiaries/add")).text).toContain('value="parking"');
});
