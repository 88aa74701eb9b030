import { walletOfId } from "../../kernel/ids.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import type { Database } from "../../platform/database/database.ts";
import { type NoticeServices, writeMoneyAdded } from "../members/notices/notices.ts";
import type { Endpoints } from "../webhooks/endpoints/queries.ts";
import type { Stamps } from "../webhooks/events/outbox-event.ts";
import { enqueueEvent } from "../webhooks/log/outbox.ts";
import { formatPaymentNumber, reasonFor } from "./payment.ts";
import { type FundedPayment, type UnannouncedPayment, updatePaymentsAnnounced } from "./payment-queries.ts";

export interface PaymentNewsServices {
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly stamps: Stamps;
  readonly people: NoticeServices;
}

/**
 * Owes the merchants of credited payments their events and emails, where they are wanted, in one commit. Safe to repeat, and
 * beside others that do.
 */
export async function announcePayments(
  { database, endpoints, stamps, people }: PaymentNewsServices,
  payments: readonly UnannouncedPayment[],
): Promise<void> {
  const walletIds = [...new Set(payments.map(({ walletId }) => walletId))];
  const found = new Map(
    await Promise.all(walletIds.map(async (id) => [id, await endpoints.find(walletOfId(id))] as const)),
  );
  await database.transaction(async (tx) => {
    for (const funded of await updatePaymentsAnnounced(tx, payments)) {
      const wallet = walletOfId(funded.walletId);
      const change = { wallet, event: "wallet.funded", subject: null, how: "changed" } as const;
      const data = () => fundedData(funded, stamps);
      await enqueueEvent(tx, found.get(funded.walletId) ?? [], { ...change, data }, stamps);
      await writeMoneyAdded(tx, people, {
        merchantId: wallet.merchantId,
        amount: funded.credited,
        reason: reasonFor(funded),
        fee: subtract(funded.amount, funded.credited),
        balance: funded.balanceAfter,
      });
    }
  });
}

function fundedData(funded: FundedPayment, { wallTime }: Pick<Stamps, "wallTime">) {
  const { sender } = funded;
  return {
    payment_id: formatPaymentNumber(funded.number),
    amount: formatNaira(funded.amount),
    fee: formatNaira(funded.fee),
    credited: formatNaira(funded.credited),
    balance_after: formatNaira(funded.balanceAfter),
    currency: "NGN",
    account_number: funded.accountNumber,
    sender_name: sender.name,
    sender_bank: sender.bank,
    session_id: sender.sessionId,
    narration: sender.narration,
    paid_at: wallTime.format(funded.paidAt),
    credited_at: wallTime.format(funded.creditedAt),
  };
}
