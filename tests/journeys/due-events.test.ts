import { describe, expect, test, vi } from "vitest";
import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import { setLowBalanceThreshold } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";

const plan = 1002; // 640 naira in sandbox

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1 }));

interface Due {
  readonly event: string;
  readonly reference: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever would be sent
  readonly body: any;
}

/** A merchant with a webhook that wants everything of a kind. */
async function listening(settings: Record<string, unknown> = {}): Promise<RegisteredMerchant> {
  const merchant = await app.createMerchant();
  const body = { url: "https://merchant.example/hook", ...settings };
  const answer = await app.call(merchant.testKey, "/webhook", { method: "PUT", body });
  expect(answer.status).toBe(200);
  return merchant;
}

const buy = (merchant: RegisteredMerchant, reference: string, phone: string) =>
  app.call(merchant.testKey, "/data/purchase", { body: { product_id: plan, phone, reference } });

async function deliveriesTo({ id }: RegisteredMerchant): Promise<Due[]> {
  const { rows } = await app.fresh.pool.query<Due>(
    "select event, reference, body::json as body from webhook_deliveries where abs(wallet_id) = $1 order by id",
    [id],
  );
  return rows;
}

async function waitFor(merchant: RegisteredMerchant, count: number): Promise<Due[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const due = await deliveriesTo(merchant);
    if (due.length >= count || Date.now() > deadline) return due;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("purchases", () => {
  test("an end that the response told is owed only to who wants all", async () => {
    const [changes, all] = [await listening(), await listening({ notify: "all" })];
    for (const merchant of [changes, all]) {
      expect((await buy(merchant, "good", "08031234567")).body.status).toBe("successful");
      expect((await buy(merchant, "bad", "08031230002")).body.status).toBe("failed");
    }
    expect(await deliveriesTo(changes)).toEqual([]);
    const due = await deliveriesTo(all);
    expect(due.map(({ event, reference }) => [event, reference])).toEqual([
      ["transaction.successful", "good"],
      ["transaction.failed", "bad"],
    ]);
  });

  test("a purchase right after the settings were saved is told by them", async () => {
    for (let round = 0; round < 5; round++) {
      const merchant = await app.createMerchant();
      // From now on the process remembers that nothing is set.
      await buy(merchant, "before", "08031234567");
      const body = { url: "https://merchant.example/hook", notify: "all" };
      await app.call(merchant.testKey, "/webhook", { method: "PUT", body });
      await buy(merchant, "after", "08031234567");
      expect((await deliveriesTo(merchant)).map(({ reference }) => reference)).toEqual(["after"]);
    }
  });

  test("an end after the response is owed once, with the transaction as it is then and without its secrets", async () => {
    const merchant = await listening();
    expect((await buy(merchant, "later", "08031230003")).status).toBe(202);
    const [due, ...more] = await waitFor(merchant, 1);
    expect(more).toEqual([]);
    const stored = (await app.call(merchant.testKey, "/transactions/later")).body;
    const { delivery, status_history, ...transaction } = stored; // the history is the requery's alone
    expect(status_history).toHaveLength(2);
    expect(due).toMatchObject({ event: "transaction.successful", reference: "later" });
    expect(due?.body).toEqual({
      event: "transaction.successful",
      mode: "test",
      delivery_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event_id: expect.stringMatching(/^evt_[0-9a-v]{13}s$/),
      sent_at: expect.any(String),
      data: { ...transaction, delivery: { kind: delivery.kind, has_delivery: true }, sandbox: true },
    });
  });

  test("an end that the response told is told alike by its webhook, but for what was delivered", async () => {
    const merchant = await listening({ notify: "all" });
    const { body: answer } = await buy(merchant, "told", "08031234567");
    const [due] = await deliveriesTo(merchant);
    expect(answer.delivery.kind).toBe("topup");
    expect(due?.body.data).toEqual({ ...answer, delivery: { kind: "topup", has_delivery: true } });
  });

  const broken = async () =>
    (await checkLedger(app.services.database)).flatMap(({ invariant, broken: rows }) =>
      rows.map(() => invariant.slice(0, 11)),
    );

  test("the ledger's check sees an event that is owed twice at once", async () => {
    const merchant = await listening({ notify: "all" });
    await buy(merchant, "owed", "08031234567");
    const double = `insert into webhook_outbox (wallet_id, delivery_id, lane)
                    select wallet_id, id, $2
                      from webhook_deliveries
                     where abs(wallet_id) = $1`;
    await app.fresh.pool.query("delete from webhook_outbox where abs(wallet_id) = $1", [merchant.id]);
    await app.fresh.pool.query(double, [merchant.id, "later"]);
    expect(await broken()).toEqual([]);
    await app.fresh.pool.query(double, [merchant.id, "manual"]);
    expect(await broken()).toEqual(["6 no delive"]);
    await app.fresh.pool.query("delete from webhook_outbox where abs(wallet_id) = $1", [merchant.id]);
  });

  test("the ledger's check sees a second event about one end, and an end that lost its event", async () => {
    const merchant = await listening({ notify: "all" });
    await buy(merchant, "twice", "08031234567");
    const { rows } = await app.fresh.pool.query(
      `insert into webhook_deliveries (wallet_id, id, event, reference, subject_id, body)
       select wallet_id, (left(id::text, 32) || '0000')::uuid, event, reference, subject_id, body
         from webhook_deliveries
        where abs(wallet_id) = $1
       returning id`,
      [merchant.id],
    );
    expect(await broken()).toEqual(["6 every end"]);
    await app.fresh.pool.query("delete from webhook_deliveries where id = $1", [rows[0].id]);
    expect(await broken()).toEqual([]);
    await app.fresh.pool.query("update webhook_deliveries set id = $2 where abs(wallet_id) = $1", [
      merchant.id,
      rows[0].id,
    ]);
    expect(await broken()).toEqual(["6 every end", "6 every end"]);
    await app.fresh.pool.query(
      "update webhook_deliveries d set id = p.delivery_id from purchases p where p.id = d.subject_id and d.id = $1",
      [rows[0].id],
    );
  });

  test("events that the merchant did not choose, and a webhook that is off, are owed nothing", async () => {
    const choosy = await listening({ notify: "all", events: ["transaction.failed"] });
    const off = await listening({ notify: "all", enabled: false });
    for (const merchant of [choosy, off]) {
      await buy(merchant, "good", "08031234567");
      await buy(merchant, "bad", "08031230002");
    }
    expect((await deliveriesTo(choosy)).map(({ event }) => event)).toEqual(["transaction.failed"]);
    expect(await deliveriesTo(off)).toEqual([]);
  });
});

describe("bulk orders", () => {
  test("the order's end is owed once, after its last line, and lines that ended later have their own events", async () => {
    const merchant = await listening();
    const items = ["08031234567", "08031230002", "08031230003"].map((phone) => ({ phone, product_id: plan }));
    const answer = await app.call(merchant.testKey, "/data/bulk", { body: { reference: "order", items } });
    expect(answer.status).toBe(202);
    const due = await waitFor(merchant, 2);
    expect(due.map(({ event, reference }) => [event, reference])).toEqual([
      ["transaction.successful", "order-3"],
      ["bulk.completed", "order"],
    ]);
    expect(due[1]?.body.data).toMatchObject({
      reference: "order",
      status: "partially_completed",
      successful: 2,
      failed: 1,
      pending: 0,
      sandbox: true,
    });
    expect(due[1]?.body.data).not.toHaveProperty("items");
  });

  test("an order that was over in its own response is announced, too, and with all so are its lines", async () => {
    const merchant = await listening({ notify: "all" });
    const items = ["08031234567", "08031234568"].map((phone) => ({ phone, product_id: plan }));
    const answer = await app.call(merchant.testKey, "/data/bulk", { body: { reference: "at-once", items } });
    expect([answer.status, answer.body.status]).toEqual([201, "completed"]);
    const due = await waitFor(merchant, 3);
    expect(due.map(({ event, reference }) => `${event} ${reference}`).sort()).toEqual([
      "bulk.completed at-once",
      "transaction.successful at-once-1",
      "transaction.successful at-once-2",
    ]);
  });
});

describe("bulk orders of a merchant who hears of changes alone", () => {
  test.each([
    ["all of it succeeded", ["08031234567", "08031234568"], "completed"],
    ["some of it failed", ["08031234567", "08031230002"], "partially_completed"],
    ["all of it failed", ["08031230002"], "failed"],
  ])("an order whose own response told that %s is not told again", async (_, phones, status) => {
    const merchant = await listening();
    const items = phones.map((phone) => ({ phone, product_id: plan }));
    const answer = await app.call(merchant.testKey, "/data/bulk", { body: { reference: "at-once", items } });
    expect([answer.status, answer.body.status]).toEqual([201, status]);
    await vi.waitFor(async () => {
      const { rows } = await app.fresh.pool.query(
        "select completion_announced from bulk_orders where abs(wallet_id) = $1",
        [merchant.id],
      );
      expect(rows).toEqual([{ completion_announced: true }]);
    }, 10_000);
    expect(await deliveriesTo(merchant)).toEqual([]);
  });
});

describe("low balance", () => {
  test("a fall below the threshold is owed once, and the next one only after the balance was up again", async () => {
    const merchant = await listening();
    const wallet = { merchantId: merchant.id, mode: "test" } as const;
    await setLowBalanceThreshold(app.services, wallet, kobo(9_900_000n)); // 99,000 of 100,000 naira
    await buy(merchant, "first", "08031234567"); // 99,360 left
    expect(await deliveriesTo(merchant)).toEqual([]);
    await buy(merchant, "second", "08031234567");
    await waitFor(merchant, 1);
    await buy(merchant, "third", "08031234567");
    // What falls later is announced no earlier.
    const later = await listening();
    await setLowBalanceThreshold(app.services, { merchantId: later.id, mode: "test" }, kobo(9_990_000n));
    await buy(later, "later", "08031234567");
    await waitFor(later, 1);
    const due = await deliveriesTo(merchant);
    expect(due.map(({ event }) => event)).toEqual(["wallet.low_balance"]);
    expect(due[0]?.body.data).toEqual({
      balance: "98720.00",
      threshold: "99000.00",
      currency: "NGN",
      updated_at: expect.any(String),
      sandbox: true,
    });

    await app.call(merchant.testKey, "/sandbox/reset", { method: "POST", body: {} });
    await buy(merchant, "fourth", "08031234567");
    await buy(merchant, "fifth", "08031234567");
    expect((await waitFor(merchant, 2)).map(({ event }) => event)).toEqual([
      "wallet.low_balance",
      "wallet.low_balance",
    ]);
  });
});

describe("the catalogue", () => {
  test("a price of the merchant's own is told in both modes, some seconds later and to nobody else", async () => {
    const [merchant, other] = [await listening(), await listening()];
    const scope = { of: "merchant", merchantId: merchant.id } as const;
    const price = { kind: "fixed", kobo: kobo(63_000n) } as const;
    await setPrice(app.services.database, { productId: plan as ProductId, scope, price });
    const due = await waitFor(merchant, 2);
    expect(due.map(({ event, body }) => [event, body.mode]).sort()).toEqual([
      ["catalogue.updated", "live"],
      ["catalogue.updated", "test"],
    ]);
    for (const { body } of due) {
      const data = { billers: ["mtn-data"], products: [plan], updated_at: expect.any(String) };
      expect(body.data).toEqual(body.mode === "test" ? { ...data, sandbox: true } : data);
    }
    expect(await deliveriesTo(other)).toEqual([]);
  });
});
