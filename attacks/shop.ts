import { setTimeout as delay } from "node:timers/promises";
import { call } from "../rig/client.ts";
import { percentile } from "../rig/figures.ts";
import { openShop as openAnyShop, type Shop } from "../rig/shop.ts";
import type { Ground } from "./attack.ts";

/** An empty setting counts as none. */
const usualLimits = { RATE_LIMIT_PER_MINUTE: "", BULK_LINES_PER_MINUTE: "", BULK_BYTES_PER_MINUTE: "" };

/**
 * Starts the service as a new user has it, with the rate limit as it is specified, a thousand merchants who do no harm
 * (`spread`), and one who does (`hot`).
 */
export function openShop(ground: Ground, environment: Readonly<Record<string, string>> = {}): Promise<Shop> {
  return openAnyShop({ ...ground, environment: { ...usualLimits, ...environment } });
}

/** Sends a body as it is to a path of the merchant API, as the one who does harm. No answer is a finding as well. */
export function post({ service, hot }: Shop, path: string, body: string) {
  return call(service, hot, path, { body });
}

export interface OthersWait {
  readonly calls: number;
  readonly failures: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How long others wait for the balance, asked every 20 ms on a connection of its own, until it is stopped. */
export function watchOthers({ service, spread }: Shop): { stop(): Promise<OthersWait> } {
  const stopping = new AbortController();
  const waits: number[] = [];
  let failures = 0;
  const asking = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const { status, ms } = await call(service, spread[n % spread.length] ?? "", "/wallet/balance");
      if (status !== 200) failures += 1;
      waits.push(ms);
      await delay(20);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await asking;
      const sorted = Float64Array.from(waits).sort();
      const [p99Ms, maxMs] = [percentile(sorted, 0.99) ?? 0, percentile(sorted, 1) ?? 0];
      return { calls: waits.length, failures, p99Ms, maxMs };
    },
  };
}
