import { describe, expect, test } from "vitest";
import { untroubled } from "../../support/endpoints.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = await sharedApp();

const url = "https://example.com/webhooks";

describe("200", () => {
  test("before anything was set, with a key of either mode", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    for (const key of [testKey, liveKey]) {
      const answer = await app.call(key, "/webhook");
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id: null,
        url: null,
        enabled: false,
        events: ["*"],
        notify: "changes",
        secret_hint: null,
        previous_secret_expires_at: null,
        ...untroubled,
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
      expect(answer.body).toEqual(saved);
      expect(JSON.stringify(answer.body)).not.toContain(secret.slice(6, 40));
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("tells since when every attempt failed, and after a notice when it is switched off", async () => {
    const { id, testKey } = await app.createMerchant();
    await app.call(testKey, "/webhook", { method: "PUT", body: { url } });
    const settings = async () => (await app.call(testKey, "/webhook")).body;
    const at = (hoursAgo: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - hoursAgo * 3_600_000);
    const failing = async (sinceHours: number, noticeHours: number | null) => {
      await app.fresh.pool.query("delete from webhook_failing_endpoints where merchant_id = $1", [id]);
      await app.fresh.pool.query(
        `insert into webhook_failing_endpoints (merchant_id, failing_since, noticed_at)
         values ($1, $2, $3)`,
        [id, at(sinceHours), noticeHours === null ? null : at(noticeHours)],
      );
      const { failing_since, disable_at } = await settings();
      const hoursTo = (text: string | null) => text && Math.round((Date.parse(text) - Date.now()) / 3_600_000);
      return [hoursTo(failing_since), hoursTo(disable_at)];
    };
    expect(await failing(50, null)).toEqual([-50, null]);
    expect(await failing(72, 0)).toEqual([-72, 48]);
    expect(await failing(119, 1)).toEqual([-119, 23]);
    // Its settings were looked at, and it begins anew.
    expect((await app.call(testKey, "/webhook", { method: "PUT", body: { enabled: true } })).body).toMatchObject(
      untroubled,
    );
  });

  test("tells who switched it off", async () => {
    const { id, testKey } = await app.createMerchant();
    await app.call(testKey, "/webhook", { method: "PUT", body: { url } });
    for (const reason of ["gone", "failing"]) {
      await app.fresh.pool.query(
        "update webhook_endpoints set disabled_at = now(), disabled_reason = $2 where merchant_id = $1",
        [id, reason],
      );
      expect((await app.call(testKey, "/webhook")).body).toMatchObject({ enabled: false, disabled_reason: reason });
    }
    const put = async (enabled: boolean) =>
      (await app.call(testKey, "/webhook", { method: "PUT", body: { enabled } })).body;
    expect(await put(true)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await put(false)).toMatchObject({ enabled: false, disabled_reason: "merchant" });
  });

  test("with a sandbox key of a merchant that is not approved yet", async () => {
    const { testKey } = await app.createMerchant({ approved: false });
    expect((await app.call(testKey, "/webhook", { method: "PUT", body: { url } })).status).toBe(200);
    expect((await app.call(testKey, "/webhook")).body.url).toBe(url);
  });
});

test("404 below it there is nothing but its test and its deliveries", async () => {
  for (const path of ["/webhook/secret", "/webhooks"]) {
    expectProblem(await app.call(app.merchant.testKey, path), 404, "NOT_FOUND");
  }
});
