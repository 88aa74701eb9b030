// A program: delivers webhooks of the database given until it is killed. Arguments: connection string.
import { wallTime } from "../../../src/kernel/clock.ts";
import { buildServices } from "../../../src/main/services/services.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { connectorsAtHand } from "../fake-supplier.ts";
import { testWebhooks } from "../webhooks.ts";

const [connectionString = ""] = process.argv.slice(2);
const services = await buildServices({
  connectionString,
  connectionsMax: 10,
  clock: { now: () => Date.now() },
  wallTime: wallTime("Africa/Lagos"),
  log: openLog({ level: "silent" }),
  rateLimitPerMinute: 1_000_000,
  bulkLimits: { lines: 1_000_000_000, bytes: 1_000_000_000 },
  sandboxPendingSeconds: 20,
  trustedProxies: [],
  openConnector: connectorsAtHand([]),
  webhooks: { ...testWebhooks, allowPrivate: true },
  workerPollMs: 60_000,
});
services.startWorkers();
console.log("running");
