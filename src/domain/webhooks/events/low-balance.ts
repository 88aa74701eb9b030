import type { WalletKey } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import type { Database } from "../../../platform/database/database.ts";
import { updateLowBalanceAnnounced } from "../../wallet/queries.ts";
import type { Endpoints } from "../endpoints/queries.ts";
import { enqueueEvent } from "../log/outbox.ts";
import type { Stamps } from "./outbox-event.ts";

interface LowBalanceServices {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly stamps: Stamps;
}

/**
 * Owes the merchant of a wallet that fell below its threshold the event, where it wants it: once a crossing, which the
 * charge itself marked. Safe to repeat, and beside others that do the same.
 */
export async function announceLowBalance(services: LowBalanceServices, wallet: WalletKey): Promise<void> {
  const { database, endpoints, stamps } = services;
  const found = await endpoints.find(wallet);
  await database.transaction(async (tx) => {
    const fallen = await updateLowBalanceAnnounced(tx, wallet);
    if (fallen === null || fallen.lowBalanceThreshold === null) return;
    const { balance, lowBalanceThreshold, updatedAt } = fallen;
    const data = () => ({
      balance: formatNaira(balance),
      threshold: formatNaira(lowBalanceThreshold),
      currency: "NGN",
      updated_at: stamps.wallTime.format(updatedAt),
    });
    await enqueueEvent(tx, found, { wallet, event: "wallet.low_balance", subject: null, how: "changed", data }, stamps);
  });
}
