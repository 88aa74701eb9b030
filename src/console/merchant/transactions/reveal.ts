import { isBoughtIn, noteBought } from "../../../domain/identity/people/one-time-tokens.ts";
import { isConsoleSaleOf } from "../../../domain/members/console-sale-queries.ts";
import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import type { Purchase, SoldProduct } from "../../../domain/purchases/purchase.ts";
import { walletName } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { ModeVisit } from "../access.ts";
import { enterBefore } from "../exports.ts";
import type { MerchantServices } from "../services.ts";

/** A purchase, and what was bought by it. */
export interface BoughtPurchase {
  readonly purchase: Purchase;
  readonly sold: SoldProduct;
}

/** Whether something was handed over that is worth money to whoever reads it. */
export function holdsSecrets({ purchase: { status, fulfilment }, sold }: BoughtPurchase): boolean {
  return status === "successful" && fulfilment !== null && sold.category.secrets.length > 0;
}

type RevealServices = Pick<MerchantServices, "database" | "secretBox" | "people">;

/**
 * Opens what a purchase handed over, for one answer that nobody keeps. It is entered in the audit log before, so that no
 * token was ever seen by somebody unknown.
 */
export async function reveal(
  services: RevealServices,
  visit: ModeVisit,
  { purchase }: BoughtPurchase,
): Promise<JsonObject | null> {
  await enterBefore(services, visit, { command: "console reveal", details: { reference: purchase.reference } });
  visit.reply.header("cache-control", "no-store");
  return openFulfilment(services.secretBox, purchase);
}

/**
 * The same without another factor, where this very session bought it by hand and its person's role still may see it.
 * Null: it stays hidden, also from a part of the page that refreshes itself, as each showing is entered in the audit log.
 */
export async function revealOwn(
  services: RevealServices,
  visit: ModeVisit,
  bought: BoughtPurchase,
): Promise<JsonObject | null> {
  const isRequested = visit.request.method === "GET" && visit.request.headers["x-fragment"] === undefined;
  const mayBeOwn = bought.purchase.channel === "dashboard" && holdsSecrets(bought);
  if (!isRequested || !mayBeOwn || !visit.may("hand_over")) return null;
  const isOwn = await isBoughtIn(services.people, visit.session, nameOf(bought.purchase));
  return isOwn ? reveal(services, visit, bought) : null;
}

/** Has the session see what it bought, for as long as it lasts. */
export function keepForSession({ people }: Pick<RevealServices, "people">, visit: ModeVisit, bought: Purchase) {
  return noteBought(people, visit.session, nameOf(bought));
}

function nameOf({ wallet, reference }: Purchase): string {
  return `${walletName(wallet)} ${reference}`;
}

/** A purchase as far as the visit's person may open it: a cashier's own sales alone. Null for any other one. */
export async function openTo(
  { database }: Pick<MerchantServices, "database">,
  visit: ModeVisit,
  purchase: Purchase | null,
): Promise<Purchase | null> {
  if (purchase === null || visit.may("look")) return purchase;
  const { wallet, reference, channel } = purchase;
  if (channel !== "dashboard") return null;
  const personId = visit.session.person.id;
  return (await isConsoleSaleOf(database, { wallet, reference, personId })) ? purchase : null;
}
