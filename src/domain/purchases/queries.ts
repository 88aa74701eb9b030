import {
  type PurchaseId,
  type Reference,
  type WalletId,
  type WalletKey,
  walletIdOf,
  walletOfId,
} from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { commitSecondsMax } from "../../platform/database/commit-state.ts";
import {
  arrayOf,
  arrayOfRows,
  type Queryable,
  rowOf,
  type Statement,
  statement,
  type Value,
} from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { readFulfilment } from "./fulfilment/sealed-fulfilment.ts";
import {
  laterColumns,
  type Purchase,
  type PurchaseTerms,
  purchaseWith,
  type TermSource,
  termColumns,
  termFields,
} from "./purchase.ts";

export type PurchaseRow = Omit<Purchase, "wallet" | "details" | "bulk" | "fulfilment"> & {
  readonly walletId: WalletId;
  readonly details: JsonObject | null;
  readonly fulfilment: JsonObject | null;
  readonly bulkReference: Reference | null;
  readonly bulkLine: number | null;
};

export function purchaseOf(row: PurchaseRow): Purchase {
  const { bulkReference, bulkLine } = row;
  const made = {
    wallet: walletOfId(row.walletId),
    bulk: bulkReference === null || bulkLine === null ? null : { reference: bulkReference, line: bulkLine },
    details: row.details ?? {},
    fulfilment: readFulfilment(row, row.fulfilment),
  };
  return purchaseWith(made, row, row);
}

const fieldColumns = Object.entries({ ...termColumns, ...laterColumns })
  .map(([field, { name }]) => `p.${name} as "${field}"`)
  .join(",\n       ");

/** The selected columns of a `PurchaseRow`. */
export const purchaseColumns = `
       p.wallet_id as "walletId",
       p.bulk_reference as "bulkReference",
       p.bulk_line as "bulkLine",
       ${fieldColumns}`;

/** The columns of a purchase under their own names, for what reads them out of a subselect. */
export const storedColumns = purchaseColumns.replaceAll(/ as "\w+"/g, "");

export interface AcceptRow {
  readonly outcome: "accepted" | "known" | "bulk" | "late" | "insufficient" | "over_limit" | "retry" | "no_wallet";
  readonly number: bigint | null;
  /** Balance before the purchase when accepted, else the wallet's; null where somebody else holds the wallet. */
  readonly balance: Kobo | null;
  readonly spentToday: Kobo;
}

const acceptPurchases: Statement = {
  name: "accept_purchases",
  text: `select outcome, number, balance_before as balance, day_spent as "spentToday"
           from accept_purchases($1::new_purchase[], $2)`,
  isPipelined: true,
  secondsMax: commitSecondsMax,
};

/** Accepts purchases in one commit; one row per item, in order. Locks their wallets. Safe to repeat. */
export async function insertPurchases(db: Queryable, items: readonly NewPurchase[], day: string): Promise<AcceptRow[]> {
  return db.query<AcceptRow>(acceptPurchases, [arrayOfRows(items.map(newPurchaseRow)), day]);
}

/** Whether a purchase was not stored because another one has its id: nothing was charged, and a new id may do. */
export function isPurchaseIdTaken(error: unknown): boolean {
  return ["purchases_live_by_id", "purchases_pkey"].includes(violatedConstraint(error) ?? "");
}

export interface ReferenceKey {
  readonly wallet: WalletKey;
  readonly reference: Reference;
}

const findByReferences = statement(
  "find_purchases_by_reference",
  `select i.ordinal,${purchaseColumns}
     from unnest($1::integer[], $2::text[])
            with ordinality as i (wallet_id, reference, ordinal)
     join purchases p
       on p.wallet_id = i.wallet_id and p.reference = i.reference and p.reference <> ''`,
);

/** The purchases that references name; null where there is none. One round trip for all. */
export async function findPurchasesByReference(
  db: Queryable,
  keys: readonly ReferenceKey[],
): Promise<readonly (Purchase | null)[]> {
  const rows = await db.query<PurchaseRow & { ordinal: bigint }>(findByReferences, [
    arrayOf(keys.map(({ wallet }) => walletIdOf(wallet))),
    arrayOf(keys.map((key) => key.reference)),
  ]);
  const found: (Purchase | null)[] = keys.map(() => null);
  for (const row of rows) found[Number(row.ordinal) - 1] = purchaseOf(row);
  return found;
}

const findBulkReference = statement(
  "find_bulk_reference",
  `select 1
     from bulk_orders b
    where b.wallet_id = $1 and b.reference = $2 and b.reference <> ''`,
);

/** Whether a reference names a bulk order, with which purchases share their namespace. */
export async function isBulkReference(db: Queryable, wallet: WalletKey, reference: Reference): Promise<boolean> {
  return (await db.query(findBulkReference, [walletIdOf(wallet), reference])).length > 0;
}

const findById = statement(
  "find_purchase",
  `select ${purchaseColumns}
     from purchases p
    where p.wallet_id = $1 and p.id = $2`,
);

export async function findPurchase(db: Queryable, wallet: WalletKey, id: PurchaseId): Promise<Purchase | null> {
  const [row] = await db.query<PurchaseRow>(findById, [walletIdOf(wallet), id]);
  return row === undefined ? null : purchaseOf(row);
}

const findLiveById = statement(
  "find_live_purchase",
  `select ${purchaseColumns}
     from purchases p
    where p.id = $1 and p.wallet_id > 0`,
);

/** The live purchase of this id, whoever's it is: suppliers and operators know no merchant. Null for none. */
export async function findLivePurchase(db: Queryable, id: PurchaseId): Promise<Purchase | null> {
  const [row] = await db.query<PurchaseRow>(findLiveById, [id]);
  return row === undefined ? null : purchaseOf(row);
}

/** A purchase to accept, with what is known of its outcome already. */
export interface NewPurchase {
  readonly terms: PurchaseTerms;
  /** The simulator's outcome, known before the charge; null for a live purchase. */
  readonly predicted: VendOutcome | null;
  /** The success that is stored with the charge, so that one commit is enough; null where it ends later. */
  readonly vended: { readonly providerReference: string | null; readonly fulfilment: JsonObject | null } | null;
  /** What the due-work loop does when nobody settled the purchase by then. */
  readonly step: "queued" | "dispatch" | "requery";
  readonly dueSeconds: number;
  /** Kobo a day; null where no limit applies. */
  readonly dayLimit: Kobo | null;
  /** What the supplier takes for it in kobo, and why it was chosen; null in sandbox. */
  readonly cost: Kobo | null;
  /** The cost in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreignCost: string | null;
  readonly routeReason: string | null;
}

/** A column of the type `new_purchase`. */
interface NewPurchaseColumn {
  readonly name: string;
  /** `order`: all lines of a bulk order share it, or it follows from the line's place. For the others see `TermColumn`. */
  readonly source: TermSource | "order";
  /** Whether a column of `purchases` takes it as it is. */
  readonly isStored: boolean;
  readonly value: (purchase: NewPurchase) => Value;
}

function stored(name: string, source: NewPurchaseColumn["source"], value: NewPurchaseColumn["value"]) {
  return { name, source, isStored: true, value };
}

function unstored(name: string, value: NewPurchaseColumn["value"]): NewPurchaseColumn {
  return { name, source: "kind", isStored: false, value };
}

/** All that is known before the charge, in the order of the type's columns, which a test compares with this list. */
export const newPurchaseColumns: readonly NewPurchaseColumn[] = [
  stored("wallet_id", "order", ({ terms }) => walletIdOf(terms.wallet)),
  stored("bulk_reference", "order", ({ terms }) => (terms.bulk === null ? null : terms.bulk.reference)),
  stored("bulk_line", "order", ({ terms }) => (terms.bulk === null ? null : terms.bulk.line)),
  stored("provider_reference", "line", ({ vended }) => (vended === null ? null : vended.providerReference)),
  stored("fulfilment", "kind", ({ vended }) => (vended === null ? null : jsonText(vended.fulfilment))),
  stored("cost", "kind", ({ cost }) => cost),
  stored("foreign_cost", "kind", ({ foreignCost }) => foreignCost),
  stored("route_reason", "kind", ({ routeReason }) => routeReason),
  unstored("settled", ({ vended }) => vended !== null),
  unstored("step", ({ step }) => step),
  unstored("due_seconds", ({ dueSeconds }) => dueSeconds),
  unstored("day_limit", ({ dayLimit }) => dayLimit),
  ...termFields.map((field) => {
    const { name, source } = termColumns[field];
    return stored(name, source, ({ terms }) => storedValue(terms[field], source));
  }),
];

/** A row of the type `new_purchase`. */
export function newPurchaseRow(purchase: NewPurchase): string {
  return rowOf(newPurchaseColumns.map(({ value }) => value(purchase)));
}

function storedValue(value: Value | JsonObject, source: TermSource): Value {
  if (typeof value !== "object" || value === null) return value;
  // The merchant's own fields are kept to the letter: a replay echoes an empty object, too.
  return source === "sent" ? JSON.stringify(value) : jsonText(value);
}

/** Stored JSON. An empty object says no more than null, and a null costs a bit. */
export function jsonText(value: JsonObject | null): string | null {
  if (value === null) return null;
  const text = JSON.stringify(value);
  return text === "{}" ? null : text;
}
