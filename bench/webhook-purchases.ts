import { setTimeout as delay } from "node:timers/promises";
import { type Database, statement } from "../src/platform/database.ts";
import { readCounters } from "./database.ts";
import { openDriver } from "./driver.ts";
import { numbersMax } from "./load.ts";
import { chooseBasket, createBuyers, purchaseFrames } from "./merchants.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import type { Undo } from "./scratch-folder.ts";
import { bumpWebhooks } from "./webhook-load.ts";
import type { WebhookRig, WebhookSample } from "./webhook-rig.ts";

const connections = 128;
/** Few, as a worker that looks for what is due passes each of those whose breaker is open. */
const buyers = 20;
/** The sandbox lets it fail: charged by one commit and settled by a second, with its event or without, as live ones are. */
const failingPhone = "08031230002";
const failedStatus = 422;
/** Every process knows the settings within a second. */
const knownMs = 1_500;

const updateWanted = statement(
  "update_bench_wanted",
  `update webhook_endpoints
      set notify = 'all',
          disabled_at = case when $1 then null else now() end,
          disabled_reason = case when $1 then null else 'merchant' end
    where true`,
);
const insertLogs = statement(
  "insert_bench_logs",
  `insert into webhook_logs (bucket, merchant_id, mode)
   select w.bucket, w.merchant_id, 'test'
     from webhook_endpoints w
       on conflict (bucket, merchant_id, mode) do nothing`,
);
/** What is owed is not sent: the sending is measured by itself. */
const insertBreakers = statement(
  "insert_bench_breakers",
  `insert into webhook_failing_endpoints (bucket, merchant_id, open_until)
   select w.bucket, w.merchant_id, now() + interval '1 day'
     from webhook_endpoints w
       on conflict (bucket, merchant_id)
       do update set open_until = excluded.open_until`,
);
const countOwed = statement("count_bench_owed", "select count(*)::integer as owed from webhook_outbox where mode = $1");

export interface PurchasePhases {
  readonly withoutEvents: () => Promise<WebhookSample>;
  readonly withEvents: () => Promise<WebhookSample>;
}

/**
 * Purchases over HTTP, of the same merchants with their webhooks switched off and on. Each owes an event then, in the
 * commit that settles it; breakers keep back the sending. Fails when an event too few or too many was owed.
 */
export async function openPurchasePhases(rig: WebhookRig, undo: Undo): Promise<PurchasePhases> {
  const { database, service } = rig;
  const driver = openDriver();
  undo.push(driver.close);
  const keys = (await createBuyers(database)).spread.slice(0, buyers);
  const basket = { ...(await chooseBasket(service.port, keys[0] ?? "")), phone: failingPhone };
  await database.query(insertLogs);
  await database.query(insertBreakers);
  let phase = 0;

  async function measure(areWanted: boolean): Promise<WebhookSample> {
    phase += 1;
    const prefix = `p${phase}-`;
    const owedBefore = await owed(database);
    await database.query(updateWanted, [areWanted]);
    await database.query(bumpWebhooks);
    await delay(knownMs);
    const frames = purchaseFrames(keys, basket, prefix);
    const load = { port: service.port, connections, prefix, numbers: numbersMax, frames, expectedStatus: failedStatus };
    const before = { ...(await readCounters(database)), ...cpu(rig) };
    const outcome = await driver.drive({ ...load, seconds: rig.options.seconds });
    const after = { ...(await readCounters(database)), ...cpu(rig) };
    const events = (await owed(database)) - owedBefore;
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

async function owed(database: Database): Promise<number> {
  const [row] = await database.query<{ owed: number }>(countOwed, ["test"]);
  return row?.owed ?? 0;
}

function cpu({ service }: WebhookRig) {
  return { server: processCpuSeconds(service.pid), postgres: familyCpuSeconds(service.postgresPid) };
}
