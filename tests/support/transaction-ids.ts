import { type PurchaseId, transactionIds } from "../../src/kernel/ids.ts";

/** Transaction ids of a deployment that no service was started on: its database has no deployment number. */
export const testTransactionIds = transactionIds([{ number: 0xd15b_e75e, from: 0n as PurchaseId }]);

/** What no reference may look like: transaction ids, ours or not. */
export const transactionIdForms = ["TXN01M81ST9MX0AJW72S1M6G4D8M8", "SBX7ZZZZZZZZZZZZZZZZZZZZZZZZZ"];

/** What looks like one only nearly: another deployment's connector sends the first. */
export const nearTransactionIds = [
  "TXN01M81ST9MX0AJW72S1M6G4D8M8-1",
  "TXN01M81ST9MX0AJW72S1M6G4D8M", // a character less
  "TXN01M81ST9MX0AJW72S1M6G4D8M80", // one more
  "TXN01M81ST9MX0AJW72S1M6G4D8MU", // no character of a ULID
  "BLK01M81ST9MX0AJW72S1M6G4D8M8",
  "txn01M81ST9MX0AJW72S1M6G4D8M8",
];
