import type { TransactionIds } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { supplierReferenceOf } from "../purchases/settle.ts";
import { lockWallets } from "../wallet/queries.ts";
import { type Incident, insertIncident } from "./incident-queries.ts";

/** What a supplier's word about a purchase is kept and told with. */
export interface ForeignAnswerServices {
  readonly database: Database;
  readonly log: Logger;
  readonly transactionIds: TransactionIds;
  readonly secretBox: SecretBox;
}

/** An answer about another purchase: the supplier and attempt that it came from, who said it, and what, redacted. */
type ForeignAnswer = Omit<Incident, "kind" | "supplier"> & { readonly supplier: string };

/**
 * Keeps, as an incident for a person, that a supplier answered about another purchase than this one. Moves nothing:
 * such an answer says nothing about this purchase. Locks the wallet. Safe to repeat. Never throws: a database that is
 * away must not keep the purchase from being rescheduled, and the log line has the same facts.
 */
export async function recordForeignAnswer(
  services: ForeignAnswerServices,
  purchase: Purchase,
  answer: ForeignAnswer,
): Promise<void> {
  const { database, log, transactionIds } = services;
  const { attempt, supplier, source, evidence } = answer;
  const reported = {
    supplier,
    supplierReference: supplierReferenceOf(transactionIds, { ...purchase, attempt }),
    source,
  };
  try {
    const isNew = await database.transaction(async (tx) => {
      await lockWallets(tx, [purchase.wallet]);
      return insertIncident(tx, purchase, { kind: "another_purchase", ...answer });
    });
    if (isNew) log.error({ event: "purchase.another_purchase", ...reported });
  } catch (error) {
    log.error({ event: "purchase.another_purchase", ...reported, evidence, error: String(error) });
  }
}
