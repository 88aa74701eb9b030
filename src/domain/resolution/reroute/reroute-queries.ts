import { type PurchaseId, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { arrayOfRows, type Queryable, rowOf, statement, type Tx } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";

/** From one attempt, which was declined, to the next. */
export interface Rerouting {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly epoch: number;
  /** The attempt that was declined. */
  readonly attempt: number;
  readonly supplierReference: string;
  readonly evidence: string;
  /** The reference of the attempt at the supplier that declined it. */
  readonly providerReference: string | null;
  readonly supplier: string;
  readonly supplierCode: string;
  readonly cost: Kobo;
  readonly foreignCost: string | null;
  readonly routeReason: string;
  readonly step: "reroute" | "queued";
  readonly dueSeconds: number;
}

const reroutePurchases = statement("reroute_purchases", "select ordinal from reroute_purchases($1::rerouting[])");

/** Reroutes in one commit. @returns for each item whether it was: not where the lease was lost. Safe to repeat. */
export async function updateRerouted(db: Queryable, items: readonly Rerouting[]): Promise<boolean[]> {
  const rows = await db.query<{ ordinal: bigint }>(reroutePurchases, [arrayOfRows(items.map(reroutingRow))]);
  const done = items.map(() => false);
  for (const row of rows) done[Number(row.ordinal) - 1] = true;
  return done;
}

/** A row of the type `rerouting`, in the order of its columns. */
function reroutingRow(item: Rerouting): string {
  return rowOf([
    walletIdOf(item.wallet),
    item.id,
    item.epoch,
    item.attempt,
    item.supplierReference,
    item.evidence,
    item.providerReference,
    item.supplier,
    item.supplierCode,
    item.cost,
    item.foreignCost,
    item.routeReason,
    item.step,
    item.dueSeconds,
  ]);
}

const takeBackPurchase = statement(
  "take_back_purchase",
  `select take_back_purchase($1, $2, $3, $4, $5, $6) as "declineWasRetracted"`,
);

const evidenceCharactersMax = 2_000;

/**
 * Has a pending purchase go back from its present attempt, of which nobody was asked, to an earlier one, to wait there for
 * a person. @returns whether it did: not where the lease was lost
 */
export async function updateTakenBack(
  tx: Tx,
  { wallet, id, attempt }: Pick<Purchase, "wallet" | "id" | "attempt">,
  back: { readonly epoch: number; readonly to: number; readonly evidence: string },
): Promise<boolean> {
  const { epoch, to, evidence } = back;
  const values = [walletIdOf(wallet), id, epoch, attempt, to, evidence.slice(0, evidenceCharactersMax)];
  const [row] = await tx.query<{ declineWasRetracted: boolean }>(takeBackPurchase, values);
  return row?.declineWasRetracted === true;
}

const listAttemptSuppliers = statement(
  "list_attempt_suppliers",
  `select a.supplier
     from vend_attempts a
    where a.wallet_id = $1 and a.purchase_id = $2`,
);

/** Suppliers whose attempt at a purchase has ended. */
export async function listSuppliersTried(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<string[]> {
  const values = [walletIdOf(wallet), id];
  const rows = await db.query<{ supplier: string }>(listAttemptSuppliers, values);
  return rows.map((row) => row.supplier);
}
