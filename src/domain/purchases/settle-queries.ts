import type { Instant } from "../../kernel/clock.ts";
import { type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { commitSecondsMax } from "../../platform/database/commit-state.ts";
import type { Queryable, Statement, Tx } from "../../platform/database/database.ts";
import { arrayOf, arrayOfRows, rowOf, statement } from "../../platform/database/database.ts";
import { lockWallets } from "../wallet/queries.ts";
import { firstEndpointNumber } from "../webhooks/endpoints/endpoint.ts";
import type { OutboxEvent } from "../webhooks/events/outbox-event.ts";
import { jsonText } from "./queries.ts";

/** A purchase to bring to its final status, under the lease that its holder has. */
export interface Settlement {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly reference: Reference;
  /** 0 is the request that made the purchase; a worker's claim counts up; null holds no lease. */
  readonly epoch: number | null;
  readonly status: "successful" | "failed";
  readonly errorCode: string | null;
  readonly providerReference: string | null;
  /** As it is stored: a live one is sealed. */
  readonly fulfilment: JsonObject | null;
  readonly supplierReference: string;
  readonly evidence: string | null;
  /** The attempt that the verdict is about. */
  readonly attempt: number;
  readonly completedAt: Instant;
  /** The events to send to its merchant: one for each endpoint that wants it, in the order of their numbers. */
  readonly events: readonly OutboxEvent[];
  /** Hashes of what it hands over: of another sale's it is not settled. */
  readonly codes: readonly bigint[];
}

export interface SettleRow {
  /** Which item was settled, from 1. Items that somebody else settled have no row. */
  readonly ordinal: bigint | null;
  /** Which item was not tried, as somebody holds its wallet. */
  readonly passedBy: bigint | null;
}

const settlePurchases: Statement = {
  name: "settle_purchases",
  text: `select ordinal, passed_by as "passedBy"
           from settle_purchases($1::settlement[], $2::settlement_webhook[], $3::settlement_code[])`,
  isPipelined: true,
  secondsMax: commitSecondsMax,
};

/**
 * Settles purchases in one commit, with the events to send. Locks the wallets of failed ones, passing by those that
 * somebody holds, then their inflight rows, then the bulk orders of lines. Safe to repeat.
 */
export async function updateSettled(db: Queryable, items: readonly Settlement[]): Promise<SettleRow[]> {
  return db.query<SettleRow>(settlePurchases, valuesOf(items));
}

function valuesOf(items: readonly Settlement[]): unknown[] {
  const rowsOrNull = (rows: readonly string[]) => (rows.length === 0 ? null : arrayOfRows(rows));
  const [webhooks, codes] = [items.flatMap(webhookRows), items.flatMap(codeRows)];
  return [arrayOfRows(items.map(settlementRow)), rowsOrNull(webhooks), rowsOrNull(codes)];
}

// On an ordinary connection: the functions' plans, and with them the order of their locks, fit these settings.
const planAsBatched = statement(
  "update_plan_settings",
  `select set_config(setting.name, 'off', true)
     from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as setting (name)`,
);

/** Of some hundreds at once, behind whoever holds their wallets. */
const chunkSecondsMax = 55;

/** The same within a transaction, of some hundred: it waits for wallets. @returns which were settled, from 0 */
export async function updateSettledTogether(tx: Tx, items: readonly Settlement[]): Promise<readonly number[]> {
  await lockWallets(
    tx,
    items.flatMap(({ status, wallet }) => (status === "failed" ? [wallet] : [])),
  );
  await tx.query(planAsBatched);
  const settled = await tx.query<SettleRow>({ ...settlePurchases, secondsMax: chunkSecondsMax }, valuesOf(items));
  return settled.flatMap(({ ordinal }) => (ordinal === null ? [] : [Number(ordinal) - 1])).sort((a, b) => a - b);
}

/** Rows of the type `settlement_webhook`, in the order of its columns. */
function webhookRows({ wallet, id, reference, status, events }: Settlement, index: number): string[] {
  const walletId = walletIdOf(wallet);
  return events.map((to) =>
    rowOf([index + 1, walletId, to.endpointNumber, to.deliveryId, `transaction.${status}`, reference, id, to.body]),
  );
}

/** Rows of the type `settlement_code`, in the order of its columns. */
function codeRows({ wallet, id, codes }: Settlement, index: number): string[] {
  return codes.map((code) => rowOf([index + 1, walletIdOf(wallet), id, code]));
}

/** A row of the type `settlement`, in the order of its columns. */
function settlementRow(item: Settlement): string {
  const toFirst = item.events.find(({ endpointNumber }) => endpointNumber === firstEndpointNumber);
  const further = item.events.filter((event) => event !== toFirst);
  return rowOf([
    walletIdOf(item.wallet),
    item.id,
    item.epoch,
    item.attempt,
    item.status,
    item.errorCode,
    item.providerReference,
    jsonText(item.fulfilment),
    item.supplierReference,
    item.evidence ?? "",
    new Date(item.completedAt).toISOString(),
    toFirst?.deliveryId ?? null,
    further.length === 0 ? null : arrayOf(further.map((event) => event.deliveryId)),
  ]);
}
