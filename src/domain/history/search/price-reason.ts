import type { Product } from "../../../categories/product/product.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import { quote } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import type { Purchase } from "../../purchases/purchase.ts";

const nobody = 0 as MerchantId;
const noTier = 0;

/**
 * Why a sale cost what it cost: which of the merchant's prices counts, and where today's would make another total, that
 * total. Prices are not kept with sales.
 */
export function priceReason(
  catalogue: Pick<CatalogueSnapshot, "priceOf">,
  product: Product,
  { wallet, unitAmount, quantity, total }: Pick<Purchase, "wallet" | "unitAmount" | "quantity" | "total">,
  priceTier: number,
): string {
  const price = catalogue.priceOf(product, { merchantId: wallet.merchantId, priceTier });
  const ofTier = catalogue.priceOf(product, { merchantId: nobody, priceTier });
  const ofAll = catalogue.priceOf(product, { merchantId: nobody, priceTier: noTier });
  const whose =
    price !== ofTier
      ? "the merchant’s own price"
      : ofTier !== ofAll
        ? `the price of tier ${priceTier}`
        : "the base price";
  const amount = product.amountType === "variable" ? unitAmount : null;
  // The rate of a foreign amount may be another by now, and the amount itself is not kept.
  if (amount !== null && product.fxRate !== null) return `by ${whose}`;
  const today = quote(product, price, { amount, quantity }).total;
  return today === total ? `by ${whose}` : `by the price of that moment; today ${whose} makes ${formatNaira(today)}`;
}
