import { describe, expect, test } from "vitest";
import { withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import { setLegacySettings } from "../../../src/domain/merchants/administration.ts";
import { parseNetworkNumbers } from "../../../src/domain/merchants/legacy-settings.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { callLegacy, postLegacy } from "../../support/legacy-endpoint.ts";

const app = closing(await startApp());

describe("/api/network", () => {
  test("has the plans of /api/user, one list for each network, in the merchant's own numbers", async () => {
    const { id, testKey } = await app.createMerchant();
    const numbers = parseNetworkNumbers("1=mtn,2=airtel,3=glo,4=9mobile");
    await setLegacySettings(app.services, id, { networks: numbers === null ? {} : { data: numbers } });
    const answer = await callLegacy(app, testKey, "/api/network/");
    const { Dataplans } = (await callLegacy(app, testKey, "/api/user/")).body;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        MTN_PLAN: Dataplans.MTN_PLAN.ALL,
        GLO_PLAN: Dataplans.GLO_PLAN.ALL,
        AIRTEL_PLAN: Dataplans.AIRTEL_PLAN.ALL,
        "9MOBILE_PLAN": Dataplans["9MOBILE_PLAN"].ALL,
      },
    ]);
    expect(answer.body.AIRTEL_PLAN[0]).toMatchObject({ network: 2, plan_network: "AIRTEL" });
  });
});

describe("Cableplan of /api/user", () => {
  const cableplan = async () => (await callLegacy(app, app.merchant.testKey, "/api/user/")).body.Cableplan;

  test("names the operators, and lists bouquets that /api/cablesub sells as they stand", async () => {
    const reply = await cableplan();
    expect(reply.cablename).toEqual([
      { id: 1, name: "GOTV" },
      { id: 2, name: "DSTV" },
      { id: 3, name: "STARTIME" },
      { id: 4, name: "SHOWMAX" },
    ]);
    expect(reply.DSTVPLAN.find(({ id }: { id: number }) => id === 4004)).toEqual({
      id: 4004,
      cableplan_id: "4004",
      cable: "DSTV",
      package: "Compact",
      plan_amount: "18791.00",
    });
    const { body } = await postLegacy(app, app.merchant.testKey, "/api/cablesub", {
      cablename: reply.cablename[0].id,
      cableplan: reply.GOTVPLAN[0].cableplan_id,
      smart_card_number: "7032145678",
    });
    expect([body.Status, body.cablename, body.plan_amount]).toEqual([
      "successful",
      "GOTV",
      reply.GOTVPLAN[0].plan_amount,
    ]);
  });

  test("leaves out what needs an amount, and what is withdrawn", async () => {
    const reply = await cableplan();
    const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id);
    expect(idsOf(reply.DSTVPLAN)).not.toContain(4090);
    await withdrawProduct(app.services.database, 4004 as ProductId, null);
    await app.feel();
    expect(idsOf((await cableplan()).DSTVPLAN)).not.toContain(4004);
  });
});

test("no text of a success holds a word that clients take for a failure, whatever the product is called", async () => {
  const { testKey } = await app.createMerchant({ testCredit: kobo(1_000_000n) });
  await app.fresh.pool.query("update products set name = 'MTN No-Fail Error Insurance' where id = 1002");
  await app.feel("catalogue");
  const bought = async (number: string) =>
    (
      await postLegacy(app, testKey, "/api/data/", {
        network: 1,
        plan: 2,
        mobile_number: number,
        ident: `${Math.random()}`,
      })
    ).body;
  expect((await bought("08031230002")).message).toContain("No-Fail");
  for (const number of ["08031234567", "08031230003"]) {
    const body = await bought(number);
    expect([body.api_response, body.message].join()).not.toMatch(/fail|error|insufficient/i);
    expect(body.message).toContain(number);
  }
});
