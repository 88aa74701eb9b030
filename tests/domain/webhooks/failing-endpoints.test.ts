import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstEndpointOf } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import { judgeFailingEndpoints, verdictOn } from "../../../src/domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { findEndpoint } from "../../../src/domain/webhooks/endpoints/queries.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { Logger } from "../../../src/platform/telemetry/log.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { setEndpoint } from "../../support/endpoints.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { walletKey } from "../../support/wallet.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.parse("2026-11-20T13:00:00Z");

describe("an endpoint that only fails", () => {
  test.each([
    ["for two days", 2, 0, null, "none"],
    ["for three days", 3, 0, null, "notice"],
    ["for three days, but within eleven hours", 3, 3 * day - 11 * hour, null, "none"],
    ["for five days, without a notice", 5, 0, null, "notice"],
    ["for five days, with a notice of an hour ago", 5, 0, hour, "none"],
    ["for four days, with a notice", 4, 0, day, "none"],
    ["for five days, with a notice of a day ago", 5, 0, day, "disable"],
  ] as const)("%s gets the verdict that is due", (_what, days, lastAgo, noticeAgo, verdict) => {
    const endpoint = {
      failingSince: now - days * day,
      lastFailedAt: now - lastAgo,
      noticedAt: noticeAgo === null ? null : now - noticeAgo,
    };
    expect(verdictOn(endpoint, now)).toBe(verdict);
  });
});

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

test("the operator hears of it once before it is switched off, and once when it is", async () => {
  const wallet = walletKey(9);
  await setEndpoint(database, wallet, "https://example.com/hook");
  await fresh.pool.query(
    `insert into webhook_failing_endpoints (merchant_id, failing_since, last_failed_at)
     values ($1, $2, $3)`,
    [wallet.merchantId, new Date(now - 3 * day), new Date(now)],
  );
  const said: unknown[] = [];
  const log = { warn: (line: { event: string }) => said.push(line.event) } as unknown as Logger;
  for (const at of [now, now + hour, now + 2 * day, now + 3 * day]) {
    await judgeFailingEndpoints({ database, clock: { now: () => at }, log });
  }
  expect(said).toEqual(["webhook.failing", "webhook.disabled"]);
  expect(await findEndpoint(database, firstEndpointOf(wallet))).toMatchObject({
    disabledReason: "failing",
    disabledAt: now + 2 * day,
  });
});
