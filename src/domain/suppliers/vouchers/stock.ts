import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { Stock, StockAnswer } from "../../../providers/voucher-stock/connector.ts";
import { type LevelQuery, voucherCategories } from "./level-queries.ts";
import { claimShelf, claimStock, findShelf, insertThreshold, listSoldTo, type Shelf } from "./queries.ts";
import { openVoucher } from "./voucher-format.ts";

interface StockServices {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly emptyShelves: Pick<EmptyShelves, "add">;
}

/** Where no operator said otherwise. */
export const usualThreshold = 100;

/** Whether something is left, and whether it is low. */
export function levelsOn(day: string): LevelQuery {
  return { day, usualThreshold, soldSince: null, times: 0 };
}

/**
 * Says when a product's stock is low: at or below so many left. Locks the product's shelf; safe to repeat.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the product's category hands over no vouchers
 */
export function setThreshold(database: Database, productId: ProductId, lowAt: number): Promise<void> {
  return database.transaction(async (tx) => {
    await claimVoucherShelf(tx, productId);
    await insertThreshold(tx, productId, lowAt);
  });
}

/**
 * Our own stock of PINs and codes. A claim is one statement, all or nothing, and keyed by the attempt: claiming again,
 * at any time, answers the same. Locks vouchers for a moment; safe to repeat.
 */
export function openStock(services: StockServices): Stock {
  const { database, secretBox, clock, wallTime } = services;
  const today = () => wallTime.dayOf(clock.now()).date;

  async function answer(attempt: string, productId: number, quantity: number | null): Promise<StockAnswer> {
    const outcome = await claimStock(database, { attempt, productId, quantity, day: today() });
    // A purchase of one voucher found none: the product is sold out. A larger one may have left fewer than it wanted.
    if (outcome === "out_of_stock" && quantity === 1) services.emptyShelves.add(productId);
    if (outcome !== "sold") return { kind: outcome };
    const vouchers = (await listSoldTo(database, attempt)).map((sealed) => openVoucher(secretBox, sealed));
    return {
      kind: "sold",
      vouchers: vouchers.map(({ code, pin = null, serial, expiresOn }) => ({
        code,
        pin,
        serial,
        expiresAt: expiresOn === null ? null : endOfDay(expiresOn),
      })),
    };
  }

  /** The last second of the day, in the deployment's zone. */
  function endOfDay(date: string): string | null {
    const start = wallTime.startOfDay(date);
    return start === null ? null : wallTime.format(wallTime.dayOf(start).end - 1_000);
  }

  return {
    claim: ({ supplierReference, productId, quantity }) => answer(supplierReference, productId, quantity),
    find: ({ supplierReference, productId }) => answer(supplierReference, productId, null),
  };
}

/**
 * The shelf of a product that can be sold from stock, locked against imports until the transaction ends.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the product's category hands over no vouchers
 */
export async function claimVoucherShelf(tx: Tx, productId: number): Promise<Shelf> {
  return checked(await claimShelf(tx, productId), productId);
}

/** The same shelf, to read. @throws Refusal as `claimVoucherShelf` does */
export async function findVoucherShelf(db: Queryable, productId: number): Promise<Shelf> {
  return checked(await findShelf(db, productId), productId);
}

function checked(shelf: Shelf | null, productId: number): Shelf {
  if (shelf === null) throw refuse("PRODUCT_NOT_FOUND", { message: `There is no product ${productId}.` });
  if (!voucherCategories.includes(shelf.category)) {
    throw refuse("VALIDATION_ERROR", {
      message: `Products of ${shelf.category} are not sold from a stock of vouchers.`,
    });
  }
  return shelf;
}

/** Products of our own stock of which nothing is left, as far as this process knows: nobody is charged for those. */
export interface EmptyShelves {
  has(productId: number): boolean;
  /** Changes when the answers may have. */
  readonly version: number;
  /** A purchase found nothing left. */
  add(productId: number): void;
  /** A look at the whole stock found these empty, and no others. */
  replace(productIds: readonly number[]): void;
}

/** Holds what it is told: by each look of `watch-stock`, and in between by the purchases of this process. */
export function openEmptyShelves(): EmptyShelves {
  let empty: ReadonlySet<number> = new Set();
  let version = 0;

  function become(next: ReadonlySet<number>): void {
    const isSame = next.size === empty.size && [...next].every((productId) => empty.has(productId));
    if (!isSame) version += 1;
    empty = next;
  }

  return {
    has: (productId) => empty.has(productId),
    get version() {
      return version;
    },
    add: (productId) => become(new Set(empty).add(productId)),
    replace: (productIds) => become(new Set(productIds)),
  };
}
