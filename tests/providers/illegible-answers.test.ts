import { expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { Connector } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import {
  type ConnectorUnderTest,
  connectorServices,
  openConnector,
} from "../support/suppliers/connector-under-test.ts";
import { movableClock, noon, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

// What no database takes and nobody can read: a supplier may write it wherever it writes a text.

let answer: unknown;
/** Stands in an answer for lists within lists. */
const nested = "nested";

const supplier = closing(
  await startReceiver((response) =>
    response.end(JSON.stringify(answer).replace(`"${nested}"`, `${"[".repeat(50_000)}${"]".repeat(50_000)}`)),
  ),
);
const http = closing(
  openAllowlistedHttp({
    origins: [`http://127.0.0.1:${supplier.port}`],
    monotonicMs: () => performance.now(),
  }),
);

function underTest(name: string): ConnectorUnderTest {
  return connectorsUnderTest.find((under) => under.name === name)!;
}

function connector(name: string): Connector {
  const clock = movableClock();
  const baseUrl = `http://127.0.0.1:${supplier.port}`;
  return openConnector(underTest(name), { baseUrl, wrongKeys: false }, connectorServices(http, clock));
}

/** Each supplier's word for a purchase that it has vended. */
const vendedAs: Readonly<Record<string, (request: VendRequest, name: string, goods: object) => object>> = {
  vtpass: (_, transactionId, goods) => ({
    code: "000",
    content: { transactions: { status: "delivered", transactionId } },
    ...goods,
  }),
  "legacy-script": (_, id, goods) => ({ id, Status: "successful", ...goods }),
  dispense: ({ supplierReference }, transaction_id, delivery) => ({
    status: "successful",
    reference: supplierReference,
    transaction_id,
    delivery,
  }),
};

const names = ["vtpass", "legacy-script", "dispense"];

test.each(names)(
  "a name of %s for a purchase is kept in one line, with a mark for what nobody can read",
  async (name) => {
    const request = vendRequest({ supplierCode: underTest(name).sells.airtime! });
    answer = vendedAs[name]!(request, "A\u0000B\u001b[2J\u202eC\ud800\nD", { kind: "topup" });
    const kept = "A\ufffdB\ufffd[2J\ufffdC\ufffd D";
    expect(await connector(name).vend(request)).toMatchObject({ kind: "vended", providerReference: kept });
  },
);

test.each([
  ["vtpass", { cards: [{ Pin: "1234\u00005678" }] }],
  ["vtpass", { cards: [{ Pin: "1234567\ufffd8", Serial: "S1" }] }],
  ["legacy-script", { pin: "1234\u00005678<=>S1" }],
  ["legacy-script", { pin: "12345678<=>S\u00071" }],
  ["dispense", { kind: "pins", exam: "WAEC", pins: [pinOf("1234\u00005678")], check_url: null }],
  ["dispense", { kind: "pins", exam: "WAEC", pins: [pinOf("1234\udc005678")], check_url: null }],
])("a PIN of %s that nobody can read is handed to no customer: a person finds out", async (name, goods) => {
  const request = vendRequest({ ...wishes.education, quantity: 1, supplierCode: underTest(name).sells.education! });
  answer = vendedAs[name]!(request, "77", goods);
  expect(await connector(name).vend(request)).toMatchObject({ kind: "unknown", providerReference: "77" });
});

function pinOf(pin: string) {
  return { sequence: 1, pin, serial: null, expires_at: null };
}

test("goods that are nested without an end are handed to no customer", async () => {
  const request = vendRequest({ supplierCode: "1001" });
  answer = vendedAs.dispense!(request, "77", { kind: "topup", more: nested });
  expect(await connector("dispense").vend(request)).toMatchObject({ kind: "unknown" });
});

test("an owner's name and address stay legible, whatever stands between their words", async () => {
  const request = vendRequest({ ...wishes["electricity, prepaid"], supplierCode: "ikeja-electric/prepaid" });
  const reply = { customerName: "ADA\u0000OBI", customerAddress: "4 ALLEN AVENUE\r\nIKEJA" };
  answer = vendedAs.vtpass!(request, "77", { token: "26362054405982757802", ...reply });
  expect(await connector("vtpass").vend(request)).toMatchObject({
    fulfilment: { customer_name: "ADA\ufffdOBI", customer_address: "4 ALLEN AVENUE\r\nIKEJA" },
  });
});

test("an error code that is a word of JavaScript is a decline like any other", async () => {
  const request = vendRequest({ supplierCode: "1001" });
  answer = { ...vendedAs.dispense!(request, "77", {}), status: "failed", error_code: "constructor" };
  expect(await connector("dispense").vend(request)).toMatchObject({ errorCode: "PROVIDER_DECLINED" });
});

test("a smartcard's state that is a word of JavaScript is one that nobody knows", async () => {
  const { known } = underTest("vtpass").verifies!;
  answer = { code: "000", content: { Customer_Name: "ADA OBI", Current_Bouquet: "Compact", Status: "constructor" } };
  expect(await connector("vtpass").verify!({ ...known, category: "cable", supplierCode: "dstv" })).toMatchObject({
    kind: "verified",
    findings: { account_status: "active", current_bouquet: "Compact" },
  });
});

test("a callback's words are kept in one line, with a mark for what nobody can read", () => {
  const requestId = underTest("vtpass").referenceAtSupplier(vendRequest());
  const transactions = { status: "deli\u0000vered\nNext: pay", transactionId: "A\u0000\nB" };
  const body = JSON.stringify({ type: "transaction-update", data: { requestId, content: { transactions } } });
  const message = underTest("vtpass").callbacks!.genuine({ headers: {}, body }, noon);
  expect(connector("vtpass").callbacks!.read(message)).toMatchObject({
    kind: "news",
    status: "deli\ufffdvered next: pay",
    providerReference: "A\ufffd B",
  });
});
