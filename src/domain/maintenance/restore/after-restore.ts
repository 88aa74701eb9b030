import type { Instant } from "../../../kernel/clock.ts";
import { purchaseTime } from "../../../kernel/ids.ts";
import type { Database } from "../../../platform/database/database.ts";
import { insertDeploymentNumber } from "../../purchases/deployment/deployment-queries.ts";
import { findNewestLivePurchase, updatePendingRestored } from "../../resolution/restore-queries.ts";
import { setSupplierState } from "../../suppliers/administration.ts";
import type { Supplier } from "../../suppliers/routing/route.ts";
import { readSuppliers } from "../../suppliers/routing/route-table.ts";

/** A restored database that the service may work on. */
export interface Restored {
  /** As they are now, each with how many of its pending purchases were changed. */
  readonly suppliers: readonly (Supplier & { readonly toRequery: number; readonly inReview: number })[];
  /** When the last live purchase was made that the database knows of; null where it knows none. */
  readonly newestPurchaseAt: Instant | null;
}

/**
 * Keeps a service that starts on a restored database, or on a standby that lagged behind, from doing again what was done
 * after the backup: what waits to be sent is asked about, and our own vouchers are not for sale until an operator
 * enables their supplier. With a new number, which the next start draws, nothing that is bought from now on has a name
 * that the original gives as well. No process of the service may run. Safe to repeat.
 */
export async function afterRestore(
  database: Database,
  { keepsNumber }: { readonly keepsNumber: boolean } = { keepsNumber: false },
): Promise<Restored> {
  for (const { name } of (await readSuppliers(database)).filter(sellsOwnStock))
    await setSupplierState(database, name, "disabled");
  const changed = await database.transaction(async (tx) => {
    if (!keepsNumber) await insertDeploymentNumber(tx);
    return updatePendingRestored(tx);
  });
  const bySupplier = new Map(changed.map((pending) => [pending.supplier, pending]));
  const suppliers = await readSuppliers(database);
  const newest = await findNewestLivePurchase(database);
  return {
    suppliers: suppliers.map((supplier) => ({
      ...supplier,
      toRequery: bySupplier.get(supplier.name)?.toRequery ?? 0,
      inReview: bySupplier.get(supplier.name)?.inReview ?? 0,
    })),
    newestPurchaseAt: newest === null ? null : purchaseTime(newest),
  };
}

function sellsOwnStock({ connector, state }: Supplier): boolean {
  return connector === "voucher-stock" && state === "enabled";
}
