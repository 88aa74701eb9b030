import { expect, test } from "vitest";
import { transactionsOverBoth } from "../../scripts/generate/transactions-over-both.ts";
import { disableEndpoint } from "../../src/domain/webhooks/endpoints/failing/failing-endpoints.ts";
import { fillCompany } from "../support/busy-company.ts";
import { fillShop } from "../support/busy-shop.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleClient, startConsole } from "../support/console.ts";
import { stockedDatabase } from "../support/database.ts";
import { type DeclaredForm, declaredForms } from "../support/declared-forms.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { formOf } from "../support/forms.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";
import { type WrittenTogether, watchWrites } from "../support/written-together.ts";

// Which transactions write both wallets' tables and others is found by running: a company and a shop are filled, every
// declared form is sent, whatever a second person decides is approved, and workers do theirs meanwhile. A form that is new is
// sent here without being entered.

const receiver = closing(await startReceiver());
const suppliers = [openFakeSupplier("first"), openFakeSupplier("second")] as const;

async function open() {
  const database = closing(await stockedDatabase());
  const listKinds = await watchWrites(database.pool);
  const webhooks = { ...testWebhooks, allowPrivate: true };
  const options = { suppliers, workers: true, sandboxPendingSeconds: 1, webhooks, madeUpDeliveries: true };
  const service = closing(await startConsole({ ...options, database }));
  return { ...service, service, database, listKinds };
}

const filled = await open();
const formed = await open();

async function approveAll({ service, database }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const checker = await service.staff("admin");
  const waiting = "select id from changes where state = 'waiting' order by id";
  const { rows } = await database.pool.query<{ id: number }>(waiting);
  for (const { id } of rows) await checker.send(`/operator/approvals/${id}`, { do: "approve" });
}

async function fillAll(): Promise<void> {
  const { service, app, database } = filled;
  const merchant = await app.createMerchant();
  const owner = await service.member("owner", merchant.id);
  const shop = { merchant, owner, prefix: "walk", word: "Ada", phone: "08031234561", webhookUrl: receiver.url };
  await fillShop(service, shop);
  await fillCompany(service, { suppliers, word: "Ada" });
  await approveAll(filled);
  // As after a purchase; a worker does the rest.
  await database.pool.query(
    "update wallets set low_balance_threshold = balance, low_balance_due = true where wallet_id = $1",
    [merchant.id],
  );
  const isAnnounced = "select 1 from wallets where wallet_id = $1 and not low_balance_due";
  await waitUntil(
    async () => (await database.pool.query(isAnnounced, [merchant.id])).rows.length > 0,
    "the low balance",
  );
  const key = { merchantId: app.merchant.id, endpointNumber: 1 };
  await disableEndpoint({ ...app.services, clock: { now: () => Date.now() } }, key, { seen: null, reason: "gone" });
}

async function sendForms(): Promise<void> {
  const { service } = formed;
  const catalogue = [await service.staff("catalogue"), await service.staff("catalogue")] as const;
  const [maker, owner] = [await service.staff("admin"), await service.member("owner")];
  const forms = await declaredForms(service, { maker, catalogue, owner });
  for (const [path, form] of Object.entries(forms))
    await send(path.startsWith("/operator/") ? maker : owner, path, form);
  await approveAll(formed);
}

async function send(client: ConsoleClient, path: string, { page, values }: DeclaredForm): Promise<void> {
  const shown = await client.get(typeof page === "string" ? page : await page());
  const { action, fields } = formOf(shown, new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`));
  const sent = Object.entries({ ...fields, ...values(0) }).filter(([name, value]) => value !== null && name !== "once");
  await client.send(action, Object.fromEntries(sent) as Record<string, string>);
}

const unannounced = "select 1 from payment_announcements";

const fits = (found: WrittenTogether, known: (typeof transactionsOverBoth)[number]) =>
  found.wallets.every((table) => known.wallets.includes(table)) &&
  found.outside.every((table) => known.outside.includes(table));

test("every transaction that writes both wallets' tables and others is known", async () => {
  await Promise.all([fillAll(), sendForms()]);
  await waitUntil(
    async () => (await filled.database.pool.query(unannounced)).rows.length === 0,
    "payments to be announced",
  );
  const found = [...(await filled.listKinds()), ...(await formed.listKinds())];
  const unknown = found.filter((kind) => !transactionsOverBoth.some((known) => fits(kind, known)));
  const unseen = transactionsOverBoth.filter(
    (known) => known.isLate !== true && !found.some((kind) => fits(kind, known)),
  );
  expect(
    unknown,
    "With several cells these would not be one commit. Write both apart; or where one may be kept without the other, enter " +
      "it in scripts/generate/transactions-over-both.ts and run npm run generate. See docs/scale.md.",
  ).toEqual([]);
  expect(unseen).toEqual([]);
});
