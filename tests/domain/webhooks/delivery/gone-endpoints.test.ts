import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../../rigs/base/merchants.ts";
import type { DeliveryServices } from "../../../../src/domain/webhooks/delivery/delivery-work.ts";
import type { Endpoint } from "../../../../src/domain/webhooks/endpoints/endpoint.ts";
import { firstEndpointOf } from "../../../../src/domain/webhooks/endpoints/endpoint.ts";
import {
  findEndpoint,
  listEndpointsForUpdate,
  updateEndpoint,
} from "../../../../src/domain/webhooks/endpoints/queries.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import { openLog } from "../../../../src/platform/telemetry/log.ts";
import { startDeliveringWebhooks } from "../../../../src/workers/deliver-webhooks.ts";
import type { FreshDatabase } from "../../../support/database.ts";
import { setEndpoint } from "../../../support/endpoints.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { waitUntil } from "../../../support/receiver.ts";
import { walletKey } from "../../../support/wallet.ts";
import { enqueueMany } from "../../../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

const url = "http://127.0.0.1:9/hook";
const gone = {
  url,
  urlVersion: 1,
  successful: false,
  httpStatus: 410,
  durationMs: 1,
  error: null,
  errorDetail: null,
  responseBody: "",
  retryAfter: null,
};

/** The database, but that it fails once at this. */
function failingAt(step: "record" | "switch off"): Database {
  let failed = false;
  const fail = async () => {
    failed = true;
    throw new Error("the connection was lost");
  };
  return {
    ...database,
    query: (statement, values) =>
      step === "record" && !failed && statement.name === "finish_webhook_attempts"
        ? fail()
        : database.query(statement, values),
    transaction: (work) => (step === "switch off" && !failed ? fail() : database.transaction(work)),
  };
}

test.each([
  ["record", 41],
  ["switch off", 42],
] as const)(
  "a receiver that answers 410 is switched off though the database failed at first (to %s)",
  async (step, merchant) => {
    const wallet = walletKey(merchant);
    await setEndpoint(database, wallet, url);
    await enqueueMany(database, wallet, 30);
    // As a process remembers it until it hears of a change, which here never comes.
    const remembered: Endpoint | null = await findEndpoint(database, firstEndpointOf(wallet));
    let sent = 0;
    const deliver: DeliveryServices["deliver"] = async () => {
      sent += 1;
      return gone;
    };
    const services = {
      endpoints: { find: async () => (remembered === null ? [] : [remembered]) },
      deliver,
      clock: systemClock,
      chance: () => 0.5,
    };
    const loop = startDeliveringWebhooks({
      services: {
        ...services,
        database: failingAt(step),
        monotonicMs: () => performance.now(),
        log: openLog({ level: "silent" }),
      },
      pollMs: 20,
    });
    try {
      const due = async () =>
        (await fresh.pool.query("select 1 from webhook_outbox where abs(wallet_id) = $1", [merchant])).rowCount;
      await waitUntil(async () => {
        // What failed comes again when its lease ends, or when its next attempt is due.
        await fresh.pool.query(
          "update webhook_outbox set due_at = now(), leased_until = now() where abs(wallet_id) = $1 and attempts + epoch > 0",
          [merchant],
        );
        return (await due()) === 0;
      }, "the outbox to be emptied");
      expect((await findEndpoint(database, firstEndpointOf(wallet)))?.disabledReason).toBe("gone");
      expect([sent, loop.work.counts.disabled]).toEqual([1, 1]);
      expect(loop.work.counts.claimed).toBeLessThan(60);
    } finally {
      await loop.stop();
    }
  },
);

test("a merchant that sets the same URL again is not switched off by the 410 from before", async () => {
  const wallet = walletKey(43);
  await setEndpoint(database, wallet, url);
  await enqueueMany(database, wallet, 1);
  // As a process remembers it for up to a second.
  let remembered = await findEndpoint(database, firstEndpointOf(wallet));
  const answers = [gone];
  const deliver: DeliveryServices["deliver"] = async () =>
    answers.shift() ?? { ...gone, successful: true, httpStatus: 200 };
  const services = {
    endpoints: { find: async () => (remembered === null ? [] : [remembered]) },
    deliver,
    clock: systemClock,
    chance: () => 0.5,
  };
  const loop = startDeliveringWebhooks({
    services: { ...services, database, monotonicMs: () => performance.now(), log: openLog({ level: "silent" }) },
    pollMs: 20,
  });
  const isOn = async () => (await findEndpoint(database, firstEndpointOf(wallet)))?.disabledAt === null;
  try {
    await waitUntil(async () => !(await isOn()), "the webhook to be switched off");
    await database.transaction(async (tx) => {
      const [before] = (await listEndpointsForUpdate(tx, wallet)).endpoints;
      const updatedAt = systemClock.now() + 1;
      await updateEndpoint(tx, firstEndpointOf(wallet), {
        ...before!,
        disabledAt: null,
        disabledReason: null,
        updatedAt,
      });
    });
    const [again] = await enqueueMany(database, wallet, 1);
    await waitUntil(async () => loop.work.counts.claimed > 1, "the next event to be claimed");
    await waitUntil(async () => loop.work.counts.givenBack + loop.work.counts.claimed > 2, "it to be looked at");
    remembered = await findEndpoint(database, firstEndpointOf(wallet));
    await waitUntil(
      async () =>
        (await fresh.pool.query("select 1 from webhook_attempts where delivery_id = $1 and successful", [again]))
          .rowCount === 1,
      "it to be delivered",
    );
  } finally {
    await loop.stop();
  }
  expect(await isOn()).toBe(true);
  expect(loop.work.counts.disabled).toBe(1);
});
