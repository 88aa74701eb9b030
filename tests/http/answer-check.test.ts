import { expect, test } from "vitest";
import { describeApi } from "../../scripts/generate/openapi-doc.ts";
import { openJudge, type SentAnswer } from "../support/answer-check.ts";
import { refusalBody } from "../support/legacy-endpoint.ts";

const judge = openJudge(await describeApi());

const keyedHeaders = {
  "content-type": "application/json; charset=utf-8",
  "x-request-id": "req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
  "x-api-mode": "test",
  ratelimit: '"key";r=119;t=60',
  "ratelimit-policy": '"key";q=120;w=60',
  "cache-control": "no-store",
};

const balance = {
  balance: "100000.00",
  currency: "NGN",
  low_balance_threshold: null,
  updated_at: "2026-11-20T14:03:09+01:00",
  sandbox: true,
};

const refusal = {
  status: "error",
  code: "TRANSACTION_NOT_FOUND",
  message: "There is no such transaction.",
  request_id: "req_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
  doc_url: "https://api.example.ng/docs/errors#TRANSACTION_NOT_FOUND",
};

function answer(status: number, body: object, headers: object = keyedHeaders): SentAnswer {
  return { status, headers: new Map(Object.entries(headers)), text: JSON.stringify(body) };
}

function without(name: keyof typeof keyedHeaders): object {
  return Object.fromEntries(Object.entries(keyedHeaders).filter(([key]) => key !== name));
}

const wallet = { method: "GET", url: "/api/v1/merchant/wallet/balance" };
const requery = { method: "GET", url: "/api/v1/merchant/transactions/order-1?x=1" };
const nowhere = { method: "GET", url: "/api/v1/merchant/nowhere" };
const legacy = { method: "GET", url: "/api/data/7/" };
const legacyLink =
  '</docs>; rel="deprecation"; type="text/html", </api/v1/merchant/data/purchase>; rel="successor-version"';
const legacyHeaders = { ...keyedHeaders, deprecation: "@1767225600", link: legacyLink };

test.each([
  ["an answer as it is described", wallet, answer(200, balance)],
  ["a refusal that the operation names", requery, answer(404, refusal)],
  ["a refusal of a path that nobody has", nowhere, answer(404, { ...refusal, code: "NOT_FOUND" })],
  ["a legacy refusal, with the slash", legacy, answer(404, refusalBody(["Not found."]), legacyHeaders)],
  ["what is no part of the API", { method: "GET", url: "/docs/errors" }, answer(200, {}, {})],
])("%s passes", (_name, request, given) => {
  expect(judge(request, given)).toEqual([]);
});

test.each([
  ["a field more", wallet, answer(200, { ...balance, secret: "1" }), /unevaluated properties/],
  ["a field less", wallet, answer(200, { ...balance, updated_at: undefined }), /required property 'updated_at'/],
  ["a number for money", wallet, answer(200, { ...balance, balance: 100_000 }), /\/balance must be string/],
  ["a time without its offset", wallet, answer(200, { ...balance, updated_at: "2026-11-20" }), /format "date-time"/],
  ["an undescribed status", wallet, answer(404, refusal), /the status 404 is not described/],
  ["a code that the operation does not name", requery, answer(404, { ...refusal, code: "BILLER_NOT_FOUND" }), /\/code/],
  [
    "an undescribed header",
    wallet,
    answer(200, balance, { ...keyedHeaders, "x-debug": "1" }),
    /x-debug is not described/,
  ],
  [
    "another mode than the key's",
    { ...wallet, rawHeaders: ["Host", "x", "Authorization", "Bearer ds_live_x"] },
    answer(200, balance),
    /x-api-mode says test of a key of live/,
  ],
  [
    "a limit in another form",
    wallet,
    answer(200, balance, { ...keyedHeaders, ratelimit: "119" }),
    /ratelimit says 119/,
  ],
  [
    "a 404 that asks for a key",
    requery,
    answer(404, refusal, { ...keyedHeaders, "www-authenticate": "x" }),
    /401 alone/,
  ],
  ["a missing header", wallet, answer(200, balance, without("ratelimit")), /ratelimit is missing/],
  [
    "another content type",
    wallet,
    answer(200, balance, { ...keyedHeaders, "content-type": "text/html" }),
    /text\/html/,
  ],
  ["our error form on a legacy path", legacy, answer(404, refusal, legacyHeaders), /required property 'detail'/],
  [
    "HTML where there is nothing",
    nowhere,
    answer(404, {}, { ...keyedHeaders, "content-type": "text/html" }),
    /text\/html/,
  ],
])("%s is a fault", (_name, request, given, fault) => {
  expect(judge(request, given).join("; ")).toMatch(fault);
});
