import type { Instant, WallTime } from "../../../kernel/clock.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { formatNaira, zeroKobo } from "../../../kernel/money.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { refuse } from "../../../kernel/problems.ts";

/** What an account may spend, in kobo. */
export interface SpendingLimits {
  readonly perTransaction: Kobo;
  readonly perDay: Kobo;
}

/** The limits that apply: the account's tier's in live mode, none in sandbox. */
export function spendingLimits(mode: Mode, ofTier: SpendingLimits): SpendingLimits | null {
  return mode === "live" ? ofTier : null;
}

/** @throws Refusal TRANSACTION_LIMIT_EXCEEDED */
export function checkTransactionLimit(limits: SpendingLimits | null, total: Kobo): void {
  const refusal = overTransactionLimit(limits, total);
  if (refusal !== null) throw refusal;
}

/**
 * The refusal of what costs more than one purchase may; null where it does not. Its meta has the fields of the day's
 * limit, so that clients read both alike: nothing else uses this limit up, and no waiting helps.
 */
export function overTransactionLimit(limits: SpendingLimits | null, total: Kobo): Refusal | null {
  if (limits === null || total <= limits.perTransaction) return null;
  const limit = formatNaira(limits.perTransaction);
  return refuse("TRANSACTION_LIMIT_EXCEEDED", {
    message: `One transaction may cost at most ${limit}; this one costs ${formatNaira(total)}.`,
    meta: { limit, used: formatNaira(zeroKobo), resets_at: null, amount: formatNaira(total) },
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
