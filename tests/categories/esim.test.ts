import { expect, test } from "vitest";
import { esim } from "../../src/categories/esim.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { product_id: 41, quantity: 10, phone: "08031234567" };
const europe = makeProduct({
  amountType: "fixed",
  validity: "15 days",
  attributes: { data_mb: 2_048, coverage: ["FR", "DE"] },
});

interface Profile {
  iccid: string;
  lpa: string;
  smdp_address: string;
  matching_id: string;
  qr_code: string;
}

async function profiles(product = europe): Promise<(Profile & JsonObject)[]> {
  const fulfilment = await esim.simulate(vendRequestOf(esim, ask(esim, body), product, "SBX1"), lagos);
  return fulfilment.esims as unknown as (Profile & JsonObject)[];
}

test("the phone is the customer where given, and compared; the e-mail is not", () => {
  expect(ask(esim, { product_id: 41 })).toMatchObject({ customerRef: null, quantity: 1 });
  expect(ask(esim, { ...body, email: "ada@example.ng" }).intent).toEqual(ask(esim, body).intent);
  expect(ask(esim, { ...body, phone: "08031234568" }).intent).not.toEqual(ask(esim, body).intent);
  expect(ask(esim, { ...body, quantity: 9 }).intent).not.toEqual(ask(esim, body).intent);
  expect(refused(() => ask(esim, { ...body, quantity: 11 }))).toBe("QUANTITY_OUT_OF_RANGE quantity");
  expect(refused(() => ask(esim, { ...body, phone: "12" }))).toBe("INVALID_PHONE phone");
});

test("every profile has an ICCID of its own with a valid check digit", async () => {
  const list = await profiles();
  expect(new Set(list.map(({ iccid }) => iccid)).size).toBe(10);
  for (const { iccid } of list) {
    expect(iccid).toMatch(/^89[0-9]{17}$/);
    // Luhn, written the other way round than the code under test: the whole number's weighted sum ends in zero.
    const sum = [...iccid].toReversed().reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + Math.floor(doubled / 10) + (doubled % 10);
    }, 0);
    expect(sum % 10).toBe(0);
  }
});

test("the activation code joins server and matching id, and the QR code is a small PNG of it", async () => {
  const list = await profiles();
  for (const { lpa, smdp_address, matching_id, qr_code } of list) {
    expect(lpa).toBe(`LPA:1$${smdp_address}$${matching_id}`);
    const png = Buffer.from(qr_code.replace("data:image/png;base64,", ""), "base64");
    expect(png.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
    expect(png.length).toBeLessThan(2_000);
  }
  expect(new Set(list.map(({ qr_code }) => qr_code)).size).toBe(10);
});

test("data, days and coverage are the product's", async () => {
  expect((await profiles())[0]).toMatchObject({ data_mb: 2_048, validity_days: 15, coverage: ["FR", "DE"] });
  const unlimited = { ...europe, validity: null, attributes: { coverage: "Europe", validity_days: 3 } };
  expect((await profiles(unlimited))[0]).toMatchObject({ data_mb: null, validity_days: 3, coverage: ["Europe"] });
});
