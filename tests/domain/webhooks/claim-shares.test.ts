import { afterAll, beforeAll, expect, test } from "vitest";
import { carryOut, claimDue, openDeliveryWork } from "../../../src/domain/webhooks/delivery-work.ts";
import { listEndpoints } from "../../../src/domain/webhooks/queries.ts";
import type { Database } from "../../../src/platform/database.ts";
import { openLog } from "../../../src/platform/log.ts";
import { setEndpoint } from "../../support/endpoints.ts";
import { ownDatabase, systemClock } from "../../support/merchants.ts";
import { walletKey } from "../../support/wallet.ts";
import { owe } from "../../support/webhooks.ts";

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await ownDatabase());
});
afterAll(() => drop());

function openWork() {
  return openDeliveryWork(
    {
      database,
      endpoints: { find: (owner) => listEndpoints(database, [owner]).then(([one]) => one ?? null) },
      deliver: async () => ({
        url: "http://127.0.0.1:9/hook",
        successful: true,
        httpStatus: 200,
        durationMs: 1,
        error: null,
        responseBody: "OK",
        retryAfter: null,
      }),
      clock: systemClock,
      monotonicMs: () => performance.now(),
      chance: () => 0.5,
      log: openLog({ level: "silent" }),
    },
    () => {},
  );
}

test("a backlog for an endpoint that answers at once is claimed by the hundred, not by the few of a stranger", async () => {
  const wallet = walletKey(1);
  await setEndpoint(database, wallet, "http://127.0.0.1:9/hook");
  for (let i = 0; i < 120; i++) await owe(database, wallet, { reference: `quick-${i}` });
  const work = openWork();
  const brought: number[] = [];
  while (brought.at(-1) !== 0) {
    const claims = await claimDue(work, 1_000);
    brought.push(claims.length);
    // All of them are over before the next claim.
    await Promise.all(claims.map((claim) => carryOut(work, claim)));
  }
  expect(brought).toEqual([4, 116, 0]);
});
