/** A row of an older script's export. */
export interface ExportRow {
  /** As an editor counts them, where the row begins. */
  readonly line: number;
  /** Which row of its INSERT it is, from 1, as `mysqldump` writes thousands of them in one line; null elsewhere. */
  readonly row: number | null;
  /** As the file has them; null where a dump says so. */
  readonly cells: readonly (string | null)[];
}

/** A table of an older script's export: a CSV file, or one table of a dump. */
export interface ExportTable {
  /** The file, as the command was given it. */
  readonly file: string;
  /** The table's name in a dump; null for a CSV file. */
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
}

/** `table subscribers of dump.sql`, or the file. */
export function tableTitle({ file, name }: Pick<ExportTable, "file" | "name">): string {
  return name === null ? file : `table ${name} of ${file}`;
}

/** What a table is about, as its columns say. */
export type TableKind = "users" | "tokens" | "balances" | "plans" | "prices" | "networks";

/** How the older scripts call what is read, in letters and digits of lower case, the usual name first. */
const columnNames = {
  id: ["id", "sid", "nid", "pid"],
  owner: ["userid", "user", "email", "useremail", "semail", "username"],
  email: ["email", "semail", "emailaddress", "useremail"],
  name: ["businessname", "companyname", "fullname", "name", "customername"],
  firstName: ["firstname", "sfname"],
  lastName: ["lastname", "slname"],
  username: ["username", "susername"],
  phone: ["phone", "sphone", "phonenumber", "mobile", "mobilenumber", "phoneno"],
  balance: ["accountbalance", "walletbalance", "swallet", "wallet", "balance", "userbalance"],
  token: ["token", "apitoken", "apikey", "sapikey", "authtoken", "key"],
  userType: ["usertype", "stype", "accounttype", "type", "role", "package"],
  password: ["password", "spass"],
  isActive: ["isactive", "active"],
  isBlocked: ["isblocked", "blocked", "issuspended", "suspended", "isbanned", "banned"],
  status: ["sregstatus", "status", "accountstatus", "userstatus"],
  planId: ["pid", "dataplanid", "planid", "productid", "id", "plan"],
  network: ["plannetwork", "network", "networkname", "networkid", "datanetwork"],
  networkName: ["network", "name", "networkname"],
  size: ["plansize", "size", "planname", "plan", "name"],
  unit: ["planvolume", "volume"],
  planType: ["plantype", "type", "datatype"],
  tier: ["tier", "usertype", "type", "stype", "package"],
  price: ["price", "planamount", "amount", "sellingprice"],
} as const;

/** Something that a column says. */
export type Field = keyof typeof columnNames;

/** A column's name as names are compared: `sApi_Key` is `sapikey`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** Where a field stands in a table's rows; -1 where the table has no such column. */
export function placeOf(columns: readonly string[], field: Field): number {
  const places = placesOf.get(columns) ?? new Map<Field, number>();
  placesOf.set(columns, places);
  const found = places.get(field);
  if (found !== undefined) return found;
  const plain = columns.map(plainName);
  const known: readonly string[] = columnNames[field];
  const place = known.map((name) => plain.indexOf(name)).find((at) => at >= 0) ?? -1;
  places.set(field, place);
  return place;
}

/** It is asked for each cell of each row. */
const placesOf = new WeakMap<readonly string[], Map<Field, number>>();

/** The prices of a plan by whom they are for: the column, and the type of user that pays it. */
export const priceColumns: Readonly<Record<string, string>> = {
  planamount: "smart earner",
  affilliateprice: "affilliate",
  affiliateprice: "affiliate",
  topuserprice: "topuser",
  apiprice: "api",
  userprice: "1",
  agentprice: "2",
  vendorprice: "3",
};

/** Columns that no table of balances, tokens or plans has, but lists of sales and of PINs do. */
const foreignColumns = [
  "amount",
  "reference",
  "ref",
  "transref",
  "description",
  "mobilenumber",
  "loadpin",
  "serial",
  "dpid",
];

/**
 * What a table is about; null for one that a move does not need. A dump has a hundred tables, so that more is asked of
 * each of its tables than of a file that somebody picked.
 */
export function kindOf(columns: readonly string[], isOfDump: boolean): TableKind | null {
  const has = (...fields: readonly Field[]) => fields.every((field) => placeOf(columns, field) >= 0);
  const plain = columns.map(plainName);
  const isForeign = isOfDump && foreignColumns.some((name) => plain.includes(name));
  if (isUsers(has, isOfDump)) return "users";
  if (has("tier", "planId", "price") && !isOfDump && !has("network")) return "prices";
  const hasPrices = plain.some((name) => name in priceColumns) || (!isOfDump && has("price"));
  if (hasPrices && has("planId", "network") && (!isOfDump || (has("planType") && !isForeign))) return "plans";
  // Other tokens of a dump are those of sessions, and of people who forgot their password.
  const hasToken = isOfDump ? plain.some((name) => name !== "token" && isNamed(name, "token")) : has("token");
  if (hasToken && (isOfDump ? plain.includes("userid") : has("owner"))) return "tokens";
  if (has("balance") && (isOfDump ? plain.includes("userid") && !isForeign : has("owner"))) return "balances";
  return has("id", "networkName") && !has("email") ? "networks" : null;
}

function isNamed(name: string, field: Field): boolean {
  return (columnNames[field] as readonly string[]).includes(name);
}

function isUsers(has: (...fields: readonly Field[]) => boolean, isOfDump: boolean): boolean {
  if (!has("email")) return false;
  if (isOfDump) return has("balance") || (has("password") && (has("username") || has("phone") || has("userType")));
  const isPerson = (["name", "firstName", "username", "phone", "userType", "status", "isActive"] as const).some(
    (field) => has(field),
  );
  return isPerson || has("balance", "token");
}
