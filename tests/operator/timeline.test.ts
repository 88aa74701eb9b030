import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";
import { startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
const ill = closing(await startReceiver((response) => response.writeHead(500).end("no disk left")));
const service = closing(
  await startConsole({
    suppliers: [first, second],
    workers: true,
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);
const { app } = service;
const ada = await service.staff("admin");
const bola = await service.staff("finance");
const key = app.merchant.liveKey;
const owner = await service.member("owner");
const endpoint = { url: ill.url, description: "", mode: "both", notify: "all", which: "all" };
await owner.send("/test/webhooks/endpoints/new", endpoint);

const declined = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText } as const;

async function rows(text: string, values: unknown[] = []) {
  return (await app.fresh.pool.query(text, values)).rows;
}

async function buy(reference: string): Promise<string> {
  const body = { reference, phone: "08031234567", product_id: 1002 };
  return (await app.call(key, "/data/purchase", { body })).body.transaction_id;
}

/** As people read it: without tags. */
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const pageOf = async (id: string) => plain((await ada.get(`/operator/sales/${id}`)).text);

test("the timeline of a sale has everything that happened to it, each by name", async () => {
  first.answer = declined;
  second.answer = vended;
  const id = await buy("whole-story");
  await rows(
    `insert into supplier_callbacks (supplier, supplier_reference, status, evidence)
     values ('second', $1, 'COMPLETED', 'token 2636-2054-4059-8275-7802 sent by switch 4')`,
    [`${id}-2`],
  );
  await bola.send(`/operator/sales/${id}/refund`, { reason: "customer waited for two hours" });
  const [{ approval }] = await rows("select max(id) as approval from changes where state = 'waiting'");
  await ada.send(`/operator/approvals/${approval}`, { do: "approve" });
  const isTried = async () => /Webhook [a-z._]+: 500/.test(await pageOf(id));
  await expect.poll(isTried, { interval: 300 }).toBe(true);
  await app.services.requestLog.flush();
  const page = await pageOf(id);
  for (const words of [
    // The request, as it came in.
    "POST /api/v1/merchant/data/purchase · from 127.0.0.1 · answered 201",
    // Its price, and whose price that is.
    "₦640.00 by the base price",
    "Merchant charged: −₦640.00",
    // Both attempts, why each supplier was chosen, and its own words.
    "first declined Attempt 1 · first in priority of 2",
    "second delivered Attempt 2 · the only one; declined: first",
    rawText,
    // The callback, and what it said without the token.
    "second called back: COMPLETED",
    "sent by switch 4",
    // The money that went back, with the reason.
    "Refunded as goodwill: +₦640.00",
    "customer waited for two hours",
    // The webhook: stored, tried, and when it is tried again.
    "stored for",
    "no disk left",
    "Next try of webhook",
    // The people who looked, requested and approved.
    "Who looked",
    `${bola.email} Asked for a change`,
    `${ada.email} Approved a change`,
    `${ada.email} Looked`,
  ]) {
    expect(page).toContain(words);
  }
  expect(page.match(/called back/g)).toHaveLength(1);
  expect(page).not.toContain("2636-2054");
  expect(page).not.toContain("Refund as goodwill");
});

test("of a sale that failed everywhere the refund is there, and of a price that has changed what today’s would make", async () => {
  first.answer = declined;
  second.answer = declined;
  const id = await buy("failed-story");
  await rows("update products set price = price + 1000 where id = 1002");
  await app.feel("catalogue");
  const page = await pageOf(id);
  for (const words of ["first declined", "second declined", "Failed", "PROVIDER_DECLINED", "Refunded: +₦640.00"]) {
    expect(page).toContain(words);
  }
  expect(page).toContain("by the price of that moment; today the base price makes ₦650.00");
});
