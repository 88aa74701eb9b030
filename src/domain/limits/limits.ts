import type { Instant, WallTime } from "../../kernel/clock.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import type { Refusal } from "../../kernel/problems.ts";
import { refuse } from "../../kernel/problems.ts";

/** What an account may spend, in kobo. */
export interface SpendingLimits {
  readonly perTransaction: Kobo;
  readonly perDay: Kobo;
}

const byTier: Readonly<Record<number, SpendingLimits>> = {
  1: { perTransaction: kobo(5_000_000n), perDay: kobo(20_000_000n) },
  2: { perTransaction: kobo(20_000_000n), perDay: kobo(200_000_000n) },
  3: { perTransaction: kobo(100_000_000n), perDay: kobo(2_000_000_000n) },
};
const lowest = { perTransaction: kobo(5_000_000n), perDay: kobo(20_000_000n) };

/** The limits that apply: by the account's tier in live mode, none in sandbox. An unknown tier gets the lowest. */
export function spendingLimits(mode: Mode, tier: number): SpendingLimits | null {
  return mode === "live" ? (byTier[tier] ?? lowest) : null;
}

/** @throws Refusal TRANSACTION_LIMIT_EXCEEDED */
export function checkTransactionLimit(limits: SpendingLimits | null, total: Kobo): void {
  if (limits === null || total <= limits.perTransaction) return;
  const limit = formatNaira(limits.perTransaction);
  throw refuse("TRANSACTION_LIMIT_EXCEEDED", {
    message: `One transaction may cost at most ${limit}; this one costs ${formatNaira(total)}.`,
    meta: { limit, amount: formatNaira(total) },
  });
}

/** The refusal of a purchase that would exceed the day's allowance. */
export function dailyLimitExceeded(
  limits: SpendingLimits,
  spentToday: Kobo,
  { now, zone }: { readonly now: Instant; readonly zone: WallTime },
): Refusal {
  return refuse("DAILY_LIMIT_EXCEEDED", {
    message: `The day's limit is ${formatNaira(limits.perDay)}, of which ${formatNaira(spentToday)} are spent.`,
    meta: {
      limit: formatNaira(limits.perDay),
      used: formatNaira(spentToday),
      resets_at: zone.format(zone.dayOf(now).end),
    },
  });
}
