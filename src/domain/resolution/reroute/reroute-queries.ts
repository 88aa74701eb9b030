import type { PurchaseId, WalletKey } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { walletColumns, walletValues } from "../../wallet/wallet-values.ts";

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

const reroutePurchases = statement(
  "reroute_purchases",
  "select ordinal from reroute_purchases($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
);

/** Reroutes in one commit. @returns for each item whether it was: not where the lease was lost. Safe to repeat. */
export async function updateRerouted(db: Queryable, items: readonly Rerouting[]): Promise<boolean[]> {
  const column = (read: (item: Rerouting) => string | number | bigint | null) => arrayOf(items.map(read));
  const rows = await db.query<{ ordinal: bigint }>(reroutePurchases, [
    ...walletColumns(items.map(({ wallet }) => wallet)),
    column((item) => item.id),
    column((item) => item.epoch),
    column((item) => item.attempt),
    column((item) => item.supplierReference),
    column((item) => item.evidence),
    column((item) => item.providerReference),
    column((item) => item.supplier),
    column((item) => item.supplierCode),
    column((item) => item.cost),
    column((item) => item.foreignCost),
    column((item) => item.routeReason),
    column((item) => item.step),
    column((item) => item.dueSeconds),
  ]);
  const done = items.map(() => false);
  for (const row of rows) done[Number(row.ordinal) - 1] = true;
  return done;
}

const takeBackPurchase = statement(
  "take_back_purchase",
  `select take_back_purchase($1, $2, $3, $4, $5, $6, $7, $8) as "declineWasRetracted"`,
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
  const values = [...walletValues(wallet), id, epoch, attempt, to, evidence.slice(0, evidenceCharactersMax)];
  const [row] = await tx.query<{ declineWasRetracted: boolean }>(takeBackPurchase, values);
  return row?.declineWasRetracted === true;
}

const listAttemptSuppliers = statement(
  "list_attempt_suppliers",
  `select a.supplier
     from vend_attempts a
    where a.bucket = $1 and a.merchant_id = $2 and a.mode = $3 and a.purchase_id = $4`,
);

/** Suppliers whose attempt at a purchase has ended. */
export async function listSuppliersTried(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<string[]> {
  const values = [...walletValues(wallet), id];
  const rows = await db.query<{ supplier: string }>(listAttemptSuppliers, values);
  return rows.map((row) => row.supplier);
}
