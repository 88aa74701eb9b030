import type { SupplierBalance } from "../../domain/routing/balance-queries.ts";
import { isBalanceLow, readSupplierBalances } from "../../domain/routing/balances.ts";
import { formatHundredths } from "../../kernel/money.ts";
import type { Database } from "../../platform/database/database.ts";
import { isOurTurn } from "../../platform/our-turn.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";
import type { Watching } from "./watching.ts";

const pollMs = 15_000;
/** A transfer to a supplier takes longer: one line in ten minutes is enough to act upon. */
const repeatSeconds = 600;

export const balanceMetrics: readonly Metric[] = [
  {
    name: "dispense_supplier_balance",
    kind: "gauge",
    labels: ["supplier"],
    help: "What is left of our money at a supplier, in its account's currency, as it told last.",
  },
  {
    name: "dispense_supplier_balance_age_seconds",
    kind: "gauge",
    labels: ["supplier"],
    help: "How long ago a supplier told its balance; it is asked every five minutes.",
  },
  {
    name: "dispense_supplier_balance_alarm",
    kind: "gauge",
    labels: ["supplier"],
    help: "1 while an enabled supplier's balance is below its alarm (supplier alarm), else 0.",
  },
];

/**
 * Looks every 15 s at the balances that suppliers told, until stopped. Every process has the figures; one of them says in
 * the log which are too low, every ten minutes while it lasts.
 */
export function startWatchingBalances(options: Watching<{ readonly database: Database }>): WorkLoop {
  const { services, metrics, log } = options;
  return startWatch({
    async look() {
      const balances = await readSupplierBalances(services.database);
      for (const balance of balances) tell(metrics, balance);
      const low = balances.filter(isBalanceLow);
      if (low.length === 0 || !(await isOurTurn(services.database, "supplier.balance_low", repeatSeconds))) return;
      for (const { supplier, balance, alarmBelow } of low) {
        const amounts = { balance: textOf(balance), alarmBelow: textOf(alarmBelow) };
        log.warn({ event: "supplier.balance_low", supplier, ...amounts });
      }
    },
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "supplier.balance_watch_failed", error: String(error) }),
  });
}

function tell(metrics: Metrics, found: SupplierBalance): void {
  const { supplier, balance, ageSeconds } = found;
  if (balance === null || ageSeconds === null) return;
  metrics.set("dispense_supplier_balance", Number(formatHundredths(balance)), { supplier });
  metrics.set("dispense_supplier_balance_age_seconds", ageSeconds, { supplier });
  metrics.set("dispense_supplier_balance_alarm", isBalanceLow(found) ? 1 : 0, { supplier });
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : formatHundredths(amount);
}
