import { setTimeout as delay } from "node:timers/promises";
import { carryOut } from "../domain/webhooks/delivery/carry-out.ts";
import type { DeliveryClaim } from "../domain/webhooks/delivery/claim-queries.ts";
import {
  claimDue,
  type DeliveryServices,
  type DeliveryWork,
  heartbeatMs,
  inWorkMax,
  openDeliveryWork,
  promoteDue,
  renewLeases,
} from "../domain/webhooks/delivery/delivery-work.ts";
import { closePlaces } from "../domain/webhooks/delivery/places.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** How often deliveries whose next attempt has come are let in. The shortest wait is five seconds. */
const promoteMs = 500;
/** After a claim that brought little, more is let come together: a claim of one costs as much as one of twenty. */
const gatherMs = 16;
const littleMax = 64;

/** The loop, and what it has done. */
export interface DeliveryLoop extends WorkLoop {
  readonly work: DeliveryWork;
}

/** Sends what merchants are owed, until stopped. Any number of processes may run one. */
export function startDeliveringWebhooks(options: {
  readonly services: DeliveryServices;
  readonly pollMs: number;
}): DeliveryLoop {
  const { services, pollMs } = options;
  const { log } = services;
  const work = openDeliveryWork(services, () => loop.wake());
  let gathering: Promise<unknown> = Promise.resolve();

  const loop = startWorkLoop<DeliveryClaim>({
    async claim() {
      await gathering;
      const claims = await claimDue(work);
      gathering = claims.length < littleMax ? delay(gatherMs) : Promise.resolve();
      return claims;
    },
    act: (claim) => carryOut(work, claim),
    concurrencyMax: inWorkMax,
    pollMs,
    onError(error, claim) {
      const deliveryId = claim?.deliveryId ?? null;
      log.error({ event: "webhook.delivery_failed", deliveryId, error: String(error) });
    },
  });

  const upkeep = { onError: (error: unknown) => log.error({ event: "webhook.upkeep_failed", error: String(error) }) };
  const stopPromoting = repeat({
    ...upkeep,
    everyMs: promoteMs,
    act: async () => {
      if ((await promoteDue(work)) > 0) loop.wake();
    },
  });
  const stopRenewing = repeat({ ...upkeep, everyMs: heartbeatMs, act: () => renewLeases(work) });

  return {
    wake: loop.wake,
    work,
    async stop() {
      stopPromoting();
      closePlaces(work.places);
      await loop.stop();
      stopRenewing();
    },
  };
}

/** Acts again and again, never twice at one time. @returns how to stop */
function repeat(options: {
  readonly everyMs: number;
  readonly act: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    options
      .act()
      .catch(options.onError)
      .finally(() => {
        isRunning = false;
      });
  }, options.everyMs);
  return () => clearInterval(timer);
}
