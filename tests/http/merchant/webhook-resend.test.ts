import { describe, expect, test } from "vitest";
import type { DeliveryId } from "../../../src/domain/webhooks/events/event.ts";
import { type WalletKey, walletIdOf } from "../../../src/kernel/ids.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt, mintDeliveryId } from "../../support/webhooks.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));

const pathOf = (id: string) => `/webhook/deliveries/${id}/resend`;
const resend = (key: string | null, id: string) => app.call(key, pathOf(id), { method: "POST" });
const save = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

interface Owner {
  readonly testKey: string;
  readonly liveKey: string;
  readonly wallet: WalletKey;
}

/** A merchant with a webhook. */
async function owner(): Promise<Owner> {
  const { id, testKey, liveKey } = await app.createMerchant();
  await save(testKey, { url: "https://example.com/hook" });
  return { testKey, liveKey: liveKey ?? "", wallet: walletKey(id, "test") };
}

/** A delivery whose attempts, this many, are over. */
async function delivered(wallet: WalletKey, attempts = 1): Promise<DeliveryId> {
  const id = await enqueueEvent(app.services.database, wallet);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await logAttempt(app.services.database, wallet, id, { attempt });
  }
  await app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [id]);
  return id;
}

async function deliveryRow(id: DeliveryId) {
  const { rows } = await app.fresh.pool.query(
    "select lane, attempts, leased_until, due_at <= now() as is_due from webhook_outbox where delivery_id = $1",
    [id],
  );
  return rows[0];
}

const setRow = (id: DeliveryId, change: "wait" | "lease" | "lost_lease") => {
  const changes = {
    wait: "update webhook_outbox set due_at = now() + interval '1 hour', attempts = 3 where delivery_id = $1",
    lease:
      "update webhook_outbox set due_at = now() + interval '1 hour', leased_until = now() + interval '1 min' where delivery_id = $1",
    lost_lease:
      "update webhook_outbox set due_at = now() + interval '1 hour', leased_until = now() - interval '1 s' where delivery_id = $1",
  };
  return app.fresh.pool.query(changes[change], [id]);
};

describe("202", () => {
  test("owes a delivery that is over its next attempt, at once and once", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet, 2);
    const answer = await resend(testKey, id);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ delivery_id: id });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
    expect(await deliveryRow(id)).toEqual({ lane: "manual", attempts: 2, leased_until: null, is_due: true });
    expectProblem(await resend(testKey, id), 409, "DELIVERY_NOT_RESENDABLE");
    expect((await resend(testKey, id.toUpperCase())).status).toBe(409);
  });

  test("brings one forward that waits for its next attempt, and keeps its number", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await setRow(id, "wait");
    expect((await resend(testKey, id)).status).toBe(202);
    expect(await deliveryRow(id)).toEqual({ lane: "manual", attempts: 3, leased_until: null, is_due: true });
  });

  test("is given where the worker that had it died", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await setRow(id, "lost_lease");
    expect((await resend(testKey, id)).status).toBe(202);
  });

  test("is given to one of many who ask at once", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet);
    const answers = await Promise.all(Array.from({ length: 10 }, () => resend(testKey, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
  });

  test("is not given again to one who began before and waited", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet);
    const waiting = await app.fresh.pool.connect();
    try {
      await waiting.query("begin");
      await waiting.query("select now()");
      expect((await resend(testKey, id)).status).toBe(202);
      const { rows } = await waiting.query("select resend_webhook_deliveries($1, $2, 'manual') as resent", [
        walletIdOf(wallet),
        [id],
      ]);
      expect(rows).toEqual([{ resent: 0 }]);
    } finally {
      await waiting.query("rollback");
      waiting.release();
    }
  });

  test("goes to the present URL: a webhook that was set anew resends what was delivered before", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet);
    await save(testKey, { url: null });
    await save(testKey, { url: "https://example.org/new" });
    expect((await resend(testKey, id)).status).toBe(202);
  });
});

describe("409", () => {
  async function refused(key: string, id: DeliveryId, message: RegExp): Promise<void> {
    const before = await deliveryRow(id);
    const answer = await resend(key, id);
    expectProblem(answer, 409, "DELIVERY_NOT_RESENDABLE");
    expect(answer.body.message).toMatch(message);
    expect(await deliveryRow(id)).toEqual(before);
  }

  test("while an attempt is due, or under way", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await refused(testKey, id, /under way/);
    await setRow(id, "lease");
    await refused(testKey, id, /under way/);
  });

  test("where the webhook is removed or switched off", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet);
    await save(testKey, { enabled: false });
    await refused(testKey, id, /off/);
    await save(testKey, { url: null });
    await refused(testKey, id, /removed/);
  });

  test("once the body was purged", async () => {
    const { testKey, wallet } = await owner();
    const id = await delivered(wallet);
    await app.fresh.pool.query("update webhook_deliveries set body = null where id = $1", [id]);
    await refused(testKey, id, /body/);
  });
});

describe("404", () => {
  test("a delivery of the other mode, of another merchant, and one that never was", async () => {
    const [one, other] = [await owner(), await owner()];
    const id = await delivered(one.wallet);
    for (const key of [one.liveKey, other.testKey]) {
      const answer = await resend(key, id);
      expectProblem(answer, 404, "DELIVERY_NOT_FOUND");
    }
    expectProblem(await resend(one.testKey, mintDeliveryId()), 404, "DELIVERY_NOT_FOUND");
    expect(await deliveryRow(id)).toBeUndefined();
  });

  test("nor is a name of two thousand characters", async () => {
    expectProblem(await resend(app.merchant.testKey, "x".repeat(2_000)), 404, "DELIVERY_NOT_FOUND");
  });

  test.each(["1", "not-a-uuid", "019aa1b2c3d47e5f8a9b0c1d2e3f4a5b", "%00", "019aa1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g"])(
    "%s is no delivery's id",
    async (id) => {
      expectProblem(await resend(app.merchant.testKey, id), 404, "DELIVERY_NOT_FOUND");
    },
  );
});
