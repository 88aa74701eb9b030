import { type Purchase, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import { money } from "../schemas/schemas.ts";

/** The names of the wallet's balances for clients of the PIN endpoints. */
export const olderBalances = {
  previous_balance: money("As `balance_before`.", "100000.00"),
  after_balance: money("As `balance_after`.", "96750.00"),
};

export function balancesOf(purchase: Purchase) {
  return {
    previous_balance: formatNaira(purchase.balanceBefore),
    after_balance: formatNaira(subtract(purchase.balanceBefore, totalDeductedOf(purchase))),
  };
}
