import { randomBytes } from "node:crypto";
import { networkInterfaces } from "node:os";
import {
  attemptDeadlineMs,
  openDeliver,
  replyBytesKept,
  replyBytesMax,
} from "../../domain/webhooks/delivery/deliver.ts";
import { type DeliveryCounts, placesMax, workFigures } from "../../domain/webhooks/delivery/delivery-work.ts";
import { type MintSecret, secretMinter } from "../../domain/webhooks/endpoints/endpoint.ts";
import { type Endpoints, openEndpoints } from "../../domain/webhooks/endpoints/queries.ts";
import { type DestinationRules, refusedAmong } from "../../domain/webhooks/endpoints/url-guard.ts";
import { deliveryIdMinter, type MintDeliveryId } from "../../domain/webhooks/events/event.ts";
import type { Stamps } from "../../domain/webhooks/events/outbox-event.ts";
import { type LimitRecovery, recoveryLimit } from "../../domain/webhooks/log/recover.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { parseAddress } from "../../platform/address.ts";
import type { Database } from "../../platform/database/database.ts";
import { guardedConnect, nameResolver, type ResolveName } from "../../platform/outbound-http/guarded-connect.ts";
import { type HttpSender, openHttpSender } from "../../platform/outbound-http/http-sender.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import { openRandomReserve } from "../../platform/sealing/random-reserve.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger, WideLog } from "../../platform/telemetry/log.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { startDeliveringWebhooks } from "../../workers/deliver-webhooks.ts";
import { measured } from "../../workers/watch/measure-webhooks.ts";
import type { Config } from "../configuration/config.ts";

/** What webhooks need from outside. */
export interface WebhookOptions {
  readonly secretBox: SecretBox;
  /** WEBHOOK_ALLOW_PRIVATE. */
  readonly allowPrivate: boolean;
  readonly resolveName: ResolveName;
  /** WEBHOOK_LOG_DAYS. */
  readonly keptDays: number;
  /** Certificate authorities trusted besides the system's, as PEM: of a test's receiver. */
  readonly authorities?: readonly string[];
}

/** Sending, as long as this process has workers. */
export interface Delivering {
  readonly counts: DeliveryCounts;
  figures(): { readonly taken: number; readonly inFlight: number; readonly endpoints: number };
  stop(): Promise<void>;
}

export interface Webhooks {
  readonly endpoints: Endpoints;
  readonly mintDeliveryId: MintDeliveryId;
  readonly stamps: Stamps;
  readonly mintSecret: MintSecret;
  readonly secretBox: SecretBox;
  readonly rules: DestinationRules;
  readonly resolveName: ResolveName;
  readonly watch: RevisionWatch;
  /** How many days the delivery log is kept. */
  readonly keptDays: number;
  /** Shared by the API and the console. */
  readonly limitRecovery: LimitRecovery;
  /** New deliveries were stored: a worker of this process looks at once, others when they next poll. */
  wake(): void;
  /** A guarded client of its own, for what else is sent to an address that somebody typed. */
  openSender(): HttpSender;
  /** Starts to send deliveries. */
  startDelivering(pollMs: number): Delivering;
}

/** For TCP and TLS together. */
const connectDeadlineMs = 5_000;

/** A person who saves a URL waits for its name servers, this long at most. */
const nameDeadlineMs = 2_000;

/** As the configuration says. */
export function webhookOptions(config: Config, secretBox: SecretBox): WebhookOptions {
  return {
    secretBox,
    allowPrivate: config.webhookAllowPrivate,
    keptDays: config.webhookLogDays,
    resolveName: nameResolver({ deadlineMs: nameDeadlineMs }),
  };
}

/** Wires what saving, owing and sending webhooks share. */
export function openWebhooks(given: {
  readonly options: WebhookOptions;
  readonly database: Database;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly wide: WideLog | undefined;
}): Webhooks {
  const { options, database, watch, clock, wallTime, metrics, log, wide } = given;
  const { secretBox, resolveName } = options;
  const ownAddresses = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => parseAddress(address)?.toString() ?? []);
  const rules = { allowPrivate: options.allowPrivate, ownAddresses: new Set(ownAddresses) };
  const endpoints = openEndpoints({ database, watch });
  const mintDeliveryId = deliveryIdMinter({ clock, randomness: openRandomReserve() });
  const wakers = new Set<() => void>();
  return {
    endpoints,
    mintDeliveryId,
    stamps: { mintDeliveryId, clock, wallTime },
    mintSecret: secretMinter({ randomness: randomBytes, secretBox }),
    secretBox,
    rules,
    resolveName,
    watch,
    keptDays: options.keptDays,
    limitRecovery: recoveryLimit(() => performance.now()),
    wake() {
      for (const wake of wakers) wake();
    },
    openSender: () => openSender(options, rules),
    startDelivering(pollMs) {
      const sender = openSender(options, rules);
      const monotonicMs = () => performance.now();
      const deliver = measured(openDeliver({ sender, secretBox, rules, clock, monotonicMs, log }), { metrics, clock });
      const loop = startDeliveringWebhooks({
        services: { database, endpoints, deliver, clock, monotonicMs, chance: Math.random, log, wide },
        pollMs,
      });
      wakers.add(loop.wake);
      return {
        counts: loop.work.counts,
        figures: () => workFigures(loop.work),
        async stop() {
          wakers.delete(loop.wake);
          await loop.stop();
          await sender.close();
        },
      };
    },
  };
}

function openSender({ resolveName, authorities }: WebhookOptions, rules: DestinationRules) {
  const guard = { resolveName, refusedAmong: (addresses: readonly string[]) => refusedAmong(addresses, rules) };
  return openHttpSender({
    connect: guardedConnect({
      ...guard,
      deadlineMs: connectDeadlineMs,
      ...(authorities === undefined ? {} : { authorities }),
    }),
    deadlineMs: attemptDeadlineMs,
    replyBytesMax,
    replyBytesKept,
    connectionsMax: placesMax,
  });
}
