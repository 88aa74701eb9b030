import { type WalletKey, walletIdOf, walletOfId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira, type Kobo, subtract, zeroKobo } from "../../kernel/money.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { type NoticeServices, writeMoneyAdded } from "../members/notices/notices.ts";
import type { Endpoints } from "../webhooks/endpoints/queries.ts";
import type { Stamps } from "../webhooks/events/outbox-event.ts";
import { enqueueEvents } from "../webhooks/log/outbox.ts";
import { formatPaymentNumber, reasonFor } from "./payment.ts";
import {
  deletePaymentAnnouncements,
  type FundedPayment,
  type UnannouncedPayment,
} from "./payment-announcement-queries.ts";
import { type FundedLine, type UnannouncedLine, updateLineAnnounced } from "./statements/line-queries.ts";

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
export function announcePayments(
  services: PaymentNewsServices,
  payments: readonly UnannouncedPayment[],
): Promise<void> {
  const wallets = payments.map(({ walletId }) => walletOfId(walletId));
  const numbers = payments.map(({ number }) => number);
  return announce(services, wallets, async (tx) =>
    (await deletePaymentAnnouncements(tx, numbers)).map((funded) => newsOfPayment(funded, services.stamps)),
  );
}

/** The same of a bank statement's line that was credited. */
export function announceLine(services: PaymentNewsServices, { number, merchantId }: UnannouncedLine): Promise<void> {
  const wallet: WalletKey = { merchantId, mode: "live" };
  return announce(services, [wallet], async (tx) => {
    const funded = await updateLineAnnounced(tx, number);
    return funded === null ? [] : [{ wallet, ...newsOfLine(funded, services.stamps) }];
  });
}

interface News {
  readonly data: () => JsonObject;
  readonly amount: Kobo;
  readonly reason: string;
  readonly fee: Kobo;
  readonly balance: Kobo;
}

type NewsOf = News & { readonly wallet: WalletKey };

/** `mark`: takes the marks that credits' commits left; what another process took is not among its news. */
async function announce(
  { database, endpoints, stamps, people }: PaymentNewsServices,
  wallets: readonly WalletKey[],
  mark: (tx: Tx) => Promise<readonly NewsOf[]>,
): Promise<void> {
  const each = new Map(wallets.map((wallet) => [walletIdOf(wallet), wallet]));
  const found = new Map(
    await Promise.all([...each].map(async ([id, wallet]) => [id, await endpoints.find(wallet)] as const)),
  );
  await database.transaction(async (tx) => {
    const news = await mark(tx);
    if (news.length === 0) return;
    const changes = news.map(({ wallet, data }) => ({
      endpoints: found.get(walletIdOf(wallet)) ?? [],
      change: { wallet, event: "wallet.funded", subject: null, how: "changed", data } as const,
    }));
    await enqueueEvents(tx, changes, stamps);
    const added = news.map(({ wallet: { merchantId }, data: _, ...moved }) => ({ merchantId, ...moved }));
    await writeMoneyAdded(tx, people, added);
  });
}

function newsOfPayment(funded: FundedPayment, { wallTime }: Pick<Stamps, "wallTime">): NewsOf {
  const { sender, credited } = funded;
  const wallet = walletOfId(funded.walletId);
  const fee = subtract(funded.amount, credited);
  const data = () => ({
    payment_id: formatPaymentNumber(funded.number),
    amount: formatNaira(funded.amount),
    fee: formatNaira(funded.fee),
    credited: formatNaira(credited),
    balance_after: formatNaira(funded.balanceAfter),
    currency: "NGN",
    account_number: funded.accountNumber,
    sender_name: sender.name,
    sender_bank: sender.bank,
    session_id: sender.sessionId,
    bank_reference: null,
    narration: sender.narration,
    paid_at: wallTime.format(funded.paidAt),
    credited_at: wallTime.format(funded.creditedAt),
  });
  return { wallet, data, amount: credited, reason: reasonFor(funded), fee, balance: funded.balanceAfter };
}

/** As a field of the event bounds it. */
const narrationMax = 200;
/** What a cut may leave of a sign beyond the first 65,536. */
const halfLetter = /[\uD800-\uDBFF]$/;

/** A statement has neither a time nor a session id, and who sent it stands in its narration alone. */
function newsOfLine(funded: FundedLine, { wallTime }: Pick<Stamps, "wallTime">): News {
  const { amount, reason, balanceAfter: balance, creditedAt } = funded;
  const data = () => ({
    payment_id: `crd_${funded.creditId}`,
    amount: formatNaira(amount),
    fee: formatNaira(zeroKobo),
    credited: formatNaira(amount),
    balance_after: formatNaira(balance),
    currency: "NGN",
    account_number: funded.accountNumber,
    sender_name: funded.senderName,
    sender_bank: funded.senderBank,
    session_id: null,
    bank_reference: funded.bankReference,
    narration: funded.narration.slice(0, narrationMax).replace(halfLetter, ""),
    paid_at: wallTime.format(wallTime.startOfDay(funded.paidOn) ?? creditedAt),
    credited_at: wallTime.format(creditedAt),
  });
  return { data, amount, reason, fee: zeroKobo, balance };
}
