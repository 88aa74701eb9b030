import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());

/** Tables whose changed and deleted rows logical replication could not name. A primary key is never partial. */
async function tablesWithoutKey(): Promise<string[]> {
  const { rows } = await fresh.pool.query<{ name: string }>(`
    select c.relname as name
      from pg_class c
      left join pg_index i
        on i.indrelid = c.oid and i.indisprimary and i.indimmediate and i.indisvalid
     where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p')
       and (i.indexrelid is null or c.relreplident <> 'd')
     order by c.relname`);
  return rows.map(({ name }) => name);
}

test("every table has a primary key that logical replication can go by", async () => {
  expect(await tablesWithoutKey()).toEqual([]);
});

test("planted faults are noticed: no key, a partial one, a key that is checked late, the whole row as identity", async () => {
  await fresh.pool.query(`
    create table without_key (id integer not null);
    create table partial_key (id integer not null);
    create unique index on partial_key (id) where id > 0;
    create table late_key (id integer primary key deferrable);
    create table full_identity (id integer primary key);
    alter table full_identity replica identity full`);
  expect(await tablesWithoutKey()).toEqual(["full_identity", "late_key", "partial_key", "without_key"]);
});
