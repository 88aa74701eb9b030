import { describe, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { bodyBytesMax } from "../../../src/http/plugins/json-reader.ts";
import { closing } from "../../support/closing.ts";
import { type Answer, openDoor } from "../../support/door.ts";
import { ownDatabase } from "../../support/merchants.ts";

const own = closing(await ownDatabase());
const door = closing(await openDoor({ database: own.database, limit: 100_000 }));
const key = ["X-API-Key", (await newMerchant(own.database)).testKey];

const get = (path: string, ...headers: string[]) => door.ask("GET", path, [...key, ...headers]);

function expectOwnHeaders(answer: Answer): void {
  expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(answer.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
  });
}

describe("a refusal", () => {
  test("is the contract's body, with its fields' errors and numbers", async () => {
    const answer = await get("/m/refused", "X-Request-Id", "order-7.retry_2");
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      status: "error",
      code: "AMOUNT_OUT_OF_RANGE",
      message: "Amount must be between 50.00 and 50000.00.",
      errors: { amount: ["Must be at least 50.00."] },
      meta: { min_amount: "50.00", max_amount: "50000.00" },
      request_id: "order-7.retry_2",
      doc_url: "http://127.0.0.1/docs/errors#AMOUNT_OUT_OF_RANGE",
    });
    expectOwnHeaders(answer);
    expect(answer.headers["x-request-id"]).toBe("order-7.retry_2");
  });

  test("that something is unavailable says when to try again", async () => {
    const answer = await get("/m/away");
    expect(answer.status).toBe(503);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.body).not.toHaveProperty("errors");
    expect(answer.body).not.toHaveProperty("meta");
  });
});

describe("a database that went away under a request", () => {
  test("is no fault to one who only reads: the same may be asked again", async () => {
    const answer = await get("/m/lost", "X-Request-Id", "lost-1");
    expect([answer.status, answer.body.code, answer.headers["retry-after"]]).toEqual([503, "MAINTENANCE", "2"]);
    expect(door.log.filter((line) => line.includes("lost-1"))).toEqual([]);
  });

  test("leaves open what became of anything else", async () => {
    const answer = await door.ask("POST", "/m/lost", key);
    expect([answer.status, answer.body.code]).toEqual([500, "INTERNAL_ERROR"]);
  });
});

describe("a fault of ours", () => {
  test("tells the client nothing but its request id, and the log no key and no row", async () => {
    const answer = await get("/m/broken", "X-Request-Id", "trace-me");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      status: "error",
      code: "INTERNAL_ERROR",
      message: "Something went wrong on our side.",
      request_id: "trace-me",
      doc_url: "http://127.0.0.1/docs/errors#INTERNAL_ERROR",
    });
    expectOwnHeaders(answer);
    const line = door.log.find((text) => text.includes("trace-me")) ?? "";
    expect(line).toContain("is not what I thought");
    expect(line).not.toContain("ds_live_0123456789");
    expect(line).not.toContain("08031234567");
  });
});

describe("the log of a fault", () => {
  const faultOf = (requestId: string) =>
    JSON.parse(door.log.find((line) => line.includes(requestId)) ?? "null")?.fault as Record<string, unknown>;

  test("tells the database's own code, which hides in no place that holds secrets", async () => {
    expect((await get("/m/divided", "X-Request-Id", "divided-1")).status).toBe(500);
    expect(faultOf("divided-1")).toMatchObject({ message: "division by zero", sqlState: "22012" });
  });

  test("tells what the system said of a connection", async () => {
    const answer = await door.ask("POST", "/m/unreachable", [...key, "X-Request-Id", "unreachable-1"]);
    expect(answer.status).toBe(500);
    expect(faultOf("unreachable-1")).toMatchObject({ errno: "ECONNREFUSED" });
  });
});

describe("a request id", () => {
  test.each(["a".repeat(65), "with space", "semi;colon", "ünïcode"])("of %j is not taken over", async (id) => {
    const answer = await get("/m/who", "X-Request-Id", Buffer.from(id).toString("latin1"));
    expect(answer.headers["x-request-id"]).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test("is made anew for each request without one, in the order of time", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 300; i++) ids.push(String((await door.ask("GET", "/open")).headers["x-request-id"]));
    expect(new Set(ids).size).toBe(300);
    expect(ids.map((id) => id.slice(4, 14))).toEqual(ids.map((id) => id.slice(4, 14)).sort());
  });
});

describe("a path", () => {
  test("that is unknown is 404 behind the key, and open paths need none", async () => {
    const answer = await get("/m/nothing/here");
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    expectOwnHeaders(answer);
    expect(answer.headers["x-api-mode"]).toBe("test");
    expect(answer.headers.ratelimit).toBeDefined();
    expect((await door.ask("GET", "/m/nothing/here")).status).toBe(401);
    expect((await door.ask("GET", "/nothing")).status).toBe(404);
    expect((await get("/nothing")).headers["x-api-mode"]).toBe("test");
  });

  test.each([
    ["POST", "/m/who", "GET, HEAD"],
    ["PUT", "/m/things/abc-123", "DELETE, GET, HEAD"],
    ["OPTIONS", "/m/echo", "POST"],
    ["HEAD", "/m/echo", "POST"],
    ["TRACE", "/m/echo?a=b", "POST"],
    ["PROPFIND", "/m/who", "GET, HEAD"],
    ["POST", "/m/%77ho", "GET, HEAD"],
  ])("that exists takes %s %s with 405 and what it allows", async (method, path, allow) => {
    const answer = await door.ask(method, path, key);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    if (method !== "HEAD") expect(answer.body.code).toBe("METHOD_NOT_ALLOWED");
  });

  test.each([
    ["of another type", "text/xml", "<phone/>"],
    ["that is no JSON", "application/json", "{broken"],
    ["that is too large", "application/json", " ".repeat(bodyBytesMax + 1)],
  ])("that is unknown or takes another method is told so whatever body comes along: one %s", async (_, type, body) => {
    const headers = ["Content-Type", type];
    const unknown = await door.ask("POST", "/m/nothing", [...key, ...headers], body);
    expect([unknown.status, unknown.body.code]).toEqual([404, "NOT_FOUND"]);
    const other = await door.ask("POST", "/m/who", [...key, ...headers], body);
    expect([other.status, other.headers.allow]).toEqual([405, "GET, HEAD"]);
    expect((await door.ask("POST", "/m/nothing", headers, body)).status).toBe(401);
    expect((await door.ask("POST", "/nothing", headers, body)).status).toBe(404);
  });

  test("with half a path of a route is unknown, not another method's", async () => {
    expect((await door.ask("PUT", "/m/things", key)).status).toBe(404);
    expect((await door.ask("PUT", "/m/things/a/b", key)).status).toBe(404);
    expect((await door.ask("PUT", "/m/things/", key)).status).toBe(404);
  });

  test.each(["/m/%ZZ"])("that the router cannot read (%s) is 404", async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    expectOwnHeaders(answer);
    expect(answer.headers["x-api-mode"]).toBe("test");
  });
});
