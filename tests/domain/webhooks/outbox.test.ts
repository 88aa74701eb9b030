import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listEndpointsForUpdate } from "../../../src/domain/webhooks/endpoints/queries.ts";
import { type DeliveryId, deliveryIdBefore, deliveryTime } from "../../../src/domain/webhooks/events/event.ts";
import { insertResends, recoverFailed } from "../../../src/domain/webhooks/log/delivery-queries.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../../support/webhooks.ts";

const wallet = walletKey(7, "live");
let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
  await database.transaction((tx) => listEndpointsForUpdate(tx, wallet));
});
afterAll(() => drop());

let references = 0;
const resend = async (id: DeliveryId) => (await insertResends(database, wallet, { ids: [id], lane: "manual" })) === 1;
const newDelivery = () => enqueueEvent(database, wallet, { reference: `order-${++references}` });

/** Moves what a delivery is owed to seconds from now, under a lease that ends so many seconds from now. */
async function move(id: DeliveryId, dueSeconds: number, leaseSeconds: number | null): Promise<void> {
  await fresh.pool.query(
    `update webhook_outbox
        set due_at = now() + make_interval(secs => $2),
            leased_until = now() + make_interval(secs => $3)
      where delivery_id = $1`,
    [id, dueSeconds, leaseSeconds],
  );
}

// The look before it may be outdated by then: this statement alone decides.
describe("the row of what is owed", () => {
  const cases: readonly (readonly [what: string, due: number, lease: number | null, resent: boolean])[] = [
    ["due", -1, null, false],
    ["due, its worker dead", -1, -1, false],
    ["due, an attempt under way", -1, 30, false],
    ["put off", 60, null, true],
    ["put off, an attempt under way", 60, 30, false],
    ["put off, its worker dead", 60, -1, true],
  ];
  test.each(cases)("that is %s decides whether a resend is new", async (_what, due, lease, resent) => {
    const id = await newDelivery();
    await move(id, due, lease);
    expect(await resend(id)).toBe(resent);
    expect(await resend(id)).toBe(false);
    const { rows } = await fresh.pool.query(
      "select lane, due_at <= now() as is_due from webhook_outbox where delivery_id = $1",
      [id],
    );
    const untouched = { lane: "event", is_due: due < 0 };
    expect(rows).toEqual([resent ? { lane: "manual", is_due: true } : untouched]);
  });

  test("that is gone is made again once, however many ask, and goes on counting", async () => {
    const id = await newDelivery();
    for (const attempt of [1, 2, 3]) await logAttempt(database, wallet, id, { attempt });
    await fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [id]);
    const resent = await Promise.all(Array.from({ length: 8 }, () => resend(id)));
    expect(resent.filter((isNew) => isNew)).toHaveLength(1);
    const { rows } = await fresh.pool.query("select attempts, epoch from webhook_outbox where delivery_id = $1", [id]);
    expect(rows).toEqual([{ attempts: 3, epoch: 0 }]);
  });

  test("that is gone is made again once by who asks for it and who asks for all that failed", async () => {
    const ids: DeliveryId[] = [];
    for (let i = 0; i < 40; i++) ids.push(await newDelivery());
    await Promise.all(ids.map((id) => logAttempt(database, wallet, id, { successful: false, httpStatus: 503 })));
    await fresh.pool.query("delete from webhook_outbox where delivery_id = any ($1)", [ids]);
    const behind = deliveryIdBefore(deliveryTime(ids[0]!));
    await Promise.all(
      ids.flatMap((id) => [resend(id), recoverFailed(database, wallet, null, { after: behind, limit: 1_000 })]),
    );
    const { rows } = await fresh.pool.query(
      "select count(*)::int as rows, count(distinct delivery_id)::int as deliveries from webhook_outbox where delivery_id = any ($1)",
      [ids],
    );
    expect(rows).toEqual([{ rows: 40, deliveries: 40 }]);
  });
});
