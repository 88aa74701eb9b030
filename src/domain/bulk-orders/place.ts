import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant, WallTime } from "../../kernel/clock.ts";
import { type PurchaseId, purchaseTime, type Reference, type WalletKey, walletName } from "../../kernel/ids.ts";
import type { Json } from "../../kernel/json.ts";
import { add, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import { neverRefuse, refuseWhenAway, refuseWhenNotCarriedOut } from "../../platform/database/refuse-when-away.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Quote } from "../catalogue/pricing.ts";
import { dailyLimitExceeded } from "../merchants/limits/limits.ts";
import type { Principal } from "../merchants/merchant.ts";
import { conflict, insufficientBalance } from "../purchases/buying/buy.ts";
import type { Prepare, PricedIntent } from "../purchases/buying/prepare-purchase.ts";
import type { Route, RouteFor } from "../purchases/buying/route-for.ts";
import type { FindByReference } from "../purchases/find.ts";
import { fingerprintOf } from "../purchases/fingerprint.ts";
import { openLostCalls } from "../purchases/lost-calls.ts";
import { nothingSent, type PurchaseTerms } from "../purchases/purchase.ts";
import { isPurchaseIdTaken } from "../purchases/queries.ts";
import type { Settle } from "../purchases/settle.ts";
import { endOf, evidenceOf, type Verdict } from "../resolution/verdict.ts";
import { openLockedWallets } from "../wallet/locked-wallets.ts";
import type { BulkCommand, BulkLine, BulkOrder, LineCounts, NewBulkOrder } from "./bulk-order.ts";
import { openLineRows, type WrittenLines } from "./line-rows.ts";
import {
  checkLineLimits,
  priceLines,
  referLines,
  refusalOfAll,
  refusalOfLine,
  repeatErrors,
  takenErrors,
} from "./lines.ts";
import { findBulkOrder, insertBulkOrder, type PlaceRow } from "./queries.ts";

interface PlaceServices {
  readonly database: Database;
  readonly mintPurchaseId: () => PurchaseId;
  readonly routeFor: RouteFor;
  readonly prepare: Prepare;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly catalogue: Catalogue;
  readonly settle: Settle;
  readonly findByReference: FindByReference;
  /** Lets other requests have their turn between two slices of lines. */
  readonly yieldToEventLoop: () => Promise<void>;
}

export type PlaceBulkOrder = (command: BulkCommand) => Promise<PlacedOrder>;

interface PlacedOrder {
  readonly order: BulkOrder;
  readonly replayed: boolean;
  /** Where every line was stored as final; null where the lines have to be read to know. */
  readonly counts: LineCounts | null;
}

/** Lines that are worked on before other requests have their turn: some three milliseconds. */
const linesPerSlice = 50;

/** An order as it is written. */
interface Placing {
  readonly wallet: WalletKey;
  readonly order: NewBulkOrder;
  readonly rows: WrittenLines;
}

/** What came of writing it, with the wallet's balance. */
type PlacedRow = PlaceRow & { readonly balance: Kobo };

/** Its client still waits then. */
const lockedMsMax = 10_000;
/** Each holds the memory of ten thousand lines. */
const ordersWaitingMax = 50;

/**
 * Places bulk orders: every line is checked before anything is charged, then all are charged in one commit, or none.
 * In sandbox every outcome is known by then; live, workers send the lines. Safe to repeat: the same reference answers
 * the same order. One order is written at a time. @throws Refusal when nothing was created or charged
 */
export function openPlaceBulkOrder(services: PlaceServices): PlaceBulkOrder {
  const write = openWrite(services);

  return async function place(command) {
    const { principal, category, reference, lines } = command;
    const wallet: WalletKey = { merchantId: principal.merchantId, mode: principal.mode };
    const fingerprint = await orderFingerprint(command, services.yieldToEventLoop);
    const original = await findOriginal(services, wallet, reference, fingerprint).catch(refuseWhenAway);
    if (original !== null) return { order: original, replayed: true, counts: null };

    const { rows, amount, total, ending, counts } = await drawUpLines(services, command).catch(refuseWhenAway);
    const id = services.mintPurchaseId();
    const order: NewBulkOrder = { id, reference, category: category.slug, fingerprint, amount, total };
    const row = await write({ wallet, order, rows }).catch(refuseWhenNotCarriedOut);
    if (row.outcome === "known") {
      // Not refused where the database is away: the order is stored.
      const stored = await findOriginal(services, wallet, reference, fingerprint).catch(neverRefuse);
      if (stored === null) throw conflict(reference);
      return { order: stored, replayed: true, counts: null };
    }
    if (row.outcome !== "placed") throw await refusalOf(services, command, { row, order });
    await settlePredicted(services, ending).catch(neverRefuse);
    const stored = { wallet, lines: lines.length, balanceBefore: row.balance, createdAt: purchaseTime(id) };
    return { order: { ...order, ...stored }, replayed: false, counts };
  };
}

/** Writes one order at a time; one whose wallet somebody else holds lets the others go ahead. */
function openWrite({ database, clock, wallTime }: PlaceServices): (placing: Placing) => Promise<PlacedRow> {
  const lockedWallets = openLockedWallets(lockedMsMax);
  const lost = openLostCalls<Placing>();
  const write = batcher<Placing, PlaceRow>({
    run: async ([item]) => {
      assert(item !== undefined, "a batch has an item");
      const day = wallTime.dayOf(clock.now()).date;
      const insert = () => insertBulkOrder(database, item.wallet, item.order, { ...item.rows, day });
      return [await lost.watch([item], insert).catch(lateWhereTaken)];
    },
    sizeMax: 1,
    waitingMax: ordersWaitingMax,
  });
  return async (placing) => {
    const row = await lockedWallets.sendPast(walletName(placing.wallet), () => write(placing), isLocked);
    const { balance } = row;
    if (balance === null) throw lost.givenUp(placing);
    return { ...row, balance };
  };
}

const isLocked = ({ balance }: PlaceRow) => balance === null;

/** Its lines' ids are prepared anew, where another purchase has one of them. @throws any other error */
function lateWhereTaken(error: unknown): PlaceRow {
  if (!isPurchaseIdTaken(error)) throw error;
  return { outcome: "late", takenLines: null, balance: zeroKobo, spentToday: zeroKobo };
}

function sum(lines: readonly PricedIntent[], read: (price: Quote) => Kobo): Kobo {
  return lines.reduce((total, { price }) => add(total, read(price)), zeroKobo);
}

/** The hash of everything that the client sent: another list under the same reference conflicts. */
async function orderFingerprint(
  { category, lines }: BulkCommand,
  yieldToEventLoop: () => Promise<void>,
): Promise<string> {
  const slices: string[] = [];
  for (let first = 0; first < lines.length; first += linesPerSlice) {
    const sent = lines.slice(first, first + linesPerSlice).map(asSent);
    slices.push(fingerprintOf("lines", { lines: sent }));
    await yieldToEventLoop();
  }
  return fingerprintOf(`bulk ${category.slug}`, { slices });
}

/** A line's reference and the fields of its purchase intent, sorted by name. */
function asSent({ reference, requested: { intent } }: BulkLine): Json[] {
  const sent: Json[] = [reference];
  for (const key of Object.keys(intent).sort()) sent.push(key, intent[key] ?? null);
  return sent;
}

/** @throws Refusal REFERENCE_CONFLICT where the reference names another order, or a purchase */
async function findOriginal(
  services: PlaceServices,
  wallet: WalletKey,
  reference: Reference,
  fingerprint: string,
): Promise<BulkOrder | null> {
  const order = await findBulkOrder(services.database, wallet, reference);
  if (order !== null && order.fingerprint === fingerprint) return order;
  if (order !== null || (await services.findByReference({ wallet, reference })) !== null) throw conflict(reference);
  return null;
}

/** An order's lines, ready to be charged. */
interface DrawnUpLines {
  readonly rows: WrittenLines;
  readonly amount: Kobo;
  readonly total: Kobo;
  readonly ending: readonly EndingLine[];
  readonly counts: LineCounts | null;
}

/** A sandbox line whose end is known, but is not stored with the charge. */
interface EndingLine {
  readonly terms: PurchaseTerms;
  readonly verdict: Verdict;
}

/**
 * Checks, prices and writes down every line. Nothing but its row is kept of one that ends as it is stored: ten thousand
 * of them would be moved about by the garbage collector. @throws Refusal with every faulty line
 */
async function drawUpLines(services: PlaceServices, command: BulkCommand): Promise<DrawnUpLines> {
  const { principal, lines } = command;
  const { limits } = principal;
  const references = referLines(command.reference, lines);
  const repeats = repeatErrors(command.reference, lines, references);
  const catalogue = await services.catalogue.current();
  const priced = await priceLines({ catalogue, command, repeats, yieldToEventLoop: services.yieldToEventLoop });
  const rows = openLineRows();
  const ending: EndingLine[] = [];
  const refused: Refusal[] = [];
  let successful = 0;
  let lastCompletedAt: Instant | null = null;
  for (const [position, one] of priced.entries()) {
    if (position % linesPerSlice === linesPerSlice - 1) await services.yieldToEventLoop();
    const [line, reference] = [lines[position], references[position]];
    assert(line !== undefined && reference !== undefined, "every line has a reference");
    const route = await routeOrRefusal(services, principal, one, reference);
    if (route instanceof Refusal) {
      refused.push(refusalOfLine(line, route));
      continue;
    }
    const bulk = { reference: command.reference, line: position };
    const order = { principal, channel: "bulk", priced: one, reference, sent: nothingSent, route, bulk } as const;
    const purchase = await services.prepare(order);
    const { predicted } = purchase;
    rows.add(purchase);
    if (purchase.vended !== null) {
      successful += 1;
      lastCompletedAt = purchaseTime(purchase.terms.id);
    } else if (predicted !== null && predicted.kind !== "unknown") {
      ending.push({ terms: purchase.terms, verdict: predicted });
    }
  }
  if (refused.length > 0) throw refusalOfAll(refused, "PRODUCT_UNAVAILABLE");
  // In the same order as for a single purchase: limits are checked after whether a supplier serves each line.
  checkLineLimits(limits, lines, priced);
  const amount = sum(priced, (price) => price.amount);
  const total = sum(priced, (price) => price.total);
  const allSuccessful: LineCounts = { successful, pending: 0, failed: 0, refunded: zeroKobo, lastCompletedAt };
  return { rows: rows.written, amount, total, ending, counts: successful === lines.length ? allSuccessful : null };
}

/** A line's route, or why it has none. A refusal is returned, as the other lines' refusals are still to be found. */
async function routeOrRefusal(
  { routeFor }: PlaceServices,
  principal: Principal,
  one: PricedIntent,
  reference: Reference,
): Promise<Route | Refusal> {
  try {
    return await routeFor(principal, one.soldProduct.product, one.price, reference);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Settles the lines whose outcome is known, before the order is answered. */
async function settlePredicted(services: PlaceServices, ending: readonly EndingLine[]): Promise<void> {
  await Promise.all(
    ending.map(async ({ terms, verdict }) => {
      const line = await services.findByReference(terms);
      assert(line !== null, "a line of a placed order is stored");
      if (line.status !== "pending") return;
      await services.settle(line, endOf(verdict), { epoch: 0, evidence: evidenceOf(verdict) });
    }),
  );
}

async function refusalOf(
  { database, clock, wallTime }: PlaceServices,
  { principal: { limits, merchantId, mode }, lines, reference }: BulkCommand,
  { row, order }: { readonly row: PlacedRow; readonly order: NewBulkOrder },
): Promise<Refusal> {
  switch (row.outcome) {
    case "taken":
      return refuse("REFERENCE_CONFLICT", {
        message: "Some lines have references that are used already: choose new references for them.",
        errors: takenErrors(lines, row.takenLines ?? []),
      });
    case "insufficient": {
      const sums = { required: order.total, balance: row.balance };
      return insufficientBalance(database, { merchantId, mode }, { what: "order", ...sums });
    }
    case "late":
      return refuse("MAINTENANCE", { retryAfterSeconds: 1 });
    case "over_limit":
      assert(limits !== null, "only a limit can be exceeded");
      return dailyLimitExceeded(limits, row.spentToday, { now: clock.now(), zone: wallTime });
    default:
      // A purchase has the reference.
      return conflict(reference);
  }
}
