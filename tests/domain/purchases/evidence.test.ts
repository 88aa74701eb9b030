import { expect, test } from "vitest";
import { insertPurchases } from "../../../src/domain/purchases/queries.ts";
import { type Settlement, updateSettled } from "../../../src/domain/purchases/settle-queries.ts";
import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";
import { mintDeliveryId } from "../../support/webhooks.ts";

const fresh = closing(await freshDatabase());
const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
const database = closing(openDatabase(pool));

const day = "2026-11-20";
/** What was said, what is kept of it, and the body of the event about it. */
const cases = [
  [`{"Status":"successful","note":"a \\"quote\\", {braces}, a \\\\ and ₦"}`, null, `{"data":{"phone":"080"}}`],
  [null, "", null],
  ["one\u0001two", null, `{"data":"\\u0001"}`],
  ["", "", null],
  ["NULL", null, null],
] as const;

test("each attempt keeps its own evidence and each event its own body, whatever stands in its neighbours'", async () => {
  const wallet = await fundedWallet(database, walletKey(2, "live"), 1_000_000n);
  const purchases = cases.map((_, index) => newPurchase(wallet, `order-${index}`));
  await insertPurchases(database, purchases, day);
  const settlements = cases.map(([evidence, , body], index): Settlement => {
    const { id, reference } = purchases[index]!.terms;
    const reply = { endpointNumber: 1, event: "transaction.successful", isExample: false } as const;
    const events = body === null ? [] : [{ ...reply, deliveryId: mintDeliveryId(), reference, subjectId: id, body }];
    const said = { errorCode: null, providerReference: null, fulfilment: null, supplierReference: `s-${index}` };
    const rest = { attempt: 1, completedAt: Date.now() };
    return { wallet, id, reference, epoch: 0, status: "successful", evidence, events, ...said, ...rest };
  });
  expect(await updateSettled(database, settlements)).toHaveLength(cases.length);
  const { rows } = await fresh.pool.query(
    `select a.evidence, d.body
       from vend_attempts a
       join purchases p on p.id = a.purchase_id
       left join webhook_deliveries d on d.id = p.delivery_id and d.subject_id = p.id
      order by a.supplier_reference`,
  );
  expect(rows).toEqual(cases.map(([said, kept, body]) => ({ evidence: kept ?? said, body })));
});
