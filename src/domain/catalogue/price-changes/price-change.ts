import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import { auditDetails } from "../../audit/audit-log.ts";
import { insertEntry } from "../../audit/audit-queries.ts";
import { changeCatalogue, countOwnPrices, refuseTooMany } from "../changes/change.ts";
import { insertChangesOf } from "../changes/change-queries.ts";
import type { Price, PriceScope } from "../pricing.ts";
import { priceOfRow, rowOfPrice } from "../product-row.ts";
import type { CatalogueSnapshot } from "../snapshot.ts";
import {
  findDueChange,
  findPriceChange,
  insertPriceChange,
  type PriceChangeId,
  updateChangeState,
} from "./price-change-queries.ts";
import {
  countScheduledLines,
  findLinesHash,
  insertPriceLines,
  type LineRow,
  listDayAgoLines,
  listMovedLines,
  listPriceLines,
  type StoredPrice,
  storePrices,
} from "./price-line-queries.ts";

/** A price that a change sets: null before, where the tier had none of its own; null after, where it has none any more. */
export interface PriceLine {
  readonly productId: ProductId;
  readonly scope: PriceScope;
  readonly before: Price | null;
  readonly after: Price | null;
}

/** Prices of one change: more are two changes. */
export const priceLinesMax = 50_000;

/**
 * Keeps prices for a preview; nothing that merchants pay is changed. @throws Refusal VALIDATION_ERROR without a price, or
 * for more than `priceLinesMax`
 */
export async function draftPriceChange(
  database: Database,
  {
    madeBy,
    lines,
    undoes = null,
  }: {
    readonly madeBy: string;
    readonly lines: readonly PriceLine[];
    readonly undoes?: PriceChangeId | null;
  },
): Promise<PriceChangeId> {
  if (lines.length === 0) throw refuse("VALIDATION_ERROR", { message: "No price would change." });
  if (lines.length > priceLinesMax) {
    const message = `That would change ${lines.length} prices. At most ${priceLinesMax} change at once.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  return database.transaction(async (tx) => {
    const id = await insertPriceChange(tx, { state: "draft", madeBy, reason: "", undoes, prices: lines.length });
    await insertPriceLines(tx, id, rowsOf(lines));
    return id;
  });
}

/**
 * Sets several prices in the transaction of something larger that they are a part of, and enters them in the history as one
 * change. The caller has raised the catalogue's revision.
 */
export async function setPricesWithin(
  tx: Tx,
  lines: readonly PriceLine[],
  change: { readonly madeBy: string | null; readonly reason: string; readonly undoes: PriceChangeId | null },
): Promise<PriceChangeId> {
  const id = await insertPriceChange(tx, { state: "done", ...change, prices: lines.length });
  await insertPriceLines(tx, id, rowsOf(lines));
  await setPrices(tx, id);
  return id;
}

/** The prices of a change. */
export async function readPriceLines(database: Queryable, id: PriceChangeId): Promise<PriceLine[]> {
  return (await listPriceLines(database, id)).map(lineOf);
}

/** The same against the prices of a day ago, so that two steps of a day are seen as what they are together. */
export async function readDayAgoLines(database: Queryable, id: PriceChangeId): Promise<PriceLine[]> {
  return (await listDayAgoLines(database, id)).map(lineOf);
}

/** What a person decided about a draft. */
interface Carried {
  readonly id: PriceChangeId;
  /** As it was previewed (`hashOfPrices`). */
  readonly hash: string;
  readonly reason: string;
  /** The person, as the audit log has it; null leaves the one who made the draft. */
  readonly madeBy: string | null;
}

/** What is frozen of a change: its prices, before and after. @throws Refusal NOT_FOUND */
export async function hashOfPrices(database: Queryable, id: PriceChangeId): Promise<string> {
  const hash = await findLinesHash(database, id);
  if (hash === null) throw refuse("NOT_FOUND", { message: "There is no such change of prices." });
  return hash;
}

/**
 * Sets all prices of a draft, or none; merchants who pay them are told, as of any other price. Safe to repeat: the second
 * time is refused.
 * @throws Refusal VALIDATION_ERROR where it was carried out before, is not what was previewed, or a price has changed since
 */
export function applyPriceChange(database: Database, { id, hash, reason, madeBy }: Carried): Promise<void> {
  return changeCatalogue(database, async (tx) => {
    if (!(await updateChangeState(tx, id, { from: ["draft"], to: "done", reason, madeBy }))) throw decidedBefore();
    await checkAsPreviewed(tx, id, hash);
    await setPrices(tx, id);
  });
}

/**
 * Schedules a draft: its prices are set at that moment, unless one of them is changed before.
 * @throws Refusal VALIDATION_ERROR as `applyPriceChange`, and where another change is scheduled for one of its prices
 */
export function schedulePriceChange(
  database: Database,
  { id, hash, reason, madeBy, startsAt }: Carried & { readonly startsAt: Instant },
): Promise<void> {
  return changeCatalogue(database, async (tx) => {
    const step = { from: ["draft"], to: "scheduled", reason, madeBy, startsAt } as const;
    if (!(await updateChangeState(tx, id, step))) throw decidedBefore();
    await checkAsPreviewed(tx, id, hash);
    const { prices, changeId } = await countScheduledLines(tx, id);
    if (changeId === null) return;
    const message = `${prices} of these prices are scheduled to change already, by change ${changeId}. Cancel that first.`;
    throw refuse("VALIDATION_ERROR", { message });
  });
}

/** Cancels a scheduled change before its time. @throws Refusal VALIDATION_ERROR where it isn't scheduled any more */
export function cancelPriceChange(database: Database, id: PriceChangeId): Promise<void> {
  return database.transaction(async (tx) => {
    if (await updateChangeState(tx, id, { from: ["scheduled"], to: "cancelled" })) return;
    throw refuse("VALIDATION_ERROR", { message: "This change isn’t scheduled any more." });
  });
}

export interface CarriedOut {
  readonly id: PriceChangeId;
  readonly state: "done" | "stopped";
  readonly prices: number;
}

/**
 * Carries out the scheduled change that is due first, once, whoever else looks or dies meanwhile: prices, events, state and
 * the audit log's entry are one commit. Where one of its prices was changed since it was scheduled, it is stopped and sets
 * none. Null where none is due.
 */
export async function carryOutDueChange(database: Database): Promise<CarriedOut | null> {
  if ((await findDueChange(database)) === null) return null;
  return changeCatalogue(database, async (tx) => {
    // Changes of the catalogue happen one at a time: what another process carried out meanwhile is due no more.
    const due = await findDueChange(tx);
    if (due === null) return null;
    const { id, prices } = due;
    const state = (await listMovedLines(tx, id, 1)).length === 0 ? "done" : "stopped";
    if (!(await updateChangeState(tx, id, { from: ["scheduled"], to: state }))) return null;
    if (state === "done") await setPrices(tx, id);
    const details = auditDetails({ price_change: id, state, prices });
    await insertEntry(tx, { who: due.madeBy ?? "service", command: "console prices carry-out", details });
    return { id, state, prices };
  });
}

/**
 * The prices that take a done change back, from those of now. @throws Refusal VALIDATION_ERROR where it isn't done, or its
 * prices are what they were before
 */
export async function undoingLines(
  database: Queryable,
  id: PriceChangeId,
  catalogue: CatalogueSnapshot,
): Promise<readonly PriceLine[]> {
  const change = await findPriceChange(database, id);
  if (change?.state !== "done") throw refuse("VALIDATION_ERROR", { message: "Only a change that was made is undone." });
  return (await readPriceLines(database, id))
    .map((line) => ({ ...line, before: catalogue.ownPrice(line.productId, line.scope), after: line.before }))
    .filter(({ before, after }) => !isSamePrice(before, after));
}

/** Which price a line of a change sets, as a name for forms. */
export function nameOfLine({ productId, scope }: Pick<PriceLine, "productId" | "scope">): string {
  return [productId, ...Object.values(scope)].join(" ");
}

/** The names of those prices that somebody changed again since the change that these lines take back. */
export function changedAgain(undone: readonly PriceLine[], lines: readonly PriceLine[]): ReadonlySet<string> {
  const left = new Map(undone.map((line) => [nameOfLine(line), line.after]));
  const changed = lines.filter((line) => !isSamePrice(line.before, left.get(nameOfLine(line)) ?? null));
  return new Set(changed.map(nameOfLine));
}

export function isSamePrice(one: Price | null, other: Price | null): boolean {
  return JSON.stringify(storedPrice(one)) === JSON.stringify(storedPrice(other));
}

async function checkAsPreviewed(tx: Tx, id: PriceChangeId, hash: string): Promise<void> {
  if ((await findLinesHash(tx, id)) !== hash) {
    throw refuse("VALIDATION_ERROR", { message: "These prices aren’t the ones that were previewed. Nothing changed." });
  }
  const [moved] = await listMovedLines(tx, id, 1);
  if (moved === undefined) return;
  const message = `The price of product ${moved.productId} was changed since this preview. Nothing changed: preview again.`;
  throw refuse("VALIDATION_ERROR", { message });
}

async function setPrices(tx: Tx, id: PriceChangeId): Promise<void> {
  const before = await countOwnPrices(tx);
  await storePrices(tx, id);
  await insertChangesOf(tx, id);
  await refuseTooMany(tx, before);
}

function decidedBefore() {
  return refuse("VALIDATION_ERROR", { message: "This change was carried out or cancelled before." });
}

function rowsOf(lines: readonly PriceLine[]): LineRow[] {
  return lines.map(({ productId, scope, before, after }, index) => ({
    line: index + 1,
    productId,
    tier: scope.of === "tier" ? scope.tier : null,
    merchantId: scope.of === "merchant" ? scope.merchantId : null,
    before: storedPrice(before),
    after: storedPrice(after),
  }));
}

/** A line as its row has it. */
export function lineOf({ productId, tier, merchantId, before, after }: Omit<LineRow, "line">): PriceLine {
  return { productId, scope: scopeOf(tier, merchantId), before: priceOf(before), after: priceOf(after) };
}

export function scopeOf(tier: number | null, merchantId: MerchantId | null): PriceScope {
  if (merchantId !== null) return { of: "merchant", merchantId };
  return tier === null ? { of: "everyone" } : { of: "tier", tier };
}

/** Amounts travel as JSON numbers: the tables' bounds keep them far below 2^53. */
function storedPrice(price: Price | null): StoredPrice | null {
  if (price === null) return null;
  const columns = Object.entries(rowOfPrice(price)).filter(([, value]) => value !== null);
  return Object.fromEntries(columns.map(([name, value]): [string, Json] => [name, Number(value)])) as StoredPrice;
}

function priceOf(stored: StoredPrice | null): Price | null {
  if (stored === null) return null;
  const amount = (value: number | undefined) => (value === undefined ? null : BigInt(value));
  return priceOfRow({
    price: amount(stored.price),
    price_basis_points: stored.price_basis_points ?? null,
    fee: amount(stored.fee),
    fee_basis_points: stored.fee_basis_points ?? null,
    fee_cap: amount(stored.fee_cap),
  });
}
