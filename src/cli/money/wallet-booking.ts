import { creditMerchant } from "../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { adviseWhenUnknown } from "../failures.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";
import type { Session } from "../session.ts";

interface Booking {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  /** In kobo; below zero where it takes back. */
  readonly amount: Kobo;
  readonly reason: string;
}

/** Books on a wallet what needs no bank reference: a debit, or a credit of the sandbox. @returns the balance after it */
export async function bookOnWallet(session: Session, booking: Booking): Promise<Kobo> {
  const advice = adviseToLook(booking.merchantId);
  return (await creditMerchant(session, booking).catch(advice)).balance;
}

/** Says what to do where a booking on a merchant's wallet may have been carried out. */
export function adviseToLook(merchantId: MerchantId): (error: unknown) => never {
  return adviseWhenUnknown(
    `It may have been booked: look with wallet ${formatMerchantId(merchantId)} before you repeat it.`,
  );
}

/** Tells what a wallet holds after a booking. @returns the exit code */
export function tellBalance(
  { merchantId, mode }: Pick<Booking, "merchantId" | "mode">,
  balance: Kobo,
  { json }: JsonOption,
): void {
  const id = formatMerchantId(merchantId);
  if (json) printJson({ merchant_id: id, mode, balance: formatNaira(balance) });
  else printLine(`The ${mode} wallet of ${id} holds ${formatNaira(balance)} now.`);
}
