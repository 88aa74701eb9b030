import { refuse } from "../../kernel/problems.ts";

/** A place in a dump's text, with what its dialect does to quotes and comments. */
export interface Cursor {
  readonly file: string;
  readonly text: string;
  at: number;
  /** The line that ends at `lineEnd`, -1 before the first: they are counted on when somebody asks. */
  line: number;
  lineEnd: number;
  readonly isPostgres: boolean;
  /** What ends a statement: MySQL's programs change it around procedures and triggers. */
  delimiter: string;
}

const quotedName = '(?:`[^`]+`|"[^"]+"|[\\w$-]+)';
/** The name of a table, with those of its schema and database. */
export const tableName = `(${quotedName}(?:\\s*\\.\\s*${quotedName})*)`;

export function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.at = pattern.lastIndex;
  return found;
}

/** As an editor counts lines. */
export function lineOf(cursor: Cursor): number {
  while (cursor.lineEnd < cursor.at) {
    const next = cursor.text.indexOf("\n", cursor.lineEnd + 1);
    if (cursor.lineEnd >= 0) cursor.line += 1;
    cursor.lineEnd = next < 0 ? cursor.text.length : next;
  }
  return cursor.line;
}

export function wrongAt(cursor: Cursor, what: string) {
  return refuse("VALIDATION_ERROR", { message: `Line ${lineOf(cursor)} of ${cursor.file} can't be read: ${what}.` });
}

const mysqlComment = /--(?=[\s]|$)[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y;
const postgresComment = /--[^\n]*|\/\*[\s\S]*?\*\//y;

/** Stands behind a comment; false where none is. */
function skipComment(cursor: Cursor): boolean {
  if (take(cursor, cursor.isPostgres ? postgresComment : mysqlComment) !== null) return true;
  if (cursor.text.startsWith("/*", cursor.at)) throw wrongAt(cursor, "a comment begins here and never ends");
  return false;
}

// What pg_dump says to psql, and what mysqldump warns of where its errors went to the same file.
const betweenStatements = /(?:[\s;]+|\\[a-z][^\n]*|mysqldump: \[Warning\][^\n]*)+/iy;

/** Stands at the next statement, or within one at its next word. */
export function skipBlanks(cursor: Cursor): void {
  while (take(cursor, betweenStatements) !== null || skipComment(cursor) || skipDelimiter(cursor));
}

function skipDelimiter(cursor: Cursor): boolean {
  const isThere = cursor.text.startsWith(cursor.delimiter, cursor.at);
  if (isThere) cursor.at += cursor.delimiter.length;
  return isThere;
}

const delimiterLine = /delimiter[ \t]+(\S+)[^\n]*/iy;

/** Follows what a dump of MySQL says to its client: from here on statements end by other signs. */
export function takeDelimiter(cursor: Cursor): boolean {
  const found = cursor.isPostgres ? null : take(cursor, delimiterLine);
  if (found !== null) cursor.delimiter = found[1] ?? ";";
  return found !== null;
}

const ordinary = /[\w\s(),.=*]+/y;
const dollarQuote = /\$(?:[A-Za-z_]\w*)?\$/y;

/**
 * Stands behind what ends a statement: one within a text or a comment does not. @throws Refusal where the file ends before it
 */
export function skipStatement(cursor: Cursor): void {
  const { text, isPostgres } = cursor;
  const from = cursor.at;
  while (cursor.at < text.length) {
    if (skipDelimiter(cursor)) return;
    const sign = text[cursor.at];
    if (sign === "'" || sign === '"' || (sign === "`" && !isPostgres)) {
      const isEscaped = isPostgres
        ? /(?:^|\W)e$/i.test(text.slice(Math.max(0, cursor.at - 2), cursor.at))
        : sign !== "`";
      readQuoted(cursor, sign, isEscaped);
    } else if (isPostgres && sign === "$") skipDollarQuoted(cursor);
    else if (!skipComment(cursor) && take(cursor, ordinary) === null) cursor.at += 1;
  }
  cursor.at = from;
  throw wrongAt(cursor, "the file ends within this statement: it was cut off");
}

function skipDollarQuoted(cursor: Cursor): void {
  const [mark] = take(cursor, dollarQuote) ?? [];
  if (mark === undefined) {
    cursor.at += 1;
    return;
  }
  const end = cursor.text.indexOf(mark, cursor.at);
  if (end < 0) throw wrongAt(cursor, "a text begins here and never ends");
  cursor.at = end + mark.length;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0", b: "\b", Z: "\x1a" };
const quotedParts: Readonly<Record<string, RegExp>> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y, "`": /[^`\\]+/y };

/** Reads a quoted text, and stands behind it. Two quotes within it are one. */
export function readQuoted(cursor: Cursor, quote: string, hasBackslashes: boolean): string {
  const { text } = cursor;
  const from = cursor.at;
  const part = quotedParts[quote] as RegExp;
  let value = "";
  cursor.at += 1;
  while (cursor.at < text.length) {
    value += take(cursor, part)?.[0] ?? "";
    const [sign, next = ""] = [text[cursor.at], text[cursor.at + 1]];
    if (sign === quote && next !== quote) {
      cursor.at += 1;
      return value;
    }
    if (sign === quote) value += quote;
    else if (hasBackslashes) value += escapes[next] ?? next;
    else value += "\\";
    cursor.at += sign === quote || hasBackslashes ? 2 : 1;
  }
  cursor.at = from;
  throw wrongAt(cursor, "a text begins here and never ends");
}

/** The value of a cell of COPY. */
export function unescaped(cell: string): string {
  return cell.includes("\\") ? cell.replace(/\\(.)/g, (_all, sign: string) => escapes[sign] ?? sign) : cell;
}
