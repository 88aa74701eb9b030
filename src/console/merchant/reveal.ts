import { writeEntry } from "../../domain/audit/audit-log.ts";
import { isBoughtIn, noteBought } from "../../domain/people/one-time-tokens.ts";
import type { PeopleServices } from "../../domain/people/people-services.ts";
import { auditName } from "../../domain/people/person.ts";
import { openFulfilment } from "../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import type { SoldProduct } from "../../domain/purchases/sold-product.ts";
import { walletName } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Database } from "../../platform/database/database.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { ModeVisit } from "../kit/visit.ts";
import { may } from "./access.ts";

/** Whether something was handed over that is worth money to whoever reads it. */
export function holdsSecrets({ status, fulfilment }: Purchase, { category }: Pick<SoldProduct, "category">): boolean {
  return status === "successful" && fulfilment !== null && category.secrets.length > 0;
}

export interface RevealServices {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly people: Pick<PeopleServices, "database" | "clock">;
}

/**
 * Opens what a purchase handed over, for one answer that nobody keeps. It is entered in the audit log before, so that no
 * token was ever seen by somebody unknown.
 */
export async function reveal(
  { database, secretBox }: RevealServices,
  visit: ModeVisit,
  purchase: Purchase,
): Promise<JsonObject | null> {
  const { reference } = purchase;
  const details = JSON.stringify({ merchant: visit.member.merchantId, mode: visit.mode, reference });
  await writeEntry(database, { who: auditName(visit.session.person), command: "console reveal", details });
  visit.reply.header("cache-control", "no-store");
  return openFulfilment(secretBox, purchase);
}

/**
 * The same without another factor, where this very session bought it by hand and its person's role still may see it.
 * Null: it stays hidden, also from a part of the page that refreshes itself, as each showing is entered in the audit log.
 */
export async function revealOwn(
  services: RevealServices,
  visit: ModeVisit,
  { purchase, sold }: { readonly purchase: Purchase; readonly sold: SoldProduct },
): Promise<JsonObject | null> {
  const isAsked = visit.request.method === "GET" && visit.request.headers["x-fragment"] === undefined;
  const mayBeOwn = purchase.channel === "dashboard" && holdsSecrets(purchase, sold);
  if (!isAsked || !mayBeOwn || !may(visit.member.role, "reveal")) return null;
  if (!(await isBoughtIn(services.people, visit.session, nameOf(purchase)))) return null;
  return reveal(services, visit, purchase);
}

/** Has the session see what it bought, for as long as it lasts. */
export function keepForSession({ people }: Pick<RevealServices, "people">, visit: ModeVisit, bought: Purchase) {
  return noteBought(people, visit.session, nameOf(bought));
}

function nameOf({ wallet, reference }: Purchase): string {
  return `${walletName(wallet)} ${reference}`;
}
