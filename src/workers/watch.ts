import type { Logger } from "../platform/telemetry/log.ts";
import type { Metric, Metrics } from "../platform/telemetry/metrics.ts";
import { startWorkLoop } from "../platform/work-loop.ts";

/** What every watch tells by. */
export interface Reporting {
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** "again": look again at once. */
export type Looked = "again" | undefined;

/** Something that a process looks at, or does, again and again. */
export interface Job<Services> {
  /** In the log, where a look fails. */
  readonly name: string;
  /** Between two looks. */
  readonly everyMs: number;
  /** What its looks set. */
  readonly metrics?: readonly Metric[];
  /** Its looks log themselves what fails. */
  readonly logsFailures?: true;
  /** @returns one look; what it remembers until the next one is its own */
  readonly open: (services: Services) => () => Promise<Looked>;
}

/**
 * Looks at once, and then each at its time, one look of a watch after the other. After one that failed, a watch rests four
 * times as long.
 */
export function startWatches<Services extends Pick<Reporting, "log">>(
  watches: readonly Job<Services>[],
  services: Services,
): { stop(): Promise<void> } {
  const loops = watches.map(({ name, everyMs, logsFailures = false, open }) => {
    const look = open(services);
    return startWorkLoop({
      claim: async () => ((await look()) === "again" ? [name] : []),
      act: async () => {},
      concurrencyMax: 1,
      pollMs: everyMs,
      onError(error) {
        if (!logsFailures) services.log.error({ event: "watch.failed", watch: name, error: String(error) });
      },
    });
  });
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
