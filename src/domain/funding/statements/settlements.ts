import { groupedNaira, kobo, zeroKobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type Actor, actorName } from "../../staff/actor.ts";
import { findPaymentProvider } from "../providers.ts";
import { updateLineEnded } from "./line-queries.ts";
import { endedAlready, lockStatementLine } from "./set-aside.ts";
import { type Clearing, insertSettlementEntry } from "./settlement-queries.ts";

/**
 * Says of a line that a payment provider paid it to our bank, of what it held, and books that, once; with null takes it
 * back, and the line is open again. More than it held is booked too: its page shows the difference. Locks the line.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR where the line ended otherwise, and for a provider that there isn't
 */
export function setLineSettlement(
  database: Database,
  by: Actor,
  { number, provider }: { readonly number: number; readonly provider: string | null },
): Promise<void> {
  return database.transaction(async (tx) => {
    const line = await lockStatementLine(tx, number);
    const { state, amount, settlementOf } = line;
    if (provider === null) {
      if (settlementOf === null) throw refuse("VALIDATION_ERROR", { message: `Line ${number} is no settlement.` });
      await insertSettlementEntry(tx, { number, amount, provider: settlementOf }, true);
    } else {
      if (state !== "open") throw endedAlready(line);
      if ((await findPaymentProvider(tx, provider)) === null)
        throw refuseField("VALIDATION_ERROR", "provider", "There is no such payment provider.");
      await insertSettlementEntry(tx, { number, amount, provider }, false);
    }
    await updateLineEnded(tx, number, { settlementOf: provider }, actorName(by));
  });
}

/** What a provider has still to pay to our bank by our books, as people read it. */
export function clearingText(provider: string, { holding }: Clearing): string {
  return holding < zeroKobo
    ? `${provider} paid ₦${groupedNaira(kobo(-holding))} more than our books say it held.`
    : `${provider} still holds ₦${groupedNaira(holding)}.`;
}
