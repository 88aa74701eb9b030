import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { insertGivenBack, lockWallets } from "../wallet/queries.ts";

/**
 * Gives the price of a delivered live sale back at the company's own cost. The sale stays delivered; the entry names it. Once,
 * and not where the supplier took the goods back, as that was refunded. Locks the wallet.
 * @throws Refusal VALIDATION_ERROR where there is nothing to give back
 */
export async function giveGoodwill(
  database: Database,
  { wallet, id, status, supplier, total }: Pick<Purchase, "wallet" | "id" | "status" | "supplier" | "total">,
  given: { readonly reason: string },
): Promise<void> {
  // In the sandbox nobody is asked, and nothing was paid.
  if (supplier === null || status !== "successful") {
    throw refuse("VALIDATION_ERROR", { message: "Only a delivered live sale can be refunded as goodwill." });
  }
  const reason = given.reason.trim();
  if (reason === "" || reason.length > reasonMax) {
    throw refuseField("VALIDATION_ERROR", "reason", `Say why, in up to ${reasonMax} characters.`);
  }
  const isGiven = await database.transaction(async (tx) => {
    await lockWallets(tx, [wallet]);
    return insertGivenBack(tx, { kind: "goodwill", wallet, purchaseId: id, amount: total, reason });
  });
  if (!isGiven) throw refuse("VALIDATION_ERROR", { message: "This sale was refunded already. Nothing was moved." });
}

const reasonMax = 200;
