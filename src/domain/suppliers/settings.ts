import { refuse } from "../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import { change } from "./administration.ts";
import { insertBalanceAlarm, listSupplierBalances } from "./balance-queries.ts";
import { insertCap, insertFloor, type LimitsRow, listSupplierLimits } from "./routing/limit-queries.ts";
import type { SupplierLimits } from "./routing/limits.ts";

/**
 * What operators set for a supplier, all of it; null: not set. The cap's amount is in kobo, the others in hundredths of its
 * account's currency.
 */
export interface SupplierSettings extends SupplierLimits {
  /** Below this, people are told. */
  readonly alarmBelow: bigint | null;
}

/** What is set for a supplier now. Takes no lock. @throws Refusal NOT_FOUND */
export async function readSettings(database: Queryable, supplier: string): Promise<SupplierSettings> {
  const limits = (await database.query<LimitsRow>(listSupplierLimits)).find((row) => row.supplier === supplier);
  if (limits === undefined) throw refuse("NOT_FOUND", { message: "There is no such supplier." });
  const { dayCost, dayPurchases, balanceFloor } = limits;
  const balance = (await listSupplierBalances(database)).find((row) => row.supplier === supplier);
  return { dayCost, dayPurchases, balanceFloor, alarmBelow: balance?.alarmBelow ?? null };
}

/** The settings in one text: equal texts mean equal settings. */
export function settingsText({ dayCost, dayPurchases, balanceFloor, alarmBelow }: SupplierSettings): string {
  return [dayCost, dayPurchases, balanceFloor, alarmBelow].map((value) => String(value ?? "none")).join(" ");
}

/**
 * Sets cap, floor and alarm of a supplier in one commit, where they still are what the person was shown.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR where somebody changed them meanwhile
 */
export function changeSettings(
  database: Database,
  supplier: string,
  { shown, settings }: { readonly shown: string; readonly settings: SupplierSettings },
): Promise<void> {
  return change(database, async (tx) => {
    if (settingsText(await readSettings(tx, supplier)) !== shown) {
      throw refuse("VALIDATION_ERROR", { message: "Someone else changed these limits. Here’s the current version." });
    }
    await store(tx, supplier, settings);
  });
}

/** Sets some of the settings, whatever they were. Safe to repeat. @throws Refusal NOT_FOUND */
export function setSettings(database: Database, supplier: string, some: Partial<SupplierSettings>): Promise<void> {
  return change(database, async (tx) => store(tx, supplier, { ...(await readSettings(tx, supplier)), ...some }));
}

async function store(tx: Tx, supplier: string, settings: SupplierSettings): Promise<void> {
  await tx.query(insertCap, [supplier, settings.dayCost, settings.dayPurchases]);
  await tx.query(insertFloor, [supplier, settings.balanceFloor]);
  await tx.query(insertBalanceAlarm, [supplier, settings.alarmBelow]);
}
