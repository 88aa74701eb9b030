import type { Queryable } from "./database/database.ts";
import { statement } from "./database/database.ts";

const claimTurn = statement(
  "claim_turn",
  `insert into watch_turns as t (name, taken_at)
   values ($1, now())
       on conflict (name) do update
          set taken_at = now()
        where t.taken_at <= now() - make_interval(secs => $2)
   returning name`,
);

/** Takes the turn of this name, which all processes on the database share: true for one of them in so many seconds. */
export async function isOurTurn(db: Queryable, name: string, seconds: number): Promise<boolean> {
  return (await db.query(claimTurn, [name, seconds])).length > 0;
}
