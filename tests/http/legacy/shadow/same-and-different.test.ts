import { afterAll, beforeEach, expect, test } from "vitest";
import { startApp } from "../../../support/app.ts";
import { openFakeSupplier } from "../../../support/fake-supplier.ts";
import type { Fields } from "../../../support/legacy-endpoint.ts";
import {
  type OldReply,
  type OldRequest,
  refusedByScript,
  soldByScript,
  startOldScript,
} from "../../../support/old-script.ts";
import { openShadow, type Shadow } from "./open-shadow.ts";

const supplier = openFakeSupplier();
const app = await startApp({ suppliers: [supplier] });
// As an operator moves a merchant in: with limits that its days fit into.
await app.fresh.pool.query("update merchants set limit_tier = 3");
const { liveKey } = app.merchant;
let answer: (request: OldRequest) => OldReply;
const old = await startOldScript((request) => answer(request));
afterAll(async () => {
  await shadow.close();
  await old.close();
  await app.close();
});
let shadow: Shadow;
beforeEach(async () => {
  await shadow?.close();
  old.requests.length = 0;
  answer = sold;
  shadow = await openShadow(app, old, { supplier });
});

/** What the script sells at the prices of this merchant, in its own spelling. */
const sales: Readonly<Record<string, { readonly fields: Fields; readonly charged: number; readonly own: Fields }>> = {
  "/api/data/": {
    fields: { network: 1, mobile_number: "08031234567", plan: 2, Ported_number: true },
    charged: 640,
    own: { network: 1, plan: 2, plan_network: "MTN", plan_name: "1.0GB", plan_amount: "₦640.0" },
  },
  "/api/topup/": {
    fields: { network: 1, amount: 100, mobile_number: "08031234567", Ported_number: true, airtime_type: "VTU" },
    charged: 96.8,
    own: { network: 1, plan_network: "MTN", amount: "100", plan_amount: "₦100.0" },
  },
  "/api/cablesub/": {
    fields: { cablename: 2, cableplan: 4004, smart_card_number: "7032145678" },
    charged: 18_791,
    own: { cablename: "DSTV", package: "DStv Compact", plan_amount: "₦18,791.0" },
  },
  "/api/billpayment/": {
    fields: { disco_name: 1, amount: 5_000, meter_number: "45012345678", MeterType: 1 },
    charged: 4_975,
    own: { disco_name: "Ikeja Electricity", amount: 5_000, token: "1234-5678-9012-3456-7890" },
  },
  "/api/epin/": {
    fields: { exam_name: "WAEC", quantity: 2 },
    charged: 6_500,
    own: { exam_name: "WAEC", quantity: 2, amount: "7000" },
  },
  "/api/rechargepin/": {
    fields: { network: 1, network_amount: 100, quantity: 2, name_on_card: "Corner Shop" },
    charged: 199.6,
    own: { network: 1, plan_network: "MTN", network_amount: 100, amount: "200" },
  },
};

function sold({ method, url, body }: OldRequest): OldReply {
  const [path = ""] = url.split("?");
  if (method === "GET") return { status: 200, body: JSON.stringify(read(path)) };
  const sale = sales[path];
  if (sale === undefined) throw new Error(`no sale at ${path}`);
  return { body: JSON.stringify({ ...soldByScript(sale.charged, sale.own), sent: body.length }) };
}

/** As `/api/user` has the plans, with the script's amounts. */
const plan = (id: number, amount: string, own: Fields = {}) => ({
  ...{ id, dataplan_id: String(id), network: 1, plan_type: "SME", plan_network: "MTN", plan: "1.0GB" },
  plan_amount: amount,
  ...own,
});
let plans = [plan(2, "640.0")];

function read(path: string): object {
  if (path === "/api/user/") {
    return {
      user: { wallet_balance: "17.5" },
      topuppercentage: { MTN: { VTU: 96.8 } },
      Dataplans: { MTN_PLAN: plans },
    };
  }
  if (path === "/api/network/") return { MTN_PLAN: plans };
  return { id: 9, Status: "successful", invalid: false, name: "ADEYEMI TUNDE" };
}

let idents = 0;
function buy(path: string, changes: Fields = {}, key = liveKey): Promise<Response> {
  idents += 1;
  return fetch(`${shadow.url}${path}`, {
    method: "POST",
    headers: { authorization: `Token ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...sales[path]?.fields, request_id: `shadow-${idents}`, ...changes }),
  });
}

const ask = (path: string, key = liveKey) =>
  fetch(`${shadow.url}${path}`, { headers: { authorization: `Token ${key}` } });

test("a hundred requests of all endpoints, answered alike, show no difference", async () => {
  const reads = [
    ...["/api/user/", "/api/network/", "/api/data/52001", "/api/topup/"],
    "/api/validateiuc?smart_card_number=7032145678&cablename=2",
    "/api/validatemeter?meternumber=45012345678&disconame=1&mtype=1",
  ];
  for (let round = 0; round < 13; round++) await Promise.all(Object.keys(sales).map((path) => buy(path)));
  for (let round = 0; round < 4; round++) await Promise.all(reads.map((path) => ask(path)));
  const { requests, endpoints, differences, not_compared: reasons } = await shadow.report();
  expect([requests, Object.fromEntries(differences)]).toEqual([102, {}]);
  for (const path of Object.keys(sales)) {
    expect(endpoints.get(`POST ${path.slice(0, -1)}`)).toEqual({
      requests: 13,
      same: 13,
      different: 0,
      not_compared: 0,
    });
  }
  for (const path of ["/api/user", "/api/network"]) expect(endpoints.get(`GET ${path}`)).toMatchObject({ same: 4 });
  expect(Object.fromEntries([...reasons].map(([reason, { count }]) => [reason, count]))).toEqual({
    "it asks for a purchase by the old deployment's number": 4,
    "it lists what was sold over there": 4,
    "a verification asks a supplier": 8,
  });
});

/** The difference that one request shows. */
async function foundIn(requests: () => Promise<unknown>) {
  await requests();
  const { differences } = await shadow.report();
  const found = [...differences].map(([kind, { count, examples }]) => [
    kind,
    [count, examples[0]?.old, examples[0]?.here],
  ]);
  return Object.fromEntries(found) as Readonly<Record<string, unknown>>;
}

test("another price is found, in kobo", async () => {
  answer = () => ({ body: JSON.stringify(soldByScript(641.5, sales["/api/data/"]?.own ?? {})) });
  expect(await foundIn(() => buy("/api/data/"))).toEqual({ price: [1, "641.50", "640.00"] });
  expect(shadow.text()).toMatch(/mer_1 POST \/api\/data\/ {"network":1,"mobile_number":"\*\*\*4567","plan":2,/);
});

test("another status is found, with why it is refused here, and in which words it was there", async () => {
  answer = (request) =>
    request.body.includes("08099999999")
      ? { status: 400, body: JSON.stringify(refusedByScript("Network down")) }
      : sold(request);
  const found = foundIn(() =>
    Promise.all([buy("/api/data/", { plan: 777 }), buy("/api/data/", { mobile_number: "08099999999" })]),
  );
  expect(await found).toEqual({
    "status: success → refused PRODUCT_NOT_FOUND": [
      ...[1, "success", "refused PRODUCT_NOT_FOUND: plan: There is no such data plan."],
    ],
    "status: refused → accepted": [1, "refused: Network down", "accepted"],
  });
});

test("another numbering of networks is found, whether it would be refused here or sold on another network", async () => {
  answer = () => ({ body: JSON.stringify(soldByScript(96.8, { network: 3, plan_network: "AIRTEL" })) });
  const airtel = { network: 3, mobile_number: "08021234567" };
  expect(await foundIn(() => buy("/api/topup/", airtel))).toEqual({
    network: [1, "success", expect.stringMatching(/^refused NETWORK_MISMATCH: .*prefix belongs to AIRTEL/)],
  });
  await app.fresh.pool.query("update merchants set legacy_prefix_check = false");
  await app.feel("merchants");
  const unchecked = await openShadow(app, old, { supplier });
  await fetch(`${unchecked.url}/api/topup/`, {
    method: "POST",
    headers: { authorization: `Token ${liveKey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...sales["/api/topup/"]?.fields, ...airtel }),
  });
  await unchecked.close();
  expect(unchecked.current().differences.get("network")?.examples[0]).toMatchObject({ old: "AIRTEL", here: "9MOBILE" });
  await app.fresh.pool.query("update merchants set legacy_prefix_check = true");
});

test("a list's plans of another price, volume or number are found, each once however often it is asked for", async () => {
  plans = [plan(2, "₦639.99"), plan(3, "1250", { plan: "7 GB" }), plan(888, "5")];
  const found = await foundIn(() => Promise.all([ask("/api/user/"), ask("/api/user/"), ask("/api/user/")]));
  plans = [plan(2, "640.0")];
  expect(found).toEqual({
    "list: price": [3, "plan 2 639.99", "plan 2 640.00"],
    "list: product": [3, "plan 3 7GB", expect.stringMatching(/^plan 3 [0-9.]+[MG]B$/)],
    "list: plan is not sold here": [3, "plan 888 listed", "not listed"],
  });
  const { differences } = await shadow.report();
  expect([...differences.values()].map(({ examples }) => examples.length)).toEqual([2, 1, 1]);
});

test("the same again without a reference is refused here within 30 seconds; under its reference it is answered again", async () => {
  const unnamed = { request_id: undefined };
  const found = await foundIn(async () => {
    await buy("/api/data/", unnamed);
    await buy("/api/data/", unnamed);
    const again = { request_id: "again-1" };
    await Promise.all([buy("/api/data/", again), buy("/api/data/", again)]);
  });
  expect(found).toEqual({ "status: success → refused DUPLICATE_TRANSACTION": [1, "success", expect.anything()] });
  const { not_compared: reasons } = await shadow.report();
  expect([...reasons].map(([reason, { count }]) => [reason, count])).toEqual([
    ["its reference came before, and here the first purchase is answered again", 1],
  ]);
});

test("a day's spending above the merchant's limit is found before it is real", async () => {
  const small = await app.createMerchant();
  await app.feel("merchants");
  const found = await foundIn(async () => {
    for (let i = 0; i < 11; i++) await buy("/api/cablesub/", {}, small.liveKey);
  });
  expect(found).toEqual({ "status: success → refused DAILY_LIMIT_EXCEEDED": [1, "success", expect.anything()] });
});

test("what can't be compared is counted with its reason, and no key and no number of a customer is shown", async () => {
  answer = ({ url }) =>
    url.startsWith("/api/topup/")
      ? { status: 502, headers: {}, body: "<html>Bad gateway" }
      : sold({ method: "GET", url, headers: {}, body: "" });
  await buy("/api/topup/", { mobile_number: "08031112222" });
  await ask("/api/user/", "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b");
  await ask("/api/affiliate/08031112222?phone=08031112222");
  await ask("/api/validatemeter?meternumber=45012345678&disconame=1");
  const { not_compared: reasons } = await shadow.report();
  const found = [...reasons].map(([reason, { count, examples }]) => [reason, [count, examples[0]?.request]]);
  expect(Object.fromEntries(found)).toEqual({
    "the old deployment answered no JSON (HTTP 502)": [1, "POST /api/topup/"],
    "the token is unknown here": [1, "GET /api/user/"],
    "there is no such path here": [1, "GET /api/affiliate/***2222?phone=***2222"],
    "a verification asks a supplier": [1, "GET /api/validatemeter?meternumber=***5678&disconame=1"],
  });
  expect(shadow.text()).toContain("token ***ee4b GET /api/user/ (HTTP 200)");
  for (const secret of ["9944b09199c6", "08031112222", "45012345678", `${liveKey}`.slice(0, 12)]) {
    expect(shadow.text()).not.toContain(secret);
  }
});

test("a refusal for the old wallet's balance is no difference, nor is a token that both refuse", async () => {
  const unknown = "9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b";
  answer = ({ headers }) =>
    headers.authorization === `Token ${unknown}`
      ? { status: 401, body: JSON.stringify({ detail: "Invalid token." }) }
      : { status: 400, body: JSON.stringify(refusedByScript("You can't buy this, fund your wallet")) };
  expect(await foundIn(() => Promise.all([buy("/api/data/"), buy("/api/data/", {}, unknown)]))).toEqual({});
  const { endpoints, not_compared: reasons } = await shadow.report();
  expect(endpoints.get("POST /api/data")).toMatchObject({ same: 1, not_compared: 1 });
  expect([...reasons.keys()]).toEqual(["the old deployment's wallet did not pay for it"]);
});

test("nothing is written, no supplier is asked, and the wallet keeps what it has", async () => {
  const before = await contents();
  await Promise.all(Object.keys(sales).map((path) => buy(path)));
  await Promise.all(Object.keys(sales).map((path) => buy(path, { request_id: undefined })));
  await ask("/api/validatemeter?meternumber=45012345678&disconame=1&mtype=1");
  expect((await shadow.report()).requests).toBe(13);
  await shadow.close();
  expect(await contents()).toEqual(before);
  expect(supplier.calls).toEqual([]);
  shadow = await openShadow(app, old, { supplier });
});

/** Every table by its rows, and every sequence by where it is. */
async function contents(): Promise<unknown> {
  const { pool } = app.fresh;
  const { rows } = await pool.query(
    "select relname as name, relkind as kind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')",
  );
  const found: Record<string, unknown> = {};
  for (const { name, kind } of rows) {
    const of = kind === "S" ? "last_value::text" : "count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0)";
    found[name] = (await pool.query(`select ${of} as whole from ${name} t`)).rows[0].whole;
  }
  return found;
}
