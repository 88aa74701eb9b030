import type { Clock } from "../../../kernel/clock.ts";
import { type PurchaseId, purchaseIdMinter, type TransactionIds, transactionIds } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import { claimProcessNumber, listDeploymentNumbers, updateMissingNumber } from "./deployment-queries.ts";

/** How a process that sells names purchases. */
export interface PurchaseIds {
  readonly transactionIds: TransactionIds;
  readonly mintPurchaseId: () => PurchaseId;
}

/**
 * Gives the deployment its number where it has none yet, then reads all that it has had, once: they change only while no
 * process runs (`after-restore`). What is bought from now on carries the newest one.
 */
export async function openPurchaseIds(options: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly randomness: Randomness;
}): Promise<PurchaseIds> {
  const { database, clock, randomness } = options;
  await updateMissingNumber(database, Buffer.from(randomness(4)).readUInt32BE());
  const numbers = await listDeploymentNumbers(database);
  const processNumber = await claimProcessNumber(database);
  return {
    transactionIds: transactionIds(numbers),
    mintPurchaseId: purchaseIdMinter(clock, processNumber, numbers.at(-1)?.from),
  };
}

/** The transaction ids of a deployment, for who only reads its database. */
export async function readTransactionIds(database: Queryable): Promise<TransactionIds> {
  return transactionIds(await listDeploymentNumbers(database));
}
