import type { Database } from "../src/platform/database/database.ts";
import type { Answers } from "./answers.ts";
import { openMerchantClient } from "./merchant-client.ts";
import type { Order } from "./order-book.ts";
import type { ServiceProcess } from "./service-process.ts";
import type { Check } from "./verdict.ts";

/** Four times what opens a breaker (domain/suppliers/routing/breaker.ts). */
const purchases = 40;
const silencesMax = 10;
/** Of orders by chance some are for the path; where none is, the check fails. */
const ordersMax = 10_000;

const countSentTo = {
  name: "count_torture_sent_to",
  text: `select count(*)::integer as sent from purchases where wallet_id > 0 and reference = any($1) and supplier = $2`,
};

/**
 * Once the storm is over: buys one after the other, at one process, what a supplier that is silent is asked for first.
 * Others sell the same.
 */
export async function trySilence(
  where: { readonly database: Database; readonly api: ServiceProcess | undefined; readonly answers: Answers },
  what: { readonly supplier: string; readonly path: string; readonly nextOrder: () => Order },
): Promise<Check> {
  const { database, api, answers } = where;
  const { supplier, path, nextOrder } = what;
  const client = openMerchantClient();
  const references: string[] = [];
  for (let drawn = 0; api !== undefined && references.length < purchases && drawn < ordersMax; drawn++) {
    const order = nextOrder();
    if (order.path !== path || order.merchant.isShort) continue;
    const { merchant, reference } = order;
    const { body } = await client.ask(api, merchant.key, path, order.body);
    references.push(reference);
    if (body?.transaction_id !== undefined) answers.receive(merchant.id, reference, body, "an answer");
  }
  await client.close();
  const [row] = await database.query<{ sent: number }>(countSentTo, [references, supplier]);
  const sent = row?.sent ?? 0;
  const isKept = references.length === purchases && sent <= silencesMax;
  return {
    promise: `a supplier that is silent gets ${silencesMax} purchases of a category, and others the rest`,
    broken: isKept ? [] : [`${supplier} got ${sent} of ${references.length}`],
  };
}
