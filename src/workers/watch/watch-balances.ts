import { listSupplierBalances, type SupplierBalance } from "../../domain/suppliers/balance-queries.ts";
import { askBalance, balanceTurn, hasBalance, isBalanceLow } from "../../domain/suppliers/balances.ts";
import type { Routing } from "../../domain/suppliers/routing/routing.ts";
import { formatHundredths } from "../../kernel/money.ts";
import type { Database } from "../../platform/database/database.ts";
import { gauges, type Metrics } from "../../platform/telemetry/metrics.ts";
import { isOurTurn } from "../../platform/work-loop.ts";
import type { Job, Reporting } from "../watch.ts";
import { askInTurn } from "./watch-catalogues.ts";

/** Each enabled supplier is asked every five minutes what is left of our money there, by one process. */
export const balanceAsking: Job<
  Pick<Reporting, "log"> & { readonly database: Database; readonly routing: Pick<Routing, "connectors"> }
> = {
  name: "supplier_balances",
  everyMs: 15_000,
  open:
    ({ database, routing, log }) =>
    async () => {
      const connectors = (await routing.connectors()).filter(hasBalance);
      return askInTurn(database, connectors, { turnOf: balanceTurn, seconds: 300, limit: 8 }, async (connector) => {
        const { balance, evidence } = await askBalance(database, connector);
        if (balance === null) log.warn({ event: "supplier.balance_untold", supplier: connector.name, evidence });
      });
    },
};

/** A transfer to a supplier takes longer: one line in ten minutes is enough to act upon. */
const repeatSeconds = 600;

const metrics = gauges(["supplier"], {
  dispense_supplier_balance: "What is left of our money at a supplier, in its account's currency, as it told last.",
  dispense_supplier_balance_age_seconds: "How long ago a supplier told its balance; it is asked every five minutes.",
  dispense_supplier_balance_alarm: "1 while an enabled supplier's balance is below its alarm (supplier alarm), else 0.",
});

/** The balances that suppliers told. Every process has the figures; one logs which are too low, while they are. */
export const balanceWatch: Job<Reporting & { readonly database: Database }> = {
  name: "balances",
  everyMs: 15_000,
  metrics,
  open:
    ({ database, metrics, log }) =>
    async () => {
      const balances = await listSupplierBalances(database);
      for (const balance of balances) report(metrics, balance);
      const low = balances.filter(isBalanceLow);
      if (low.length === 0 || !(await isOurTurn(database, "supplier.balance_low", repeatSeconds))) return;
      for (const { supplier, balance, alarmBelow } of low) {
        const amounts = { balance: textOf(balance), alarmBelow: textOf(alarmBelow) };
        log.warn({ event: "supplier.balance_low", supplier, ...amounts });
      }
    },
};

function report(metrics: Metrics, found: SupplierBalance): void {
  const { supplier, balance, ageSeconds } = found;
  if (balance === null || ageSeconds === null) return;
  metrics.set("dispense_supplier_balance", Number(formatHundredths(balance)), { supplier });
  metrics.set("dispense_supplier_balance_age_seconds", ageSeconds, { supplier });
  metrics.set("dispense_supplier_balance_alarm", isBalanceLow(found) ? 1 : 0, { supplier });
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : formatHundredths(amount);
}
