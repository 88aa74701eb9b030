import { countLines, countStatement, requireWholeDump, type StatementCounts } from "./dump-completeness.ts";
import {
  type Cursor,
  lineOf,
  readQuoted,
  skipBlanks,
  skipStatement,
  tableName,
  take,
  takeDelimiter,
  unescaped,
  wrongAt,
} from "./dump-text.ts";
import { type ExportRow, type ExportTable, kindOf, type TableKind } from "./export-table.ts";

/** Rows that one table may have. */
const rowsMax = 1_000_000;
/** A table with more rows is no list of networks, whatever its columns are called. */
const networksMax = 20;

/** Whether a text is a dump of a database and no CSV. */
export function isDump(text: string): boolean {
  const start =
    /^(?:(?:insert|replace) (?:ignore )?into|copy \S+ \(|create table|-- (?:mysql|mariadb|phpmyadmin|postgresql))/im;
  return start.test(text.slice(0, 200_000));
}

/**
 * Reads the tables of a dump that a move needs, by `mysqldump`, phpMyAdmin or `pg_dump`: its INSERT, REPLACE and COPY. Values
 * come as they are written, numbers digit by digit. What it can't read, or what is missing at the end, is refused.
 * @throws Refusal VALIDATION_ERROR that names the file and the line
 */
export function readDump(file: string, text: string): ExportTable[] {
  const isPostgres = /^(?:-- postgresql database dump|copy \S+ \()/im.test(text.slice(0, 200_000));
  const cursor: Cursor = { file, text, at: 0, line: 1, lineEnd: -1, isPostgres, delimiter: ";" };
  const maps = { columns: new Map(), kinds: new Map(), tables: new Map(), counts: new Map() };
  const reading: Reading = { cursor, database: "", ...maps };
  for (let from = 0; from < text.length; ) {
    skipBlanks(cursor);
    // A trigger stands in a comment that is one to other servers alone. What it would insert is nothing that was exported.
    countLines(reading.counts, text.slice(from, cursor.at));
    if (cursor.at < text.length && !takeDelimiter(cursor)) readStatement(reading);
    from = cursor.at;
  }
  requireWholeDump({ file, text, counts: reading.counts });
  return [...reading.tables.values()].map(({ name, columns, rows }) => ({ file, name, columns, rows }));
}

interface Reading {
  readonly cursor: Cursor;
  /** Named by the last USE. */
  database: string;
  /** What CREATE TABLE said of each table. */
  readonly columns: Map<string, readonly string[]>;
  /** What tables of these columns are about: a dump may have an INSERT for each row. */
  readonly kinds: Map<string, TableKind | null>;
  readonly tables: Map<string, ReadTable>;
  readonly counts: StatementCounts;
}

interface ReadTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: ExportRow[];
}

function kindIn({ kinds }: Reading, columns: readonly string[]): TableKind | null {
  const key = columns.join();
  const known = kinds.get(key);
  if (known !== undefined) return known;
  const kind = kindOf(columns, true);
  kinds.set(key, kind);
  return kind;
}

const columnList = '\\(((?:[^()`"]|`[^`]*`|"[^"]*")*)\\)';
const insertStart = new RegExp(
  `(?:insert|replace)\\s+(?:(?:low_priority|delayed|high_priority|ignore)\\s+)*(?:into\\s+)?${tableName}\\s*`,
  "iy",
);
const insertColumns = new RegExp(`${columnList}\\s*`, "y");
const insertValues = /(?:overriding\s+system\s+value\s+)?values?\s*/iy;
const copyStart = new RegExp(`copy\\s+${tableName}\\s*${columnList}\\s+from\\s+stdin[^\\n]*\\n`, "iy");
const createStart = new RegExp(
  `create\\s+(?:(?:temporary|temp|unlogged|global|local|or\\s+replace)\\s+)*table\\s+(?:if\\s+not\\s+exists\\s+)?${tableName}\\s*\\(`,
  "iy",
);
const routineStart = /(?:\/\*!\d+\s*)?create\b[^;]{0,200}?\b(?:procedure|function|trigger|event|package)\b/iy;
const useStart = new RegExp(`use\\s+${tableName}\\s*;`, "iy");
const verbs =
  /(?:alter|analyze|begin|call|change|checkpoint|comment|commit|copy|create|deallocate|declare|delete|do|drop|end|execute|flush|grant|handler|insert|kill|lock|merge|optimize|prepare|reindex|rename|repair|replace|reset|revoke|rollback|savepoint|security|select|set|show|start|truncate|unlock|update|use|vacuum|with|if|else|elseif|leave|return|while|loop|signal|open|close|fetch)\b/iy;

/** Reads one statement, and stands behind it. */
function readStatement(reading: Reading): void {
  const { cursor } = reading;
  const insert = take(cursor, insertStart);
  if (insert !== null) {
    readInsert(reading, insert[1] ?? "");
    return;
  }
  const copy = take(cursor, copyStart);
  if (copy !== null) {
    const columns = namesIn(copy[2] ?? "");
    countStatement(reading.counts, copy[1] ?? "");
    const isNeeded = kindIn(reading, columns) !== null;
    keep(reading, copy[1] ?? "", columns, readCopied(cursor, isNeeded ? columns.length : null));
    return;
  }
  const create = take(cursor, createStart);
  if (create !== null) {
    const from = cursor.at;
    skipStatement(cursor);
    const body = { ...cursor, text: cursor.text.slice(from, cursor.at), at: 0 };
    reading.columns.set(keyOf(reading, create[1] ?? ""), columnsOf(body));
    return;
  }
  const use = take(cursor, useStart);
  if (use !== null) reading.database = unquoted(use[1] ?? "");
  else skipOther(reading);
}

function skipOther({ cursor, counts }: Reading): void {
  const from = cursor.at;
  // Where statements end by another sign, whatever stands there belongs to a procedure.
  const isRoutine = cursor.delimiter !== ";" || take(cursor, routineStart) !== null;
  if (!isRoutine && take(cursor, verbs) === null) throw wrongAt(cursor, strangeAt(cursor));
  skipStatement(cursor);
  if (isRoutine) countLines(counts, cursor.text.slice(from, cursor.at));
}

/** Why no statement stands here. */
function strangeAt({ text, at }: Cursor): string {
  const there = text.slice(at, at + 300);
  const error = /(?:fatal error|warning|notice|parse error|mysqldump|pg_dump|error)\b[^\n<]*/i.exec(
    there.replace(/<[^>]*>/g, ""),
  );
  if (error !== null) return `the program that exported has written an error here (${error[0].trim().slice(0, 100)})`;
  return "no statement of SQL begins here";
}

function readInsert(reading: Reading, given: string): void {
  const { cursor } = reading;
  const names = take(cursor, insertColumns);
  const columns = names === null ? reading.columns.get(keyOf(reading, given)) : namesIn(names[1] ?? "");
  if (columns === undefined) {
    throw wrongAt(cursor, `nothing says what the columns of ${unquoted(given)} are: export CREATE TABLE as well`);
  }
  countStatement(reading.counts, given);
  if (kindIn(reading, columns) === null) skipStatement(cursor);
  else if (take(cursor, insertValues) === null) throw wrongAt(cursor, "INSERT must have VALUES: export it with them");
  else keep(reading, given, columns, readTuples(cursor, columns.length));
}

function keep(reading: Reading, given: string, columns: readonly string[], rows: readonly ExportRow[]): void {
  if (kindIn(reading, columns) === null) return;
  const { cursor, tables } = reading;
  const [key, name] = [keyOf(reading, given), unquoted(given)];
  const table = tables.get(key) ?? { name, columns, rows: [] };
  tables.set(key, table);
  if (table.columns.join() !== columns.join()) throw wrongAt(cursor, `${name} has other columns than before`);
  if (kindIn(reading, columns) === "networks" && table.rows.length > networksMax) return;
  if (table.rows.length + rows.length > rowsMax) throw wrongAt(cursor, `${name} has more than ${rowsMax} rows`);
  for (const row of rows) table.rows.push(row);
}

/** The rows of an INSERT, up to the end of its statement. */
function readTuples(cursor: Cursor, cellCount: number): ExportRow[] {
  const rows: ExportRow[] = [];
  for (let isOpen = true; isOpen; ) {
    skipBlanks(cursor);
    const line = lineOf(cursor);
    if (cursor.text[cursor.at] !== "(") throw wrongAt(cursor, noRowAt(cursor));
    const cells = readTuple(cursor);
    if (cells.length !== cellCount) throw wrongAt(cursor, `a row has ${cells.length} values for ${cellCount} columns`);
    rows.push({ line, row: rows.length + 1, cells });
    take(cursor, /\s*/y);
    isOpen = cursor.text[cursor.at] === ",";
    if (isOpen) cursor.at += 1;
  }
  // `on duplicate key update …` may stand before the end.
  skipStatement(cursor);
  return rows;
}

function noRowAt(cursor: Cursor): string {
  if (cursor.at >= cursor.text.length) return "the file ends within this statement: it was cut off";
  const strange = strangeAt(cursor);
  return strange.includes("error") ? strange : "no row of values stands here";
}

const beforeValue = /\s*(?:(?:_[a-z]\w*|n)\s*(?=['"])|([bex])(?='))?/iy;
const bareValue = /[^,()'"]+/y;

function readTuple(cursor: Cursor): (string | null)[] {
  const cells: (string | null)[] = [];
  let sign: string | undefined = "(";
  while (sign !== ")") {
    cursor.at += 1;
    const [before = "", mark = ""] = take(cursor, beforeValue) ?? [];
    cells.push(readValue(cursor, { isBinary: /_binary/i.test(before), mark: mark.toLowerCase() }));
    take(cursor, /\s*(?:::[\w ]+(?:\([\d, ]*\))?)?/y);
    sign = cursor.text[cursor.at];
    if (sign !== "," && sign !== ")") throw wrongAt(cursor, "a value does not end");
  }
  cursor.at += 1;
  return cells;
}

function readValue(
  cursor: Cursor,
  { isBinary, mark }: { readonly isBinary: boolean; readonly mark: string },
): string | null {
  const quote = cursor.text[cursor.at];
  if (quote === "'" || (quote === '"' && !cursor.isPostgres)) {
    const text = readQuoted(cursor, quote, !cursor.isPostgres || mark === "e");
    // A column of bits, such as is_active.
    if (mark === "b") return String(Number.parseInt(text || "0", 2));
    if (mark === "x") return textOfBytes(text);
    return isBinary ? bitOf(text) : text;
  }
  const bare = take(cursor, bareValue)?.[0].trim() ?? "";
  if (/^0x(?:[0-9a-f]{2})+$/i.test(bare)) return textOfBytes(bare.slice(2));
  return bare.toLowerCase() === "null" ? null : bare.replace(/::[\w ]+$/, "");
}

function textOfBytes(hexadecimal: string): string {
  return bitOf(Buffer.from(hexadecimal, "hex").toString());
}

function bitOf(text: string): string {
  return text === "\0" || text === "\x01" ? String(text.charCodeAt(0)) : text;
}

const copiedLine = /([^\n]*)(?:\n|$)/y;

/** The lines of a COPY, up to the one that ends it. `cellCount`: null where nobody needs them. */
function readCopied(cursor: Cursor, cellCount: number | null): ExportRow[] {
  const rows: ExportRow[] = [];
  while (cursor.at < cursor.text.length) {
    const line = cellCount === null ? 0 : lineOf(cursor);
    const text = (take(cursor, copiedLine)?.[1] ?? "").replace(/\r$/, "");
    if (text === "\\.") return rows;
    if (cellCount === null) continue;
    const cells = text.split("\t").map((cell) => (cell === "\\N" ? null : unescaped(cell)));
    if (cells.length !== cellCount) throw wrongAt(cursor, `a row has ${cells.length} values for ${cellCount} columns`);
    rows.push({ line, row: null, cells });
  }
  throw wrongAt(cursor, "the file ends within a table: it was cut off");
}

/** `public."CustomUser"` is `CustomUser`. */
function unquoted(name: string): string {
  return (name.split(".").at(-1) ?? name).trim().replace(/[`"]/g, "");
}

/** A table of one database is not that of another, be they called the same. */
function keyOf({ database }: Reading, name: string): string {
  const plain = name.replace(/[`"\s]/g, "");
  return plain.includes(".") ? plain : `${database}.${plain}`;
}

function namesIn(list: string): string[] {
  return list.split(",").map((name) => unquoted(name.trim()));
}

const anywhere = /^(?:constraint|primary|unique|foreign|check|exclude|like)$/i;
const inMysql = /^(?:key|index|fulltext|spatial)$/i;
const definitionStart = /(?:[`"]([^`"]+)[`"]|(\w+))\s+/y;
const definitionPart = /[^,()'"`/#-]+/y;

/** The columns of a table by what follows `create table name (`: what begins each part between commas. */
function columnsOf(body: Cursor): string[] {
  const columns: string[] = [];
  let depth = 0;
  for (let isNew = true; body.at < body.text.length && depth >= 0; ) {
    skipBlanks(body);
    const [, quoted, bare] = (isNew ? take(body, definitionStart) : null) ?? [];
    const isKey = bare !== undefined && (anywhere.test(bare) || (!body.isPostgres && inMysql.test(bare)));
    const name = quoted ?? bare;
    if (name !== undefined && !isKey) columns.push(name);
    take(body, definitionPart);
    const sign = body.text[body.at] ?? "";
    isNew = sign === "," && depth === 0;
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if ("'\"`".includes(sign) && sign !== "") readQuoted(body, sign, sign === "'" && !body.isPostgres);
    else body.at += 1;
  }
  return columns;
}
