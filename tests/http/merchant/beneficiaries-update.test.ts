import { beforeEach, describe, expect, test } from "vitest";
import { hideCategory, showCategory } from "../../../src/domain/catalogue/changes/administration.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { meter, save, type WireBeneficiary } from "../../support/beneficiaries.ts";
import { closing } from "../../support/closing.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const start = Date.UTC(2026, 10, 20, 13, 0, 0);
const clock = { at: start, now: () => clock.at };

let merchant: RegisteredMerchant;
let saved: WireBeneficiary;
const unknownId = "ben_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D";

const app = closing(await startApp({ clock }));

beforeEach(async () => {
  clock.at = start;
  merchant = await app.createMerchant();
  saved = await save(app, merchant.testKey);
});

const send = (body: unknown, id = saved.id, by = merchant.testKey): Promise<Answer> =>
  app.call(by, `/beneficiaries/${id}`, { method: "PUT", body });

async function stored(): Promise<WireBeneficiary> {
  const { body } = await app.call(merchant.testKey, "/beneficiaries");
  return body.beneficiaries.find((row: WireBeneficiary) => row.id === saved.id);
}

describe("200", () => {
  test("changes what is sent, leaves the rest, and says when", async () => {
    clock.at = start + 90_000;
    const answer = await send({ label: "Second shop", phone: "+2348051234567", colour: "green" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...saved,
      label: "Second shop",
      phone: "08051234567",
      created_at: "2026-11-20T14:00:00+01:00",
      updated_at: "2026-11-20T14:01:30+01:00",
    });
    expect(await stored()).toEqual(answer.body);
  });

  test("null empties a field", async () => {
    const empty = { biller_slug: null, meter_type: null, customer_name: null, phone: null };
    const { body } = await send(empty);
    expect(body).toMatchObject({ ...empty, label: saved.label, customer_ref: saved.customer_ref });
  });

  test("an empty object changes nothing, and sending the same again is no conflict with itself", async () => {
    for (const body of [{}, meter]) expect((await send(body)).body).toEqual(saved);
  });

  test("another category takes another number with it", async () => {
    const change = {
      category: "airtime",
      customer_ref: "+2348031234567",
      biller_slug: "mtn-airtime",
      meter_type: null,
    };
    const { body } = await send(change);
    expect(body).toMatchObject({ ...change, customer_ref: "08031234567", network: "MTN" });
  });

  test("the live key changes what the sandbox key saved", async () => {
    const { status, body } = await send({ label: "Live" }, saved.id, merchant.liveKey!);
    expect([status, body.label]).toEqual([200, "Live"]);
  });

  test("a biller that the merchant no longer sees stays, until it is sent again", async () => {
    const { database } = app.services;
    await hideCategory(database, merchant.id, "electricity");
    await app.feel();
    try {
      expectProblem(await send({ biller_slug: saved.biller_slug }), 404, "BILLER_NOT_FOUND");
      expect((await send({ label: "Still mine" })).body).toMatchObject({
        label: "Still mine",
        biller_slug: saved.biller_slug,
      });
    } finally {
      await showCategory(database, merchant.id, "electricity");
    }
  });
});

describe("400", () => {
  test.each([
    [{ label: " " }, "VALIDATION_ERROR", "label"],
    [{ category: "cars" }, "VALIDATION_ERROR", "category"],
    [
      { category: "cable", biller_slug: "dstv", customer_ref: "1", meter_type: null },
      "INVALID_SMARTCARD",
      "customer_ref",
    ],
    [{ category: "data", biller_slug: null, meter_type: null }, "INVALID_PHONE", "customer_ref"],
    [{ category: "betting", biller_slug: null }, "VALIDATION_ERROR", "meter_type"],
    [{ customer_ref: "12345" }, "INVALID_METER", "customer_ref"],
    [{ meter_type: "smart" }, "VALIDATION_ERROR", "meter_type"],
    [{ network: "VODAFONE" }, "VALIDATION_ERROR", "network"],
    [{ phone: "0" }, "INVALID_PHONE", "phone"],
  ] as const)("%j is %s on %s, and changes nothing", async (change, code, field) => {
    expectProblem(await send(change), 400, code, { fields: [field] });
    expect(await stored()).toEqual(saved);
  });

  test("no body, and a body that is no object", async () => {
    expectProblem(await send(undefined), 400, "INVALID_JSON");
    expectProblem(await send("[]"), 400, "VALIDATION_ERROR", { fields: ["body"] });
  });
});

describe("404, 409", () => {
  test.each([unknownId, "ben_1", "1", "ben_%00", "x".repeat(300)])("404 %s was never one", async (id) => {
    expectProblem(await send({ label: "x" }, id), 404, "BENEFICIARY_NOT_FOUND");
  });

  test("404 another merchant's, which stays as it was", async () => {
    const { testKey } = await app.createMerchant();
    expectProblem(await send({ label: "mine" }, saved.id, testKey), 404, "BENEFICIARY_NOT_FOUND");
    expect(await stored()).toEqual(saved);
  });

  test("404 a biller of another category, and one that never was", async () => {
    for (const biller of ["dstv", "nobody"]) {
      expectProblem(await send({ biller_slug: biller }), 404, "BILLER_NOT_FOUND");
    }
    expectProblem(await send({ category: "internet", meter_type: null }), 404, "BILLER_NOT_FOUND");
  });

  test("409 a number that another one keeps", async () => {
    const other = await save(app, merchant.testKey, { customer_ref: "45099999999" });
    const answer = await send({ customer_ref: other.customer_ref });
    expectProblem(answer, 409, "BENEFICIARY_EXISTS", { meta: { id: other.id } });
    expect(await stored()).toEqual(saved);
  });

  test("409 of many at once that want one number, one gets it", async () => {
    const rivals = await Promise.all(
      Array.from({ length: 6 }, (_, i) => save(app, merchant.testKey, { customer_ref: `4501000${1_000 + i}` })),
    );
    const answers = await Promise.all(rivals.map(({ id }) => send({ customer_ref: "45022222222" }, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});
