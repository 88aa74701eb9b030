import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hideCategory } from "../../../src/domain/catalogue/changes/administration.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type Answer, startApp, type TestApp } from "../../support/app.ts";
import type { Fields } from "../../support/legacy-endpoint.ts";
import {
  callLegacy,
  expectLegacyDetail,
  expectLegacyError,
  type LegacyForm,
  postLegacy,
  refusalBody,
} from "../../support/legacy-endpoint.ts";
import { declined, openToldSupplier, silent, vended } from "../../support/told-supplier.ts";
import { families } from "./family-endpoints.ts";

const supplier = openToldSupplier();
let app: TestApp;
let key: string;
let poor: RegisteredMerchant;
/** May buy in none of these categories, from the first look at the catalogue on. */
let hidden: RegisteredMerchant;
beforeAll(async () => {
  app = await startApp({ suppliers: [supplier] });
  key = (await app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;
  [poor, hidden] = [await app.createMerchant({ credit: null }), await app.createMerchant()];
  for (const { category } of families) await hideCategory(app.services.database, hidden.id, category);
});
afterAll(() => app.close());

let idents = 0;
const ident = () => `family-${++idents}`;
const balance = async (as = key): Promise<string> => (await app.call(as, "/wallet/balance")).body.balance;

describe.each(families)("$path", (family) => {
  const { path, usual } = family;
  const send = (changes: Fields = {}, { as = key, form = "json" as LegacyForm } = {}): Promise<Answer> =>
    postLegacy(app, as, `${path}/`, { ...usual, ident: ident(), ...changes }, form);

  test("sells, whole, and the merchant API knows it as the same purchase", async () => {
    const before = await balance();
    const answer = await send({ ident: `${family.category}-whole` });
    const { body } = answer;
    expect([answer.status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        ident: `${family.category}-whole`,
        balance_before: before,
        balance_after: await balance(),
        plan_amount: family.total,
        create_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
        api_response: expect.stringMatching(/: successful\.$/),
        ...family.own,
        Status: "successful",
        status: "success",
        message: body.api_response,
      },
    ]);
    const sold = (await app.call(key, `/transactions/${body.ident}`)).body;
    expect(sold).toMatchObject({ status: "successful", channel: "legacy", category: family.category });
    expect(sold.total_deducted).toBe(family.total);
    const again = await app.call(key, family.successor.path, {
      body: { ...family.successor.body, reference: body.ident },
    });
    expect([again.status, again.headers.get("idempotent-replayed"), again.body.transaction_id]).toEqual([
      201,
      "true",
      sold.transaction_id,
    ]);
  });

  test.each(family.respelled)("%j buys the same", async (changes) => {
    const { status, body } = await send(changes);
    expect([status, body.Status, body.plan_amount]).toEqual([200, "successful", family.total]);
  });

  test.each(["json", "form", "multipart"] as const)(
    "takes a body as %s, and its answer is asked for by id",
    async (form) => {
      const answer = await send({}, { form });
      expect([answer.status, answer.body.Status]).toEqual([200, "successful"]);
      for (const each of [`${path}/${answer.body.id}`, `${path}/${answer.body.id}/`]) {
        const asked = await callLegacy(app, key, each);
        expect([asked.status, asked.body]).toEqual([200, answer.body]);
      }
      const elsewhere = family.category === "cable" ? "/api/epin" : "/api/cablesub";
      expectLegacyDetail(await callLegacy(app, key, `${elsewhere}/${answer.body.id}`), 404, "Not found.");
    },
  );

  test("failed: refunded, with nothing handed over", async () => {
    supplier.answer = declined;
    const live = app.merchant.liveKey ?? "";
    const before = await balance(live);
    const answer = await send({}, { as: live });
    supplier.answer = vended;
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining(refusalBody([answer.body.api_response])),
    ]);
    expect([answer.body.balance_before, answer.body.balance_after, await balance(live)]).toEqual([
      before,
      before,
      before,
    ]);
    expect([answer.body.token, answer.body.pins, answer.body.data_pin].flat().filter(Boolean)).toEqual([]);
    const asked = await callLegacy(app, live, `${path}/${answer.body.id}`);
    expect([asked.status, asked.body]).toEqual([400, answer.body]);
  });

  test("sandbox numbers decide: 0002 fails, 0003 is on its way and is told when to ask again", async () => {
    expect((await send(family.numbered("0002"))).body.Status).toBe("failed");
    const answer = await send(family.numbered("0003"));
    expect([answer.status, answer.body.Status, answer.body.status]).toEqual([200, "processing", "processing"]);
    expect(Object.keys(answer.body)).not.toContain("error");
    const asked = await callLegacy(app, key, `${path}/${answer.body.id}/`);
    expect(asked.body).toEqual(answer.body);
    expect(asked.headers.get("retry-after")).toMatch(/^[1-9][0-9]?$/);
  });

  test("a live answer is held until the purchase has ended", async () => {
    const fresh = await startApp({ suppliers: [supplier], database: app.fresh, legacyHoldMs: 12_000, workers: true });
    supplier.answer = silent;
    const buying = postLegacy(fresh, app.merchant.liveKey ?? "", `${path}/`, { ...usual, ident: ident() });
    const due = "update inflight set due_at = now() where step = 'requery'";
    await expect.poll(async () => (await app.fresh.pool.query(due)).rowCount, { timeout: 5_000 }).toBeGreaterThan(0);
    supplier.answer = vended;
    await app.fresh.pool.query(due);
    const answer = await buying;
    await fresh.close();
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ Status: "successful", ...family.own }),
    ]);
  });

  test("the ident again answers the original and charges once; without one, the same again is refused", async () => {
    const own = (await app.createMerchant({ testCredit: kobo(100_000_000n) })).testKey;
    const first = await send({ ident: "one" }, { as: own });
    const charged = await balance(own);
    const again = await send({ ident: "one" }, { as: own });
    expect([again.status, again.body, again.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expect(await balance(own)).toBe(charged);
    expect((await send({ ident: undefined }, { as: own })).status).toBe(200);
    expectLegacyError(await send({ ident: undefined }, { as: own }), 400, ["Duplicate transaction…"]);
  });

  test.each(family.malformed)("400 %j, by the client's own name of the field", async (change, text) => {
    const before = await balance();
    const answer = await send(change);
    expect([answer.status, answer.body.Status, answer.body.error]).toEqual([400, "failed", [expect.anything()]]);
    const [told] = answer.body.error;
    if (text.endsWith("…")) expect(told.startsWith(text.slice(0, -1)), told).toBe(true);
    else expect(told).toBe(text);
    expect(await balance()).toBe(before);
  });

  test("400 a poor wallet and a hidden category, 503 without a supplier", async () => {
    const answer = await send({}, { as: poor.liveKey ?? "" });
    expectLegacyError(answer, 400, ["Insufficient balance…"]);
    const refused = await send({}, { as: hidden.testKey });
    expectLegacyError(refused, 400, ["This account cannot buy in this category."]);
    const alone = await startApp({ database: app.fresh });
    const away = await postLegacy(alone, app.merchant.liveKey ?? "", path, usual);
    await alone.close();
    expectLegacyError(away, 503, ["This product is not available right now."]);
  });
});

test("postpaid has no token, and NECO and a card's product_id are found", async () => {
  const postpaid = await postLegacy(app, key, "/api/billpayment/", {
    disco_name: "Port Harcourt Electric",
    amount: 2_000,
    meter_number: "45012345678",
    MeterType: 2,
    phone: "08031234567",
  });
  const { Status, token, MeterType, Customer_Phone, disco_name } = postpaid.body;
  expect({ Status, token, MeterType, Customer_Phone, disco_name }).toEqual({
    Status: "successful",
    token: "",
    MeterType: 2,
    Customer_Phone: "08031234567",
    disco_name: "Port Harcourt Electric",
  });
  expect((await postLegacy(app, key, "/api/epin/", { exam_name: "neco" })).body.exam_name).toBe("NECO");
  const card = await postLegacy(app, key, "/api/rechargepin/", { network: "glo", network_amount: 10_102 });
  expect([card.body.plan_network, card.body.network_amount]).toEqual(["GLO", "200.00"]);
});

test("a meter whose key changes has every token, in the order in which the customer enters them", async () => {
  const fields = { disco_name: 1, amount: 5_000, meter_number: "45012340007", MeterType: 1, ident: "key-change" };
  const { body } = await postLegacy(app, key, "/api/billpayment/", fields);
  const { delivery } = (await app.call(key, "/transactions/key-change")).body;
  const values = delivery.tokens.map(({ value }: { value: string }) => value);
  expect([values.length, body.token]).toEqual([3, values.join(",")]);
});
