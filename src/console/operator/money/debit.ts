import { creditMerchant } from "../../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { assert } from "../../../kernel/assert.ts";
import { formatNaira, type Kobo, kobo, parseNaira } from "../../../kernel/money.ts";
import { moneyText } from "../../kit/parts/text.tsx";
import { matrix } from "../access.ts";
import type { TwoPeople } from "../approvals/two-people.ts";
import { merchantIn } from "../merchants/found-merchant.ts";
import { presentWallet } from "./undo-credit.tsx";

/** What a person asks for: `amount` is positive. */
export function debitRequest({ id, name }: Pick<MerchantRow, "id" | "name">, amount: Kobo, reason: string) {
  const merchant = formatMerchantId(id);
  const fields = { merchant, name, amount: formatNaira(amount), reason };
  return { summary: `Take ${moneyText(amount)} back from ${name} (${merchant})`, fields };
}

/** Takes back what was credited by mistake, no more than the live wallet holds. */
export const debit: TwoPeople = {
  kind: "wallet debit",
  ask: matrix.move_money.roles,
  approve: ["admin", "finance"],
  async carryOut(_services, database, payload) {
    const merchantId = merchantIn(payload);
    const amount = parseNaira(payload.amount);
    assert(amount !== null, "only amounts are asked for");
    const booking = { merchantId, mode: "live", amount: kobo(-amount), reason: String(payload.reason) } as const;
    const { balance } = await creditMerchant({ database }, booking);
    return `${moneyText(amount)} taken back from ${formatMerchantId(merchantId)}. It holds ${moneyText(balance)} now.`;
  },
  show: ({ reads }, fields) => presentWallet(reads, fields),
};
