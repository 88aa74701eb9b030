import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { fulfilmentFits } from "../../src/categories/product/fits.ts";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { FailureCode } from "../../src/kernel/failure-codes.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { isSigned } from "../../src/providers/addressed-callback.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";
import type { Dialect } from "../../src/providers/dialect.ts";
import { pins } from "../../src/providers/fulfilments.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { legacyScript } from "../../src/providers/legacy-script/dialect.ts";
import { vtpass } from "../../src/providers/vtpass/dialect.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";
import { legacyNetworkIds, legacyToken } from "../support/suppliers/legacy-script-stub.ts";
import { movableClock, noon, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";
import { vtpassKeys } from "../support/suppliers/vtpass-stub.ts";

/** What the supplier answers next, spelt as no `JSON.stringify` would. */
let answer: string;
let answerStatus = 200;

const supplier = closing(
  await startReceiver((response) => {
    response.statusCode = answerStatus;
    response.end(answer);
  }),
);
const baseUrl = `http://127.0.0.1:${supplier.port}`;
const http = closing(openAllowlistedHttp({ origins: [baseUrl], monotonicMs: () => performance.now() }));
const clock = movableClock();
const open = (dialect: Dialect) => httpConnector(dialect, connectorServices(http, clock));
const vtpassConnector = open(vtpass({ name: "vtpass", baseUrl, ...vtpassKeys, callbackSecret: null }, clock));
const legacyConnector = open(
  legacyScript({
    name: "legacy-script",
    baseUrl,
    token: legacyToken,
    networkIds: legacyNetworkIds,
    callbackSecret: null,
  }),
);
beforeEach(() => {
  answerStatus = 200;
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

describe("no PIN is cut: what is too long for its category waits for a person", () => {
  const long = "ABCDE-12345-FGHIJ-67890-KLMNO-54321-PQRST";

  test.each([
    ["VTpass, in a list", () => vtpassConnector, delivered(`"cards":[{"Pin":"${long}"}]`)],
    ["VTpass, in a text", () => vtpassConnector, delivered(`"purchased_code":"Pin : ${long}"`)],
    ["VTpass, after a sign that no PIN has", () => vtpassConnector, delivered('"Pin":"Pin : AB/CD12345678"')],
    ["VTpass, in groups", () => vtpassConnector, delivered('"Pin":"Pin : 12345678 12345678"')],
    ["VTpass, a serial", () => vtpassConnector, delivered(`"cards":[{"Pin":"12345678","Serial":"${long}${long}"}]`)],
    ["the script", () => legacyConnector, `{"id":7,"Status":"successful","pin":"${long}<=>S1"}`],
  ])("%s", async (_name, connector, spelt) => {
    expect(await vend(connector(), exam(), spelt)).toMatchObject({ kind: "unknown" });
  });

  test("a PIN is as long as its category's schema says and no longer", () => {
    const [pin, serial] = ["P".repeat(30), "S".repeat(50)];
    const goods = (found: { pin: string; serial: string }) => pins(exam(), [{ ...found, expiresAt: null }]);
    const longest = goods({ pin, serial });
    expect(longest).toMatchObject({ pins: [{ pin, serial }] });
    expect(fulfilmentFits("education", longest as JsonObject)).toBe(true);
    for (const longer of [
      { pin: `${pin}P`, serial },
      { pin, serial: `${serial}S` },
    ]) {
      expect(goods(longer)).toBe("unclear");
      expect(
        fulfilmentFits("education", {
          ...(longest as JsonObject),
          pins: [{ sequence: 1, ...longer, expires_at: null }],
        }),
      ).toBe(false);
    }
  });
});

describe("a deployment of the script that answers a failed purchase with 400", () => {
  const failed = {
    id: 7,
    Status: "failed",
    status: "failed",
    error: ["Declined."],
    message: "Declined.",
    detail: "Declined.",
  };
  const airtime = () => vendRequest({ supplierCode: "VTU" });
  const ask = (status: number, body: object, request = airtime()) => {
    [answerStatus, answer] = [status, JSON.stringify(body)];
    return legacyConnector.requery({ ...request, providerReference: "7" });
  };

  test("has declined it, under its own id", async () => {
    answerStatus = 400;
    const bought = await vend(legacyConnector, airtime(), JSON.stringify(failed));
    expect(bought).toMatchObject({ kind: "declined", errorCode: "PROVIDER_DECLINED", providerReference: "7" });
  });

  test("has declined it when it is asked again", async () => {
    expect(await ask(400, failed)).toMatchObject({ kind: "declined" });
  });

  test("has said nothing of it where it refuses the question", async () => {
    const { id: _id, ...refusal } = failed;
    for (const status of [400, 401, 404, 429]) expect(await ask(status, refusal)).toMatchObject({ kind: "unknown" });
    expect(await ask(404, failed)).toMatchObject({ kind: "unknown" });
  });

  test("may have it where it calls it a duplicate", async () => {
    answerStatus = 400;
    const duplicate = { Status: "failed", error: ["Duplicate transaction. Asked for a moment ago."] };
    expect(await vend(legacyConnector, airtime(), JSON.stringify(duplicate))).toMatchObject({ kind: "unknown" });
  });
});

describe("a documented answer means what its supplier's documentation says, to the breaker and the next supplier, too", () => {
  const airtime = () => vendRequest({ supplierCode: "mtn" });
  const said = (code: string, state: string | null) =>
    JSON.stringify({ code, content: { transactions: { status: state, transactionId: "1" } } });

  /** Nothing was accepted: what a person can read in vtpass.com/documentation/response-codes. */
  const refusals: Readonly<Record<FailureCode, readonly string[]>> = {
    PROVIDER_DECLINED: ["010", "011", "012", "013", "017", "019", "025", "031", "032"],
    OPERATOR_UNAVAILABLE: [
      ...["018", "021", "022", "023", "024", "027", "028", "030", "034", "035", "083", "085", "087"],
    ],
    RECIPIENT_INVALID: ["026"],
  } as never;
  const each = Object.entries(refusals).flatMap(([errorCode, codes]) =>
    codes.map((code) => [code, errorCode] as const),
  );
  test.each(each)("VTpass refuses by %s: %s, unless it accepted something all the same", async (code, errorCode) => {
    const request = airtime();
    const refused = await vend(vtpassConnector, request, JSON.stringify({ code, response_description: "NO" }));
    expect(refused).toMatchObject({ kind: "declined", errorCode });
    expect(await vend(vtpassConnector, airtime(), said(code, "initiated"))).toMatchObject({ kind: "unknown" });
    // Asked again, it refuses the question.
    answer = JSON.stringify({ code, response_description: "NO" });
    expect(await vtpassConnector.requery(request)).toMatchObject({ kind: "unknown" });
  });

  test.each([
    ["000", "delivered", { kind: "vended" }],
    ["001", "delivered", { kind: "vended" }],
    ["000", "initiated", { kind: "unknown" }],
    ["000", "pending", { kind: "unknown" }],
    ["000", "resolved", { kind: "unknown" }],
    ["000", null, { kind: "unknown" }],
    ["014", null, { kind: "unknown" }],
    ["014", "delivered", { kind: "unknown" }],
    ["044", "failed", { kind: "unknown" }],
    ["099", null, { kind: "unknown" }],
    ["099", "failed", { kind: "unknown" }],
    ["998", "delivered", { kind: "unknown" }],
    // A failure's code beside a status that says something else is no explicit no.
    ["016", "pending", { kind: "unknown" }],
    ["016", "Initiated", { kind: "unknown" }],
    ["016", "something new", { kind: "unknown" }],
    ["091", "pending", { kind: "unknown" }],
    ["091", "initiated", { kind: "unknown" }],
    ["040", "pending", { kind: "unknown" }],
    ["040", "delivered", { kind: "unknown" }],
  ] as const)("VTpass's %s with %s is %o, at once and asked again", async (code, state, expected) => {
    const request = airtime();
    expect(await vend(vtpassConnector, request, said(code, state))).toMatchObject(expected);
    expect(await vtpassConnector.requery(request)).toMatchObject(expected);
  });

  test.each([
    ["000", "failed", undefined],
    ["016", null, undefined],
    ["016", "failed", undefined],
    ["091", null, undefined],
    ["000", "reversed", true],
    ["016", "reversed", true],
    ["091", "reversed", true],
    ["040", null, true],
    ["040", "failed", true],
  ] as const)("VTpass's %s with %s is a no; that it took the goods back: %s", async (code, state, reversed) => {
    const request = airtime();
    for (const outcome of [
      await vend(vtpassConnector, request, said(code, state)),
      await vtpassConnector.requery(request),
    ]) {
      expect(outcome).toMatchObject({ kind: "declined", errorCode: "PROVIDER_DECLINED" });
      expect(outcome.kind === "declined" && outcome.reversed).toBe(reversed);
    }
  });
});

describe("a callback is believed only with a proof", () => {
  test("where no secret is set, no address proves anything", () => {
    const { callbacks } = vtpass(
      { name: "v", baseUrl: "http://v.example", ...vtpassKeys, callbackSecret: null },
      movableClock(),
    );
    for (const addressSecret of [null, "", "null"]) {
      const message = { headers: {}, body: "{}", query: "", addressSecret, at: noon };
      expect(callbacks?.read(message).kind).toBe("forged");
    }
  });

  test("a signature counts for five minutes before and after its time", () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const [id, seconds, body] = ["msg_1", Math.floor(noon / 1_000), "{}"];
    const timestamp = String(seconds);
    const mac = createHmac("sha256", Buffer.alloc(32, 7)).update(`${id}.${timestamp}.${body}`).digest("base64");
    const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
    const holdsAt = (at: number) => isSigned({ headers, body, query: "", addressSecret: null, at: at * 1_000 }, secret);
    expect([-301, -300, 0, 300, 301].map((after) => holdsAt(seconds + after))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});
