import { beforeEach, describe, expect, test } from "vitest";
import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import { setLowBalanceThreshold } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type Received, startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

/** What the paths below the receiver answer; 200 unless told otherwise. */
const answers = new Map<string, number>();
const plan = 1002; // 640 naira in sandbox

const receiver = closing(
  await startReceiver((response, { path }) => {
    response.statusCode = answers.get(path) ?? 200;
    response.end();
  }),
);
const app = closing(
  await startApp({ workers: true, sandboxPendingSeconds: 1, webhooks: { ...testWebhooks, allowPrivate: true } }),
);
beforeEach(() => answers.clear());

let merchants = 0;

interface Shop extends RegisteredMerchant {
  /** Where its endpoint of this name receives. */
  pathOf(name: string): string;
  /** What came there. */
  at(name: string): readonly Received[];
}

/** A merchant with an endpoint for each name. The first one named is the one of `/webhook`. */
async function shop(endpoints: Record<string, object>): Promise<Shop> {
  const merchant = await app.createMerchant();
  merchants += 1;
  const number = merchants;
  const pathOf = (name: string) => `/${number}/${name}`;
  for (const [name, wish] of Object.entries(endpoints)) {
    const url = new URL(pathOf(name), receiver.url).href;
    const answer = await app.call(merchant.testKey, "/webhook/endpoints", { body: { url, ...wish } });
    expect(answer.status).toBe(201);
  }
  return { ...merchant, pathOf, at: (name) => receiver.received.filter(({ path }) => path === pathOf(name)) };
}

const buy = (key: string, reference: string, phone: string) =>
  app.call(key, "/data/purchase", { body: { product_id: plan, phone, reference } });
const eventsOf = (received: readonly Received[]) =>
  received.map(({ body }) => JSON.parse(body)).map(({ event, data }) => `${event} ${data.reference ?? ""}`.trim());
const arrived = (who: Shop, name: string, count: number) =>
  waitUntil(() => who.at(name).length >= count, `${count} events at ${name}`);
/** Longer than a delivery takes that would be one too many. */
const quietMs = 700;
const rest = () => new Promise((resolve) => setTimeout(resolve, quietMs));

const broken = async () =>
  (await checkLedger(app.services.database)).flatMap(({ invariant, broken: rows }) =>
    rows.map(() => invariant.slice(0, 11)),
  );

describe("a purchase's end", () => {
  test("goes to each endpoint that wants it, with an id of its own and the same name, body and secret aside", async () => {
    const merchant = await shop({
      all: { notify: "all" },
      failures: { notify: "all", events: ["transaction.failed"] },
      changes: {},
      live: { notify: "all", mode: "live" },
      off: { notify: "all", enabled: false },
    });
    await buy(merchant.testKey, "good", "08031234567");
    await buy(merchant.testKey, "bad", "08031230002");
    await buy(merchant.testKey, "later", "08031230003");
    await arrived(merchant, "all", 3);
    await arrived(merchant, "failures", 1);
    await arrived(merchant, "changes", 1);
    await rest();
    expect(eventsOf(merchant.at("all")).sort()).toEqual([
      "transaction.failed bad",
      "transaction.successful good",
      "transaction.successful later",
    ]);
    expect(eventsOf(merchant.at("failures"))).toEqual(["transaction.failed bad"]);
    expect(eventsOf(merchant.at("changes"))).toEqual(["transaction.successful later"]);
    expect([merchant.at("live"), merchant.at("off")]).toEqual([[], []]);

    const reply = (name: string, reference: string) =>
      merchant
        .at(name)
        .map(({ body }) => JSON.parse(body))
        .find(({ data }) => data.reference === reference);
    for (const [name, reference] of [
      ["failures", "bad"],
      ["changes", "later"],
    ] as const) {
      const [one, other] = [reply("all", reference), reply(name, reference)];
      expect(one.delivery_id).not.toBe(other.delivery_id);
      expect({ ...one, delivery_id: other.delivery_id }).toEqual(other);
    }
    expect(await broken()).toEqual([]);
  });

  test("is told to another endpoint where the first one is removed, and found in the log by its reference", async () => {
    const merchant = await shop({ first: { notify: "all" }, second: { notify: "all" } });
    const { testKey } = merchant;
    await buy(testKey, "both", "08031234567");
    await arrived(merchant, "second", 1);
    await app.call(testKey, "/webhook", { method: "PUT", body: { url: null } });
    await buy(testKey, "one", "08031234567");
    await arrived(merchant, "second", 2);
    expect(eventsOf(merchant.at("first"))).toEqual(["transaction.successful both"]);
    const [, second] = (await app.call(testKey, "/webhook/deliveries?reference=both")).body.deliveries;
    await waitUntil(
      async () => (await app.call(testKey, "/webhook/deliveries?reference=one")).body.deliveries.length === 1,
      "the attempt to be logged",
    );
    expect((await app.call(testKey, "/webhook/deliveries?reference=both")).body.meta.total).toBe(2);
    expect(second.reference).toBe("both");
    expect(await broken()).toEqual([]);
  });

  test("that was told to one endpoint is not told again to others that are added", async () => {
    const merchant = await shop({ first: { notify: "all" } });
    await buy(merchant.testKey, "before", "08031234567");
    const url = new URL(merchant.pathOf("second"), receiver.url).href;
    await app.call(merchant.testKey, "/webhook/endpoints", { body: { url, notify: "all" } });
    await buy(merchant.testKey, "after", "08031234567");
    await arrived(merchant, "second", 1);
    expect(eventsOf(merchant.at("second"))).toEqual(["transaction.successful after"]);
  });
});

describe("the ledger's check sees", () => {
  const delivery = (merchant: Shop, numbers: string, act: string) =>
    app.fresh.pool.query(`${act} where abs(wallet_id) = $1 and endpoint_number ${numbers}`, [merchant.id]);

  test("an event that another endpoint lost, one that it has twice, and one that nobody owed it", async () => {
    const merchant = await shop({ first: { notify: "all" }, second: { notify: "all" }, third: { notify: "all" } });
    await buy(merchant.testKey, "order", "08031234567");
    expect(await broken()).toEqual([]);
    const kept = await app.fresh.pool.query(
      "select id from webhook_deliveries where abs(wallet_id) = $1 and endpoint_number = 3",
      [merchant.id],
    );
    await delivery(merchant, "= 3", "delete from webhook_deliveries");
    expect(await broken()).toEqual(["6 every end"]);
    const again = (id: string, number: number) =>
      app.fresh.pool.query(
        `insert into webhook_deliveries (wallet_id, endpoint_number, id, event, reference, subject_id, body)
         select wallet_id, $3, $2, event, reference, subject_id, body
           from webhook_deliveries
          where abs(wallet_id) = $1 and endpoint_number = 2
          limit 1`,
        [merchant.id, id, number],
      );
    // The id that the third was owed, at the second one's address.
    await again(kept.rows[0].id, 2);
    expect(await broken()).toEqual(["6 every end"]);
    await app.fresh.pool.query("update webhook_deliveries set endpoint_number = 3 where id = $1", [kept.rows[0].id]);
    expect(await broken()).toEqual([]);
    await again("00000000-0000-7000-8000-000000000001", 3);
    expect(await broken()).toEqual(["6 every end"]);
    await app.fresh.pool.query("delete from webhook_deliveries where id = $1", [
      "00000000-0000-7000-8000-000000000001",
    ]);
    expect(await broken()).toEqual([]);
  });
});

describe("other events", () => {
  test("of an order, a low balance and the catalogue go to each endpoint that wants them", async () => {
    const merchant = await shop({
      first: { events: ["bulk.completed"] },
      second: { events: ["bulk.completed", "wallet.low_balance", "catalogue.updated"], mode: "test" },
      third: { events: ["catalogue.updated"] },
    });
    const { testKey, id } = merchant;
    await setLowBalanceThreshold(app.services, { merchantId: id, mode: "test" }, kobo(9_990_000n));
    const items = ["08031234567", "08031230003"].map((phone) => ({ phone, product_id: plan }));
    await app.call(testKey, "/data/bulk", { body: { reference: "order", items } });
    const scope = { of: "merchant", merchantId: id } as const;
    const price = { kind: "fixed", kobo: kobo(63_000n) } as const;
    await setPrice(app.services.database, { productId: plan as ProductId, scope, price });
    await arrived(merchant, "first", 1);
    await arrived(merchant, "second", 3);
    await arrived(merchant, "third", 2);
    await rest();
    expect(eventsOf(merchant.at("first"))).toEqual(["bulk.completed order"]);
    expect(eventsOf(merchant.at("second")).sort()).toEqual([
      "bulk.completed order",
      "catalogue.updated",
      "wallet.low_balance",
    ]);
    const modes = merchant.at("third").map(({ headers }) => headers["x-service-mode"]);
    expect(modes.sort()).toEqual(["live", "test"]);
    const names = (name: string) =>
      merchant
        .at(name)
        .map(({ body }) => JSON.parse(body))
        .filter(({ mode }) => mode === "test");
    const [one] = names("third");
    expect(names("second").map(({ event_id }) => event_id)).toContain(one.event_id);
  });
});

describe("an endpoint that is gone", () => {
  test("is switched off alone: the others get what they want", async () => {
    const merchant = await shop({ first: { notify: "all" }, second: { notify: "all" } });
    answers.set(merchant.pathOf("second"), 410);
    await buy(merchant.testKey, "one", "08031234567");
    await arrived(merchant, "second", 1);
    const endpoints = async () => (await app.call(merchant.testKey, "/webhook/endpoints")).body.endpoints;
    await waitUntil(async () => (await endpoints())[1].disabled_reason === "gone", "the endpoint to be switched off");
    expect((await endpoints())[0]).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    await buy(merchant.testKey, "two", "08031234567");
    await arrived(merchant, "first", 2);
    expect(merchant.at("second")).toHaveLength(1);
  });

  test("or was removed drops what it is still owed, and nothing of it goes to another", async () => {
    const merchant = await shop({ first: {}, second: { notify: "all" } });
    answers.set(merchant.pathOf("second"), 500);
    await buy(merchant.testKey, "one", "08031234567");
    await arrived(merchant, "second", 1);
    const [, second] = (await app.call(merchant.testKey, "/webhook/endpoints")).body.endpoints;
    await app.call(merchant.testKey, `/webhook/endpoints/${second.id}`, { method: "DELETE" });
    answers.clear();
    await app.fresh.pool.query("update webhook_outbox set due_at = now() where abs(wallet_id) = $1", [merchant.id]);
    const due = async () =>
      (await app.fresh.pool.query("select 1 from webhook_outbox where abs(wallet_id) = $1", [merchant.id])).rowCount;
    await waitUntil(async () => (await due()) === 0, "what it was owed to be dropped");
    expect([merchant.at("first").length, merchant.at("second").length]).toEqual([0, 1]);
  });

  test("or was turned to the other mode drops what it is owed of this one", async () => {
    const merchant = await shop({ first: {}, second: { notify: "all" } });
    answers.set(merchant.pathOf("second"), 500);
    await buy(merchant.testKey, "one", "08031234567");
    await arrived(merchant, "second", 1);
    const [, second] = (await app.call(merchant.testKey, "/webhook/endpoints")).body.endpoints;
    await app.call(merchant.testKey, `/webhook/endpoints/${second.id}`, { method: "PUT", body: { mode: "live" } });
    answers.clear();
    await app.fresh.pool.query("update webhook_outbox set due_at = now() where abs(wallet_id) = $1", [merchant.id]);
    const due = async () =>
      (await app.fresh.pool.query("select 1 from webhook_outbox where abs(wallet_id) = $1", [merchant.id])).rowCount;
    await waitUntil(async () => (await due()) === 0, "what it was owed to be dropped");
    expect(merchant.at("second")).toHaveLength(1);
    const refused = await app.call(merchant.testKey, "/webhook/test", { body: { endpoint_id: second.id } });
    expect([refused.status, refused.body.code]).toEqual([409, "DELIVERY_NOT_RESENDABLE"]);
  });
});
