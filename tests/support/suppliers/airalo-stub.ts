import { createHmac } from "node:crypto";
import { airaloToken, listed, order, refused, success } from "./airalo-answers.ts";
import { airaloTraps } from "./airalo-traps.ts";
import type { ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, SentCallback, StubAnswer, StubDialect, StubRecord } from "./stub-dialect.ts";

export const airaloClientId = "7e29e2facf83359855f746fc490443e6";
export const airaloClientSecret = "e5NNajm6jNAzrWsKoAdr41WfDiMeS1l6IcGdhmbb";
/** Airalo's Partner API as its documentation shows it. */
export const airaloStub: StubDialect = {
  receive({ method, path, query, headers, body }): Requested | null {
    const [, id] = /^\/orders\/([0-9]+)$/.exec(path) ?? [];
    const reference = String(body.description ?? id ?? query.get("filter[description]") ?? "");
    const calls = { reference, number: "", body };
    if (method === "POST" && path === "/token") {
      const isKnown = body.client_id === airaloClientId && body.client_secret === airaloClientSecret;
      return { ...calls, question: isKnown && body.grant_type === "client_credentials" ? "token" : "denied" };
    }
    if (headers.authorization !== `Bearer ${airaloToken}`) return { ...calls, question: "denied" };
    if (path === "/orders") return { ...calls, question: method === "POST" ? "vend" : "requery" };
    if (id !== undefined) return { ...calls, question: "requery" };
    if (path === "/balance") return { ...calls, question: "balance" };
    return path === "/packages" ? { ...calls, question: "catalogue" } : null;
  },
  say,
  call: (record, status) => {
    const slug = { vended: "completed", declined: "failed", pending: "pending" }[status];
    const data = { ...order(record), sims: [], status: { name: slug, slug }, request_id: "3NhR3gKmqCWK7IWppurpDX3Cg" };
    return { headers: { "content-type": "application/json" }, body: JSON.stringify({ data, meta: success }) };
  },
  traps: airaloTraps(),
  outOfMoney: refused(11, "Insufficient Airalo credit."),
};

function say(saying: Saying, calls: Requested, record: StubRecord | null): StubAnswer {
  switch (saying) {
    case "vended":
      return reply(calls, order(record!), "completed");
    case "pending":
      return reply(calls, { ...order(record!), sims: [] }, "pending");
    case "declined":
      return calls.question === "vend"
        ? refused(33, "Insufficient stock of eSIMs remaining for the selected package.")
        : reply(calls, { ...order(record!), sims: [] }, "failed");
    case "reversed":
      return reply(calls, order(record!), "refunded");
    case "undocumented":
      return refused(77, "Something new");
    case "absent":
      return "include" in calls.body && "limit" in calls.body
        ? listed([])
        : { status: 404, body: { data: {}, meta: { message: "Not found" } } };
    case "denied":
      return { status: 401, body: { data: {}, meta: { message: "The client credentials are invalid" } } };
    case "token":
      return {
        status: 200,
        body: { data: { token_type: "Bearer", expires_in: 31_622_400, access_token: airaloToken }, meta: success },
      };
    case "balance":
      return {
        status: 200,
        body: {
          data: { balances: { name: "balance", availableBalance: { amount: 225.35, currency: "USD" } } },
          meta: success,
        },
      };
    case "catalogue":
      return catalogue(Number(calls.body.page));
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

/** An answer to the order has no status, and one to a question is a list where it was asked for. */
function reply(calls: Requested, data: Record<string, unknown>, slug: string): StubAnswer {
  if (calls.question === "vend") return { status: 200, body: { data, meta: success } };
  const withStatus = { ...data, status: { name: slug, slug } };
  return "limit" in calls.body ? listed([withStatus]) : { status: 200, body: { data: withStatus, meta: success } };
}

const kallur = { id: "kallur-digital-7days-1gb", type: "sim", price: 9.5, net_price: 4.755, title: "1 GB - 7 Days" };

/** From the second page on an object, by the places' numbers. */
function catalogue(page: number): StubAnswer {
  const place = (slug: string, packages: unknown[]) => ({
    slug,
    title: slug,
    operators: [{ id: 1, title: "Kallur", packages }],
  });
  const topup = { ...kallur, id: "kallur-digital-7days-1gb-topup", type: "topup" };
  const data = page === 1 ? [place("Faroe Islands", [kallur, topup])] : { "1": place("Europe", [{ id: "eu-5gb" }]) };
  return { status: 200, body: { data, meta: { message: "success", current_page: page, last_page: 2 } } };
}

/** As their libraries sign: HMAC-SHA512 of the body, with our client secret, in hexadecimal digits. */
function signed(body: string, secret = airaloClientSecret): Record<string, string> {
  return { "airalo-signature": createHmac("sha512", secret).update(body).digest("hex") };
}

const message = ({ headers, body }: SentCallback, at: number, signature: Record<string, string>) => ({
  headers: { ...headers, ...signature },
  body,
  query: "",
  addressSecret: null,
  at,
});

export const underTest: ConnectorUnderTest = {
  name: "airalo",
  stub: airaloStub,
  sells: { esim: "kallur-digital-7days-1gb", esims: "eu-europe-5gb-30days" },
  usual: "esim",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [airaloClientId, airaloClientSecret, airaloToken],
  repeatsAreExecuted: true,
  repeatsOurReference: true,
  namesNoRefusals: true,
  quietMs: 600_000,
  saysReversed: true,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl },
    credentials: { client_id: airaloClientId, client_secret: wrongKeys ? "wrong" : airaloClientSecret },
  }),
  verifies: null,
  balance: 22_535n,
  callbacks: {
    genuine: (sent, at) => message(sent, at, signed(sent.body)),
    forged: (sent, at) => [
      message(sent, at, {}),
      message(sent, at, { "airalo-signature": "" }),
      message(sent, at, signed(sent.body, "another secret")),
      message(sent, at, signed(`${sent.body} `)),
      message({ ...sent, body: sent.body.replace("completed", "failed") }, at, signed(sent.body)),
    ],
  },
};
