import { describe, expect, test } from "vitest";
import type { DeliveryId } from "../../../src/domain/webhooks/events/event.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt, mintDeliveryId } from "../../support/webhooks.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));

const url = "https://example.com/hook?token=1";
const path = (id: string) => `/webhook/deliveries/${id}`;
const failure = { successful: false, httpStatus: 500, responseBody: "no" } as const;

async function owner() {
  const merchant = await app.createMerchant();
  const wallet = walletKey(merchant.id, "test");
  const put = (body: unknown) => app.call(merchant.testKey, "/webhook", { method: "PUT", body });
  await put({ url });
  const attempt = (id: DeliveryId, number: number, given: object = failure) =>
    logAttempt(app.services.database, wallet, id, { attempt: number, ...given });
  const read = async (id: string, key = merchant.testKey) => (await app.call(key, path(id))).body;
  return { ...merchant, wallet, put, attempt, read };
}
const forget = (id: DeliveryId) => app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [id]);
const dueLater = (id: DeliveryId) =>
  app.fresh.pool.query(
    "update webhook_outbox set due_at = date_trunc('second', now()) + interval '1 hour' where delivery_id = $1",
    [id],
  );

describe("200 a delivery", () => {
  test("that is due waits, and goes to the present URL", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet, { reference: "order-1" });
    const answer = await app.call(testKey, path(id));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      delivery_id: id,
      endpoint_id: expect.stringMatching(/^whe_/),
      event: "transaction.successful",
      url,
      reference: "order-1",
      status: "waiting",
      next_attempt_at: expect.stringMatching(lagosInstant),
      resendable: false,
      attempts: [],
    });
  });

  test("that failed and waits for its next attempt says when that is, and can be sent again", async () => {
    const { wallet, attempt, read } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await attempt(id, 1);
    await dueLater(id);
    const body = await read(id);
    expect(body).toMatchObject({ status: "waiting", resendable: true, attempts: [{ attempt: 1, delivery_id: id }] });
    const inMinutes = (Date.parse(body.next_attempt_at) - Date.now()) / 60_000;
    expect(inMinutes).toBeGreaterThan(58);
    expect(inMinutes).toBeLessThan(61);
  });

  test("that arrived is delivered, its attempts the newest first", async () => {
    const { wallet, attempt, read } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await attempt(id, 1);
    await attempt(id, 2, {});
    await forget(id);
    const body = await read(id);
    expect(body).toMatchObject({ status: "delivered", next_attempt_at: null, resendable: true });
    expect(body.attempts.map((one: { attempt: number }) => one.attempt)).toEqual([2, 1]);
  });

  test("whose attempts are used up is exhausted, and dropped is one that was given up before", async () => {
    const { testKey, wallet, put, attempt, read } = await owner();
    const ids: DeliveryId[] = [];
    for (const attempts of [5, 4, 0]) {
      const id = await enqueueEvent(app.services.database, wallet);
      for (let number = 1; number <= attempts; number++) await attempt(id, number);
      await forget(id);
      ids.push(id);
    }
    const example = (await app.call(testKey, "/webhook/test", { method: "POST" })).body.delivery_id;
    await attempt(example, 1, { ...failure, event: "webhook.test" });
    await forget(example);
    const statuses: string[] = [];
    for (const id of [...ids, example]) statuses.push((await read(id)).status);
    expect(statuses).toEqual(["exhausted", "dropped", "dropped", "exhausted"]);
    await put({ url: null });
    expect(await read(ids[2]!)).toMatchObject({ url: null, resendable: false, status: "dropped" });
    expect(await read(ids[0]!)).toMatchObject({ url: "https://example.com/hook", resendable: false });
  });
});

describe("404", () => {
  test("in the other mode, of another merchant, of nobody, and for what is no id", async () => {
    const { liveKey, wallet } = await owner();
    const stranger = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    for (const [key, calls] of [
      [liveKey, id],
      [stranger.testKey, id],
      [stranger.testKey, mintDeliveryId()],
      [stranger.testKey, "1"],
      [stranger.testKey, "%27%00"],
    ] as const) {
      expectProblem(await app.call(key, path(calls)), 404, "DELIVERY_NOT_FOUND");
    }
  });

  test("once nothing is kept of it: its attempts were purged, and its body with them", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await forget(id);
    await app.fresh.pool.query("update webhook_deliveries set body = null where id = $1", [id]);
    expectProblem(await app.call(testKey, path(id)), 404, "DELIVERY_NOT_FOUND");
  });
});

describe("the list, filtered", () => {
  test("by delivery and by endpoint shows those alone, with exact totals, in every combination", async () => {
    const { testKey, wallet } = await owner();
    const { id: firstId } = (await app.call(testKey, "/webhook")).body;
    const body = { url: "https://example.org/two" };
    const { id: secondId } = (await app.call(testKey, "/webhook/endpoints", { body })).body;
    const [one, two] = [mintDeliveryId(), mintDeliveryId()];
    // Numbered 1 to 6.
    for (const [id, endpointNumber, attempt, given] of [
      [one, 1, 1, failure],
      [one, 1, 2, {}],
      [two, 2, 1, failure],
      [two, 2, 2, failure],
      [two, 2, 3, {}],
      [one, 1, 3, {}],
    ] as const) {
      await logAttempt(app.services.database, wallet, id, { endpointNumber, attempt, ...given });
    }
    const numbers = async (query: string) => {
      const { deliveries, meta } = (await app.call(testKey, `/webhook/deliveries?${query}`)).body;
      const ids = deliveries.map(({ id }: { id: number }) => id).join("");
      expect(meta.total).toBe(deliveries.length);
      return ids;
    };
    expect(await numbers("")).toBe("654321");
    expect(await numbers(`endpoint_id=${firstId}`)).toBe("621");
    expect(await numbers(`endpoint_id=${secondId}`)).toBe("543");
    expect(await numbers(`endpoint_id=${secondId}&status=failed`)).toBe("43");
    expect(await numbers(`endpoint_id=${secondId}&status=failed&max_id=3`)).toBe("3");
    expect(await numbers(`endpoint_id=${secondId}&event=transaction.failed`)).toBe("");
    expect(await numbers("status=success")).toBe("652");
    expect(await numbers(`delivery_id=${two}`)).toBe("543");
    expect(await numbers(`delivery_id=${two.toUpperCase()}&status=success`)).toBe("5");
    expect(await numbers(`delivery_id=${two}&endpoint_id=${firstId}`)).toBe("");
    expect(await numbers(`delivery_id=${mintDeliveryId()}`)).toBe("");
    expect(await numbers("delivery_id=nothing")).toBe("");
    expect(await numbers("endpoint_id=nothing")).toBe("");
    expect(await numbers(`delivery_id=${two}&reference=order-1`)).toBe("");
    const page = (await app.call(testKey, `/webhook/deliveries?endpoint_id=${secondId}&per_page=2&page=2`)).body;
    expect(page.meta).toEqual({ current_page: 2, last_page: 2, per_page: 2, total: 3 });
    expect(page.deliveries.map(({ id }: { id: number }) => id)).toEqual([3]);
    expect(page.deliveries[0].endpoint_id).toBe(secondId);

    const stranger = await owner();
    for (const query of [`delivery_id=${two}`, `endpoint_id=${secondId}`]) {
      expect((await app.call(stranger.testKey, `/webhook/deliveries?${query}`)).body.deliveries).toEqual([]);
    }
  });
});
