import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import { type Actor, actorName } from "../staff/actor.ts";
import { type EndedContradiction, updateContradictionEnded } from "./contradiction-queries.ts";
import { formatPaymentNumber } from "./payment.ts";

/** As its column bounds it. */
export const contradictionNoteMax = 200;
const noteMin = 3;

/**
 * Records how a person ended what a provider said against a booked payment, once. Moves no money: a credit is corrected by
 * a debit of its wallet. @throws Refusal VALIDATION_ERROR where it is not open, and without a note
 */
export async function endContradiction(database: Database, by: Actor, ended: EndedContradiction): Promise<void> {
  if (ended.note.length < noteMin || ended.note.length > contradictionNoteMax)
    throw refuseField("VALIDATION_ERROR", "note", `Say how in ${noteMin} to ${contradictionNoteMax} characters.`);
  if (await database.transaction((tx) => updateContradictionEnded(tx, ended, actorName(by)))) return;
  const named = formatPaymentNumber(ended.number);
  throw refuse("VALIDATION_ERROR", { message: `${named} isn’t contradicted, or that was ended already.` });
}
