import { describe, expect, test } from "vitest";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { connectorServices, openConnector } from "../support/suppliers/connector-under-test.ts";
import {
  answers,
  aPerson,
  main,
  meterNumber,
  tokenOfMain,
  tokensNamed,
} from "../support/suppliers/electricity-answers.ts";
import { movableClock, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

/** Each supplier's word for a purchase of electricity that it has vended; `goods` are fields beside it. */
const vendedAs: Readonly<Record<string, (goods: object) => object>> = {
  vtpass: (goods) => ({
    code: "000",
    content: {
      transactions: {
        status: "delivered",
        type: "Electricity Bill",
        unique_element: meterNumber,
        product_name: "Ikeja Electric Payment - IKEDC",
        transactionId: "17415980564672211794",
      },
    },
    exchangeReference: "40532461405324614053",
    ...goods,
  }),
  clubkonnect: (goods) => ({ orderid: "7100000000012345", statuscode: "200", status: "ORDER_COMPLETED", ...goods }),
  "legacy-script": (goods) => ({ id: 7, ident: null, Status: "successful", meter_number: meterNumber, ...goods }),
};

let answer: string;
const supplier = closing(await startReceiver((response) => response.end(answer)));
const http = closing(
  openAllowlistedHttp({ origins: [`http://127.0.0.1:${supplier.port}`], monotonicMs: () => performance.now() }),
);

async function sell(
  name: string,
  spelt: string,
  wish: keyof typeof wishes = "electricity, prepaid",
): Promise<VendOutcome> {
  const under = connectorsUnderTest.find((one) => one.name === name)!;
  const baseUrl = `http://127.0.0.1:${supplier.port}`;
  const connector = openConnector(under, { baseUrl, wrongKeys: false }, connectorServices(http, movableClock()));
  answer = spelt;
  return connector.vend(vendRequest({ ...wishes[wish], supplierCode: under.sells[wish] ?? "1" }));
}

/** What a sale came to, in short: its tokens in the order in which they are entered, or that a person looks. */
function reply(outcome: VendOutcome): string {
  if (outcome.kind === "unknown") {
    const isWhole = outcome.unread?.includes(answer) === true && (outcome.askNobody ?? outcome.hasVended) === true;
    return `${outcome.askNobody === true ? "a person" : "asked again"}${isWhole ? " with the answer" : ""}`;
  }
  if (outcome.kind !== "vended") return outcome.kind;
  const { token, tokens } = outcome.fulfilment as { token: string; tokens: { type: string; value: string }[] };
  expect(tokens.map((one) => (one as { order?: number }).order)).toEqual(tokens.map((_, n) => n + 1));
  expect(token).toBe(tokens.find(({ type }) => type === "main")?.value ?? null);
  return tokens.map(({ type, value }) => `${type} ${tokensNamed[value] ?? value}`).join(", ");
}

describe.each(Object.keys(vendedAs))(
  "electricity of %s: every group of 20 digits has a role, or a person looks",
  (name) => {
    test.each(answers)("an answer of tokens: %s", async (_what, goods, expected) => {
      expect(reply(await sell(name, JSON.stringify(vendedAs[name]!(goods))))).toBe(expected);
    });

    test("a token that was written with an exponent is nobody's guess", async () => {
      const spelt = JSON.stringify(vendedAs[name]!({ token: "here" })).replace('"here"', "2.6362054405982757e19");
      expect(reply(await sell(name, spelt))).toBe(aPerson);
    });

    test("a token that was written as a whole number is handed over digit by digit", async () => {
      const spelt = JSON.stringify(vendedAs[name]!({ token: "here" })).replace('"here"', tokenOfMain);
      expect(reply(await sell(name, spelt))).toBe(main);
    });

    test("a postpaid meter's bill is paid without a token", async () => {
      const spelt = JSON.stringify(vendedAs[name]!({ token: "", customerName: "ADA OBI" }));
      expect(reply(await sell(name, spelt, "electricity, postpaid"))).toBe("");
    });
  },
);
