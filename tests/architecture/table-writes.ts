import { withoutSqlComments } from "./source-text.ts";

/** What the migrations say about tables: each table and the rooms that its comment names, none without a comment. */
export function tableOwners(sql: string): Map<string, readonly string[]> {
  const comments = new Map(
    [...sql.matchAll(/\bcomment on table (?:public\.)?(\w+)\s+is\s+'owner: ([a-z-]+(?: and [a-z-]+)?)\. \S/g)].map(
      (match) => [match[1] ?? "", (match[2] ?? "").split(" and ")],
    ),
  );
  const tables = withoutSqlComments(sql).matchAll(
    /\bcreate (?:unlogged )?table (?:if not exists )?(?:public\.)?(\w+)/g,
  );
  return new Map([...tables].map((match) => [match[1] ?? "", comments.get(match[1] ?? "") ?? []]));
}

/** Tables that SQL inserts into, updates, deletes from or empties, sorted. `on conflict do update` names none. */
export function tablesWritten(sql: string): string[] {
  const written = withoutSqlComments(sql).matchAll(
    /\b(?:insert into|delete from(?: only)?|merge into|truncate(?: table)?|copy(?= \w+ from)|update(?: only)?(?=\s+(?:public\.)?\w+(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b))\s+(?:public\.)?(\w+)/gi,
  );
  return [...new Set([...written].map((match) => match[1] ?? ""))].sort();
}

/** Tables with a column that a file declares as sealed: `keys rotate` writes it. */
export function tablesSealed(code: string): string[] {
  if (!code.includes("sealedColumn")) return [];
  return [...code.matchAll(/\btable: "(\w+)"/g)].map((match) => match[1] ?? "");
}

/** Tables that a SQL function's header admits to writing: `-- writes: wallets, ledger_entries` (or `none`). */
export function writesHeader(sql: string): string[] | null {
  const header = /^-- writes: (.+?(?:,\n-- +.+?)*)$/m.exec(sql)?.[1]?.replace(/,\n-- +/g, ", ");
  if (header === undefined) return null;
  const tables = header
    .replace(/\.$/, "")
    .split(",")
    .map((table) => table.trim());
  return tables.filter((table) => table !== "none").sort();
}

/** The rights that SQL needs to write, as `insert wallets`, each once: `on conflict do update` needs two. */
export function rightsNeeded(sql: string): string[] {
  const needed = new Set<string>();
  let inserted = "";
  const steps = withoutSqlComments(sql).matchAll(
    /\b(?:insert into\s+(?<into>\w+)|delete from(?: only)?\s+(?<from>\w+)|(?<again>do update)\s+set|update(?: only)?\s+(?<set>\w+)(?=(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b))/gi,
  );
  for (const { groups = {} } of steps) {
    inserted = groups.into ?? inserted;
    if (groups.into !== undefined) needed.add(`insert ${inserted}`);
    if (groups.from !== undefined) needed.add(`delete ${groups.from}`);
    if (groups.set !== undefined) needed.add(`update ${groups.set}`);
    if (groups.again !== undefined) needed.add(`update ${inserted}`);
  }
  return [...needed].sort();
}
