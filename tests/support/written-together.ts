import type pg from "pg";

/** Tables that one transaction wrote: the wallets', and others. */
export interface WrittenTogether {
  readonly wallets: readonly string[];
  readonly outside: readonly string[];
  /** By which statements, each its first line. */
  readonly statements: readonly string[];
}

// By row: the door of a function writes none. What a test plants is not the service's.
const watch = `
  create unlogged table written_tables (
    transaction xid8,
    written oid,
    statement text,
    primary key (transaction, written)
  );
  create function keep_written() returns trigger
  language plpgsql
  security definer
  set search_path from current
  as $$
  begin
    if current_setting('application_name') ~ '^dispense (batched|ordinary|operator)' then
      insert into written_tables
      values (pg_current_xact_id(), tg_relid, substring(current_query() from '[^\\n]+'))
          on conflict do nothing;
    end if;
    return null;
  end
  $$;
  do $$
  declare
    v_table regclass;
  begin
    for v_table in
      select c.oid
        from pg_class c
       where c.relnamespace = current_schema()::regnamespace
         and c.relkind in ('r', 'p')
         and not c.relispartition
         and c.relname <> 'written_tables'
    loop
      execute format(
        'create trigger keep_written after insert or update or delete on %s for each row execute function keep_written()',
        v_table
      );
    end loop;
  end
  $$`;

// Of the wallets are those that scripts/generate/statements-doc.ts takes for it.
const listKinds = `
  with written as (
    select w.transaction,
           w.statement,
           coalesce(i.inhparent, w.written)::regclass::text as name,
           c.relname = 'webhook_failing_endpoints'
             or exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'wallet_id') as of_wallets
      from written_tables w
      join pg_class c
        on c.oid = w.written
      left join pg_inherits i
        on i.inhrelid = w.written
  ),
  together as (
    select w.transaction,
           array_agg(distinct w.name order by w.name) filter (where w.of_wallets) as wallets,
           array_agg(distinct w.name order by w.name) filter (where not w.of_wallets) as outside,
           array_agg(distinct w.statement order by w.statement) as statements
      from written w
     group by w.transaction
  )
  select t.wallets, t.outside, (array_agg(to_jsonb(t.statements)))[1] as statements
    from together t
   where t.wallets is not null and t.outside is not null
   group by t.wallets, t.outside
   order by t.outside, t.wallets`;

/**
 * Has a database write down which tables each transaction of the service writes. Asked for before the first.
 * @returns what reads the kinds of transactions so far that wrote both wallets' tables and others
 */
export async function watchWrites(pool: pg.Pool): Promise<() => Promise<readonly WrittenTogether[]>> {
  await pool.query(watch);
  return async () => (await pool.query<WrittenTogether>(listKinds)).rows;
}
