import { type ExportRow, type ExportTable, type Field, placeOf, plainName, tableTitle } from "./export-table.ts";

/** A cell, and where it stands. */
export interface OlderCell {
  readonly text: string;
  readonly place: Place;
}

/** Where something stands in an export. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** Which row of its line's INSERT; null where a row has a line of its own. */
  readonly row: number | null;
}

/** `line 28`, or `line 28, row 1204`. */
export function placeText({ line, row }: Place): string {
  return row === null ? `line ${line}` : `line ${line}, row ${row}`;
}

/** Where a row of a table stands. */
export function placeIn({ file }: ExportTable, { line, row }: ExportRow): Place {
  return { file, line, row };
}

/** A user of the older script, as its export has it: nothing is judged yet. */
export interface OlderUser {
  /** The user's number there; where there is none, its email. */
  readonly id: string;
  readonly place: Place;
  readonly email: string;
  /** The first name that says something, of the business or the person. */
  readonly name: string;
  readonly phone: string;
  readonly userType: string;
  /** Several where two tables say one. */
  readonly balances: readonly OlderCell[];
  readonly tokens: readonly OlderCell[];
  /** The column and the value that say so, such as `sRegStatus 1`; null for a user who may buy. */
  readonly blockedBy: string | null;
}

/** A line about a user that no table of users has. */
export interface Ownerless {
  readonly place: Place;
  readonly what: "token" | "balance";
  readonly owner: string;
}

interface OlderUsers {
  readonly users: readonly OlderUser[];
  readonly ownerless: readonly Ownerless[];
}

/** Puts together what the tables say about each user. */
export function readOlderUsers(tables: {
  readonly users: ExportTable;
  readonly tokens: ExportTable | null;
  readonly balances: ExportTable | null;
}): OlderUsers {
  const { users: table } = tables;
  const rows = table.rows.map((row) => ({ row, cell: cellsOf(table, row) }));
  const known: KnownUsers = { ids: new Set(), usernames: new Map(), emails: new Map() };
  for (const { cell } of rows) {
    known.ids.add(idOf(cell));
    addName(known.usernames, cell("username"), idOf(cell));
    addName(known.emails, cell("email").toLowerCase(), idOf(cell));
  }
  const tokens = ownedCells(tables.tokens, "token", known);
  const balances = ownedCells(tables.balances, "balance", known);
  const users = rows.map(({ row, cell }): OlderUser => {
    const place = placeIn(table, row);
    const id = idOf(cell);
    const ownToken = placeOf(table.columns, "token") >= 0 ? [{ text: cell("token"), place }] : [];
    const ownBalance = cell("balance") === "" ? [] : [{ text: cell("balance"), place }];
    return {
      ...{ id, place, email: cell("email"), phone: cell("phone"), userType: cell("userType") },
      name: nameOf(cell),
      balances: [...ownBalance, ...(balances.byOwner.get(id) ?? [])],
      tokens: [...ownToken, ...(tokens.byOwner.get(id) ?? [])],
      blockedBy: blockedBy(table, row),
    };
  });
  return { users, ownerless: [...tokens.ownerless, ...balances.ownerless] };
}

type Cells = (field: Field) => string;

/** A row's cells by what they say; an absent one is empty. */
export function cellsOf({ columns }: ExportTable, { cells }: ExportRow): Cells {
  return (field) => (cells[placeOf(columns, field)] ?? "").trim();
}

function idOf(cell: Cells): string {
  return cell("id") || cell("email").toLowerCase();
}

function nameOf(cell: Cells): string {
  const person = [cell("firstName"), cell("lastName")].filter((part) => part !== "").join(" ");
  return cell("name") || person || cell("username") || cell("email");
}

interface KnownUsers {
  readonly ids: Set<string>;
  /** Ids by user names; null for a name that two users have. */
  readonly usernames: Map<string, string | null>;
  /** The same by emails in lower case. */
  readonly emails: Map<string, string | null>;
}

function addName(names: Map<string, string | null>, name: string, id: string): void {
  const first = names.get(name);
  names.set(name, first === undefined || first === id ? id : null);
}

interface Owned {
  readonly byOwner: ReadonlyMap<string, readonly OlderCell[]>;
  readonly ownerless: readonly Ownerless[];
}

function ownedCells(table: ExportTable | null, what: Ownerless["what"], known: KnownUsers): Owned {
  const byOwner = new Map<string, OlderCell[]>();
  const ownerless: Ownerless[] = [];
  if (table === null) return { byOwner, ownerless };
  const isNumbered = ["userid", "user"].includes(plainName(table.columns[placeOf(table.columns, "owner")] ?? ""));
  for (const row of table.rows) {
    const cell = cellsOf(table, row);
    const place = placeIn(table, row);
    const owner = cell("owner");
    const byNumber = isNumbered && known.ids.has(owner) ? owner : null;
    const id = byNumber ?? known.usernames.get(owner) ?? known.emails.get(owner.toLowerCase()) ?? null;
    if (id === null || owner === "") ownerless.push({ place, what, owner });
    else byOwner.set(id, [...(byOwner.get(id) ?? []), { text: cell(what), place }]);
  }
  return { byOwner, ownerless };
}

const yes = new Set(["1", "t", "true", "yes", "y"]);
/** What a status says of a user who may buy. */
const activeWords = new Set(["", "active", "1", "true", "enabled", "approved", "verified"]);

function blockedBy(table: ExportTable, row: ExportRow): string | null {
  const cell = cellsOf(table, row);
  const has = (field: Field) => placeOf(table.columns, field) >= 0;
  const said = (field: Field) => `${table.columns[placeOf(table.columns, field)]} ${cell(field)}`;
  if (has("isActive") && !yes.has(cell("isActive").toLowerCase())) return said("isActive");
  if (has("isBlocked") && yes.has(cell("isBlocked").toLowerCase())) return said("isBlocked");
  if (!has("status")) return null;
  // The PHP scripts count the other way round: 0 may buy, 1 is blocked, 2 and 3 were never verified.
  const isCounted = plainName(table.columns[placeOf(table.columns, "status")] ?? "") === "sregstatus";
  const isActive = isCounted ? cell("status") === "0" : activeWords.has(cell("status").toLowerCase());
  return isActive ? null : said("status");
}

/** A table that stands for all of its kind. */
export interface ChosenTable {
  readonly table: ExportTable;
  /** Another one that says as much. */
  readonly tied: ExportTable | null;
  /** Tables of the same kind that are left out, as fewer of their columns are known. */
  readonly leftOut: readonly string[];
}

/** The table of several that says most, by how many of these fields it has; null of none. */
export function chooseTable(tables: readonly ExportTable[], fields: readonly Field[]): ChosenTable | null {
  const scoreOf = (table: ExportTable) => fields.filter((field) => placeOf(table.columns, field) >= 0).length;
  const sorted = tables.filter(({ rows }) => rows.length > 0).sort((one, other) => scoreOf(other) - scoreOf(one));
  const [table, ...others] = sorted;
  if (table === undefined) return null;
  const tied = others.find((other) => scoreOf(other) === scoreOf(table)) ?? null;
  return { table, tied, leftOut: others.map(tableTitle) };
}
