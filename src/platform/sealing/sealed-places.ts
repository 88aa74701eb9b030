import { arrayOf, type Queryable, type Statement } from "../database/database.ts";
import { type SecretBox, Unopenable } from "./secret-box.ts";

/** The key columns of a row: what a window of rows goes on after. */
type Key = readonly (string | number | bigint)[];

export interface KeyCount {
  /** Null: not sealed at all. */
  readonly keyId: string | null;
  readonly rows: bigint;
}

interface SealedRow {
  readonly key: Key;
  /** The column's text as it is. */
  readonly stored: string;
  /** The value to store instead; null when it is fine. @throws Unopenable */
  rewrapped(box: SecretBox): string | null;
}

/** A column that holds secrets, and how to walk through it. Its room says where it is. */
export interface SealedPlace {
  readonly name: string;
  /** Rows of one statement. */
  readonly windowSize: number;
  count(db: Queryable): Promise<readonly KeyCount[]>;
  read(db: Queryable, after: Key | null, limit: number): Promise<readonly SealedRow[]>;
  /** Each row whose text is still the one that was read. */
  replace(db: Queryable, changes: readonly { readonly row: SealedRow; readonly text: string }[]): Promise<void>;
}

/** Each row is some milliseconds of work. */
const usualWindowSize = 500;

/** Ties a place's functions to its rows' type, then forgets it. */
export function sealedPlace<Row extends { readonly stored: string }>(place: {
  readonly name: string;
  /** Rows by `keyId`. */
  readonly count: Statement;
  /** Values: the key columns to go on after, then how many rows. */
  readonly list: Statement;
  /** Values: an array a key column, then the texts that were read, then those to put there. */
  readonly update: Statement;
  /** Rows of one statement, where they are long; else some hundred. */
  readonly windowSize?: number;
  /** Comes before every key. */
  readonly first: Key;
  readonly keyOf: (row: Row) => Key;
  readonly rewrapped: (box: SecretBox, row: Row) => string | null;
}): SealedPlace {
  return {
    name: place.name,
    windowSize: place.windowSize ?? usualWindowSize,
    count: (db) => db.query<KeyCount>({ ...place.count, secondsMax: 3_600 }),
    async read(db, after, limit) {
      const rows = await db.query<Row>(place.list, [...(after ?? place.first), limit]);
      return rows.map((row) => ({
        key: place.keyOf(row),
        stored: row.stored,
        rewrapped: (box) => place.rewrapped(box, row),
      }));
    },
    async replace(db, changes) {
      const columns = place.first.map((_, i) => changes.map(({ row }) => row.key[i] ?? null));
      const texts = [changes.map(({ row }) => row.stored), changes.map(({ text }) => text)];
      await db.query(place.update, [...columns, ...texts].map(arrayOf));
    },
  };
}

/** For texts that are sealed as a whole. */
export function rewrapFor<Row extends { readonly stored: string }>(
  identityOf: (row: Row) => string,
): (box: SecretBox, row: Row) => string | null {
  return (box, row) => box.rewrap(row.stored, identityOf(row));
}

/**
 * Brings a place's rows under the key that the box seals under, a window of rows at a time, each in a statement of its
 * own: safe to stop anywhere and to begin again. What somebody else writes meanwhile stays as they wrote it.
 * @returns how many rows this box cannot open
 */
export async function resealPlace(
  db: Queryable,
  options: { readonly box: SecretBox; readonly place: SealedPlace; readonly onRows: (rows: number) => void },
): Promise<number> {
  const { box, place, onRows } = options;
  let closed = 0;
  const fresh = (row: SealedRow): string | null => {
    try {
      return row.rewrapped(box);
    } catch (error) {
      if (!(error instanceof Unopenable)) throw error;
      closed += 1;
      return null;
    }
  };
  let after: Key | null = null;
  for (let isMore = true; isMore; ) {
    const rows: readonly SealedRow[] = await place.read(db, after, place.windowSize);
    const changes = rows.flatMap((row) => {
      const text = fresh(row);
      return text === null ? [] : [{ row, text }];
    });
    if (changes.length > 0) await place.replace(db, changes);
    onRows(rows.length);
    after = rows.at(-1)?.key ?? null;
    isMore = rows.length === place.windowSize;
  }
  return closed;
}
