// The database's clock may need a little longer than we think until it is in the next slot.
const delayMs = 2;

/** When slots end, as far as answers told. Times are of the monotonic clock. */
export interface SlotEnds {
  expect(slotEndsAtMs: number): void;
  stop(): void;
}

/** Runs `renew` soon after the latest slot of which it was told has ended. */
export function onSlotEnd(monotonicMs: () => number, renew: () => Promise<void>): SlotEnds {
  let endsAtMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function arm(): void {
    timer = setTimeout(
      () => {
        timer = null;
        if (monotonicMs() < endsAtMs) arm();
        else void renew();
      },
      endsAtMs - monotonicMs() + delayMs,
    ).unref();
  }

  return {
    expect(slotEndsAtMs) {
      // Each answer tells it a little early, by what the question took: the latest is the nearest to the truth.
      endsAtMs = Math.max(endsAtMs, slotEndsAtMs);
      if (timer === null && !isStopped) arm();
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
