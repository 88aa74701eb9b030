import type { Database } from "../../src/platform/database/database.ts";
import type { StoredPurchase } from "../verdict.ts";
import { marksIn, plainNumber } from "./marks.ts";
import { faultIn } from "./requested.ts";
import { nameHere, nameThere, type Stand } from "./stands.ts";

/** An attempt as our database has it. */
export interface StoredAttempt {
  readonly id: bigint;
  readonly supplier: string;
  readonly supplierReference: string;
  readonly supplierCode: string | null;
  readonly verdict: "vended" | "declined";
}

/** Something that went out of a supplier, by its own book. */
export interface Deed {
  readonly supplier: string;
  /** As the supplier calls it. */
  readonly name: string;
  /** Null where none of our purchases is known by what it was asked for. */
  readonly purchase: StoredPurchase | null;
  /** The attempt of ours that names it; null where none does. */
  readonly attempt: StoredAttempt | null;
  readonly isReversed: boolean;
  /** How what was asked for differs from what was bought; null where it does not. */
  readonly fault: string | null;
}

export interface Books {
  readonly purchases: ReadonlyMap<string, StoredPurchase>;
  readonly attempts: readonly StoredAttempt[];
  readonly stands: readonly Stand[];
  /** What was fulfilled by hand, by our name for the attempt. */
  readonly byHand: ReadonlyMap<string, "vended" | "declined">;
}

/** Everything that went out, anywhere. */
export async function readDeeds(database: Database, books: Books): Promise<Deed[]> {
  const byId = new Map([...books.purchases.values()].map((purchase) => [purchase.id as bigint, purchase]));
  const attemptOf = new Map(books.attempts.map((attempt) => [attempt.supplierReference, attempt]));
  const own = (supplier: string) => (name: string, fault: string | null) => {
    const attempt = attemptOf.get(name) ?? null;
    const purchase = byId.get(attempt?.id ?? 0n) ?? null;
    return { supplier, name, attempt, purchase, isReversed: false, fault };
  };
  const handed = [...books.byHand].filter(([, did]) => did === "vended").map(([name]) => own("manual")(name, null));
  const sold = (await database.query<SoldVouchers>(listSold)).map(({ attempt, pieces }) => {
    const deed = own("voucher-stock")(attempt, null);
    const isOther = deed.purchase !== null && deed.purchase.quantity !== pieces;
    return { ...deed, fault: isOther ? `${pieces} vouchers instead of ${deed.purchase?.quantity}` : null };
  });
  return [...books.stands.flatMap((stand) => deedsOf(stand, books)), ...handed, ...sold];
}

interface SoldVouchers {
  readonly attempt: string;
  readonly pieces: number;
}

const listSold = {
  name: "list_torture_sold",
  text: `
    select sold_to as attempt, count(*)::integer as pieces
      from vouchers
     where sold_to is not null
     group by sold_to`,
};

/** The book of one supplier outside. */
function deedsOf(stand: Stand, books: Books): Deed[] {
  const { purchases, attempts } = books;
  const here = attempts.filter(({ supplier }) => supplier === stand.name);
  const byName = new Map(here.map((attempt) => [nameThere(stand, attempt.supplierReference), attempt]));
  const byPurchase = new Map(here.map((attempt) => [attempt.id, attempt]));
  const marks = indexOf([...purchases.values()]);
  return [...stand.stub.records.values()]
    .filter(({ state }) => state === "vended" || state === "reversed")
    .map((record) => {
      const ours = nameHere(stand, record.reference);
      const { references, numbers } = marksIn(record);
      const marked = [...references.map((each) => marks.get(each)), ...numbers.map((each) => marks.get(each))];
      const byMark = marked.find((each) => each !== undefined) ?? null;
      const purchase = ours === null ? byMark : (purchases.get(ours.slice(0, ours.lastIndexOf("-"))) ?? null);
      const attempt = byName.get(record.reference) ?? (ours === null ? byPurchase.get(purchase?.id ?? 0n) : undefined);
      const isOthers = byMark !== null && byMark !== purchase;
      const fault =
        purchase === null || attempt === undefined
          ? null
          : isOthers
            ? `it was asked for what ${byMark.reference} is for`
            : faultIn(record, { purchase, code: attempt.supplierCode, supplier: stand.name });
      return {
        supplier: stand.name,
        name: record.reference,
        purchase,
        attempt: attempt ?? null,
        isReversed: record.state === "reversed",
        fault,
      };
    });
}

/** Purchases by the marks that a supplier may have of them. */
function indexOf(purchases: readonly StoredPurchase[]): Map<string, StoredPurchase> {
  const index = new Map<string, StoredPurchase>();
  for (const purchase of purchases) {
    if (purchase.number !== null) index.set(plainNumber(purchase.number), purchase);
    index.set(purchase.reference, purchase);
  }
  return index;
}
