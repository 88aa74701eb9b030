import { describe, expect, test } from "vitest";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { webhookFigures } from "../../src/workers/watch/measure-webhooks.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { startWatch } from "../support/watch.ts";
import { enqueueEvent, testWebhooks } from "../support/webhooks.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));

const figure = (text: string, name: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")[1],
  );

describe("attempts", () => {
  test("are counted by outcome, and the first ones by how long they were waited for, where the collector reads", async () => {
    const options = { webhooks: { ...testWebhooks, allowPrivate: true } };
    const sending = await startApp({ ...options, workers: true });
    const receiver = await startReceiver((response, _received, count) =>
      response.writeHead(count === 1 ? 200 : 503).end(),
    );
    try {
      const { testKey } = sending.merchant;
      const metrics = async () => (await fetch(`${sending.url}/metrics`)).text();
      const send = async (url: string, outcome: string) => {
        await sending.call(testKey, "/webhook", { method: "PUT", body: { url } });
        await sending.feel();
        await sending.call(testKey, "/webhook/test", { method: "POST" });
        const name = `dispense_webhook_attempts_total{outcome="${outcome}"}`;
        await expect.poll(async () => figure(await metrics(), name)).toBe(1);
      };
      await send(receiver.url, "successful");
      await send(receiver.url, "http_error");
      await send("http://127.0.0.1:1/", "connection_refused");
      const text = await metrics();
      expect(text).toContain("# TYPE dispense_webhook_first_attempt_seconds histogram");
      expect(figure(text, "dispense_webhook_first_attempt_seconds_count")).toBe(3);
      expect(figure(text, 'dispense_webhook_first_attempt_seconds_bucket{le="10"}')).toBe(3);
      expect(figure(text, 'dispense_webhook_first_attempt_seconds_bucket{le="+Inf"}')).toBe(3);
      expect(figure(text, "dispense_webhook_first_attempt_seconds_sum")).toBeGreaterThan(0);
      expect(figure(text, "dispense_webhook_in_flight")).toBe(0);
    } finally {
      await receiver.close();
      await sending.close();
    }
  });
});

describe("figures of all processes", () => {
  /** What one look says. */
  async function look(): Promise<string> {
    const { database } = app.services;
    const log = openLog({ level: "silent" });
    const { metrics, stop } = startWatch(webhookFigures, { database, log });
    await expect.poll(() => metrics.text()).toContain('reason="failing"');
    await stop();
    return metrics.text();
  }

  test("are zero while there is nothing", async () => {
    const text = await look();
    for (const name of ["due", "oldest_due_seconds", "breakers_open", 'endpoints_disabled{reason="gone"}']) {
      expect([name, figure(text, `dispense_webhook_${name}`)]).toEqual([name, 0]);
    }
  });

  test("tell what is due, for how long, and which endpoints are left alone or switched off", async () => {
    for (const reason of ["gone", "gone", "failing", null]) {
      const { id, testKey } = await app.createMerchant();
      await app.call(testKey, "/webhook", { method: "PUT", body: { url: "https://example.com/" } });
      await app.fresh.pool.query(
        "update webhook_endpoints set disabled_reason = $2, disabled_at = case when $2::text is null then null else now() end where merchant_id = $1",
        [id, reason],
      );
      if (reason === null) await trouble(id);
    }
    const text = await look();
    expect(figure(text, "dispense_webhook_due")).toBe(3);
    expect(figure(text, "dispense_webhook_oldest_due_seconds")).toBeGreaterThanOrEqual(40);
    expect(figure(text, "dispense_webhook_oldest_due_seconds")).toBeLessThan(70);
    expect(figure(text, "dispense_webhook_breakers_open")).toBe(1);
    expect(figure(text, 'dispense_webhook_endpoints_disabled{reason="gone"}')).toBe(2);
    expect(figure(text, 'dispense_webhook_endpoints_disabled{reason="failing"}')).toBe(1);
    expect(figure(text, 'dispense_webhook_endpoints_disabled{reason="merchant"}')).toBe(0);
  });

  /** An open breaker with two events behind it, one event that waits for its time, and another merchant's that is late. */
  async function trouble(id: number): Promise<void> {
    const { database } = app.services;
    const wallet = walletKey(id);
    await enqueueEvent(database, wallet);
    await enqueueEvent(database, wallet);
    const later = await enqueueEvent(database, wallet);
    const other = await enqueueEvent(database, walletKey(app.merchant.id));
    const { pool } = app.fresh;
    await pool.query(
      "update webhook_outbox set lane = 'later', due_at = now() + interval '1 min' where delivery_id = $1",
      [later],
    );
    await pool.query("update webhook_outbox set due_at = now() - interval '45 s' where delivery_id = $1", [other]);
    await pool.query(
      "insert into webhook_failing_endpoints (merchant_id, open_until) values ($1, now() + interval '1 min')",
      [id],
    );
  }
});
