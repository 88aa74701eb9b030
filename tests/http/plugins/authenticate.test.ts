import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { newMerchant, systemClock } from "../../../rigs/base/merchants.ts";
import { setAllowlist, setMerchantStatus, switchSandbox } from "../../../src/domain/merchants/administration.ts";
import { revokeKey } from "../../../src/domain/merchants/api-keys.ts";
import { mintKey } from "../../../src/domain/merchants/key-format.ts";
import { listApiKeys } from "../../../src/domain/merchants/key-queries.ts";
import type { Queryable } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { type Answer, openDoor } from "../../support/door.ts";
import { ownDatabase } from "../../support/merchants.ts";

const own = closing(await ownDatabase());
const merchant = await newMerchant(own.database, { approved: true });
const live = merchant.liveKey as string;
const door = closing(await openDoor({ database: own.database, limit: 100_000 }));

const administration = () => ({ database: own.database, clock: systemClock });
const bearer = (key: string) => ["Authorization", `Bearer ${key}`];

/** Asks until a change is felt, which takes up to a second. */
async function eventually(question: () => Promise<Answer>, status: number): Promise<Answer> {
  for (let tries = 0; tries < 400; tries++) {
    const answer = await question();
    if (answer.status === status) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never answered ${status}`);
}

describe("200", () => {
  test.each([
    ["Authorization: Bearer", (key: string) => ["Authorization", `Bearer ${key}`]],
    ["Authorization: Token", (key: string) => ["Authorization", `Token ${key}`]],
    ["X-API-Key", (key: string) => ["X-API-Key", key]],
    ["a scheme in another case", (key: string) => ["authorization", `bEaReR   ${key}`]],
    ["one key in two headers", (key: string) => ["Authorization", `Token ${key}`, "x-api-key", key]],
  ])("a key is taken as %s", async (_, headers) => {
    const answer = await door.ask("GET", "/m/who", headers(live));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ merchantId: merchant.id, mode: "live" });
    expect(answer.headers["x-api-mode"]).toBe("live");
  });

  test("the key decides the mode", async () => {
    const answer = await door.ask("GET", "/m/who", bearer(merchant.testKey));
    expect(answer.body).toMatchObject({ merchantId: merchant.id, mode: "test" });
    expect(answer.headers["x-api-mode"]).toBe("test");
  });
});

describe("401", () => {
  const unknown = () => mintKey("live", randomBytes).text;
  const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, "");

  test("unknown, revoked and expired are one answer, but for its request id", async () => {
    const other = await newMerchant(own.database, { approved: true });
    const [revoked, expired] = await listApiKeys(own.database, other.id);
    await revokeKey(administration(), revoked?.id as never);
    await own.fresh.pool.query(
      "update api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id = $1",
      [expired?.id],
    );
    const answers = [
      await door.ask("GET", "/m/who", bearer(unknown())),
      await door.ask("GET", "/m/who", bearer(other.testKey)),
      await door.ask("GET", "/m/who", bearer(other.liveKey as string)),
      await door.ask("POST", "/m/echo", [...bearer(unknown()), "Content-Type", "application/json"], "{broken"),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map(({ text }) => withoutId(text))).size).toBe(1);
    expect(answers[0]?.body).toEqual({
      status: "error",
      code: "UNAUTHORIZED",
      message: "A valid API key is required.",
      request_id: answers[0]?.headers["x-request-id"],
      doc_url: "http://127.0.0.1/docs/errors#UNAUTHORIZED",
    });
  });

  test.each([
    ["missing", [], "No API key was sent."],
    ["empty", ["X-API-Key", ""], "No API key was sent."],
    ["of another scheme", ["Authorization", "Basic dXNlcjpwYXNz"], "The request must carry one API key"],
    ["without a scheme", ["Authorization", mintKey("live", randomBytes).text], "The request must carry one API key"],
    ["malformed", bearer("ds_live_malformed"), "What was sent is no API key"],
    ["of somebody else's form", bearer("sk_live_51Habcdefghijklm"), "What was sent is no API key"],
  ])("a key that is %s is told how to send one, and repeated nowhere", async (_what, headers, beginning) => {
    const { status, body, text } = await door.ask("GET", "/m/who", headers);
    expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(body.message.startsWith(beginning)).toBe(true);
    expect(body.message).toContain("Authorization: Bearer <key>, Authorization: Token <key> or X-API-Key: <key>.");
    expect(text).not.toMatch(/malformed|51Habc|dXNlcjpwYXNz/);
  });

  test.each([
    ["two headers of different forms", (a: string, b: string) => ["Authorization", `Bearer ${a}`, "X-API-Key", b]],
    [
      "two headers of one name",
      (a: string, b: string) => ["Authorization", `Bearer ${a}`, "authorization", `Bearer ${b}`],
    ],
    ["two X-API-Key headers", (a: string, b: string) => ["X-API-Key", a, "X-API-Key", b]],
    ["another scheme beside the key", (a: string) => ["Authorization", "Basic dXNlcjpwYXNz", "X-API-Key", a]],
  ])("different credentials in %s let nobody in, and show no mode", async (_, headers) => {
    const answer = await door.ask("GET", "/m/who", headers(live, merchant.testKey));
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toHaveProperty("x-api-mode");
  });

  test("shows the mode that an unknown key claims, and none without a claim", async () => {
    expect((await door.ask("GET", "/m/who", bearer(unknown()))).headers["x-api-mode"]).toBe("live");
    expect((await door.ask("GET", "/m/who", bearer("ds_test_x"))).headers["x-api-mode"]).toBe("test");
    expect((await door.ask("GET", "/m/who", bearer("sk_live_x"))).headers).not.toHaveProperty("x-api-mode");
    expect((await door.ask("GET", "/m/who")).headers).not.toHaveProperty("x-api-mode");
  });
});

describe("403", () => {
  test("in the contract's order: suspended, not approved or switched off, address; the rate headers are there", async () => {
    const strict = await newMerchant(own.database);
    const question = () => door.ask("GET", "/m/who", bearer(strict.testKey));
    await setAllowlist(administration(), strict.id, ["203.0.113.0/24"]);
    const address = await eventually(question, 403);
    expect(address.body.code).toBe("IP_NOT_ALLOWED");
    expect(address.headers.ratelimit).toMatch(/^"key";r=\d+;t=\d+$/);
    expect(address.headers["ratelimit-policy"]).toBe('"key";q=100000;w=60');
    await switchSandbox(administration(), false);
    try {
      await expect.poll(async () => (await question()).body.code).toBe("SANDBOX_DISABLED");
      expect((await door.ask("GET", "/m/who", bearer(live))).status).toBe(200);
      await setMerchantStatus(administration(), strict.id, "suspended");
      await expect.poll(async () => (await question()).body.code).toBe("ACCOUNT_SUSPENDED");
    } finally {
      await switchSandbox(administration(), true);
    }
  });

  test("a live key of an account whose approval was taken back does not work", async () => {
    const withdrawn = await newMerchant(own.database, { approved: true });
    await own.fresh.pool.query("update merchants set api_approved_at = null where id = $1", [withdrawn.id]);
    const answer = await door.ask("GET", "/m/who", bearer(withdrawn.liveKey as string));
    expect([answer.status, answer.body.code]).toEqual([403, "API_ACCESS_NOT_APPROVED"]);
    expect((await door.ask("GET", "/m/who", bearer(withdrawn.testKey))).status).toBe(200);
  });

  test("behind a configured proxy the client's address counts, and only what that proxy wrote", async () => {
    const listed = await newMerchant(own.database);
    await setAllowlist(administration(), listed.id, ["203.0.113.0/24"]);
    const behindProxy = await openDoor({ database: own.database, proxies: ["127.0.0.0/8"] });
    const from = async (chain: string) =>
      (await behindProxy.ask("GET", "/m/who", [...bearer(listed.testKey), "X-Forwarded-For", chain])).status;
    try {
      expect(await from("203.0.113.9")).toBe(200);
      expect(await from("203.0.113.9, 198.51.100.1")).toBe(403);
      expect(await from("198.51.100.1, 203.0.113.9")).toBe(200);
      expect(await from("203.0.113.9, garbage")).toBe(403);
      expect(
        (await door.ask("GET", "/m/who", [...bearer(listed.testKey), "X-Forwarded-For", "203.0.113.9"])).status,
      ).toBe(403);
    } finally {
      await behindProxy.close();
    }
  });
});

describe("429", () => {
  test("comes after the limit, says when to try again, and leaves the account's other key alone", async () => {
    const limited = await openDoor({ database: own.database, limit: 5 });
    const busy = await newMerchant(own.database, { approved: true });
    try {
      const answers: Answer[] = [];
      for (let i = 0; i < 7; i++) answers.push(await limited.ask("GET", "/m/who", bearer(busy.testKey)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(answers.slice(0, 5).map(({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1])).toEqual([
        "4",
        "3",
        "2",
        "1",
        "0",
      ]);
      const last = answers[6];
      expect(last?.body).toMatchObject({ status: "error", code: "RATE_LIMITED" });
      expect(Number(last?.headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(last?.headers["retry-after"])).toBeLessThanOrEqual(65);
      expect(last?.headers.ratelimit).toBe(`"key";r=0;t=${last?.headers["retry-after"]}`);
      expect(last?.headers["ratelimit-policy"]).toBe('"key";q=5;w=60');
      expect(last?.headers["x-api-mode"]).toBe("test");
      expect((await limited.ask("GET", "/m/who", bearer(busy.liveKey as string))).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test("comes before the body is read, which a spent key can't make us do", async () => {
    const limited = await openDoor({ database: own.database, limit: 1 });
    const busy = await newMerchant(own.database);
    try {
      await limited.ask("GET", "/m/who", bearer(busy.testKey));
      const answer = await limited.ask("POST", "/m/echo", [...bearer(busy.testKey), "Content-Type", "text/html"], "{");
      expect(answer.status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test("meets a source after 300 failed authentications, and never a key that works", async () => {
    const guarded = await openDoor({ database: own.database, limit: 100_000 });
    const statusOf = async (headers: string[]) => (await guarded.ask("GET", "/m/who", headers)).status;
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 302; i++) statuses.push(await statusOf(bearer(`ds_test_${i}`)));
      // The minute may have ended meanwhile; then the count began anew.
      expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300);
      for (let i = 0; i < 302 && statuses.at(-1) !== 429; i++) statuses.push(await statusOf([]));
      expect(statuses.at(-1)).toBe(429);
      const refused = await guarded.ask("GET", "/m/who");
      expect(refused.body.code).toBe("RATE_LIMITED");
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      expect(await statusOf(bearer(live))).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});

describe("503", () => {
  test("says try again when the database is away, as nothing has happened yet", async () => {
    let away = false;
    const database: Queryable = {
      query: (statement, values) =>
        away ? Promise.reject(new Error("Connection terminated unexpectedly")) : own.database.query(statement, values),
    };
    const stranded = await openDoor({ database });
    try {
      expect((await stranded.ask("GET", "/m/who", bearer(live))).status).toBe(200);
      away = true;
      const answer = await eventually(() => stranded.ask("GET", "/m/who", bearer(live)), 503);
      expect(answer.body.code).toBe("MAINTENANCE");
      expect(answer.headers["retry-after"]).toBe("2");
      away = false;
      await eventually(() => stranded.ask("GET", "/m/who", bearer(live)), 200);
    } finally {
      await stranded.close();
    }
  });
});
