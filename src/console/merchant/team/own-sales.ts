import { isConsoleSaleOf } from "../../../domain/members/console-sale-queries.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ModeVisit } from "../access.ts";

/** A purchase as far as the visit's person may open it: a cashier's own sales alone. Null for any other one. */
export async function openTo(
  { database }: { readonly database: Database },
  visit: ModeVisit,
  purchase: Purchase | null,
): Promise<Purchase | null> {
  if (purchase === null || visit.may("look")) return purchase;
  const { wallet, reference, channel } = purchase;
  if (channel !== "dashboard") return null;
  const personId = visit.session.person.id;
  return (await isConsoleSaleOf(database, { wallet, reference, personId })) ? purchase : null;
}
