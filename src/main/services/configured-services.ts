import { openTokenStore } from "../../domain/suppliers/balances.ts";
import { type Clock, wallTime } from "../../kernel/clock.ts";
import { followSealingKey } from "../../platform/sealing/sealing-key.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger, WideLog } from "../../platform/telemetry/log.ts";
import type { Config } from "../configuration/config.ts";
import { openConnectors } from "./connector-services.ts";
import { peopleOptions } from "./people-services.ts";
import { buildServices, type Services } from "./services.ts";
import { webhookOptions } from "./webhook-services.ts";

const workerPollMs = 500;

/**
 * Wires the service as the configuration says, sealing as all its processes do. `undo` gets the steps that close it, to
 * be taken from the last to the first; after a failure, those for what was opened before.
 * @throws StartError when the box lacks the key that everybody seals under
 */
export async function openConfiguredServices(
  config: Config,
  given: {
    readonly connectionString: string;
    readonly connectionsMax: number;
    readonly secretBox: SecretBox;
    readonly clock: Clock;
    readonly log: Logger;
    readonly wide?: WideLog;
    readonly undo: (() => Promise<void>)[];
  },
): Promise<Services> {
  const { connectionString, connectionsMax, secretBox, clock, log, wide, undo } = given;
  const tokenStore = openTokenStore({ database: () => services.database, secretBox });
  const connectors = openConnectors({ origins: config.supplierOrigins, secretBox, clock, tokenStore, log });
  undo.push(() => connectors.http.close());
  const services = await buildServices({
    connectionString,
    connectionsMax,
    clock,
    wallTime: wallTime(config.timeZone),
    log,
    ...(wide === undefined ? {} : { wide }),
    rateLimitPerMinute: config.rateLimitPerMinute,
    bulkLimits: { lines: config.bulkLinesPerMinute, bytes: config.bulkBytesPerMinute },
    sandboxPendingSeconds: config.sandboxPendingSeconds,
    legacyHoldMs: config.legacyHoldSeconds * 1_000,
    trustedProxies: config.trustedProxies,
    openConnector: connectors.openConnector,
    webhooks: webhookOptions(config, secretBox),
    people: await peopleOptions(config),
    workerPollMs,
  });
  undo.push(() => services.close());
  const stopFollowing = await followSealingKey({ database: services.database, box: secretBox, log });
  undo.push(async () => stopFollowing());
  return services;
}
