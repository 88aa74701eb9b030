import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { MemberClient, TestConsole } from "./console.ts";
import { formOf, submit } from "./forms.ts";
import { waitUntil } from "./receiver.ts";

interface Shop {
  readonly merchant: RegisteredMerchant;
  readonly owner: MemberClient;
  /** Begins each reference. */
  readonly prefix: string;
  /** Stands in what people wrote: labels and descriptions. */
  readonly word: string;
  /** The number that is bought for: what ends in 1 succeeds. */
  readonly phone: string;
  /** Where webhooks go. */
  readonly webhookUrl: string;
}

/**
 * Gives a merchant something of everything in its sandbox: sales that succeeded, failed and wait, a bulk order, saved
 * customers, an endpoint with deliveries, an invitation. Workers must run. @returns the ids of it all
 */
export async function fillShop(service: TestConsole, shop: Shop): Promise<readonly string[]> {
  const { owner, prefix, word, phone, webhookUrl } = shop;
  const ids: string[] = [];
  const hook = { url: webhookUrl, description: word, mode: "both", notify: "all", which: "all" };
  await expectStatus(owner.send("/test/webhooks/endpoints/new", hook), 200);
  ids.push(...((await owner.get("/test/webhooks")).text.match(/whe_[0-9a-z]+/g) ?? []));
  ids.push(...(await sell(service, shop)));
  await openAccounts(service, shop);
  const beneficiary = { label: word, category: "airtime", customer_ref: phone };
  ids.push(...idsIn((await call(service, shop, "/beneficiaries", beneficiary)).body));
  const form = formOf(await owner.get("/test/bulk/new"), "/bulk/check");
  const lines = `phone;amount\n${phone};100\n08051234561;200\n`;
  const checked = await submit(owner, form, { category: "airtime", lines, reference: `${prefix}-bulk` });
  await expectStatus(submit(owner, formOf(checked, /\/bulk\/start\/[\w.:-]+$/)), 303);
  ids.push(`${prefix}-bulk`);
  await expectStatus(owner.send("/account/members/invite", { email: `${prefix}@shop.example`, role: "viewer" }), 303);
  await waitUntil(async () => (await deliveries(owner)).length > 3, "deliveries");
  ids.push(...(await deliveries(owner)).slice(0, 3));
  const { rows } = await service.app.fresh.pool.query<{ id: string }>(
    `select 'key_' || id as id from api_keys where merchant_id = $1
     union all select id::text from invitations where merchant_id = $1
     union all select person_id::text from members where merchant_id = $1`,
    [shop.merchant.id],
  );
  return [...new Set([...ids, ...rows.map(({ id }) => id), `mer_${shop.merchant.id}`])];
}

async function sell(service: TestConsole, shop: Shop): Promise<string[]> {
  const ids: string[] = [];
  const stems = [shop.phone, "08031230002", "08031230003"];
  for (const [at, phone] of [...stems, ...Array<string>(9).fill(shop.phone)].entries()) {
    const order = { reference: `${shop.prefix}-${at + 1}`, product_id: 1001 + (at % 2), phone };
    const { body } = await call(service, shop, "/data/purchase", order);
    if (at < stems.length) ids.push(...idsIn(body));
  }
  return ids;
}

/** A receiving account of each state. */
async function openAccounts({ app }: TestConsole, { merchant: { id }, word }: Shop): Promise<void> {
  await app.fresh.pool.query(
    `insert into payment_providers (name, connector)
     values ('paystack', 'paystack'), ('paystack-2', 'paystack'), ('paystack-3', 'paystack')
         on conflict do nothing`,
  );
  const due = "now() + interval '1 day'";
  await app.fresh.pool.query(
    `insert into funding_accounts
       (provider, merchant_id, state, account_number, bank_name, account_name, account_reference, refusal, due_at)
     values ('paystack', $1, 'active', (9900000000 + $1::integer)::text, 'Wema Bank', $2::text, 'CUS_' || $1::integer, null, ${due}),
            ('paystack-2', $1, 'refused', null, null, null, null, 'BVN is required. ' || $2::text, ${due}),
            ('paystack-3', $1, 'requested', null, null, null, null, null, ${due})
         on conflict (provider, merchant_id) do nothing`,
    [id, word],
  );
}

function call({ app }: TestConsole, { merchant }: Shop, path: string, body: object) {
  return app.call(merchant.testKey, path, { body });
}

/** The deliveries that the log shows. */
async function deliveries(owner: MemberClient): Promise<string[]> {
  const { text } = await owner.get("/test/webhooks/deliveries");
  return [...new Set([...text.matchAll(/\/webhooks\/deliveries\/([^"?/]+)/g)].map(([, id = ""]) => id))];
}

function idsIn(body: object): string[] {
  return Object.entries(body)
    .filter(([name, value]) => /(^|_)(id|reference)$/.test(name) && name !== "product_id" && typeof value === "string")
    .map(([, value]) => String(value));
}

async function expectStatus(answer: Promise<{ status: number; text: string }>, status: number): Promise<void> {
  const { status: given, text } = await answer;
  if (given !== status) throw new Error(`answered ${given}: ${text.slice(0, 2_000)}`);
}
