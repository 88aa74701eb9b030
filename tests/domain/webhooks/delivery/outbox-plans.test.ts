import { expect, test } from "vitest";
import {
  claimDeliveries,
  type DeliveryClaim,
  updateDue,
} from "../../../../src/domain/webhooks/delivery/claim-queries.ts";
import {
  deleteDue,
  deleteUnneeded,
  updateFinished,
  updateLeases,
  updateReturned,
} from "../../../../src/domain/webhooks/delivery/lease-queries.ts";
import { firstEndpointOf } from "../../../../src/domain/webhooks/endpoints/endpoint.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { requestsFor } from "../../../support/claim-requests.ts";
import { closing } from "../../../support/closing.ts";
import { freshDatabase } from "../../../support/database.ts";
import { setEndpoint } from "../../../support/endpoints.ts";
import { rowsRead, vacuumWhole } from "../../../support/rows-read.ts";
import { walletKey } from "../../../support/wallet.ts";
import { enqueueMany } from "../../../support/webhooks.ts";

const merchants = 40;
const each = 100;

const fresh = closing(await freshDatabase());
// One connection, as counts are each connection's own until it hands them in.
const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
const database = closing(openDatabase(pool));
for (let merchant = 1; merchant <= merchants; merchant++) {
  await setEndpoint(database, walletKey(merchant), "http://127.0.0.1:9/hook");
  await enqueueMany(database, walletKey(merchant), each);
}
// The last page stays: vacuum can't shorten the table, and remembers that its pages hold nothing.
await fresh.pool.query("delete from webhook_outbox where ctid <> (select max(ctid) from webhook_outbox)");
await vacuumWhole(fresh.pool, "webhook_outbox");
for (let merchant = 1; merchant <= merchants; merchant++) await enqueueMany(database, walletKey(merchant), each);

const outboxRead = (act: () => Promise<unknown>) => rowsRead(database, "webhook_outbox", act);

test("no statement of the deliverer reads the outbox through, though vacuum found it empty", async () => {
  let claims: readonly DeliveryClaim[] = [];
  const read: Record<string, number> = {};
  read.claim = await outboxRead(async () => {
    const wishes = requestsFor(["manual", "postponed", "event"], { perEndpoint: 4 });
    claims = (await claimDeliveries(database, wishes, 90)).claims;
  });
  expect(claims).toHaveLength(100);
  read.renew = await outboxRead(() => updateLeases(database, claims, 90));
  const attempt = {
    url: "http://127.0.0.1:9/hook",
    urlVersion: 1,
    durationMs: 1,
    error: null,
    errorDetail: null,
    responseBody: "",
  };
  const failed = { ...attempt, successful: false, httpStatus: 500, waitMs: 0 };
  const successful = { ...attempt, successful: true, httpStatus: 200, waitMs: null };
  read.rescheduleRequery = await outboxRead(() =>
    updateFinished(
      database,
      claims.slice(0, 30).map((c) => ({ ...c, ...failed })),
    ),
  );
  read.end = await outboxRead(() =>
    updateFinished(
      database,
      claims.slice(30, 60).map((c) => ({ ...c, ...successful })),
    ),
  );
  read.postpone = await outboxRead(() =>
    updateReturned(
      database,
      claims.slice(60, 80).map((c) => ({ ...c, isPostponed: true })),
    ),
  );
  read.drop = await outboxRead(() => deleteUnneeded(database, claims[80] as DeliveryClaim));
  read.promote = await outboxRead(() => updateDue(database, 10));
  await fresh.pool.query(
    "update webhook_endpoints set url = null, secret = null, secret_hint = null where merchant_id = 7",
  );
  read.forget = await outboxRead(() => deleteDue(database, firstEndpointOf(walletKey(7)), 50));
  const most = Math.max(...Object.values(read));
  expect(most, JSON.stringify(read)).toBeLessThan((merchants * each) / 4);
});
