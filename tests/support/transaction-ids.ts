import { type PurchaseId, transactionIds } from "../../src/kernel/ids.ts";

/** Transaction ids of a deployment that no service was started on: its database has no deployment number. */
export const testTransactionIds = transactionIds([{ number: 0xd15b_e75e, from: 0n as PurchaseId }]);
