import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webhookSettings } from "../../../src/http/webhook-schemas.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeDoor } from "../../support/reading-endpoint.ts";
import { expectHeaders, expectProblem, expectShape } from "../../support/wire-expectations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const url = "https://example.com/webhooks";

describeDoor({ method: "GET", path: "/webhook", allow: ["GET", "PUT"] }, () => app);

describe("200", () => {
  test("before anything was set, with a key of either mode", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    for (const [key, mode] of [[testKey, "test"] as const, [liveKey, "live"] as const]) {
      const answer = await app.call(key, "/webhook");
      expect(answer.status).toBe(200);
      expectHeaders(answer, { mode, known: true });
      expectShape(webhookSettings, answer.body);
      expect(answer.body).toEqual({
        url: null,
        enabled: false,
        events: ["*"],
        notify: "changes",
        secret_hint: null,
        previous_secret_expires_at: null,
        updated_at: null,
      });
    }
  });

  test("never tells the secret, and is felt at once in both modes", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    const body = { url, notify: "all", events: ["transaction.failed"] };
    const { secret, ...saved } = (await app.call(liveKey, "/webhook", { method: "PUT", body })).body;
    for (const key of [testKey, liveKey]) {
      const answer = await app.call(key, "/webhook");
      expectShape(webhookSettings, answer.body);
      expect(answer.body).toEqual(saved);
      expect(JSON.stringify(answer.body)).not.toContain(secret.slice(6, 40));
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("with a sandbox key of a merchant that is not approved yet", async () => {
    const { testKey } = await app.createMerchant({ approved: false });
    expect((await app.call(testKey, "/webhook", { method: "PUT", body: { url } })).status).toBe(200);
    expect((await app.call(testKey, "/webhook")).body.url).toBe(url);
  });
});

test("404 below it there is nothing but its test and its deliveries", async () => {
  for (const path of ["/webhook/", "/webhook/secret", "/webhooks"]) {
    expectProblem(await app.call(app.merchant.testKey, path), 404, "NOT_FOUND");
  }
});
