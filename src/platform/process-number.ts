import { assert } from "../kernel/assert.ts";
import { type Queryable, statement } from "./database/database.ts";

const claimNumber = statement("claim_process_number", "select nextval('process_numbers')::integer as number");

/** A number from 0 to 1,023 that no process of the last 1,023 starts got: the ten bits of process in a purchase id. */
export async function claimProcessNumber(database: Queryable): Promise<number> {
  const [row] = await database.query<{ number: number }>(claimNumber);
  assert(row !== undefined, "a sequence has a next value");
  return row.number;
}
