import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { ProblemCode } from "../../src/kernel/problems.ts";
import { type RawRequest, sendRaw } from "../support/raw-request.ts";
import { sharedApp } from "../support/shared-app.ts";
import { expectHeaders, expectProblem } from "../support/wire-expectations.ts";

const app = await sharedApp();
const key = app.merchant.testKey;

/** Whatever was thrown at it: nothing was charged, the reference is free, and the service still sells. */
afterAll(async () => {
  expect((await app.call(key, "/wallet/balance")).body.balance).toBe("100000.00");
  expect((await app.call(key, "/transactions")).body.meta.total).toBe(0);
  const sold = await app.call(key, "/airtime/purchase", { body: JSON.parse(purchase("100")) });
  expect(sold.status).toBe(201);
});

/** A purchase that would succeed with a sound amount. */
function purchase(amount: string, more = ""): string {
  return `{"reference":"bad","network":"MTN","phone":"08031234567","amount":${amount}${more}}`;
}

function post(body: Buffer | string, headers: readonly string[] = ["Content-Type: application/json"]) {
  return send({ head: ["POST /api/v1/merchant/airtime/purchase HTTP/1.1", ...headers, lengthOf(body)], body });
}

function lengthOf(body: Buffer | string): string {
  return `Content-Length: ${Buffer.byteLength(body)}`;
}

async function send({ head: [line = "", ...headers], ...rest }: RawRequest) {
  const head = [line, "Host: dispense.test", `Authorization: Bearer ${key}`, "Connection: close", ...headers];
  const answer = await sendRaw(app.url, { head, ...rest });
  if (answer === null) throw new Error("no answer");
  return answer;
}

type Case = readonly [name: string, body: Buffer | string, code: ProblemCode];

const deepest = 10_000;
const unreadable: readonly Case[] = [
  ["nothing", "", "INVALID_JSON"],
  ["white space", " \n", "INVALID_JSON"],
  ["an opened brace", "{", "INVALID_JSON"],
  ["a trailing comma", purchase("100", ","), "INVALID_JSON"],
  ["single quotes", purchase("100").replaceAll('"', "'"), "INVALID_JSON"],
  ["two objects", purchase("100") + purchase("100"), "INVALID_JSON"],
  ["form fields", "reference=bad&amount=100", "INVALID_JSON"],
  ["XML", "<purchase><amount>100</amount></purchase>", "INVALID_JSON"],
  ["an amount of NaN", purchase("NaN"), "INVALID_JSON"],
  ["an amount of Infinity", purchase("-Infinity"), "INVALID_JSON"],
  ["an amount in hexadecimal", purchase("0x64"), "INVALID_JSON"],
  ["an amount with a leading zero", purchase("0100"), "INVALID_JSON"],
  ["an amount with a plus sign", purchase("+100"), "INVALID_JSON"],
  ["an amount with an underscore", purchase("1_000"), "INVALID_JSON"],
  ["a NUL byte in a text", purchase('"100\u0000"'), "INVALID_JSON"],
  ["a line break in a text", purchase('"100\n"'), "INVALID_JSON"],
  ["lists in lists in lists", "[".repeat(deepest) + "]".repeat(deepest), "INVALID_JSON"],
  ["lists that never close", "[".repeat(500_000), "INVALID_JSON"],
  ["objects in objects", `${'{"a":'.repeat(deepest)}1${"}".repeat(deepest)}`, "INVALID_JSON"],
  [
    "metadata that deep",
    purchase("100", `,"metadata":${'{"a":'.repeat(deepest)}1${"}".repeat(deepest)}`),
    "INVALID_JSON",
  ],
  ["__proto__", purchase("100", ',"__proto__":{"amount":1}'), "INVALID_JSON"],
  ["__proto__ in metadata", purchase("100", ',"metadata":{"a":{"__proto__":null}}'), "INVALID_JSON"],
  ["__proto__ in disguise", purchase("100", ',"\\u005f_proto__":{"amount":1}'), "INVALID_JSON"],
  ["constructor.prototype", purchase("100", ',"constructor":{"prototype":{"amount":1}}'), "INVALID_JSON"],
  ["a byte that is no UTF-8", Buffer.from(purchase('"\xff"'), "latin1"), "INVALID_JSON"],
  ["an overlong slash", Buffer.from(purchase('"\xc0\xaf"'), "latin1"), "INVALID_JSON"],
  ["a surrogate in UTF-8", Buffer.from(purchase('"\xed\xa0\x80"'), "latin1"), "INVALID_JSON"],
  ["UTF-16", Buffer.from(purchase("100"), "utf16le"), "INVALID_JSON"],
];

const malformed: readonly Case[] = [
  ["null", "null", "VALIDATION_ERROR"],
  ["a list", `[${purchase("100")}]`, "VALIDATION_ERROR"],
  ["a text", JSON.stringify(purchase("100")), "VALIDATION_ERROR"],
  ["a number", "100", "VALIDATION_ERROR"],
  ["an empty object", "{}", "VALIDATION_ERROR"],
  ["an amount of 1e400", purchase("1e400"), "VALIDATION_ERROR"],
  ["an amount of 1e21", purchase("1e21"), "VALIDATION_ERROR"],
  ["an exponent in a text", purchase('"1e2"'), "VALIDATION_ERROR"],
  ["an amount of -100", purchase("-100"), "VALIDATION_ERROR"],
  ["an amount of 0", purchase("0"), "VALIDATION_ERROR"],
  ["an amount of -0", purchase("-0"), "VALIDATION_ERROR"],
  ["an amount of 0.00", purchase("0.00"), "VALIDATION_ERROR"],
  ["an amount of 100.005", purchase("100.005"), "VALIDATION_ERROR"],
  ["an amount in Arabic digits", purchase('"١٠٠"'), "VALIDATION_ERROR"],
  ["an amount in full-width digits", purchase('"１００"'), "VALIDATION_ERROR"],
  ["an amount with a naira sign", purchase('"₦100"'), "VALIDATION_ERROR"],
  ["an amount that overflows", purchase("9".repeat(400)), "VALIDATION_ERROR"],
  ["an amount of a thousand digits", purchase(`"${"9".repeat(1_000)}"`), "VALIDATION_ERROR"],
  ["an amount in a list", purchase("[100]"), "VALIDATION_ERROR"],
  ["an amount of true", purchase("true"), "VALIDATION_ERROR"],
  ["an amount of null", purchase("null"), "VALIDATION_ERROR"],
  ["a product of 10^28", purchase("100", `,"product_id":1${"0".repeat(28)}`), "VALIDATION_ERROR"],
  ["a product of 2^53 + 1", purchase("100", ',"product_id":9007199254740993'), "VALIDATION_ERROR"],
  ["a NUL escape", purchase('"100\\u0000"'), "VALIDATION_ERROR"],
  ["a NUL in metadata", purchase("100", ',"metadata":{"note":"\\u0000"}'), "VALIDATION_ERROR"],
  ["a NUL in a key of metadata", purchase("100", ',"metadata":{"\\u0000":1}'), "VALIDATION_ERROR"],
  ["half a surrogate pair", purchase("100", ',"metadata":{"note":"\\ud83d"}'), "VALIDATION_ERROR"],
  ["a pair the wrong way round", purchase("100", ',"metadata":{"note":"\\ude00\\ud83d"}'), "VALIDATION_ERROR"],
  ["a list of metadata", purchase("100", ',"metadata":[{"a":1}]'), "VALIDATION_ERROR"],
  ["a megabyte of metadata", purchase("100", `,"metadata":{"a":"${"x".repeat(1_000_000)}"}`), "VALIDATION_ERROR"],
  ["a megabyte of phone", purchase("100").replace("08031234567", "0 ".repeat(500_000)), "INVALID_PHONE"],
  ["SQL in the reference", purchase("100").replace("bad", "bad'; drop table purchases; --"), "INVALID_REFERENCE"],
];

describe.each([
  ["unreadable", unreadable],
  ["malformed", malformed],
])("400 a body that is %s", (_name, cases) => {
  test.each(cases)("%s is refused, and costs nothing", async (_case, body, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body?.code], JSON.stringify(answer.body)).toEqual([400, code]);
    const { errors, meta } = answer.body;
    expectProblem(answer, 400, code, { ...(errors && { fields: Object.keys(errors) }), ...(meta && { meta }) });
    expectHeaders(answer, { mode: "test", known: true });
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
  });
});

describe("413", () => {
  test("a body of 10 MB", async () => {
    const answer = await post(Buffer.alloc(10_485_760, " "));
    expectProblem(answer, 413, "PAYLOAD_TOO_LARGE");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test("one that does not say how long it is", async () => {
    const head = ["POST /api/v1/merchant/airtime/purchase HTTP/1.1", "Content-Type: application/json"];
    const chunk = `20000\r\n${" ".repeat(0x20000)}\r\n`;
    const answer = await send({ head: [...head, "Transfer-Encoding: chunked"], body: chunk.repeat(12) });
    expectProblem(answer, 413, "PAYLOAD_TOO_LARGE");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test.each([
    ["a path", `GET /api/v1/merchant/${"a".repeat(20_000)} HTTP/1.1`, []],
    ["a header", "GET /api/v1/merchant/wallet/balance HTTP/1.1", [`X-Long: ${"a".repeat(20_000)}`]],
  ])("%s of 20 kB", async (_name, line, headers) => {
    const answer = await send({ head: [line, ...headers] });
    expectProblem(answer, 413, "PAYLOAD_TOO_LARGE");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  });
});

describe("415", () => {
  test.each([
    ["no content type", []],
    ["an empty one", ["Content-Type: "]],
    ["a form", ["Content-Type: application/x-www-form-urlencoded"]],
    ["plain text", ["Content-Type: text/plain"]],
    ["something like JSON", ["Content-Type: application/jsonp"]],
    ["nonsense", ["Content-Type: ;;;"]],
    ["JSON in Latin-1", ["Content-Type: application/json; charset=iso-8859-1"]],
    ["JSON in UTF-16", ["Content-Type: application/json; charset=utf-16"]],
  ])("a body that comes as %s is not read", async (_name, headers) => {
    const answer = await post(purchase("100"), headers);
    expectProblem(answer, 415, "UNSUPPORTED_MEDIA_TYPE");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test.each(["gzip", "br", "compress"])("a body that says it is %s", async (encoding) => {
    const body = gzipSync(purchase("100"));
    const answer = await post(body, ["Content-Type: application/json", `Content-Encoding: ${encoding}`]);
    expectProblem(answer, 415, "UNSUPPORTED_MEDIA_TYPE");
  });
});

describe("a message that is no HTTP", () => {
  const line = "POST /api/v1/merchant/airtime/purchase HTTP/1.1";
  const json = "Content-Type: application/json";
  const body = purchase("100");

  test.each<[string, string[]]>([
    ["a length in letters", [line, json, "Content-Length: many"]],
    ["a negative length", [line, json, "Content-Length: -1"]],
    ["two lengths", [line, json, "Content-Length: 5", "Content-Length: 90"]],
    ["a length and chunks", [line, json, lengthOf(body), "Transfer-Encoding: chunked"]],
    ["chunks that are none", [line, json, "Transfer-Encoding: chunked"]],
    ["an unknown method", ["BREW /api/v1/merchant/wallet/balance HTTP/1.1"]],
    ["a space in the path", ["GET /api/v1/merchant/wallet balance HTTP/1.1"]],
    ["a header without a colon", [line, json, lengthOf(body), "Nonsense"]],
    ["HTTP/3 in words", ["GET /api/v1/merchant/wallet/balance HTTP/3.0"]],
  ])("400 %s", async (_name, head) => {
    const answer = await send({ head, body });
    expectProblem(answer, 400, "INVALID_JSON");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("400 a length that is too short cuts the body", async () => {
    expectProblem(await send({ head: [line, json, "Content-Length: 20"], body }), 400, "INVALID_JSON");
  });

  test("a length that is too long, and then silence: nobody is left to answer", async () => {
    const head = [line, "Host: x", `Authorization: Bearer ${key}`, json, `Content-Length: ${body.length + 1}`];
    const answer = await sendRaw(app.url, { head, body, hangUp: true });
    expect([null, 400]).toContain(answer?.status ?? null);
  });

  test("bytes of another protocol", async () => {
    const answer = await sendRaw(app.url, { head: ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"] });
    expect(answer?.status).toBe(400);
  });
});

describe("paths and methods", () => {
  test.each([
    "/api/v1/merchant/../../../etc/passwd",
    "/api/v1/merchant/wallet/../wallet/balance",
    "/api/v1/merchant/%2e%2e/%2e%2e/healthz",
    "/api/v1/merchant//wallet/balance",
    "/api/v1/merchant/wallet%2Fbalance",
    "/api/v1/merchant/wallet/balance%00",
    "/api/v1/merchant/wallet;a=b/balance",
    "/api/v1/merchant",
    "/api/v1/merchant/",
    "/api/v1/merchant/nothing",
    "/api/v1/merchant/bulk/",
    `/api/v1/merchant/${"a/".repeat(4_000)}`,
  ])("404 GET %s, once the key is known", async (path) => {
    const answer = await send({ head: [`GET ${path} HTTP/1.1`] });
    expectProblem(answer, 404, "NOT_FOUND");
    expectHeaders(answer, { mode: "test", known: true });
  });

  test.each([
    ["/api/v1/merchant/transactions/%", "TRANSACTION_NOT_FOUND", true],
    ["/api/v1/merchant/transactions/%zz", "TRANSACTION_NOT_FOUND", true],
    ["/%c0%ae%c0%ae/", "NOT_FOUND", false],
    ["/v2", "NOT_FOUND", false],
    ["/index.html", "NOT_FOUND", false],
  ] as const)("404 GET %s: %s, a key is asked for: %s", async (path, code, known) => {
    const answer = await send({ head: [`GET ${path} HTTP/1.1`] });
    expectProblem(answer, 404, code);
    expectHeaders(answer, { mode: "test", known });
  });

  test.each(["/api/data/%zz", "/api/topup/%", "/api/user/%c0%ae?a=b"])(
    "404 GET %s, in the words that legacy clients read",
    async (path) => {
      const answer = await send({ head: [`GET ${path} HTTP/1.1`] });
      const text = "Not found.";
      const body = { Status: "failed", status: "failed", message: text, error: [text], detail: text };
      expect([answer.status, answer.body]).toEqual([404, body]);
      expectHeaders(answer, { mode: "test", known: true });
    },
  );

  test.each(["PROPFIND", "TRACE", "OPTIONS", "M-SEARCH"])("405 %s is none of its methods", async (method) => {
    const answer = await send({ head: [`${method} /api/v1/merchant/wallet/balance HTTP/1.1`] });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  test("200 a GET with a body, which nobody reads", async () => {
    const body = "{ not even JSON";
    const head = ["GET /api/v1/merchant/wallet/balance HTTP/1.1", "Content-Type: application/json", lengthOf(body)];
    const answer = await send({ head, body });
    expect([answer.status, answer.body.balance]).toEqual([200, "100000.00"]);
  });
});

describe("what is unusual and right", () => {
  test.each([
    ["a name twice: the last one counts", purchase("999999", ',"amount":"100"'), "96.80"],
    ["digits as text", purchase('"100"'), "96.80"],
    ["a byte order mark", `\ufeff${purchase("100")}`, "96.80"],
    ["a decimal point and nothing but zeros", purchase("100.00"), "96.80"],
    ["an exponent in a number", purchase("1E+2"), "96.80"],
    ["an escaped text", purchase('"\\u0031\\u0030\\u0030"'), "96.80"],
    ["a whole surrogate pair in metadata", purchase("100", ',"metadata":{"note":"\\ud83d\\ude00"}'), "96.80"],
    ["the word __proto__ in a text", purchase("100", ',"metadata":{"note":"__proto__"}'), "96.80"],
  ])("201 %s", async (name, body, total) => {
    const { testKey } = await app.createMerchant();
    const answer = await app.call(testKey, "/airtime/purchase", { body });
    expect([answer.status, answer.body.total_deducted], name).toEqual([201, total]);
  });

  test.each([
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "APPLICATION/JSON",
    "application/json; v=1",
  ])("201 %s is JSON", async (type) => {
    const { testKey } = await app.createMerchant();
    const options = { body: purchase("100"), headers: { "content-type": type } };
    expect((await app.call(testKey, "/airtime/purchase", options)).status).toBe(201);
  });
});
