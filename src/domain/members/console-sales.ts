import type { Clock } from "../../kernel/clock.ts";
import type { Reference, WalletKey } from "../../kernel/ids.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { Person } from "../identity/people/person.ts";
import { enter } from "../identity/people/send-notice.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { deleteOldSandboxSales, insertConsoleSale } from "./console-sale-queries.ts";

/** Enters a sale by hand, or an order of many, before it is bought, with its person: none is by somebody unknown, whatever crashes. */
export async function enterSale(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  sale: {
    readonly wallet: WalletKey;
    readonly reference: Reference;
    readonly person: Person;
    /** As the audit log has it. */
    readonly command: "console buy" | "console bulk";
    /** What is sold, for the audit log. */
    readonly details: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { wallet, reference, person, command, details } = sale;
  await database.transaction(async (tx) => {
    await insertConsoleSale(tx, { wallet, reference, personId: person.id, now: clock.now() });
    const named = { merchant: formatMerchantId(wallet.merchantId), mode: wallet.mode, reference, ...details };
    await enter(tx, { person, command, details: named });
  });
}

const sandboxKeptMs = 31 * 86_400_000;

/** Forgets sandbox sales whose purchases are deleted by now. @returns how many */
export function purgeSandboxSales(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteOldSandboxSales(database, clock.now() - sandboxKeptMs, limit);
}
