import type { WallTime } from "../../../kernel/clock.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Float, sumFloat } from "./queries.ts";

/** Where merchants' money is, as it is printed: amounts in naira and times as texts. */
export type FloatTold = ReturnType<typeof toldOf>;

export async function readFloat(database: Queryable, mode: Mode, wallTime: WallTime): Promise<FloatTold> {
  const float = await sumFloat(database, mode);
  return toldOf(float, sumsOf(float), wallTime);
}

interface Sums {
  /** In wallets and in flight: what merchants are owed. */
  readonly merchants: Kobo;
  /** Our balances together, at the suppliers that have told them. */
  readonly suppliers: Kobo;
}

function sumsOf({ wallets, inFlight, suppliers }: Float): Sums {
  return {
    merchants: inFlight.reduce((sum, { amount }) => add(sum, amount), wallets.amount),
    suppliers: suppliers.reduce((sum, { balance }) => add(sum, balance ?? zeroKobo), zeroKobo),
  };
}

function toldOf({ at, wallets, inFlight, suppliers }: Float, sums: Sums, wallTime: WallTime) {
  return {
    at: wallTime.format(at),
    wallets: { count: String(wallets.count), amount: formatNaira(wallets.amount) },
    in_flight: inFlight.map(({ supplier, purchases, amount }) => ({
      supplier,
      purchases: String(purchases),
      amount: formatNaira(amount),
    })),
    merchants_total: formatNaira(sums.merchants),
    suppliers: suppliers.map(({ supplier, balance, toldAt }) => ({
      supplier,
      balance: balance === null ? null : formatNaira(balance),
      told_at: toldAt === null ? null : wallTime.format(toldAt),
    })),
    suppliers_total: formatNaira(sums.suppliers),
  };
}
