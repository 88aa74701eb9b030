import type { Clock } from "../../../kernel/clock.ts";
import { type PurchaseId, purchaseIdMinter, type TransactionIds, transactionIds } from "../../../kernel/ids.ts";
import { StartError } from "../../../kernel/start-error.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { Randomness } from "../../merchants/key-format.ts";
import {
  claimProcessNumber,
  listDeploymentNumbers,
  updateMissingNumber,
  updateProcessNumberClaim,
} from "./deployment-queries.ts";

/** How a process that sells names purchases. */
export interface PurchaseIds {
  readonly transactionIds: TransactionIds;
  readonly mintPurchaseId: () => PurchaseId;
  /** Keeps the process's number its own, several times in a quarter of an hour; takes another where that one is lost. */
  keepProcessNumber(): Promise<void>;
}

/**
 * Gives the deployment its number where it has none yet, then reads all that it has had, once: they change only while no
 * process runs (`after-restore`). What is bought from now on carries the newest one.
 * @throws StartError where a thousand processes began within a quarter of an hour
 */
export async function openPurchaseIds(options: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly randomness: Randomness;
}): Promise<PurchaseIds> {
  const { database, clock, randomness } = options;
  await updateMissingNumber(database, Buffer.from(randomness(4)).readUInt32BE());
  const numbers = await listDeploymentNumbers(database);

  async function claim() {
    const own = await claimProcessNumber(database);
    if (own === null) throw new StartError(allClaimed);
    return { own, mint: purchaseIdMinter(clock, own.number, numbers.at(-1)?.from) };
  }

  let claimed = await claim();
  return {
    transactionIds: transactionIds(numbers),
    mintPurchaseId: () => claimed.mint(),
    async keepProcessNumber() {
      if (!(await updateProcessNumberClaim(database, claimed.own))) claimed = await claim();
    },
  };
}

const allClaimed =
  "All 1,024 process numbers are taken: so many processes began within the last quarter of an hour. Stop what starts " +
  "them again and again, and start after that.";

/** The transaction ids of a deployment, for who only reads its database. */
export async function readTransactionIds(database: Queryable): Promise<TransactionIds> {
  return transactionIds(await listDeploymentNumbers(database));
}
