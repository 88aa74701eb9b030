import { collectedHeap } from "./collected-heap.ts";
import { watchMemory } from "./process-memory.ts";
import { countLogged } from "./webhook-load.ts";
import { begin, besideHoles, comeToRest, end, type MerchantsOf, oweSteadily } from "./webhook-measure.ts";
import { blackHoles, merchants, refusers, type WebhookRig, type WebhookSample } from "./webhook-rig.ts";

/** The service's memory under a steady load. */
export interface WebhookMemory {
  readonly seconds: number;
  /** Owed a second. */
  readonly rate: number;
  /** Resident, in MB, at even steps. */
  readonly megabytes: readonly number[];
  /** What it needs at rest, in MB, before and after. */
  readonly heap: readonly [before: number, after: number];
}

/** One in so many of the counted deliveries goes to a refuser, so that retries fall due all the time. */
const perRefuser = 5;

const everyKind: MerchantsOf = (index) =>
  index % perRefuser === 1
    ? [merchants + blackHoles + 1 + (Math.floor(index / perRefuser) % refusers)]
    : besideHoles(index);

/** Every so manyth look is told at once: the phase may last hours. */
const perTold = 10;

/**
 * A mixture of receivers at one rate for long, from rest to rest. What is refused or not answered at the very end is
 * forgotten.
 */
export async function measureMemory(
  rig: WebhookRig,
  rate: number,
): Promise<{ readonly sample: WebhookSample; readonly memory: WebhookMemory }> {
  const { memorySeconds: seconds } = rig.options;
  const heapBefore = await collectedHeap(rig.service);
  const before = await begin(rig);
  const onLook = (megabytes: readonly number[]) => {
    if (megabytes.length % perTold === 0) rig.progress(`${megabytes.at(-1)} `);
  };
  const { memory: megabytes } = await watchMemory({ pid: rig.service.pid, seconds, onLook }, () =>
    oweSteadily(rig, { rate, seconds, merchantOf: everyKind }),
  );
  const { successful } = await countLogged(rig.database);
  const sample = await end(rig, before, successful - before.successful);
  await comeToRest(rig);
  const heap = [heapBefore, await collectedHeap(rig.service)] as const;
  return { sample, memory: { seconds, rate, megabytes, heap } };
}
