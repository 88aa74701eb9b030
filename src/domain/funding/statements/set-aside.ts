import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { type Actor, actorName } from "../../staff/actor.ts";
import { type KeptLine, lockStatementLines, updateLineEnded } from "./line-queries.ts";

const becauseMax = 200;

/** @throws Refusal NOT_FOUND */
export async function lockStatementLine(tx: Tx, number: number): Promise<KeptLine> {
  const [line] = await lockStatementLines(tx, [number]);
  if (line === undefined) throw refuse("NOT_FOUND", { message: `There is no line ${number}.` });
  return line;
}

/** Of a line that became something else. */
export function endedAlready({ number, state, settlementOf }: KeptLine) {
  const as = state === "settlement" ? `a settlement of ${settlementOf}` : state.replace("_", " ");
  return refuse("VALIDATION_ERROR", { message: `Line ${number} is ${as} already.` });
}

/**
 * Says why a line is nobody's credit, or with null takes it up again. Locks the line.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for one that is credited or a settlement, and without a reason
 */
export function setLineAside(
  database: Database,
  by: Actor,
  { number, because }: { readonly number: number; readonly because: string | null },
): Promise<void> {
  if (because !== null && (because.length < 3 || because.length > becauseMax))
    throw refuseField("VALIDATION_ERROR", "because", `Say why in 3 to ${becauseMax} characters.`);
  return database.transaction(async (tx) => {
    const line = await lockStatementLine(tx, number);
    if (line.state === "credited" || line.state === "settlement") throw endedAlready(line);
    await updateLineEnded(tx, number, { setAsideBecause: because }, actorName(by));
  });
}
