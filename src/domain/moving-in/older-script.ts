import { type Network, networks } from "../../kernel/phone.ts";
import { refuse } from "../../kernel/problems.ts";
import { parseLegacyNetwork } from "../merchants/legacy-settings.ts";
import {
  type ExportRow,
  type ExportTable,
  type Field,
  kindOf,
  placeOf,
  plainName,
  priceColumns,
  type TableKind,
  tableTitle,
} from "./export-table.ts";
import {
  cellsOf,
  chooseTable,
  type OlderCell,
  type OlderUser,
  type Ownerless,
  placeIn,
  readOlderUsers,
} from "./older-users.ts";
import type { Tiers } from "./tiers.ts";

/** One price of a plan, as the export has it. */
export interface OlderPrice {
  /** The number by which clients order the plan. */
  readonly planId: string;
  /** The network's name or number, and the plan's size: empty where the export does not say them. */
  readonly network: string;
  readonly size: string;
  /** A type of user pays it, or a tier here by its number. */
  readonly payer: { readonly of: "type" | "tier"; readonly name: string };
  readonly price: OlderCell;
}

/** All that a move needs of an older script's export: nothing is judged yet. */
export interface OlderScript {
  readonly users: readonly OlderUser[];
  readonly ownerless: readonly Ownerless[];
  readonly prices: readonly OlderPrice[];
  /** How the older script numbers networks; null where the export does not say it of all four. */
  readonly networks: Readonly<Record<Network, number>> | null;
  /** Which table each kind was read from, and those that are left out. */
  readonly sources: readonly Source[];
}

interface Source {
  readonly kind: TableKind;
  readonly from: string;
  readonly rows: number;
  readonly leftOut: readonly string[];
}

/** How many users of a type there are, and the tier that they would come into. */
export interface TypeCount {
  readonly userType: string;
  readonly users: number;
  /** Null: the type is unknown. */
  readonly tier: number | null;
}

/** The types of an export's users, those of most users first. */
export function countTypes({ users }: OlderScript, tiers: Tiers): TypeCount[] {
  const counts = new Map<string, number>();
  for (const { userType } of users) counts.set(userType, (counts.get(userType) ?? 0) + 1);
  const types = [...counts].map(([userType, count]) => ({ userType, users: count, tier: tiers.tierOf(userType) }));
  return types.sort((one, other) => other.users - one.users);
}

/** Fields by which one table of a kind is chosen of several: the one that has most of them. */
const fieldsOfKind: Readonly<Record<TableKind, readonly Field[]>> = {
  users: ["email", "balance", "token", "userType", "isActive", "isBlocked", "status", "phone", "name", "firstName"],
  tokens: ["token", "owner"],
  balances: ["balance", "owner"],
  plans: ["planId", "network", "size", "planType", "price"],
  prices: ["planId", "tier", "price"],
  networks: ["id", "networkName"],
};

/** Finds out by their columns what the tables of an export are about. @throws Refusal VALIDATION_ERROR without users */
export function readOlderScript(tables: readonly ExportTable[]): OlderScript {
  const sources: Source[] = [];
  const choose = (kind: TableKind) => {
    const ofKind = tables.filter(({ columns, name }) => kindOf(columns, name !== null) === kind);
    const fitting = kind === "networks" ? ofKind.filter((table) => networksIn(table) !== null) : ofKind;
    const chosen = chooseTable(fitting, fieldsOfKind[kind]);
    if (chosen === null) return null;
    const { table, tied, leftOut } = chosen;
    const second = fitting.find((other) => other.name === null && other !== table) ?? null;
    // A copy from before an update has the same columns, and other balances.
    const unclear = second ?? (owning.includes(kind) ? tied : null);
    if (unclear !== null) throw twice(kind, table, unclear);
    sources.push({ kind, from: tableTitle(table), rows: table.rows.length, leftOut });
    return table;
  };
  const users = choose("users");
  if (users === null) throw noUsers(tables);
  const owned = readOlderUsers({ users, tokens: choose("tokens"), balances: choose("balances") });
  const [plans, prices, numbered] = [choose("plans"), choose("prices"), choose("networks")];
  return {
    ...owned,
    prices: [...(plans === null ? [] : pricesOfPlans(plans)), ...(prices === null ? [] : pricesOfTiers(prices))],
    networks: numbered === null ? null : networksIn(numbered),
    sources,
  };
}

const owning: readonly TableKind[] = ["users", "tokens", "balances"];

/** A file that somebody picked is never left out in silence, nor a table of a dump that says as much. */
function twice(kind: TableKind, one: ExportTable, other: ExportTable) {
  const which = other.name === null ? "give one file of them" : "dump one of them";
  const message = `${tableTitle(one)} and ${tableTitle(other)} are both about ${kind}: ${which}.`;
  return refuse("VALIDATION_ERROR", { message });
}

function noUsers(tables: readonly ExportTable[]) {
  const [table] = tables;
  const there =
    table === undefined ? "no table" : `${tableTitle(table)} with ${table.columns.join(", ").slice(0, 200)}`;
  return refuse("VALIDATION_ERROR", {
    message: `No users were found: a table of them has an email, and a balance, name, phone or type. There is ${there}.`,
  });
}

/** The numbers of all four networks; null where a table is about something else. */
function networksIn(table: ExportTable): Readonly<Record<Network, number>> | null {
  const numbers = new Map<Network, number>();
  for (const row of table.rows) {
    const cell = cellsOf(table, row);
    const network = parseLegacyNetwork(cell("networkName"));
    if (network !== null && /^[1-9][0-9]?$/.test(cell("id"))) numbers.set(network, Number(cell("id")));
  }
  const isWhole = numbers.size === networks.length && new Set(numbers.values()).size === networks.length;
  return isWhole ? (Object.fromEntries(numbers) as Record<Network, number>) : null;
}

/** A plan's prices stand in a row: a column for each type of user, or one price for all. */
function pricesOfPlans(table: ExportTable): OlderPrice[] {
  const columns = table.columns.map((name, at) => ({ at, type: priceColumns[plainName(name)] }));
  const typed = columns.flatMap(({ at, type }) => (type === undefined ? [] : [{ at, type }]));
  const used = typed.length > 0 ? typed : [{ at: placeOf(table.columns, "price"), type: "" }];
  return table.rows.flatMap((row) => {
    const prices = used.map(({ at, type }) => priceIn(table, row, { at, payer: { of: "type" as const, name: type } }));
    const filled = prices.filter(({ price }) => price.text !== "");
    // A plan without any price is named as one that can't be read.
    return filled.length > 0 ? filled : prices.slice(0, 1);
  });
}

/** A price list has a row for each plan and tier. */
function pricesOfTiers(table: ExportTable): OlderPrice[] {
  const tierName = plainName(table.columns[placeOf(table.columns, "tier")] ?? "");
  const of = tierName === "tier" ? "tier" : "type";
  const at = placeOf(table.columns, "price");
  return table.rows.map((row) => priceIn(table, row, { at, payer: { of, name: cellsOf(table, row)("tier") } }));
}

function priceIn(
  table: ExportTable,
  row: ExportRow,
  { at, payer }: { readonly at: number; readonly payer: OlderPrice["payer"] },
): OlderPrice {
  const cell = cellsOf(table, row);
  return {
    planId: cell("planId"),
    network: cell("network"),
    size: `${cell("size")}${cell("unit")}`,
    payer: { ...payer, name: payer.name.toLowerCase() },
    price: { text: (row.cells[at] ?? "").trim(), place: placeIn(table, row) },
  };
}
