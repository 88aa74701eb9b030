import { expect, vi } from "vitest";
import { type ConsoleAnswer, type StaffClient, startConsole } from "./console.ts";
import { openFakeSupplier, rawText, vended } from "./fake-supplier.ts";
import { middayZone } from "./midday.ts";

export const electricityWish = {
  ...{ biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", amount: "5000.00" },
};
export const prepaidToken = "26362054405982757802";

/** A sale of the console's merchant. */
export interface Sold {
  readonly reference: string;
  readonly id: string;
}

/** A company of three people whose supplier `first` delivers what is sold, and never says it of what is parked. */
export async function startReview() {
  const supplier = openFakeSupplier("first");
  const service = await startConsole({ suppliers: [supplier], workers: true, timeZone: middayZone });
  const { app } = service;
  const [ada, bola, support] = [
    await service.staff("admin"),
    await service.staff("finance"),
    await service.staff("support"),
  ];
  let references = 0;

  async function rows(text: string, values: unknown[] = []) {
    return (await app.fresh.pool.query(text, values)).rows;
  }

  async function sell(below = "/data/purchase", wish: object = { product_id: 1002 }): Promise<Sold> {
    references += 1;
    const body = { reference: `shop-${references}`, phone: "08031234567", ...wish };
    const answer = await app.call(app.merchant.liveKey, below, { body });
    expect(answer.status).toBeLessThan(300);
    return { reference: answer.body.reference, id: answer.body.transaction_id };
  }

  /** Sold, and waiting for a person. */
  async function parked(below?: string, wish?: object): Promise<Sold> {
    supplier.answer = { kind: "unknown", evidence: rawText, askNobody: true };
    const sale = await sell(below, wish);
    supplier.answer = vended;
    const step = async () => (await rows("select step from inflight order by purchase_id desc limit 1"))[0]?.step;
    await vi.waitFor(async () => expect(await step()).toBe("review"), { timeout: 60_000, interval: 20 });
    // Else the breaker stops the supplier.
    await sell();
    return sale;
  }

  /** Sold, declined and refunded. */
  async function failed(): Promise<Sold> {
    supplier.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: rawText };
    references += 1;
    const body = { reference: `shop-${references}`, phone: "08031234567", product_id: 1002 };
    const answer = await app.call(app.merchant.liveKey, "/data/purchase", { body });
    supplier.answer = vended;
    const sale = await present({ reference: body.reference, id: "" });
    expect([answer.status, sale.status]).toEqual([422, "failed"]);
    return { reference: body.reference, id: sale.transaction_id };
  }

  const present = async ({ reference }: Sold) =>
    (await app.call(app.merchant.liveKey, `/transactions/${reference}`)).body;
  const waiting = async (): Promise<string> =>
    `/operator/approvals/${(await rows("select max(id) as id from changes where state = 'waiting'"))[0].id}`;
  return {
    ...{ supplier, service, ada, bola, support, sell, parked, failed, rows, present, waiting },
    statusOf: async (sale: Sold): Promise<string> => (await present(sale)).status,
    balance: async () => Number((await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance),
    approve: async (person: StaffClient, at?: string): Promise<ConsoleAnswer> =>
      person.follow(await person.send(at ?? (await waiting()), { do: "approve" })),
    close: () => service.close(),
  };
}
