import { statement, type Tx } from "../../platform/database/database.ts";
import type { ContradictionEnd } from "./payment.ts";

/** How a contradiction ended, as a person says. */
export interface EndedContradiction {
  readonly number: number;
  readonly end: ContradictionEnd;
  readonly note: string;
}

const updateEnded = statement(
  "update_payment_contradiction_ended",
  `update payments
      set contradiction_end = $2,
          contradiction_note = $3,
          contradiction_ended_by = $4,
          contradiction_ended_at = now()
    where number = $1 and contradiction is not null and contradiction_end is null
   returning 1`,
);

/** @returns whether it was open; of two who end it at once, the second one is false */
export async function updateContradictionEnded(
  tx: Tx,
  { number, end, note }: EndedContradiction,
  by: string,
): Promise<boolean> {
  return (await tx.query(updateEnded, [number, end, note, by])).length > 0;
}
