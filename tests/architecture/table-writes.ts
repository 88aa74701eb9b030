import { withoutSqlComments } from "./source-text.ts";

/** What the migrations say about tables: each table and the room that its comment names, or null without one. */
export function tableOwners(sql: string): Map<string, string | null> {
  const comments = new Map(
    [...sql.matchAll(/\bcomment on table (?:public\.)?(\w+)\s+is\s+'owner: ([a-z-]+)\. \S/g)].map((match) => [
      match[1] ?? "",
      match[2] ?? "",
    ]),
  );
  const tables = withoutSqlComments(sql).matchAll(
    /\bcreate (?:unlogged )?table (?:if not exists )?(?:public\.)?(\w+)/g,
  );
  return new Map([...tables].map((match) => [match[1] ?? "", comments.get(match[1] ?? "") ?? null]));
}

/** Tables that SQL inserts into, updates, deletes from or empties, sorted. `on conflict do update` names none. */
export function tablesWritten(sql: string): string[] {
  const written = withoutSqlComments(sql).matchAll(
    /\b(?:insert into|delete from(?: only)?|merge into|truncate(?: table)?|copy(?= \w+ from)|update(?: only)?(?=\s+(?:public\.)?\w+(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b))\s+(?:public\.)?(\w+)/gi,
  );
  return [...new Set([...written].map((match) => match[1] ?? ""))].sort();
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
