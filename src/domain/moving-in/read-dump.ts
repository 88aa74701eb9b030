import { refuse } from "../../kernel/problems.ts";
import { type ExportRow, type ExportTable, kindOf } from "./export-table.ts";

/** Rows that one table may have. */
const rowsMax = 200_000;
/** A table with more rows is no list of networks, whatever its columns are called. */
const networksMax = 20;

/** Whether a text is a dump of a database and no CSV. */
export function isDump(text: string): boolean {
  return /^(?:insert (?:ignore )?into|copy \S+ \(|create table|-- (?:mysql|mariadb|phpmyadmin|postgresql))/im.test(
    text.slice(0, 200_000),
  );
}

/**
 * Reads the tables of a dump that a move needs, by `mysqldump`, phpMyAdmin or `pg_dump`: its INSERT and COPY. Values come
 * as they are written, numbers digit by digit. @throws Refusal VALIDATION_ERROR that names the file and the line
 */
export function readDump(file: string, text: string): ExportTable[] {
  const isPostgres = /^(?:-- postgresql database dump|copy \S+ \()/im.test(text.slice(0, 200_000));
  const cursor: Cursor = { file, text, at: 0, line: 1, countedTo: 0, hasBackslashes: !isPostgres };
  const tables = new Map<string, { readonly columns: readonly string[]; readonly rows: ExportRow[] }>();
  const columnsByTable = new Map<string, readonly string[]>();
  skipBlanks(cursor);
  for (; cursor.at < text.length; skipBlanks(cursor)) {
    const found = readStatement(cursor, columnsByTable);
    if (found !== null) {
      const known = tables.get(found.name) ?? { columns: found.columns, rows: [] };
      tables.set(found.name, known);
      if (kindOf(known.columns, true) === "networks" && known.rows.length > networksMax) continue;
      if (known.rows.length + found.rows.length > rowsMax) throw wrongAt(cursor, `${found.name} has too many rows`);
      for (const row of found.rows) known.rows.push(row);
    }
  }
  return [...tables].map(([name, { columns, rows }]) => ({ file, name, columns, rows }));
}

interface Cursor {
  readonly file: string;
  readonly text: string;
  at: number;
  /** The line at `countedTo`: it is counted on from there when somebody asks. */
  line: number;
  countedTo: number;
  /** MySQL writes `\'` within its texts, PostgreSQL only within E'…'. */
  readonly hasBackslashes: boolean;
}

interface Found {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
}

const insertStart = /insert\s+(?:ignore\s+)?into\s+([^\s(]+)\s*(?:\(([^)]*)\)\s*)?values\s*/iy;
const copyStart = /copy\s+(\S+)\s*\(([^)]*)\)\s+from\s+stdin[^\n]*\n/iy;
const createStart = /create\s+table\s+(?:if\s+not\s+exists\s+)?([^\s(]+)\s*\(/iy;

/** Reads one statement, and stands behind it. Null where a move does not need it. */
function readStatement(cursor: Cursor, columnsByTable: Map<string, readonly string[]>): Found | null {
  const insert = take(cursor, insertStart);
  if (insert !== null) {
    const name = unquoted(insert[1] ?? "");
    const columns = insert[2] === undefined ? columnsByTable.get(name) : namesIn(insert[2]);
    if (columns === undefined || kindOf(columns, true) === null) return skipStatement(cursor);
    return { name, columns, rows: readTuples(cursor, columns.length) };
  }
  const copy = take(cursor, copyStart);
  if (copy !== null) {
    const [name, columns] = [unquoted(copy[1] ?? ""), namesIn(copy[2] ?? "")];
    const rows = readCopied(cursor, columns.length);
    return kindOf(columns, true) === null ? null : { name, columns, rows };
  }
  const create = take(cursor, createStart);
  if (create !== null) {
    const from = cursor.at;
    skipStatement(cursor);
    columnsByTable.set(unquoted(create[1] ?? ""), columnsOf(cursor.text.slice(from, cursor.at)));
    return null;
  }
  return skipStatement(cursor);
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.at = pattern.lastIndex;
  return found;
}

const blanks = /(?:\s+|--[^\n]*|#[^\n]*|\/\*.*?\*\/|;|\\[a-z][^\n]*)+/isy;

/** Stands at the next statement: behind blanks, comments, and what pg_dump says to psql. */
function skipBlanks(cursor: Cursor): void {
  take(cursor, blanks);
}

const plainText = /[^;'"`$]+/y;
const dollarQuote = /\$(\w*)\$.*?\$\1\$/sy;

/** Stands behind the next semicolon that ends a statement: one within a text does not. */
function skipStatement(cursor: Cursor): null {
  while (cursor.at < cursor.text.length) {
    take(cursor, plainText);
    const sign = cursor.text[cursor.at];
    if (sign === ";") {
      cursor.at += 1;
      return null;
    }
    if (sign === "'" || sign === '"' || sign === "`") readQuoted(cursor, sign, cursor.hasBackslashes);
    else if (take(cursor, dollarQuote) === null) cursor.at += 1;
  }
  return null;
}

/** The rows of an INSERT, up to the end of its statement. */
function readTuples(cursor: Cursor, cellCount: number): ExportRow[] {
  const rows: ExportRow[] = [];
  for (let isOpen = true; isOpen; ) {
    skipBlanks(cursor);
    const line = lineOf(cursor);
    if (cursor.text[cursor.at] !== "(") throw wrongAt(cursor, "no row of values stands here");
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

const bareValue = /[^,()'"]+/y;

function readTuple(cursor: Cursor): (string | null)[] {
  const cells: (string | null)[] = [];
  let sign: string | undefined = "(";
  while (sign !== ")") {
    cursor.at += 1;
    take(cursor, /\s*(?:_binary\s*|e(?='))?/iy);
    cells.push(readValue(cursor));
    take(cursor, /\s*(?:::[\w ]+)?/y);
    sign = cursor.text[cursor.at];
    if (sign !== "," && sign !== ")") throw wrongAt(cursor, "a value does not end");
  }
  cursor.at += 1;
  return cells;
}

function readValue(cursor: Cursor): string | null {
  if (cursor.text[cursor.at] === "'") {
    const isEscaped = cursor.text[cursor.at - 1]?.toLowerCase() === "e";
    return readQuoted(cursor, "'", cursor.hasBackslashes || isEscaped);
  }
  const bare = take(cursor, bareValue)?.[0].trim() ?? "";
  return bare.toLowerCase() === "null" ? null : bare.replace(/::[\w ]+$/, "");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0", b: "\b", Z: "\x1a" };

/** Reads a quoted text, and stands behind it. Two quotes within it are one. */
function readQuoted(cursor: Cursor, quote: string, hasBackslashes: boolean): string {
  const { text } = cursor;
  let value = "";
  let from = cursor.at + 1;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\" && hasBackslashes) {
      const next = text[at + 1] ?? "";
      value += text.slice(from, at) + (escapes[next] ?? next);
      at += 1;
      from = at + 1;
    } else if (sign === quote && text[at + 1] === quote) {
      value += text.slice(from, at + 1);
      at += 1;
      from = at + 1;
    } else if (sign === quote) {
      cursor.at = at + 1;
      return value + text.slice(from, at);
    }
  }
  throw wrongAt(cursor, "a text begins here and never ends");
}

const copiedLine = /([^\n]*)(?:\n|$)/y;

/** The lines of a COPY, up to the one that ends it. */
function readCopied(cursor: Cursor, cellCount: number): ExportRow[] {
  const rows: ExportRow[] = [];
  while (cursor.at < cursor.text.length) {
    const line = lineOf(cursor);
    const text = (take(cursor, copiedLine)?.[1] ?? "").replace(/\r$/, "");
    if (text === "\\.") return rows;
    const cells = text.split("\t").map((cell) => (cell === "\\N" ? null : unescaped(cell)));
    if (cells.length !== cellCount) throw wrongAt(cursor, `a row has ${cells.length} values for ${cellCount} columns`);
    rows.push({ line, row: null, cells });
  }
  throw wrongAt(cursor, "the file ends within a table: it was cut off");
}

function unescaped(cell: string): string {
  return cell.replace(/\\(.)/g, (_all, sign: string) => escapes[sign] ?? sign);
}

/** `public."CustomUser"` is `CustomUser`. */
function unquoted(name: string): string {
  return (name.split(".").at(-1) ?? name).replace(/[`"]/g, "");
}

function namesIn(list: string): string[] {
  return list.split(",").map((name) => unquoted(name.trim()));
}

const noColumn = /^(?:constraint|primary|unique|key|foreign|check|index|fulltext|spatial|exclude|like)$/i;

/** The columns of a table by what follows `create table name (`, one a line as both programs write them. */
function columnsOf(body: string): string[] {
  return body.split("\n").flatMap((line) => {
    const [, quoted, bare] = /^\s*(?:[`"]([^`"]+)[`"]|(\w+))\s+\S/.exec(line) ?? [];
    if (quoted !== undefined) return [quoted];
    return bare === undefined || noColumn.test(bare) ? [] : [bare];
  });
}

function lineOf(cursor: Cursor): number {
  for (let at = cursor.text.indexOf("\n", cursor.countedTo); at >= 0 && at < cursor.at; ) {
    cursor.line += 1;
    cursor.countedTo = at + 1;
    at = cursor.text.indexOf("\n", cursor.countedTo);
  }
  return cursor.line;
}

function wrongAt(cursor: Cursor, what: string) {
  return refuse("VALIDATION_ERROR", { message: `Line ${lineOf(cursor)} of ${cursor.file} can't be read: ${what}.` });
}
