import { expect, test } from "vitest";
import { insertBookings } from "../../../src/domain/funding/payment-booking-queries.ts";
import { insertReceivedPayments } from "../../../src/domain/funding/payment-question-queries.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { rowsRead } from "../../support/rows-read.ts";

const fresh = closing(await freshDatabase());
const pool = { connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" } as const;
const database = closing(openDatabase(openPool(pool)));

// A service plans each statement once, also those that check foreign keys, and the first payment finds empty tables: two
// indexes that begin with the provider cost the same there, and one of them reads all of a provider's payments each time.
test("a session that booked the first payment of all reads no more for the thousandth", async () => {
  await fresh.pool.query("insert into payment_providers (name, connector) values ('bank', 'paystack')");
  const { rows } = await fresh.pool.query<{ id: MerchantId }>(
    `with added as (insert into merchants (name, email) values ('Ada', 'ada@example.com') returning id)
     insert into wallets (wallet_id) select id from added returning wallet_id as id`,
  );
  await receive(1, 1);
  await book(1);
  await receive(2, 1_000);
  expect(await rowsRead(database, "payments", () => book(1_000))).toBeLessThan(20);

  function receive(from: number, to: number) {
    const keys = Array.from({ length: to - from + 1 }, (_, index) => ({
      provider: "bank",
      paymentId: `T${from + index}`,
    }));
    return insertReceivedPayments(
      database,
      keys.map((key) => ({ ...key, evidence: "", leaseSeconds: 60, isRefund: false })),
    );
  }

  async function book(number: number): Promise<void> {
    const amount = kobo(5_000_000n);
    const sender = { name: "ADA EZE", bank: null, accountNumber: null, sessionId: null, narration: null };
    const about = { accountNumber: null, accountReference: null, sender, paidAt: Date.UTC(2026, 10, 30) };
    const booked = await insertBookings(database, [
      {
        ...{ provider: "bank", paymentId: `T${number}`, epoch: 0, walletId: rows[0]?.id ?? null, credited: amount },
        ...{ reason: "Transfer", evidence: "", isDue: false },
        transfer: { ...about, amount, fee: kobo(0n), takenBack: kobo(0n) },
      },
    ]);
    expect(booked).toEqual(["booked"]);
  }
});
