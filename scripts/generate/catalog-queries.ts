import type { Queryable } from "../../src/platform/database/database.ts";
import { statement } from "../../src/platform/database/database.ts";

/** PostgreSQL's own catalogue, read in one go: what both the schema dump and the database document print. */
export interface Catalog {
  /** Enums and domains. */
  readonly types: readonly { readonly definition: string }[];
  /** Types of rows that are handed to functions. */
  readonly rowTypes: readonly RowType[];
  readonly sequences: readonly {
    readonly name: string;
    readonly definition: string;
    readonly comment: string | null;
  }[];
  readonly tables: readonly Table[];
  readonly views: readonly { readonly name: string; readonly definition: string; readonly comment: string | null }[];
  readonly functions: readonly SqlFunction[];
}

export interface RowType {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: readonly Column[];
}

export interface Table {
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: readonly string[];
  /** Null where it has no partitions. */
  readonly partitionedBy: string | null;
  readonly comment: string | null;
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
  /** Indexes that no constraint made. */
  readonly indexes: readonly string[];
  readonly triggers: readonly string[];
}

export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly nullable: boolean;
  readonly expression: string | null;
  /** `a` or `d` for an identity column, `s` or `v` for a generated one. */
  readonly identity: string;
  readonly generated: string;
  readonly comment: string | null;
}

export interface Constraint {
  readonly table: string;
  readonly name: string;
  /** `p` primary key, `u` unique, `c` check, `f` foreign key, `x` exclusion. */
  readonly kind: string;
  readonly definition: string;
  readonly columns: readonly string[];
  readonly references: string | null;
}

export interface SqlFunction {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
  readonly language: string;
  readonly volatility: string;
  /** `s` safe, `r` restricted, `u` unsafe to run in parallel. */
  readonly parallel: string;
  /** It runs with the rights of its owner. */
  readonly asOwner: boolean;
  readonly isForEverybody: boolean;
  /** Its name and the types of its arguments, as `revoke` takes them. */
  readonly signature: string;
  readonly settings: readonly string[];
  /** The text of its body, for one that has it as text. */
  readonly body: string | null;
  /** The body that PostgreSQL keeps parsed: `return …`. */
  readonly parsedBody: string | null;
  /** All of it in PostgreSQL's own words, to compare with another's. */
  readonly definition: string;
  readonly comment: string | null;
}

// Objects of extensions are left out everywhere; tables come in the order in which the migrations made them.
const listTypes = statement(
  "list_types",
  `select case t.typtype
            when 'e' then format('create type %I as enum (%s)', t.typname, (
              select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
                from pg_enum e
               where e.enumtypid = t.oid))
            else concat_ws(' ', format('create domain %I as %s', t.typname, format_type(t.typbasetype, t.typtypmod)),
              case when t.typnotnull then 'not null' end, 'default ' || t.typdefault, (
              select string_agg(pg_get_constraintdef(c.oid, true), ' ' order by c.conname)
                from pg_constraint c
               where c.contypid = t.oid and c.contype = 'c'))
          end as definition
     from pg_type t
    where t.typnamespace = 'public'::regnamespace
      and t.typtype in ('e', 'd')
    order by t.typname`,
);

const listRowTypes = statement(
  "list_row_types",
  `select c.relname as name,
          obj_description(c.reltype, 'pg_type') as comment
     from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind = 'c'
    order by c.oid`,
);

const listSequences = statement(
  "list_sequences",
  `select c.relname as name,
          format('create sequence %I as %s minvalue %s maxvalue %s increment %s%s', c.relname, format_type(s.seqtypid, null),
            s.seqmin, s.seqmax, s.seqincrement, case when s.seqcycle then ' cycle' else '' end) as definition,
          obj_description(c.oid, 'pg_class') as comment
     from pg_class c
     join pg_sequence s on s.seqrelid = c.oid
    where c.relnamespace = 'public'::regnamespace
      and not exists (
            select 1
              from pg_depend d
             where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i', 'e')
          )
    order by c.relname`,
);

const listTables = statement(
  "list_tables",
  `select c.relname as name,
          c.relpersistence = 'u' as unlogged,
          coalesce(c.reloptions, '{}') as options,
          pg_get_partkeydef(c.oid) as "partitionedBy",
          obj_description(c.oid, 'pg_class') as comment
     from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.oid`,
);

const listColumns = statement(
  "list_columns",
  `select c.relname as "table",
          a.attname as name,
          format_type(a.atttypid, a.atttypmod) as type,
          case when a.attcollation <> t.typcollation then l.collname end as collation,
          not a.attnotnull as nullable,
          pg_get_expr(d.adbin, d.adrelid, true) as expression,
          a.attidentity as identity,
          a.attgenerated as generated,
          col_description(c.oid, a.attnum) as comment
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     join pg_type t on t.oid = a.atttypid
     left join pg_collation l on l.oid = a.attcollation
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p', 'c')
      and a.attnum > 0
      and not a.attisdropped
    order by c.oid, a.attnum`,
);

// Since PostgreSQL 18 a not-null column has a constraint of its own (kind n); the column says it already.
const listConstraints = statement(
  "list_constraints",
  `select c.relname as "table",
          o.conname as name,
          o.contype as kind,
          pg_get_constraintdef(o.oid, true) as definition,
          array(
            select a.attname::text
              from unnest(o.conkey) with ordinality as k (attnum, place)
              join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.attnum
             order by k.place
          ) as columns,
          f.relname as "references"
     from pg_constraint o
     join pg_class c on c.oid = o.conrelid
     left join pg_class f on f.oid = o.confrelid
    where c.relnamespace = 'public'::regnamespace
      and o.contype in ('p', 'u', 'c', 'f', 'x')
    order by c.oid, array_position('{p,u,f,x,c}'::text[], o.contype::text), o.conname`,
);

const listIndexes = statement(
  "list_indexes",
  `select c.relname as "table",
          pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     join pg_class c on c.oid = i.indrelid
     join pg_class n on n.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
    order by c.oid, n.relname`,
);

const listTriggers = statement(
  "list_triggers",
  `select c.relname as "table",
          pg_get_triggerdef(t.oid, true) as definition
     from pg_trigger t
     join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace
      and not t.tgisinternal
    order by c.oid, t.tgname`,
);

const listViews = statement(
  "list_views",
  `select c.relname as name,
          pg_get_viewdef(c.oid, true) as definition,
          obj_description(c.oid, 'pg_class') as comment
     from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relkind in ('v', 'm')
    order by c.relname`,
);

const listFunctions = statement(
  "list_functions",
  `select p.proname as name,
          pg_get_function_arguments(p.oid) as arguments,
          pg_get_function_result(p.oid) as result,
          l.lanname as language,
          p.provolatile as volatility,
          p.proparallel as parallel,
          p.prosecdef as "asOwner",
          has_function_privilege('public', p.oid, 'execute') as "isForEverybody",
          p.oid::regprocedure::text as signature,
          coalesce(p.proconfig, '{}') as settings,
          case when p.prosqlbody is null then p.prosrc end as body,
          pg_get_function_sqlbody(p.oid) as "parsedBody",
          pg_get_functiondef(p.oid) as definition,
          obj_description(p.oid, 'pg_proc') as comment
     from pg_proc p
     join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace
      and p.prokind in ('f', 'p')
      and not exists (
            select 1
              from pg_depend d
             where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
          )
    order by p.proname, pg_get_function_identity_arguments(p.oid)`,
);

type Definition = { readonly table: string; readonly definition: string };

/** Reads the catalogue of the `public` schema. Eleven statements, no locks, the same answer each time. */
export async function readCatalog(database: Queryable): Promise<Catalog> {
  const columns = await database.query<Column>(listColumns);
  const constraints = await database.query<Constraint>(listConstraints);
  const indexes = await database.query<Definition>(listIndexes);
  const triggers = await database.query<Definition>(listTriggers);
  const tables =
    await database.query<Pick<Table, "name" | "unlogged" | "options" | "partitionedBy" | "comment">>(listTables);
  const of = (rows: readonly Definition[], table: string): string[] =>
    rows.filter((row) => row.table === table).map((row) => row.definition);
  const rowTypes = await database.query<Pick<RowType, "name" | "comment">>(listRowTypes);
  return {
    types: await database.query(listTypes),
    rowTypes: rowTypes.map((type) => ({ ...type, columns: columns.filter((column) => column.table === type.name) })),
    sequences: await database.query(listSequences),
    tables: tables.map((table) => ({
      ...table,
      columns: columns.filter((column) => column.table === table.name),
      constraints: constraints.filter((constraint) => constraint.table === table.name),
      indexes: of(indexes, table.name),
      triggers: of(triggers, table.name),
    })),
    views: await database.query(listViews),
    functions: await database.query<SqlFunction>(listFunctions),
  };
}
