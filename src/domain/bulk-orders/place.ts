import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { Reference, WalletKey } from "../../kernel/ids.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { FieldErrors, Refusal } from "../../kernel/problems.ts";
import { refuse } from "../../kernel/problems.ts";
import { batcher } from "../../platform/batcher.ts";
import type { Database } from "../../platform/database.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { checkTransactionLimit, dailyLimitExceeded, type SpendingLimits } from "../limits/limits.ts";
import { conflict } from "../purchases/buy.ts";
import { type DrawnUp, type DrawUpServices, drawUp } from "../purchases/draw-up.ts";
import type { FindByReference } from "../purchases/find.ts";
import { fingerprintOf } from "../purchases/fingerprint.ts";
import { amountOf } from "../purchases/purchase.ts";
import { newPurchaseRow } from "../purchases/queries.ts";
import type { Settle } from "../purchases/settle.ts";
import { endOf, evidenceOf } from "../purchases/vend.ts";
import type { BulkCommand, BulkOrder } from "./bulk-order.ts";
import { priceLines, referLines } from "./lines.ts";
import { findBulkOrder, insertBulkOrder, type PlaceRow } from "./queries.ts";

export interface PlaceServices extends DrawUpServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly catalogue: Catalogue;
  readonly settle: Settle;
  readonly findByReference: FindByReference;
  /** Lets other requests have their turn between two slices of lines. */
  readonly breathe: () => Promise<void>;
}

export type PlaceBulkOrder = (
  command: BulkCommand,
) => Promise<{ readonly order: BulkOrder; readonly replayed: boolean }>;

/** Lines that are worked on before other requests have their turn: some three milliseconds. */
export const linesPerBreath = 250;
/** Each holds the memory of ten thousand lines. */
const ordersWaitingMax = 50;

/**
 * Places bulk orders: every line is checked before anything is charged, then all are charged in one commit, or none.
 * In sandbox every outcome is known by then; live, workers send the lines. Safe to repeat: the same reference answers
 * the same order. One order is written at a time. @throws Refusal when nothing was created or charged
 */
export function openPlaceBulkOrder(services: PlaceServices): PlaceBulkOrder {
  const { database, clock, wallTime } = services;
  const write = batcher<{ order: NewOrder; lines: readonly DrawnUp[] }, PlaceRow | null>({
    run: async ([item]) => {
      assert(item !== undefined, "a batch has an item");
      const rows: string[] = [];
      for (let first = 0; first < item.lines.length; first += linesPerBreath) {
        for (const line of item.lines.slice(first, first + linesPerBreath)) rows.push(newPurchaseRow(line.purchase));
        await services.breathe();
      }
      const day = wallTime.dayOf(clock.now()).date;
      return [await insertBulkOrder(database, item.order, { rows, day })];
    },
    sizeMax: 1,
    waitingMax: ordersWaitingMax,
  });

  return async function place(command) {
    const { principal, category } = command;
    const wallet: WalletKey = { bucket: principal.bucket, merchantId: principal.merchantId, mode: principal.mode };
    const fingerprint = await orderFingerprint(command, services.breathe);
    const original = await findOriginal(services, wallet, command.reference, fingerprint);
    if (original !== null) return { order: original, replayed: true };

    const { limits } = principal;
    const lines = await drawUpLines(services, command, limits);
    const order: NewOrder = {
      id: services.mintPurchaseId(),
      reference: command.reference,
      category: category.slug,
      fingerprint,
      amount: sum(lines, (line) => amountOf(line.purchase.terms)),
      total: sum(lines, (line) => line.purchase.terms.total),
    };
    const row = await write({ order, lines });
    assert(row !== null, "placing an order has an outcome");
    if (row.outcome === "known") return place(command);
    if (row.outcome !== "placed") throw refusalOf(services, command, { row, order, limits });
    await settleForeseen(services, lines);
    const placed = await findBulkOrder(database, wallet, command.reference);
    assert(placed !== null, "a placed order is stored");
    return { order: placed, replayed: false };
  };
}

type NewOrder = Omit<BulkOrder, "wallet" | "lines" | "balanceBefore" | "createdAt">;

function sum(lines: readonly DrawnUp[], read: (line: DrawnUp) => Kobo): Kobo {
  return lines.reduce((total, line) => add(total, read(line)), zeroKobo);
}

/** Of everything that the client sent: another list under the same reference conflicts. */
async function orderFingerprint({ category, lines }: BulkCommand, breathe: () => Promise<void>): Promise<string> {
  const slices: string[] = [];
  for (let first = 0; first < lines.length; first += linesPerBreath) {
    const slice = lines.slice(first, first + linesPerBreath);
    const sent = slice.map((line) => [line.reference, ...Object.entries(line.wish.intent).sort().flat()]);
    slices.push(fingerprintOf("lines", { lines: sent }));
    await breathe();
  }
  return fingerprintOf(`bulk ${category.slug}`, { slices });
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

/** Checks, prices and writes down every line. @throws Refusal with every faulty line */
async function drawUpLines(
  services: PlaceServices,
  command: BulkCommand,
  limits: SpendingLimits | null,
): Promise<DrawnUp[]> {
  const { principal, lines } = command;
  const references = referLines(command.reference, lines);
  const catalogue = services.catalogue.peek() ?? (await services.catalogue.load());
  const priced = await priceLines({ catalogue, command, breathe: services.breathe });
  for (const { price } of priced) checkTransactionLimit(limits, price.total);
  const drawn: DrawnUp[] = [];
  for (const [line, one] of priced.entries()) {
    const reference = references[line];
    assert(reference !== undefined, "every line has a reference");
    const bulk = { reference: command.reference, line };
    const route = await services.routeFor(principal.mode, one.goods.product, one.price);
    drawn.push(
      await drawUp(services, {
        principal,
        channel: "bulk",
        priced: one,
        reference,
        metadata: null,
        route,
        limits,
        bulk,
      }),
    );
    if (line % linesPerBreath === linesPerBreath - 1) await services.breathe();
  }
  return drawn;
}

/** Sandbox lines whose end is known, and was not stored with the charge, end before the order is answered. */
async function settleForeseen(services: PlaceServices, lines: readonly DrawnUp[]): Promise<void> {
  await Promise.all(
    lines.map(async ({ purchase: { terms, vended }, foreseen }) => {
      if (foreseen === null || foreseen.kind === "unknown" || vended !== null) return;
      const line = await services.findByReference(terms);
      assert(line !== null, "a line of a placed order is stored");
      if (line.status === "pending")
        await services.settle(line, endOf(foreseen), { epoch: 0, evidence: evidenceOf(foreseen) });
    }),
  );
}

function refusalOf(
  { clock, wallTime }: PlaceServices,
  command: BulkCommand,
  { row, order, limits }: { readonly row: PlaceRow; readonly order: NewOrder; readonly limits: SpendingLimits | null },
): Refusal {
  switch (row.outcome) {
    case "taken":
      return refuse("REFERENCE_CONFLICT", {
        message: "Some lines have references that are used already.",
        errors: takenErrors(command, row.takenLines ?? []),
      });
    case "insufficient": {
      const [required, balance] = [formatNaira(order.total), formatNaira(row.balance)];
      const message = `The order costs ${required}, the wallet holds ${balance}.`;
      return refuse("INSUFFICIENT_BALANCE", { message, meta: { required, balance } });
    }
    case "late":
      return refuse("MAINTENANCE", { retryAfterSeconds: 1 });
    case "over_limit":
      assert(limits !== null, "only a limit can be exceeded");
      return dailyLimitExceeded(limits, row.spentToday, { now: clock.now(), zone: wallTime });
    default:
      return conflict(command.reference);
  }
}

function takenErrors({ lines }: BulkCommand, taken: readonly number[]): FieldErrors {
  const named = taken.flatMap((position) => {
    const line = lines[position];
    if (line === undefined) return [];
    const key = line.reference === null ? line.key : line.fieldKey("reference");
    return [[key, ["This reference is used already."]] as const];
  });
  return Object.fromEntries(named);
}
