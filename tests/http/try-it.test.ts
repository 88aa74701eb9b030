import type { FastifyInstance } from "fastify";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Account } from "../../src/domain/merchants/merchant.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { offeredOperations } from "../../src/http/try-it/offered-operations.ts";
import { builtRequest, visitorHeader } from "../../src/http/try-it/try-it.ts";
import type { Refusal } from "../../src/kernel/problems.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";

let server: FastifyInstance;
let merchant: RegisteredMerchant;
let account: Account;

const app = closing(
  await startApp({
    async onBuilt(built) {
      server = built;
    },
  }),
);
beforeEach(async () => {
  merchant = await app.createMerchant();
  const found = await app.services.keyring.find(merchant.testKey);
  if (found === null) throw new Error("no account");
  account = { ...found, principal: { ...found.principal, keyId: null } };
});

const url = "/api/v1/merchant/wallet/balance";
const within = (name: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { [visitorHeader]: name, ...headers } });

describe("the name under which a request of the console comes", () => {
  test("lets one request in, and none that comes later", async () => {
    const name = app.services.visitors.announce(account);
    const first = await within(name);
    expect([first.statusCode, first.headers["x-api-mode"]]).toEqual([200, "test"]);
    expect((await within(name)).json()).toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("lets nobody in who made it up, or who comes by a connection, or for whom it was dismissed", async () => {
    const name = app.services.visitors.announce(account);
    for (const each of [name, "", "A".repeat(43), name.toUpperCase()]) {
      const answer = await app.call(null, "/wallet/balance", { headers: { [visitorHeader]: each } });
      expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHORIZED"]);
    }
    expect((await within("A".repeat(43))).statusCode).toBe(401);
    const other = app.services.visitors.announce(account);
    app.services.visitors.dismiss(other);
    expect((await within(other)).statusCode).toBe(401);
    expect((await within(name)).statusCode).toBe(200);
  });

  test("is looked at where no key was sent, and is no word to a request that has one", async () => {
    const name = app.services.visitors.announce(account);
    const stranger = await app.createMerchant({ testCredit: null });
    const keyed = await within(name, { authorization: `Bearer ${stranger.liveKey}` });
    expect(keyed.headers["x-api-mode"]).toBe("live");
    expect((await within(name, { authorization: "Basic eDp5" })).statusCode).toBe(401);
    expect((await within(name)).statusCode).toBe(200);
  });

  test("opens no door that is closed to the merchant's keys", async () => {
    const closed = { ...account, status: "suspended" as const };
    expect((await within(app.services.visitors.announce(closed))).json()).toMatchObject({ code: "ACCOUNT_SUSPENDED" });
    const off = { ...account, sandboxOn: false };
    expect((await within(app.services.visitors.announce(off))).json()).toMatchObject({ code: "SANDBOX_DISABLED" });
  });

  test("counts all of a merchant's members together, and none of its keys", async () => {
    const left = async (name: string) => Number(/r=(\d+)/.exec(String((await within(name)).headers.ratelimit))?.[1]);
    const before = await left(app.services.visitors.announce(account));
    expect(await left(app.services.visitors.announce(account))).toBe(before - 1);
    const { rows } = await app.fresh.pool.query("select key_id from request_counts where key_id < 0");
    expect(rows).toContainEqual({ key_id: -merchant.id });
  });
});

test("a request of a member is in the log with its answer, and gives its place back", async () => {
  await within(app.services.visitors.announce(account));
  await app.services.requestLog.flush();
  const { rows } = await app.fresh.pool.query(
    "select method, status, code, key_id, case when wallet_id > 0 then 'live' else 'test' end as mode from request_log where abs(wallet_id) = $1",
    [merchant.id],
  );
  expect(rows).toEqual([{ method: "GET", status: 200, code: null, key_id: null, mode: "test" }]);
});

describe("what is typed", () => {
  let operations: ReturnType<typeof offeredOperations>;
  beforeAll(() => {
    operations = offeredOperations(server.swagger() as never);
  });
  const build = (id: string, parameters: Record<string, string>, body = "") => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`no ${id}`);
    return builtRequest(operation, { parameters, body });
  };
  const faultOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return (error as Refusal).detail.errors ?? {};
    }
    return null;
  };

  test("stays in its place of the path, whatever it is", () => {
    const under = "/api/v1/merchant/transactions/";
    for (const typed of ["../wallet/balance", "a/b", "a?mode=live", "a#b", "%2e%2e", "{reference}", "$&", "..%2f"]) {
      const { path } = build("getTransaction", { reference: typed });
      const { pathname, search } = new URL(path, "http://console.example");
      expect(pathname.startsWith(under) && !pathname.slice(under.length).includes("/")).toBe(true);
      expect([decodeURIComponent(pathname.slice(under.length)), search]).toEqual([typed, ""]);
    }
    for (const typed of ["", ".", "..", "x".repeat(201)])
      expect(faultOf(() => build("getTransaction", { reference: typed }))).toHaveProperty("reference");
  });

  test("is a filter where it is one, and nothing where it is none that was asked for", () => {
    const typed = { q: "a&category=data", category: "", mode: "live", page: "2" };
    expect(build("listBillers", typed).path).toBe("/api/v1/merchant/billers?q=a%26category%3Ddata");
  });

  test("is sent as a body as it is, once it is JSON of some 16 kB at most", () => {
    const body = '{ "reference": "a",\n "amount": 100.00 }';
    expect(build("buyAirtime", {}, body)).toEqual({ method: "POST", path: expect.any(String), body });
    for (const wrong of ["", "{", "reference=a", `"${"x".repeat(16_384)}"`])
      expect(faultOf(() => build("buyAirtime", {}, wrong))).toHaveProperty("body");
    expect(build("getWalletBalance", {}, "{").body).toBeNull();
  });

  test("may be each example of the document, which works as it stands", async () => {
    expect(operations.length).toBeGreaterThan(10);
    for (const { id, examples } of operations) {
      for (const { body } of examples) {
        const request = build(id, {}, JSON.stringify(body));
        const headers = {
          "content-type": "application/json",
          [visitorHeader]: app.services.visitors.announce(account),
        };
        const answer = await server.inject({ method: "POST", url: request.path, headers, payload: request.body ?? "" });
        expect([id, answer.statusCode < 300]).toEqual([id, true]);
      }
    }
  });
});
