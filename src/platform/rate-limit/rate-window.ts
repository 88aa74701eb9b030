/** Counts events per name in aligned windows of time, in this process alone and in bounded memory. */
export interface RateWindow {
  /** Counts one event. False when the window's limit was reached before. */
  count(name: string): boolean;
  /** Seconds until the present window ends, rounded up. */
  resetSeconds(): number;
}

export interface RateWindowOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** How many names are counted at a time; past it the one seen first makes room. */
  readonly namesMax: number;
  readonly monotonicMs: () => number;
}

export function rateWindow(options: RateWindowOptions): RateWindow {
  const { limit, windowMs, namesMax, monotonicMs } = options;
  const counts = new Map<string, number>();
  let present = Number.NaN;

  return {
    count(name) {
      const window = Math.floor(monotonicMs() / windowMs);
      if (window !== present) {
        present = window;
        counts.clear();
      }
      const counted = counts.get(name);
      if (counted === undefined && counts.size >= namesMax) {
        for (const oldest of counts.keys()) {
          counts.delete(oldest);
          break;
        }
      }
      if (counted !== undefined && counted >= limit) return false;
      counts.set(name, (counted ?? 0) + 1);
      return true;
    },
    resetSeconds: () => Math.ceil((windowMs - (monotonicMs() % windowMs)) / 1_000),
  };
}
