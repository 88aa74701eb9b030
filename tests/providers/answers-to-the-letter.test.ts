import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fulfilmentFits } from "../../src/domain/categories/registry.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../../src/platform/allowlisted-http-client.ts";
import type { Connector, VendOutcome, VendRequest } from "../../src/providers/contract.ts";
import type { Dialect } from "../../src/providers/dialect.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { legacyScript } from "../../src/providers/legacy-script/dialect.ts";
import { vtpass } from "../../src/providers/vtpass/dialect.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { legacyNetworkIds, legacyToken } from "../support/suppliers/legacy-script-stub.ts";
import { movableClock, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";
import { vtpassKeys } from "../support/suppliers/vtpass-stub.ts";

/** What the supplier answers next, spelt as no `JSON.stringify` would. */
let answer: string;
let supplier: Receiver;
let http: AllowlistedHttp;
let vtpassConnector: Connector;
let legacyConnector: Connector;

beforeAll(async () => {
  supplier = await startReceiver((response) => response.end(answer));
  const baseUrl = `http://127.0.0.1:${supplier.port}`;
  http = openAllowlistedHttp({ origins: [baseUrl], monotonicMs: () => performance.now() });
  const clock = movableClock();
  const open = (dialect: Dialect) => httpConnector(dialect, { http, clock, fits: fulfilmentFits() });
  vtpassConnector = open(vtpass({ name: "vtpass", baseUrl, ...vtpassKeys, callbackSecret: null }, clock));
  legacyConnector = open(
    legacyScript({
      name: "legacy-script",
      baseUrl,
      token: legacyToken,
      networkIds: legacyNetworkIds,
      callbackSecret: null,
    }),
  );
});
afterAll(async () => {
  await http.close();
  await supplier.close();
});

const meter = () => vendRequest({ ...wishes["electricity, prepaid"], supplierCode: "1/prepaid" });
const exam = () => vendRequest({ ...wishes.education, quantity: 1, supplierCode: "waec/waecdirect" });
const delivered = (goods: string) =>
  `{"code":"000","content":{"transactions":{"status":"delivered","transactionId":17415980564672211794631454}},${goods}}`;

function vend(connector: Connector, request: VendRequest, spelt: string): Promise<VendOutcome> {
  answer = spelt;
  return connector.vend(request);
}

describe("what a supplier writes as a number is handed over digit by digit", () => {
  test("a meter's token, and the supplier's name for the purchase", async () => {
    const bought = await vend(vtpassConnector, meter(), delivered('"token":26362054405982757802,"units":79.9'));
    expect(bought).toMatchObject({
      kind: "vended",
      providerReference: "17415980564672211794631454",
      fulfilment: { token: "26362054405982757802", units: "79.90" },
    });
    expect(bought.evidence).toContain('"transactionId":"17415980564672211794631454"');
    expect(bought.evidence).not.toContain("2636205440598275");
  });

  test.each([
    ["cards", '"cards":[{"Serial":90071992547409931,"Pin": 37382085202123457}]', "90071992547409931"],
    ["tokens", '"tokens":[37382085202123457]', null],
  ])("PINs in a list of %s", async (_name, goods, serial) => {
    expect(await vend(vtpassConnector, exam(), delivered(goods))).toMatchObject({
      kind: "vended",
      fulfilment: { pins: [{ pin: "37382085202123457", serial }] },
    });
  });

  test("an id by which the purchase is asked about again", async () => {
    const spelt = '{"id": 90071992547409931 ,"Status":"successful","token":26362054405982757802}';
    expect(await vend(legacyConnector, meter(), spelt)).toMatchObject({
      kind: "vended",
      providerReference: "90071992547409931",
      fulfilment: { token: "26362054405982757802" },
    });
  });

  test("a number with an exponent tells no digits, so nobody is told of success", async () => {
    const token = await vend(vtpassConnector, meter(), delivered('"token":2.6362054405982757e19'));
    const pin = await vend(vtpassConnector, exam(), delivered('"cards":[{"Pin":3.7382085202123e+15}]'));
    expect([token.kind, pin.kind]).toEqual(["unknown", "unknown"]);
  });
});
