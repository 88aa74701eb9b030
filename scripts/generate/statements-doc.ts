import { type Queryable, statement, type Tx } from "../../src/platform/database/database.ts";
import type { NamedStatement } from "./named-statements.ts";
import { renderTransactionsOverBoth } from "./transactions-over-both.ts";

/** The wallets whose rows a statement touches. */
export type Whose = "all" | "several" | "one";

export interface Touching {
  /** Null: none of the wallets' tables. */
  readonly whose: Whose | null;
  /** Tables outside that it reads or writes as well. */
  readonly outside: readonly string[];
}

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly Plans?: readonly Node[];
}

const listTables = statement(
  "list_tables_by_wallet",
  `select c.relname::text as name,
          coalesce(i.inhparent, c.oid)::regclass::text as table,
          c.relname = 'webhook_failing_endpoints'
            or exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'wallet_id') as "isOfWallets"
     from pg_class c
     left join pg_inherits i
       on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
);

// A call goes to the wallets that its arguments name: by number, or as a column of the rows that it is given.
const listFunctions = statement(
  "list_functions_by_wallet",
  `select p.proname::text as name,
          p.prosrc as body,
          case
            when p.proargnames && array['p_wallet_id', 'p_merchant_id'] then 'one'
            when 'p_wallet_ids' = any (p.proargnames) then 'several'
            when exists (
                   select 1
                     from unnest(p.proargtypes) as argument (type)
                     join pg_type t on t.oid = argument.type
                     join pg_type e on e.oid = t.typelem
                     join pg_attribute a on a.attrelid = e.typrelid
                    where a.attname = 'wallet_id'
                 ) then 'several'
            else 'all'
          end as whose
     from pg_proc p
    where p.pronamespace = current_schema()::regnamespace`,
);

interface Known {
  readonly tables: ReadonlyMap<string, { readonly table: string; readonly isOfWallets: boolean }>;
  /** Statements that touch the wallets' tables. */
  readonly functions: readonly { readonly name: string; readonly whose: Whose }[];
}

/** What a freshly migrated database says of statements, by the generic plan that it makes of each. */
export async function readTouching(tx: Tx, statements: readonly NamedStatement[]): Promise<readonly Touching[]> {
  const known = await readKnown(tx);
  // A nested loop shows by what each table is looked up.
  for (const setting of ["hashjoin", "mergejoin", "partition_pruning"])
    await run(tx, `set local enable_${setting} = off`);
  await run(tx, "set local plan_cache_mode = force_generic_plan");
  const found: Touching[] = [];
  for (const { text } of statements) found.push(await touchingOf(tx, known, text));
  return found;
}

async function readKnown(tx: Tx): Promise<Known> {
  const rows = await tx.query<{ name: string; table: string; isOfWallets: boolean }>(listTables);
  const tables = new Map(rows.map(({ name, ...table }) => [name, table]));
  const ofWallets = rows.filter(({ isOfWallets }) => isOfWallets).map(({ name }) => name);
  const mention = new RegExp(`\\b(?:${ofWallets.join("|")})\\b`);
  const functions = await tx.query<{ name: string; body: string; whose: Whose }>(listFunctions);
  return { tables, functions: functions.filter(({ body }) => mention.test(body)) };
}

let prepared = 0;

function run<Row>(db: Queryable, text: string): Promise<Row[]> {
  return db.query<Row>({ name: `statements_doc_${prepared++}`, text });
}

async function touchingOf(tx: Tx, { tables, functions }: Known, text: string): Promise<Touching> {
  if (!/^\s*(?:select|insert|update|delete|with)\b/.test(text)) return { whose: null, outside: [] };
  const name = `touching_${prepared}`;
  const values = new Set(text.match(/\$\d+/g)).size;
  await run(tx, `prepare ${name} as ${text}`);
  const given = values === 0 ? "" : `(${Array(values).fill("null").join()})`;
  const [row] = await run<{ "QUERY PLAN": [{ Plan: Node }] }>(
    tx,
    `explain (verbose, costs off, format json) execute ${name}${given}`,
  );
  const nodes = row === undefined ? [] : allNodes(row["QUERY PLAN"][0].Plan);
  const touched = nodes.flatMap((node) => {
    const table = tables.get(node["Relation Name"] ?? "");
    return table === undefined ? [] : [{ node, ...table }];
  });
  const ofWallets = touched.filter(({ isOfWallets }) => isOfWallets);
  const called = functions.filter((each) => new RegExp(`\\b${each.name}\\(`).test(text)).map(({ whose }) => whose);
  const isTouching = ofWallets.length + called.length > 0;
  const scans = touched
    .filter(({ node }) => node["Node Type"] !== "ModifyTable")
    .map(({ node, isOfWallets: is }) => ({ alias: node.Alias ?? "", isOfWallets: is }));
  const isOfRows = nodes.some((node) => node["Node Type"] === "Function Scan");
  const inserted = ofWallets.length > 0 && isOfRows && !scans.some((scan) => scan.isOfWallets);
  return {
    whose: isTouching ? widest([...called, ...(inserted ? (["several"] as const) : []), whoseOf(scans, nodes)]) : null,
    outside: isTouching ? [...new Set(touched.filter((t) => !t.isOfWallets).map(({ table }) => table))].sort() : [],
  };
}

function widest(found: readonly Whose[]): Whose {
  return (["all", "several"] as const).find((whose) => found.includes(whose)) ?? "one";
}

function allNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

/**
 * Both sides of each comparison by `=` that the plan's conditions hold: it writes each in parentheses of its own. Not of those
 * that are one of several.
 */
function comparisonsOf(nodes: readonly Node[]): [string, string][] {
  const conditions = nodes.flatMap((node) => Object.entries(node)).filter(([name]) => /Cond|Filter/.test(name));
  return conditions.flatMap(([, condition]) => {
    const text = String(condition);
    return [...text.matchAll(/ = /g)].flatMap(({ index }): [string, string][] => {
      const [from, to] = [edgeOf(text, index, -1), edgeOf(text, index + 3, 1)];
      const around = text.slice(edgeOf(text, from - 1, -1) + 1, from) + text.slice(to + 1, edgeOf(text, to + 1, 1));
      return isOneOfSeveral(around) ? [] : [[text.slice(from + 1, index), text.slice(index + 3, to)]];
    });
  });
}

function isOneOfSeveral(around: string): boolean {
  const flat = around.replace(/\([^()]*\)/g, "");
  return flat === around ? / OR /.test(flat) : isOneOfSeveral(flat);
}

/** Where the parentheses that a place stands in begin (-1) or end (1). */
function edgeOf(text: string, from: number, step: 1 | -1): number {
  const [opening, closing] = step === 1 ? ["(", ")"] : [")", "("];
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length; at += step) {
    if (text[at] === opening) depth++;
    if (text[at] === closing && depth-- === 0) return at;
  }
  return step === 1 ? text.length : -1;
}

interface Scan {
  readonly alias: string;
  readonly isOfWallets: boolean;
}

/**
 * The wallets whose rows scans read: each is looked up by a wallet that a parameter names, or by that of another one that is. One of the
 * wallets' tables that is not reads everybody's.
 */
function whoseOf(scans: readonly Scan[], nodes: readonly Node[]): Whose {
  const keyOf = (side: string): Scan | undefined => {
    const [, alias, column = ""] = /^\(?(?:abs\(|- )?(\w+)\.(wallet_id|merchant_id|id)\)?$/.exec(side) ?? [];
    // A month's is that of its log, with a number behind it.
    const named =
      scans.find((scan) => scan.alias === alias) ?? scans.find((scan) => scan.alias.startsWith(`${alias}_`));
    return named === undefined || (column === "id" && named.isOfWallets) ? undefined : named;
  };
  const comparisons = comparisonsOf(nodes).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
  const handed = new Set(
    nodes.flatMap(({ Alias }) => Alias ?? []).filter((alias) => !scans.some((scan) => scan.alias === alias)),
  );
  const given = new Map<Scan, Whose>();
  for (let left = scans.length; left > 0; left--) {
    for (const [side, value] of comparisons) {
      const scan = keyOf(side);
      const from = keyOf(value);
      const whose = from === undefined ? whoseOfValue(value, handed) : given.get(from);
      if (scan !== undefined && whose !== undefined && given.get(scan) !== "one") given.set(scan, whose);
    }
  }
  return widest(scans.filter(({ isOfWallets }) => isOfWallets).map((scan) => given.get(scan) ?? "all"));
}

/** A parameter or a number is one wallet; an array, or rows that are handed in, are several; a column says nothing. */
function whoseOfValue(value: string, handed: ReadonlySet<string>): Whose | undefined {
  if (/\bANY\b|\bARRAY\b|\bunnest\b/.test(value)) return "several";
  const [, alias] = /\b(\w+)\.\w+/.exec(value) ?? [];
  if (alias === undefined) return "one";
  return handed.has(alias) ? "several" : undefined;
}

/** `docs/statements.md`: whose rows each statement touches. */
export function renderStatementsDoc(statements: readonly NamedStatement[], touching: readonly Touching[]): string {
  const table = (whose: Whose) =>
    statements
      .map((each, nth) => ({ ...each, ...touching[nth] }))
      .filter((each) => each.whose === whose)
      .sort((one, other) => (one.file + one.name < other.file + other.name ? -1 : 1))
      .map(({ name, file, outside = [] }) => {
        const tables = outside.map((each) => `\`${each}\``).join(", ");
        return `| \`${name}\` | [${file.replace("src/domain/", "")}](../${file}) | ${tables} |`;
      })
      .join("\n");
  const head = "| statement | where | tables outside |\n|---|---|---|";
  return `<!-- Generated by \`npm run generate\` from the plans that a freshly migrated database makes of them. -->
# Statements by whose rows they touch

Wallets' tables have a \`wallet_id\`; \`webhook_failing_endpoints\` is kept beside them. All others lie outside: see
[growing](scale.md). A statement that calls a function goes to the wallets that its arguments name.

## All wallets

With several cells each is asked of every cell: a worker's in turn, a list's merged, a sum's added up. \`keys status\` and
\`keys rotate\` read sealed columns of all wallets besides.

${head}
${table("all")}

## Several wallets

Sent by a batch, a worker or one action of a person: cut by cell.

${head}
${table("several")}

## One wallet

${head}
${table("one")}

## Transactions that write both

What each writes at most, of wallets' tables and of others: see [growing](scale.md#transactions-that-write-both).

${renderTransactionsOverBoth()}
`;
}
