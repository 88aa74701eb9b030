import { arrayOf, type Queryable, type Statement, statement } from "../database/database.ts";
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

/** A column that holds secrets, and how to walk through it. Its room declares it. */
export interface SealedColumn {
  readonly name: string;
  /** How many rows are read at once. */
  readonly windowSize: number;
  count(db: Queryable): Promise<readonly KeyCount[]>;
  read(db: Queryable, after: Key | null, limit: number): Promise<readonly SealedRow[]>;
  /** Each row whose text is still the one that was read. */
  replace(db: Queryable, changes: readonly { readonly row: SealedRow; readonly text: string }[]): Promise<void>;
}

/** Comes before every key. */
const lowest = { smallint: -32_768, integer: -2_147_483_648, bigint: -(2n ** 63n), text: "" };

interface Declared<Row> {
  /** What operators call it. */
  readonly name: string;
  readonly table: string;
  /** The columns to walk by, an index's, with their types. Together they are unique. */
  readonly key: Readonly<Record<string, keyof typeof lowest>>;
  readonly column: string;
  /** Fewer than usual, where a row may hold megabytes. */
  readonly windowSize?: number;
  /** What an identity needs besides the key. */
  readonly reads?: readonly string[];
  /** The place that a row's text is sealed for, as `seal` was given it. */
  readonly identity: (row: Row) => string;
  /** For a column that holds JSON with the sealed text in it, in some of its rows. */
  readonly json?: {
    /** The sealed text in the column's JSON. */
    readonly property: string;
    /** The rows to look at. */
    readonly filter: string;
    /** The JSON to store instead; null when it is fine. @throws Unopenable */
    readonly rewrapped: (box: SecretBox, identity: string, stored: string) => string | null;
  };
}

/**
 * Declares a column that holds secrets: `keys status` counts it by key, and `keys rotate` rewraps it. `Row` has the key's
 * columns and those of `reads`, by their names in the table.
 */
export function sealedColumn<Row extends object>(declared: Declared<Row>): SealedColumn {
  const { name, key, identity, json, windowSize = usualWindowSize } = declared;
  const { count, list, update } = statementsOf(declared);
  const keyColumns = Object.keys(key);
  const first = Object.values(key).map((type) => lowest[type]);
  const rewrap = json?.rewrapped ?? ((box, at, stored) => box.rewrap(stored, at));
  return {
    name,
    windowSize,
    count: (db) => db.query<KeyCount>(count),
    async read(db, after, limit) {
      const rows = await db.query<Row & { readonly stored: string }>(list, [...(after ?? first), limit]);
      return rows.map((row) => ({
        key: keyColumns.map((column) => row[column as keyof Row] as Key[number]),
        stored: row.stored,
        rewrapped: (box) => rewrap(box, identity(row), row.stored),
      }));
    },
    async replace(db, changes) {
      const columns = keyColumns.map((_, i) => changes.map(({ row }) => row.key[i] ?? null));
      const texts = [changes.map(({ row }) => row.stored), changes.map(({ text }) => text)];
      await db.query(update, [...columns, ...texts].map(arrayOf));
    },
  };
}

/** The three statements about a column. Its names come from a declaration, never from outside. */
function statementsOf({
  table,
  key,
  column,
  reads = [],
  json,
}: Declared<never>): Record<"count" | "list" | "update", Statement> {
  const columns = Object.keys(key);
  const keys = columns.join(", ");
  const [sealed, type] = json === undefined ? [column, "text"] : [`${column} ->> '${json.property}'`, "json"];
  const rows = `${sealed} is not null${json === undefined ? "" : ` and ${json.filter}`}`;
  const parameters = columns.map((_, i) => `$${i + 1}`);
  const arrays = [...Object.values(key), "text", "text"].map((one, i) => `$${i + 1}::${one}[]`).join(", ");
  return {
    count: {
      name: `count_${table}_${column}_by_key`,
      text: `select split_part(${sealed}, '.', 2) as "keyId", count(*) as rows from ${table} where ${rows} group by 1`,
      secondsMax: 3_600,
    },
    list: statement(
      `list_sealed_${table}_${column}`,
      `select ${[keys, ...reads].join(", ")}, ${column}::text as stored
         from ${table}
        where (${keys}) > (${parameters.join(", ")}) and ${rows}
        order by ${keys}
        limit $${columns.length + 1}`,
    ),
    update: statement(
      `update_sealed_${table}_${column}`,
      `update ${table} t
          set ${column} = i.fresh::${type}
         from unnest(${arrays}) as i (${keys}, stored, fresh)
        where ${columns.map((one) => `t.${one} = i.${one}`).join(" and ")} and t.${column}::text = i.stored`,
    ),
  };
}

/** Rows of one statement; each is some milliseconds of work. */
const usualWindowSize = 500;

/**
 * Brings a column's rows under the key that the box seals under, a window of rows at a time, each in a statement of its
 * own: safe to stop anywhere and to begin again. What somebody else writes meanwhile stays as they wrote it.
 * @returns how many rows this box cannot open
 */
export async function resealColumn(
  db: Queryable,
  options: { readonly box: SecretBox; readonly column: SealedColumn; readonly onRows: (rows: number) => void },
): Promise<number> {
  const { box, column, onRows } = options;
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
    const rows: readonly SealedRow[] = await column.read(db, after, column.windowSize);
    const changes = rows.flatMap((row) => {
      const text = fresh(row);
      return text === null ? [] : [{ row, text }];
    });
    if (changes.length > 0) await column.replace(db, changes);
    onRows(rows.length);
    after = rows.at(-1)?.key ?? null;
    isMore = rows.length === column.windowSize;
  }
  return closed;
}
