import { listFiles, readSource, type SourceFile } from "./source-text.ts";
import { isQueriesFile } from "./sql-rules.ts";
import type { TidyRule } from "./tidy-rule.ts";

// A company that outgrows one primary keeps wallets in cells, on nodes of Citus (docs/scale.md). Each of these rules is
// about one text that Citus 13 refuses, sends on wrongly or ends its node of, and that costs nothing to write another way.

const tables = [...readSource("migrations/schema.sql").code.matchAll(/^create table (\w+) \(([\s\S]*?)^\)/gm)]
  .map(([, name = "", columns = ""]) => ({ name, columns }))
  .filter(({ name, columns }) => /^ +wallet_id /m.test(columns) || name === "webhook_failing_endpoints");

/** Tables of which each wallet has its own rows: what a cell is made of. */
export const walletTables: readonly string[] = tables.map(({ name }) => name);

/** Columns that get the present time where they are not named. */
const timesOf = new Map(
  tables.map(({ name, columns }) => [
    name,
    [...columns.matchAll(/^ +(\w+) .*default .*now\(\)/gm)].map(([, column = ""]) => column),
  ]),
);

const names = walletTables.join("|");
const usesWallets = new RegExp(`\\b(?:from|join|update|into|using)\\s+(?:${names})\\b`);
const writesWallets = new RegExp(`\\b(?:insert into|delete from|update)\\s+(?:${names})\\b`);
const readsWallets = new RegExp(`\\b(?:from|join)\\s+(?:${names})\\b`);

const functionFiles = listFiles(["migrations/functions"], [".sql"]).map(readSource);
const functionName = ({ path }: SourceFile): string => /(\w+)\.sql$/.exec(path)?.[1] ?? "";
const calling = (called: readonly SourceFile[]): RegExp => new RegExp(`\\b(${called.map(functionName).join("|")})\\(`);
const callOfWallets = calling(functionFiles.filter(({ code }) => usesWallets.test(code)));
const callWithoutPath = calling(
  functionFiles.filter(({ code }) => !/\bimmutable\b|\bset search_path from current\b/.test(code)),
);

const applies = (path: string): boolean => path.startsWith("migrations/functions/") || isQueriesFile(path);

/** The statements of a file over wallets' tables, of a function's those of its body. */
function statementsOf(file: SourceFile): string[] {
  return file.sql
    .flatMap(({ text }) => text.split("$$").at(1)?.split(";") ?? text.split(";"))
    .filter((text) => usesWallets.test(text));
}

/** A rule about single statements: what of them is wrong. */
function inStatements(find: (statement: string) => readonly (string | undefined)[]): TidyRule["faults"] {
  return (file) =>
    statementsOf(file).flatMap((text) => find(text).flatMap((fault) => fault?.trim().replace(/\s+/g, " ") ?? []));
}

/** From one place up to the end of the parentheses that it stands in. */
function upToItsEnd(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")" && depth-- === 0) return text.slice(from, at);
  }
  return text.slice(from);
}

/** Without what it selects in parentheses: each node works that out by itself. */
function withoutSubselects(text: string): string {
  const at = text.search(/\(\s*select\b/);
  if (at === -1) return text;
  const inner = upToItsEnd(text, at + 1);
  return text.slice(0, at) + withoutSubselects(text.slice(at + inner.length + 2));
}

const queries = "src/domain/wallet/queries.ts";
const sql = "migrations/functions/count_all.sql";

export const walletRules: readonly TidyRule[] = [
  {
    // A lock alone does not keep a cell from moving to another node before the write.
    name: "what locks wallets' rows, or reads them to write, begins with a write (accept_purchases)",
    style: 14,
    applies,
    faults(file) {
      const locking = statementsOf(file).filter((text) => /\bfor update\b/.test(text));
      if (!file.path.endsWith(".sql")) return locking.filter((text) => !writesWallets.test(text));
      const [first = ""] = file.code.split(";").filter((text) => usesWallets.test(text) || text.includes("wait_for_"));
      const begins = writesWallets.test(first) || first.includes("wait_for_wallets(");
      return begins || !writesWallets.test(file.code) ? [] : [first.trim().slice(0, 60)];
    },
    red: [sql, "begin\nperform 1 from wallets w for update;\nupdate wallets w set seq = 1;"],
    green: [
      sql,
      "begin\nupdate wallets w set seq = w.seq where w.wallet_id = 0;\nperform 1 from wallets w for update;",
    ],
  },
  {
    name: "no function that reads wallets' tables stands in a statement over them",
    style: 14,
    applies,
    faults: inStatements((text) => [callOfWallets.exec(text)?.[1]]),
    red: [queries, "const a = `select count_entries_before(w.wallet_id, w.seq, $1)\n from wallets w`;"],
    green: [queries, "const a = `select count_entries_before($1, $2, $3)`;"],
  },
  {
    name: "a function in a statement over wallets' tables is immutable, or has its path",
    style: 14,
    applies: (path) => applies(path) || path === "src/domain/wallet/invariants.ts",
    faults: inStatements((text) => [callWithoutPath.exec(text)?.[1]]),
    red: ["src/domain/wallet/invariants.ts", "const a = `select claim_steady_turn($1)\n from wallets`;"],
    green: ["src/domain/wallet/invariants.ts", "const a = `select purchase_day(id)\n from purchases`;"],
  },
  {
    name: "a CASE in a statement that writes says each condition",
    style: 14,
    applies,
    faults: inStatements((text) => (writesWallets.test(text) ? [/\bcase(?!\s+when\b).*/.exec(text)?.[0]] : [])),
    red: [queries, "const a = `update wallets w\n set seq = case $1 when true then 1 else 2 end`;"],
    green: [queries, "const a = `update wallets w\n set seq = case when $1 then 1 else 2 end`;"],
  },
  {
    // It ends the node, with all of its cells.
    name: "no column is set to a bare element of an array",
    style: 14,
    applies,
    faults: inStatements((text) => [
      /(?:\bset|,)\s+\w+ = [\w$.]+\[[^\]]*\]\s*(?:,|\bfrom\b|\bwhere\b|$)/.exec(text)?.[0],
    ]),
    red: [sql, "update wallets w\n   set seq = v_seqs[i.nth],\n       balance = 0\n  from unnest(p_items) as i;"],
    green: [sql, "update wallets w\n   set seq = coalesce(v_seqs[i.nth], w.seq)\n  from unnest(p_items) as i;"],
  },
  {
    name: "the present time is a parameter or a variable in CASE, COALESCE and ON CONFLICT of what writes",
    style: 14,
    applies,
    faults: inStatements((text) => {
      const written = writesWallets.test(text) ? withoutSubselects(text) : "";
      const time = String.raw`\b(?:now|clock_timestamp)\(\)`;
      return [
        new RegExp(String.raw`\bcase\b(?:(?!\bend\b)[\s\S])*${time}`).exec(written)?.[0],
        new RegExp(String.raw`\bcoalesce\((?:[^()]|\([^()]*\))*${time}`).exec(written)?.[0],
        new RegExp(String.raw`\bon conflict\b[\s\S]*${time}`).exec(written)?.[0],
        writesWallets.test(text) ? /\bclock_timestamp\(\)/.exec(text)?.[0] : undefined,
      ];
    }),
    red: [queries, "const a = `update wallets w\n set updated_at = coalesce(w.updated_at, now())`;"],
    green: [queries, "const a = `update wallets w\n set updated_at = now()`;"],
  },
  {
    name: "a time that is counted from a row's columns comes from what an UPDATE selects, not from its SET",
    style: 14,
    applies,
    faults: inStatements((text) => [
      /\bset\b(?:(?!\bfrom\b|\bwhere\b)[\s\S])*make_interval\(\w+ => (?:[^()]|\([^()]*\))*?\b[a-z]\w*\.\w+/.exec(
        withoutSubselects(text),
      )?.[0],
    ]),
    red: [
      sql,
      "update inflight f\n   set due_at = v_now + make_interval(secs => i.seconds)\n  from unnest(p_items) as i;",
    ],
    green: [
      sql,
      "update inflight f\n   set due_at = v_now + make_interval(secs => p_seconds)\n where f.wallet_id = 1;",
    ],
  },
  {
    name: "what is inserted from wallets' tables names its times, and asks for none",
    style: 14,
    applies,
    faults: inStatements((text) =>
      [...text.matchAll(/\binsert into (\w+)(?: as \w+)? \(([^)]*)\)\s*(?=select\b)/g)].flatMap((insert) => {
        const [, table = "", columns = ""] = insert;
        const selected = upToItsEnd(text, insert.index + insert[0].length);
        if (!walletTables.includes(table) || !readsWallets.test(selected)) return [];
        const missing = timesOf.get(table)?.filter((column) => !new RegExp(`\\b${column}\\b`).test(columns)) ?? [];
        return [...missing.map((column) => `${table}.${column}`), /\b(?:now|make_interval)\(/.exec(selected)?.[0]];
      }),
    ),
    red: [sql, "insert into vend_attempts (wallet_id, purchase_id)\nselect p.wallet_id, p.id\n  from purchases p;"],
    green: [
      sql,
      "insert into vend_attempts (wallet_id, purchase_id, ended_at)\nselect p.wallet_id, p.id, v_now\n  from purchases p;",
    ],
  },
  {
    name: "no variable stands behind ON CONFLICT where rows are selected",
    style: 14,
    applies,
    faults: inStatements((text) =>
      [...text.matchAll(/\binsert into \w+(?: as \w+)? \([^)]*\)\s*(?=select\b)/g)].map(
        (insert) => /\bon conflict\b[\s\S]*?\b([pv]_\w+)/.exec(upToItsEnd(text, insert.index + insert[0].length))?.[1],
      ),
    ),
    red: [
      sql,
      "insert into wallets as w (wallet_id)\nselect i from unnest(p_ids) as i\n    on conflict (wallet_id) do update set seq = v_seq;",
    ],
    green: [
      sql,
      "insert into wallets as w (wallet_id)\nvalues (p_id)\n    on conflict (wallet_id) do update set seq = v_seq;",
    ],
  },
  {
    name: "a function over wallets' tables is PL/pgSQL",
    style: 14,
    applies,
    faults: (file) => {
      // One statement, by the key of one purchase, that Citus takes.
      const isTaken = functionName(file) === "take_back_purchase";
      return usesWallets.test(file.code) && !isTaken ? (/^language sql$/m.exec(file.code) ?? []) : [];
    },
    red: [sql, "create function count_all() returns bigint\nlanguage sql\nas $$ select count(*) from purchases $$;"],
    green: [sql, "create function count_all() returns bigint\nlanguage sql\nas $$ select count(*) from products $$;"],
  },
  {
    name: "a CTE over wallets' tables names its columns in its first SELECT",
    style: 14,
    applies,
    faults: inStatements((text) => [/(?:\bwith|,)\s+\w+ \([a-z_,\s]+\) as (?:materialized )?\(/.exec(text)?.[0]]),
    red: [queries, "const a = `with sale (total) as (select p.total\n from purchases p)\n select total from sale`;"],
    green: [queries, "const a = `with sale as (select p.total as sum\n from purchases p)\n select sum from sale`;"],
  },
  {
    name: "no statement deletes in a CTE and inserts what it looks up in webhook_endpoints",
    style: 14,
    applies,
    faults: inStatements((text) =>
      [
        /\bwebhook_endpoints\b/.test(text)
          ? /\bwith\b[\s\S]*\bdelete from \w+[\s\S]*\binsert into \w+/.exec(text)?.[0]
          : "",
      ].map((fault) => fault || undefined),
    ),
    red: [
      sql,
      "with gone as (delete from webhook_outbox o)\ninsert into webhook_logs (wallet_id) select merchant_id from webhook_endpoints;",
    ],
    green: [
      sql,
      "delete from webhook_outbox o;\ninsert into webhook_logs (wallet_id) select merchant_id from webhook_endpoints;",
    ],
  },
  {
    name: "a statement over wallets' tables with an outer join compares no parameter with a constant",
    style: 14,
    applies,
    faults: inStatements((text) => [
      /\b(?:left|right|full) join\b/.test(text) ? /\b(?:where|and)\s+\$\d+ = ''/.exec(text)?.[0] : undefined,
    ]),
    red: [queries, "const a = `select 1\n from wallets w\n left join purchases p on true\n where $1 = 'live'`;"],
    green: [queries, "const a = `select 1\n from wallets w\n where $1 = 'live'`;"],
  },
];
