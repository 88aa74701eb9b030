import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { Wallet } from "../../../domain/wallet/queries.ts";
import { type PurchaseId, purchaseTime } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import { formatNaira, type Kobo, subtract, zeroKobo } from "../../../kernel/money.ts";
import { customerText } from "../../kit/delivered.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { countText, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import { boughtPath } from "./customers.ts";
import { payable } from "./offer.ts";
import type { Chosen, Holder, Priced } from "./price-sale.ts";
import { debtSentence, moreMoney, tooLow } from "./selling.tsx";

/** What decides whether a wallet can pay. */
export type WalletState = Pick<Wallet, "balance" | "debt">;

interface PayProps {
  readonly chosen: Chosen;
  readonly priced: Priced | null;
  readonly sold: Purchase | null;
  readonly holder: Holder;
  readonly wallet: WalletState;
  /** When the same was sold to the same number, a few minutes ago; null where it wasn't. */
  readonly soldBefore: PurchaseId | null;
  /** Nothing is left to be typed. */
  readonly isFocused: boolean;
}

/** The field that says which sale was seen before this one was meant to be made again. */
export const againField = "again";
/** The field that says what the customer pays, as whoever may not see costs agreed to it. */
export const payableField = "asked";

/** The price, what it is made of, and the button that pays it. */
export function Pay({ chosen, priced, sold, soldBefore, holder, wallet, isFocused }: PayProps) {
  const visit = useVisit();
  const head = visit.may("see_costs") ? { title: "You pay", note: "from your wallet" } : { title: "The customer pays" };
  if (priced === null) {
    return (
      <Sheet {...head}>
        <p class="quiet">You see the price here before you pay. Nothing is charged yet.</p>
      </Sheet>
    );
  }
  const { preview, reference } = priced;
  if (sold !== null) {
    return (
      <Sheet title="Already sold">
        <p>You already made this sale. It was charged once.</p>
        <div class="buttons">
          <ButtonLink href={boughtPath(visit, reference)} kind="main">
            Open the sale
          </ButtonLink>
          <ButtonLink href={visit.to("buy")}>Sell something else</ButtonLink>
        </div>
      </Sheet>
    );
  }
  const { category } = chosen;
  const { requested, price } = preview;
  const { total } = price;
  const shown = payable(visit, price);
  const { customerRef } = requested;
  const hidden = {
    [visit.may("see_costs") ? "expected_price" : payableField]: formatNaira(shown),
    ...(soldBefore === null ? {} : { [againField]: String(soldBefore) }),
    ...(holder?.kind === "verified" ? { verification_id: holder.verified.verificationId } : {}),
  };
  return (
    <Sheet {...head}>
      <HiddenFields fields={hidden} />
      <p class="amount-large">
        <Money amount={shown} />
      </p>
      <Facts isMoney facts={pricesOf(visit, preview, wallet.balance)} />
      <Recipients recipients={requested.details.recipients} />
      <CannotPay total={total} wallet={wallet} />
      {soldBefore === null ? null : (
        <Flash kind="waiting">
          You sold this <SoldAgo id={soldBefore} />. Sell it again only if the customer wants it twice.
        </Flash>
      )}
      <button
        class="button main large wide"
        type="submit"
        formAction={visit.to(`buy/${category.slug}/order/${reference}`)}
        data-done={boughtPath(visit, reference)}
        autofocus={isFocused}
      >
        {buttonText(chosen, preview, shown)}
      </button>
      <p class="quiet">
        {customerRef === null || requested.details.recipients !== undefined ? null : (
          <>
            For <span class="phone">{customerText(customerRef)}</span>.{" "}
          </>
        )}
        Nothing is charged yet.
      </p>
    </Sheet>
  );
}

/** Why the wallet can't pay it, and what to do; nothing where it can. */
function CannotPay({ total, wallet: { balance, debt } }: { readonly total: Kobo; readonly wallet: WalletState }) {
  const visit = useVisit();
  if (debt === zeroKobo && balance >= total) return null;
  if (!visit.may("see_balance")) return <Flash kind="bad">{tooLow}</Flash>;
  const { page: name, action, capability } = moreMoney[visit.mode];
  return (
    <Flash kind="bad">
      {debt > zeroKobo
        ? debtSentence(debt)
        : `Your wallet holds ${moneyText(balance)}: ${moneyText(subtract(total, balance))} too little. ${action} first.`}{" "}
      {visit.may(capability) ? <a href={visit.to(name)}>Open {name}</a> : null}
    </Flash>
  );
}

/** `2 minutes ago, at 14:05:12`. */
function SoldAgo({ id }: { readonly id: PurchaseId }) {
  const at = purchaseTime(id);
  const minutes = Math.floor((useSurroundings().now - at) / 60_000);
  return (
    <>
      {minutes < 1 ? "a moment ago" : `${countText(minutes, "minute")} ago`}, at <Moment at={at} style="time" />
    </>
  );
}

/** `Buy 2 GB for ₦1,240`: what is bought and what it costs, without kobo where there are none. */
function buttonText({ product }: Chosen, { requested, price }: Priced["preview"], shown: Kobo): string {
  const short = (amount: bigint | string) => moneyText(amount).replace(/\.00$/, "");
  const amount = product.amountType === "variable" && product.faceCurrency === "NGN" ? `${short(price.amount)} ` : "";
  const times = requested.quantity > 1 ? `${requested.quantity} × ` : "";
  return `Buy ${times}${amount}${product.name} for ${short(shown)}`;
}

function pricesOf(visit: ModeVisit, { soldProduct, price }: Priced["preview"], balance: Kobo) {
  const { amount, quantity, total } = price;
  const name = `${quantity > 1 ? `${quantity} × ` : ""}${soldProduct.product.name}`;
  const left = visit.may("see_balance") ? subtract(balance, total) : null;
  return {
    [name]: <Money amount={amount} />,
    ...feeAndDiscount(visit, price),
    "Balance now": left !== null && left < 0n ? <Money amount={balance} /> : null,
    "Balance after": left !== null && left >= 0n ? <Money amount={left} /> : null,
  };
}

/** What is added to an amount and, for whoever may see costs, what is taken off it, where something is. */
export function feeAndDiscount(
  { may }: Pick<ModeVisit, "may">,
  { amount, discount, fee }: Record<"amount" | "discount" | "fee", Kobo>,
) {
  const percent = Number(((Number(discount) / Number(amount)) * 100).toFixed(2));
  return {
    Fee: fee > 0n ? <Money amount={fee} isSigned /> : null,
    [`Your discount, ${percent}%`]: discount > 0n && may("see_costs") ? <Money amount={-discount} /> : null,
  };
}

/** Everyone whom a message goes to, counted and listed; who is named twice gets it once. */
function Recipients({ recipients }: { readonly recipients: Json | undefined }) {
  if (!Array.isArray(recipients)) return null;
  const found = recipients as readonly { readonly phone: string; readonly error_code: string | null }[];
  const phones = found.filter(({ error_code: refusedAs }) => refusedAs === null).map(({ phone }) => phone);
  const repeated = found.length - phones.length;
  const count = `${phones.length}${repeated === 0 ? "" : `, and ${repeated} repeated, sent to once`}`;
  return <Facts facts={{ Recipients: count, "Their numbers": phones.map(customerText).join(", ") }} />;
}
