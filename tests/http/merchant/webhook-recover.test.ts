import { describe, expect, test } from "vitest";
import type { DeliveryId } from "../../../src/domain/webhooks/events/event.ts";
import { recoverSince } from "../../../src/domain/webhooks/log/recover.ts";
import type { WalletKey } from "../../../src/kernel/ids.ts";
import { type Answer, startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../../support/webhooks.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));

const path = "/webhook/recover";
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const recover = (key: string | null, body: unknown = { since: hourAgo() }) =>
  app.call(key, path, { method: "POST", body });
const save = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

/** A merchant with a webhook. */
async function owner() {
  const { id, testKey, liveKey } = await app.createMerchant();
  await save(testKey, { url: "https://example.com/hook" });
  return { testKey, liveKey: liveKey ?? "", wallet: walletKey(id, "test") };
}

/** A delivery with these attempts, that nothing is owed of any more. */
async function over(wallet: WalletKey, outcomes: readonly boolean[], event = "transaction.successful" as const) {
  const id = await enqueueEvent(app.services.database, wallet, { event });
  await attempted(wallet, id, outcomes);
  await app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [id]);
  return id;
}

async function attempted(wallet: WalletKey, id: DeliveryId, outcomes: readonly boolean[]): Promise<void> {
  for (const [i, successful] of outcomes.entries()) {
    const httpStatus = successful ? 200 : 503;
    await logAttempt(app.services.database, wallet, id, { attempt: i + 1, successful, httpStatus });
  }
}

test("more than six recoveries a minute are refused, of one merchant and mode: each may look at many deliveries", async () => {
  const { testKey } = await owner();
  const answers: Answer[] = [];
  for (let i = 0; i < 7; i++) answers.push(await recover(testKey));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202, 429]);
  expectProblem(answers.at(-1) as Answer, 429, "RATE_LIMITED", { meta: { limit: "recoveries" } });
  expect((await recover((await owner()).testKey)).status).toBe(202);
});

async function deliveryRow(id: DeliveryId) {
  const { rows } = await app.fresh.pool.query(
    "select lane, attempts, epoch, leased_until, due_at <= now() as is_due from webhook_outbox where delivery_id = $1",
    [id],
  );
  return rows[0];
}

describe("202", () => {
  test("owes what failed its next attempt, with its number, and nothing else", async () => {
    const { testKey, wallet } = await owner();
    const failed = await over(wallet, [false, false]);
    const dropped = await over(wallet, []);
    const delivered = [
      await over(wallet, [true]),
      await over(wallet, [false, true]),
      await over(wallet, [true, false]),
    ];
    const answer = await recover(testKey);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
    expect(answer.body).toEqual({ recovered: 2, next_since: null });
    expect(await deliveryRow(failed)).toMatchObject({ attempts: 2, lane: "event", is_due: true, leased_until: null });
    expect(await deliveryRow(dropped)).toMatchObject({ attempts: 0, lane: "event", is_due: true });
    for (const id of delivered) expect(await deliveryRow(id)).toBeUndefined();
    expect((await recover(testKey)).body.recovered).toBe(0);
  });

  test("brings forward what waits, and takes it from whoever lost its lease", async () => {
    const { testKey, wallet } = await owner();
    const id = await enqueueEvent(app.services.database, wallet);
    await attempted(wallet, id, [false]);
    await app.fresh.pool.query(
      `update webhook_outbox
          set due_at = now() + interval '1 hour', lane = 'later', attempts = 1, epoch = 4,
              leased_until = now() - interval '1 s'
        where delivery_id = $1`,
      [id],
    );
    expect((await recover(testKey)).body.recovered).toBe(1);
    expect(await deliveryRow(id)).toEqual({ lane: "event", attempts: 1, epoch: 5, leased_until: null, is_due: true });
  });

  test("leaves alone what is due or under way, test events and what has lost its body", async () => {
    const { testKey, wallet } = await owner();
    const due = await enqueueEvent(app.services.database, wallet);
    const underWay = await enqueueEvent(app.services.database, wallet);
    await app.fresh.pool.query(
      "update webhook_outbox set due_at = now() + interval '1 hour', leased_until = now() + interval '1 min' where delivery_id = $1",
      [underWay],
    );
    const bare = await over(wallet, [false]);
    await app.fresh.pool.query("update webhook_deliveries set body = null where id = $1", [bare]);
    const tested = (await app.call(testKey, "/webhook/test", { method: "POST" })).body.delivery_id;
    await app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [tested]);
    const before = [await deliveryRow(due), await deliveryRow(underWay)];
    expect((await recover(testKey)).body).toEqual({ recovered: 0, next_since: null });
    expect([await deliveryRow(due), await deliveryRow(underWay)]).toEqual(before);
    expect([await deliveryRow(bare), await deliveryRow(tested)]).toEqual([undefined, undefined]);
  });

  test("only what happened since then, in the key's own mode, and of nobody else", async () => {
    const [one, other] = [await owner(), await owner()];
    const early = await over(one.wallet, [false]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const since = new Date().toISOString();
    const late = await over(one.wallet, [false]);
    const others = await over(other.wallet, [false]);
    const live = await over({ ...one.wallet, mode: "live" }, [false]);
    expect((await recover(one.testKey, { since })).body.recovered).toBe(1);
    expect(await deliveryRow(late)).toBeDefined();
    for (const id of [early, others, live]) expect(await deliveryRow(id)).toBeUndefined();
    expect((await recover(one.liveKey)).body.recovered).toBe(1);
    expect(await deliveryRow(live)).toBeDefined();
  });

  test.each(["2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01T00:00+01:00"])(
    "%s is a time to begin at",
    async (since) => {
      const { testKey, wallet } = await owner();
      await over(wallet, [false]);
      expect((await recover(testKey, { since })).body.recovered).toBe(1);
    },
  );

  test("finds nothing in the future", async () => {
    const { testKey, wallet } = await owner();
    await over(wallet, [false]);
    expect((await recover(testKey, { since: "2999-01-01" })).body).toEqual({ recovered: 0, next_since: null });
  });

  test("a call is bounded, and says from when to go on", async () => {
    const { wallet } = await owner();
    const ids: DeliveryId[] = [];
    for (let i = 0; i < 7; i++) ids.push(await over(wallet, [false]));
    const bounds = { perLook: 2, recoveredMax: 3, lookedMax: 100 };
    const call = (since: number) =>
      recoverSince(app.services.database, wallet, { since, endpointNumber: null }, bounds);
    const first = await call(0);
    expect(first.recovered).toBe(4);
    expect(first.nextSince).not.toBeNull();
    let [recovered, since] = [first.recovered, first.nextSince];
    while (since !== null) {
      const next = await call(since);
      [recovered, since] = [recovered + next.recovered, next.nextSince];
    }
    expect(recovered).toBe(7);
    for (const id of ids) expect(await deliveryRow(id)).toBeDefined();
    const narrow = { perLook: 2, recoveredMax: 100, lookedMax: 4 };
    expect(
      (await recoverSince(app.services.database, wallet, { since: 0, endpointNumber: null }, narrow)).nextSince,
    ).not.toBeNull();
  });
});

describe("400", () => {
  test.each([
    [{}, "VALIDATION_ERROR"],
    [{ since: null }, "VALIDATION_ERROR"],
    [{ since: 1_700_000_000 }, "INVALID_DATE"],
    [{ since: "yesterday" }, "INVALID_DATE"],
    [{ since: "2026-02-30" }, "INVALID_DATE"],
    [{ since: "2026-11-20T14:03:09" }, "INVALID_DATE"],
    [{ since: "x".repeat(41) }, "INVALID_DATE"],
  ] as const)("%j is %s on since", async (body, code) => {
    const { testKey, wallet } = await owner();
    const id = await over(wallet, [false]);
    const answer = await recover(testKey, body);
    expectProblem(answer, 400, code, { fields: ["since"] });
    expect(await deliveryRow(id)).toBeUndefined();
  });
});

describe("409", () => {
  test.each([
    ["switched off", { enabled: false }, /switched off/],
    ["removed", { url: null }, /No webhook is set/],
  ] as const)("while the webhook is %s", async (_what, settings, message) => {
    const { testKey, wallet } = await owner();
    const id = await over(wallet, [false]);
    await save(testKey, settings);
    const answer = await recover(testKey);
    expectProblem(answer, 409, "DELIVERY_NOT_RESENDABLE");
    expect(answer.body.message).toMatch(message);
    expect(await deliveryRow(id)).toBeUndefined();
  });

  test("before one was ever set", async () => {
    const { testKey } = await app.createMerchant();
    expectProblem(await recover(testKey), 409, "DELIVERY_NOT_RESENDABLE");
  });
});
