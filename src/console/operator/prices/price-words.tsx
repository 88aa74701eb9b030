import type { Product } from "../../../categories/product/product.ts";
import type { Price, PriceScope, UnitPrice } from "../../../domain/catalogue/pricing.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { feeText } from "../../../domain/suppliers/price-lists/difference-row.ts";
import type { Cost } from "../../../domain/suppliers/routing/route.ts";
import { formatHundredths } from "../../../kernel/money.ts";
import { currencyText, Money } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";

/** Whether something is for sale, by us. */
export const offerState = states({ on: ["on sale", "good"], off: ["off sale", "stop"] });

export const pricesPath = "/operator/prices";
export const changesPath = `${pricesPath}/changes`;

export function productPath({ id }: Pick<Product, "id">): string {
  return `${pricesPath}/products/${id}`;
}

export function scopeName(scope: PriceScope): string {
  switch (scope.of) {
    case "everyone":
      return "Base price";
    case "tier":
      return `Tier ${scope.tier}`;
    case "merchant":
      return formatMerchantId(scope.merchantId);
  }
}

/** A price as it is typed: `1,985.00`, `97.5%`. */
export function typedPrice(price: UnitPrice): string {
  if (price.kind === "percent") return shareText(price.basisPoints);
  return formatHundredths(price.kobo).replace(/\B(?=(\d{3})+\.)/g, ",");
}

/** A price with its fee; a share is one of the amount that the customer names, or of the face value. */
export function PriceText({ price }: { readonly price: Price | null }) {
  if (price === null) return <>none of its own</>;
  return (
    <>
      <CostText cost={price} />
      {price.fee === null ? null : <small>{`and ${feeText(price.fee)} fee`}</small>}
    </>
  );
}

export function CostText({ cost }: { readonly cost: Cost }) {
  if (cost.kind === "fixed") return <Money amount={cost.kobo} />;
  if (cost.kind === "percent") return <span class="money">{shareText(cost.basisPoints)}</span>;
  return <span class="money">{currencyText(cost.hundredths, cost.currency)}</span>;
}

/** What is left of a price, as a share of it; below zero in red, and a dash where no supplier has a cost. */
export function MarginText({ margin }: { readonly margin: { readonly share: bigint } | null }) {
  if (margin === null) return <>–</>;
  const text = shareText(margin.share);
  return margin.share < 0n ? <b class="ink-bad">{text}</b> : text;
}

/** Hundredths of a percent as a percentage, `97.5%`; below zero with a true minus. */
export function shareText(share: bigint): string {
  const text = formatHundredths(share < 0n ? -share : share).replace(/\.?0+$/, "");
  return `${share < 0n ? "−" : ""}${text}%`;
}

export function movedText(share: bigint): string {
  return share > 0n ? `+${shareText(share)}` : shareText(share);
}
