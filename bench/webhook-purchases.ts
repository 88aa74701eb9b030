import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, statement } from "../src/platform/database/database.ts";
import { breakIn, readCounters } from "./database.ts";
import { setDelay } from "./live-rig.ts";
import { type LiveShop, openLiveShop } from "./live-shop.ts";
import { numbersMax } from "./load.ts";
import { purchaseFrames } from "./merchants.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import { settled } from "./purchase.ts";
import type { Undo } from "./scratch-folder.ts";
import { bumpWebhooks, createEndpoints } from "./webhook-load.ts";
import type { WebhookOptions, WebhookSample } from "./webhook-rig.ts";

const connections = 256;
/** As `bench -- live` has it. */
const supplierMs = 20;
const expectedStatus = 201;
/** Every process knows the settings within a second. */
const knownMs = 1_500;
/** The code that is about to run was last optimised for the other phase. */
const warmUpSeconds = 1;
/** Nobody listens there, and nobody sends. */
const noPort = 9;

const updateWanted = statement(
  "update_bench_wanted",
  `update webhook_endpoints
      set notify = 'all',
          disabled_at = case when $1 then null else now() end,
          disabled_reason = case when $1 then null else 'merchant' end
    where true`,
);
/** As if all had been delivered: nobody sends here, and an event is not entered into a backlog of hours in use. */
const deleteDelivered = statement("delete_bench_delivered", "truncate webhook_outbox");
const countOwed = statement("count_bench_owed", "select count(*)::integer as owed from webhook_outbox where mode = $1");

export interface PurchasePhases {
  readonly withoutEvents: () => Promise<WebhookSample>;
  readonly withEvents: () => Promise<WebhookSample>;
}

/**
 * Live purchases over HTTP, of the same merchants with their webhooks switched off and on: each is charged by one commit
 * and, when its supplier has answered, settled by a second, which owes an event or does not. The service is one that
 * answers requests alone (`ROLE=api`): the sending is measured by itself. Fails when an event too few or too many was
 * owed.
 */
export async function openPurchasePhases(
  { folder: runFolder, options, progress }: PurchasePhaseOptions,
  undo: Undo,
): Promise<PurchasePhases> {
  const folder = path.join(runFolder, "purchases");
  await mkdir(folder);
  const shop = await openLiveShop({ folder, undo, progress, environment: { ROLE: "api", LOG_LEVEL: "error" } });
  await setDelay(shop, supplierMs);
  await breakIn(shop.database);
  await createEndpoints(shop.database, shop.buyers.length + 1, noPort, () => "hook");
  const keys = shop.buyers.map(({ liveKey }) => liveKey);
  let phase = 0;

  async function measure(areWanted: boolean): Promise<WebhookSample> {
    phase += 1;
    const prefix = `p${phase}-`;
    await shop.database.query(updateWanted, [areWanted]);
    await shop.database.query(bumpWebhooks);
    await delay(knownMs);
    const frames = purchaseFrames(keys, shop.basket, prefix);
    const load = { port: shop.service.port, connections, prefix, numbers: numbersMax, frames, expectedStatus };
    const warmUp = { ...load, prefix: `w${prefix}`, frames: purchaseFrames(keys, shop.basket, `w${prefix}`) };
    await shop.driver.drive({ ...warmUp, seconds: warmUpSeconds });
    await settled();
    await shop.database.query(deleteDelivered);
    const before = { ...(await readCounters(shop.database)), ...cpu(shop) };
    const outcome = await shop.driver.drive({ ...load, seconds: options.seconds });
    const after = { ...(await readCounters(shop.database)), ...cpu(shop) };
    const events = await owed(shop.database);
    const wanted = areWanted ? after.purchases - before.purchases : 0;
    if (outcome.errors > 0 || events !== wanted) {
      throw new Error(
        `${JSON.stringify(outcome.unexpected)} answers; ${events} events are owed where ${wanted} should be`,
      );
    }
    const each = (total: number) => total / Math.max(1, outcome.answered);
    return {
      perSecond: outcome.answered / outcome.seconds,
      p50Ms: outcome.p50Ms,
      p99Ms: outcome.p99Ms,
      commits: each(after.commits - before.commits),
      walBytes: each(after.walBytes - before.walBytes),
      serverMicros: each((after.server - before.server) * 1e6),
      postgresMicros: each((after.postgres - before.postgres) * 1e6),
      megabytes: null,
      duplicates: 0,
    };
  }
  await measure(true);
  return { withoutEvents: () => measure(false), withEvents: () => measure(true) };
}

interface PurchasePhaseOptions {
  readonly folder: string;
  readonly options: Pick<WebhookOptions, "seconds">;
  readonly progress: (text: string) => void;
}

async function owed(database: Database): Promise<number> {
  const [row] = await database.query<{ owed: number }>(countOwed, ["live"]);
  return row?.owed ?? 0;
}

function cpu({ service }: LiveShop) {
  return { server: processCpuSeconds(service.pid), postgres: familyCpuSeconds(service.postgresPid) };
}
