import { type Queryable, statement } from "./database/database.ts";

const claimFreeTurns = statement(
  "claim_turns",
  `insert into turns as t (name, free_at)
   select n.name, now() + make_interval(secs => $2)
     from unnest($1::text[]) as n (name)
    where not exists (select 1 from turns taken where taken.name = n.name and taken.free_at > now())
    order by n.name
    limit $3
       on conflict (name) do update
          set free_at = excluded.free_at
        where t.free_at <= now()
   returning name`,
);

/**
 * Takes at most `limit` of these turns, which all processes on the database share: each goes to one of them, and is free
 * again after so many seconds. @returns the names of those taken
 */
export async function claimTurns(
  db: Queryable,
  names: readonly string[],
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const claimed = await db.query<{ name: string }>(claimFreeTurns, [names, seconds, limit]);
  return new Set(claimed.map(({ name }) => name));
}

/** Takes the one turn of this name. */
export async function isOurTurn(db: Queryable, name: string, seconds: number): Promise<boolean> {
  return (await claimTurns(db, [name], { seconds, limit: 1 })).has(name);
}

const insertTurn = statement(
  "insert_turn",
  `insert into turns (name, free_at)
   values ($1, now() + make_interval(secs => $2))
       on conflict (name) do update
          set free_at = excluded.free_at`,
);

/** Frees the turn in so many seconds, whoever has it; 0: at once. */
export async function freeTurn(db: Queryable, name: string, seconds: number): Promise<void> {
  await db.query(insertTurn, [name, seconds]);
}
