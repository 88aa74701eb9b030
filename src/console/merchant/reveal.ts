import { writeEntry } from "../../domain/audit/audit-log.ts";
import { auditName } from "../../domain/people/person.ts";
import { openFulfilment } from "../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import type { SoldProduct } from "../../domain/purchases/sold-product.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Database } from "../../platform/database/database.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { ModeVisit } from "../visit.ts";

/** Whether something was handed over that is worth money to whoever reads it. */
export function holdsSecrets({ status, fulfilment }: Purchase, { category }: Pick<SoldProduct, "category">): boolean {
  return status === "successful" && fulfilment !== null && category.secrets.length > 0;
}

/**
 * Opens what a purchase handed over, for one answer that nobody keeps. It is entered in the audit log before, so that no
 * token was ever seen by somebody unknown.
 */
export async function reveal(
  { database, secretBox }: { readonly database: Database; readonly secretBox: SecretBox },
  visit: ModeVisit,
  purchase: Purchase,
): Promise<JsonObject | null> {
  const { reference } = purchase;
  const details = JSON.stringify({ merchant: visit.member.merchantId, mode: visit.mode, reference });
  await writeEntry(database, { who: auditName(visit.session.person), command: "console reveal", details });
  visit.reply.header("cache-control", "no-store");
  return openFulfilment(secretBox, purchase);
}
