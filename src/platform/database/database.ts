import pg from "pg";
import { connectionConfig, type Plans } from "./connection-config.ts";
import { CommitUnknown, DatabaseClosed, isConnectionLost, isNotSent, isUnusable, NotSent } from "./database-errors.ts";
import { openPipeline, type Pipeline } from "./pipeline.ts";

declare const brand: unique symbol;

/** A statement with a name: prepared once per connection, and what logs and plans call it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How long its answer may take; a minute, when it does not say. */
  readonly secondsMax?: number;
  /**
   * Outside of a transaction it goes out on a connection of its own, without waiting for the answers to those before it;
   * the server carries them out one after the other. For a statement that a batcher sends.
   */
  readonly isPipelined?: boolean;
}

/** Names a statement: `statement("find_wallet", "select …")`. Text only; values travel as parameters. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}

export interface Queryable {
  /** Runs one statement. `int8` comes as bigint, `timestamptz` as milliseconds, `json` parsed. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** The connections that a process has to a database, of those that it keeps for good. */
export interface TakenConnections {
  readonly connections: number;
  readonly max: number;
  /** Why there are no more; null where none is missing. */
  readonly reason: string | null;
  /** Whether there is one for each kind of statement. */
  readonly isUsable: boolean;
}

/** A connection with an open transaction. A function that needs one says so in its type. */
export type Tx = Queryable & { readonly [brand]: "transaction" };

export interface Database extends Queryable {
  /**
   * Commits what `work` did, or nothing when it throws. No network call belongs into `work`.
   * @throws CommitUnknown where the commit was sent and its answer was lost: nothing else leaves it open
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** For what is told of a transaction that `transaction` has resolved: at once, or once all that it is a step of is committed. */
  afterCommit(act: () => void): void;
}

/** A database with connections of its own. */
export interface OpenDatabase extends Database {
  /** Opens those of its connections that are missing. @returns how many it has then */
  hold(): Promise<TakenConnections>;
  /** Has its connections end once their statements are answered: the next statements go out on new ones. */
  renew(): void;
  close(): Promise<void>;
}

const oid = { int8: 20, timestamptz: 1184 };

/** Parsers of this program alone: pg's own defaults stay as they are. */
const types: pg.CustomTypesConfig = {
  getTypeParser(typeId: number, format?: "text" | "binary"): never {
    if (typeId === oid.int8) return BigInt as never;
    if (typeId === oid.timestamptz) return parseTimestamp as never;
    return pg.types.getTypeParser(typeId, format as "text") as never;
  },
};

const isoInUtc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/**
 * `2026-11-20 14:03:09.123+00` → milliseconds. Sessions write ISO in UTC; of anything else `Date.parse` would make some
 * other time, or no number, and a purchase would go on with it.
 */
function parseTimestamp(text: string): number {
  if (!isoInUtc.test(text)) throw new Error(`PostgreSQL wrote a time as "${text}", which is not ISO in UTC.`);
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

export interface PoolOptions {
  readonly connectionString: string;
  readonly connectionsMax: number;
  readonly applicationName: string;
  /**
   * How its statements are planned: `batched` sends few statements with arrays, for which one generic plan over the
   * indexes is right whatever the tables hold; `ordinary` plans each execution for its values.
   */
  readonly plans: Plans;
  /** PostgreSQL refuses whatever would write. */
  readonly isReadOnly?: boolean;
  /** How long a statement waits for a connection, where it is not the two seconds of whoever serves clients. */
  readonly connectionSecondsMax?: number;
  /** Called when an idle connection dies; the pool replaces it. */
  readonly onLost?: (error: Error) => void;
}

/** Opens a pool. Connections are made when first needed, and kept. @throws StartError when the address can't be read */
export function openPool({ connectionSecondsMax = 2, ...options }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    max: options.connectionsMax,
    connectionTimeoutMillis: connectionSecondsMax * 1_000,
    idleTimeoutMillis: 0,
    query_timeout: 60_000,
    types,
  });
  // Without a listener a connection that dies while idle would end the process. Once the pool is closing, its last
  // connections may still be open when the server stops, which is no loss.
  pool.on("error", (error) => {
    if (!pool.ending) options.onLost?.(error);
  });
  // Handed from one holder to the next, a connection has no listener of either in that turn: an error then would end the
  // process. The statement that follows fails by itself.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Wraps a pool in the few verbs that the program uses. `pipelined`: the names of statements that will be. */
export function openDatabase(pool: pg.Pool, pipelined: readonly string[] = []): OpenDatabase {
  const pipelines = new Map<string, Pipeline>();
  for (const name of pipelined) pipelineOf(name);

  function pipelineOf(name: string): Pipeline {
    const pipeline = pipelines.get(name) ?? openPipeline(pool.options, (error) => pool.emit("error", error), notSent);
    pipelines.set(name, pipeline);
    return pipeline;
  }

  function notSent(error: unknown): never {
    const cause = error as Error;
    throw new NotSent(`no connection, with ${pool.totalCount} of ${pool.options.max}: ${cause.message}`, { cause });
  }

  let isClosed = false;
  const closed = () => Promise.reject(new DatabaseClosed("the connections to the database are closed"));

  return {
    async query(sql, values) {
      if (isClosed) return closed();
      if (sql.isPipelined === true) return run(pipelineOf(sql.name), sql, values);
      const client = await pool.connect().catch(notSent);
      let isBroken = true;
      try {
        const rows = await run<never>(client, sql, values);
        isBroken = false;
        return rows;
      } finally {
        client.release(isBroken);
      }
    },
    async transaction(work) {
      if (isClosed) return closed();
      return inTransaction(await pool.connect().catch(notSent), work);
    },
    afterCommit: (act) => act(),
    hold: () => holdAll(pool, [...pipelines.values()]),
    renew() {
      for (let left = pool.idleCount; left > 0; left--) {
        void pool.connect().then(
          (client) => client.release(true),
          () => {},
        );
      }
      for (const pipeline of pipelines.values()) pipeline.renew();
    },
    async close() {
      isClosed = true;
      await Promise.all([pool.end(), ...[...pipelines.values()].map((pipeline) => pipeline.close())]);
    },
  };
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  let broken: Error | undefined;
  // The pool listens to idle connections only: without this, one that dies between two statements of ours would end
  // the process. The next statement fails by itself.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on("error", onLost);
  try {
    await client.query("begin").catch(undone);
    const tx: Queryable = { query: (sql, values) => run<never>(client, sql, values).catch(undone) };
    const result = await work(tx as Tx);
    await client.query("commit").catch(commitLost);
    return result;
  } catch (error) {
    // The server undoes by itself what a connection had begun that ends.
    if (isNotSent(error) || isConnectionLost(error)) broken = error as Error;
    else await client.query("rollback").catch(onLost);
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(broken);
  }
}

async function holdAll(pool: pg.Pool, pipelines: readonly Pipeline[]): Promise<TakenConnections> {
  const { max = 0 } = pool.options;
  const missing = max - pool.totalCount;
  // One that is handed out is given back when the new ones are under way: else it would be handed out in their place.
  const take = () => pool.connect().then((client) => void setImmediate(() => client.release()));
  const [lines, pooled] = await Promise.all([
    Promise.allSettled(pipelines.map((pipeline) => pipeline.hold())),
    Promise.allSettled(Array.from({ length: missing === 0 ? 0 : missing + pool.idleCount }, take)),
  ]);
  const failed = [...lines, ...pooled].find(({ status }) => status === "rejected");
  const linesKept = pipelines.length - lines.filter(({ status }) => status === "rejected").length;
  return {
    connections: pool.totalCount + linesKept,
    max: max + lines.length,
    reason: failed?.status === "rejected" ? (failed.reason as Error).message : null,
    isUsable: pool.totalCount > 0 && linesKept === lines.length,
  };
}

/** pg also takes a time limit for a single query, of which its types do not know. */
interface TimedQuery extends pg.QueryConfig {
  query_timeout?: number;
}

/** A client that waits for longer has mostly gone. */
const readSecondsMax = 8;

/** The same database, for what only reads while a client waits: a statement that names no bound of its own gets a short one. */
export function forReaders<Db extends Queryable>(database: Db): Db {
  return {
    ...database,
    query: (sql, values) => database.query({ secondsMax: readSecondsMax, ...sql }, values),
  };
}

async function run<Row>(on: Pick<Pipeline, "query">, sql: Statement, values: readonly unknown[] = []): Promise<Row[]> {
  const query: TimedQuery = { name: sql.name, text: sql.text, values: values as unknown[] };
  if (sql.secondsMax !== undefined) query.query_timeout = sql.secondsMax * 1000;
  try {
    return (await on.query(query)).rows as Row[];
  } catch (error) {
    throw isUnusable(error) ? new NotSent((error as Error).message, { cause: error }) : error;
  }
}

/** A transaction whose connection is lost before its commit has no effect. */
function undone(error: unknown): never {
  throw isConnectionLost(error) || isUnusable(error) ? new NotSent((error as Error).message, { cause: error }) : error;
}

function commitLost(error: unknown): never {
  if (isUnusable(error)) return undone(error);
  throw isConnectionLost(error) ? new CommitUnknown("the answer to a commit was lost", { cause: error }) : error;
}

/** A value of a column or a parameter. */
export type Value = string | number | bigint | boolean | null;

/**
 * Writes values as a PostgreSQL array literal. Every text is quoted, so `null` the word differs from null the value.
 * pg's own encoder does the same at three times the cost, and a batch of settlements sends a thousand of these.
 */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map(arrayElement).join(",")}}`;
}

function arrayElement(value: Value): string | number | bigint | boolean {
  if (value === null || value === undefined) return "NULL";
  if (typeof value !== "string") return value;
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, "\\$&") : value}"`;
}

/** Writes values as a row of a composite type, to be joined with others by `arrayOfRows`. */
export function rowOf(values: readonly Value[]): string {
  return `"(${values.map(rowField).join(",")})"`;
}

function rowField(value: Value): string | number | bigint | boolean {
  // Nothing between two commas is null.
  if (value === null || value === undefined) return "";
  // A text that cannot be mistaken goes as it is. Another one is quoted in the row and once more in the array.
  if (typeof value !== "string" || /^[\w.:+-]+$/.test(value)) return value;
  // One character after the other: a regular expression for both takes twice as long, and JSON is full of them.
  const backslashed = value.includes("\\") ? value.replaceAll("\\", "\\\\\\\\") : value;
  return `\\"${backslashed.replaceAll('"', '\\\\\\"')}\\"`;
}

/** An array literal of rows that `rowOf` wrote. */
export function arrayOfRows(rows: readonly string[]): string {
  return `{${rows.join(",")}}`;
}
