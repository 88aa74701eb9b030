import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

// What is kept by wallet could one day lie in several schemas (docs/scale.md). A statement that names no wallet would
// then have to be asked of each: the document lists them, so that none comes in unseen.

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

/** Tables whose key holds the wallet. */
function walletTables(): string[] {
  const tables = [...read("migrations/schema.sql").matchAll(/^create table (\w+) \(([\s\S]*?)^\)/gm)];
  return tables.filter(([, , body = ""]) => /primary key \([^)]*wallet_id/.test(body)).map(([, name = ""]) => name);
}

/** It compares a wallet's number, or inserts with one. */
const namesWallet = /wallet_id(?:,[^)=]*\))?\s*(?:=|<|>|in\b)|= any \(|insert into \w+ \([^)]*wallet_id/;

function crossing(): string[] {
  const tables = walletTables();
  const reads = new RegExp(`\\b(?:from|join|update)\\s+(?:${tables.join("|")})\\b`);
  const found = listFiles(["src"], [".ts"]).flatMap((file) => {
    const text = read(file);
    const clauses = new Map(
      [...text.matchAll(/const (\w+) =\s*(`[^`]*`|"[^"]*")/g)].map(([, name, sql]) => [name, sql]),
    );
    const whole = text.replaceAll(/\$\{(\w+)\}/g, (word, name) => (clauses.get(name) ?? word).slice(1, -1));
    return [...whole.matchAll(/statement(?:<[^>]*>)?\(\s*"([a-z_]+)",\s*(`[^`]*`|"[^"]*")/g)];
  });
  expect(found.length).toBeGreaterThan(300);
  return found.filter(([, , sql = ""]) => reads.test(sql) && !namesWallet.test(sql)).map(([, name = ""]) => name);
}

test("the statements that cross wallets are those that docs/scale.md lists", () => {
  const [, list = ""] = /## Statements that cross wallets\n([\s\S]*?)(?:\n## |$)/.exec(read("docs/scale.md")) ?? [];
  const listed = [...list.matchAll(/`([a-z_]+)`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.endsWith("sql"));
  expect(crossing().sort()).toEqual(listed.sort());
});

test("a statement that names a wallet crosses none, and one that does not does", () => {
  expect(namesWallet.test("select 1 from purchases p where p.wallet_id = $1")).toBe(true);
  expect(namesWallet.test("select count(*) from inflight i where i.step = 'review'")).toBe(false);
});
