import { amountRange } from "../../../categories/product/amounts.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { BillerView } from "../../../domain/catalogue/snapshot.ts";
import { add, type Kobo } from "../../../kernel/money.ts";
import { moneyText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";

/** Whether a product can be bought now. */
export function isOnOffer({ available, replacedBy, biller }: Product): boolean {
  return available && replacedBy === null && biller.status !== "unavailable";
}

/** What the visit's person may see that a sale costs: the shop, or its customer. */
export function payable({ may }: Pick<ModeVisit, "may">, price: Record<"amount" | "fee" | "total", Kobo>): Kobo {
  return may("see_costs") ? price.total : add(price.amount, price.fee);
}

const wordsMax = 20;

export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax);
}

/** The products whose names and numbers have each word, without those that another took the place of. */
export function productsWith(words: readonly string[], views: readonly BillerView[]): readonly Product[] {
  const all = views.flatMap(({ products }) => products).filter(({ replacedBy }) => replacedBy === null);
  return all.filter(({ name, plan, code, id, biller }) => {
    const names = [name, plan, code, id, biller.name, biller.slug, biller.network, biller.category];
    const text = names.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `₦50.00 to ₦50,000.00`: the amounts that may be named; null where any may be. */
export function amountsText(product: Product): string | null {
  const { min_amount: least, max_amount: most } = amountRange([product]);
  const say = (amount: string) =>
    product.faceCurrency === "NGN" ? moneyText(amount) : `${product.faceCurrency} ${amount}`;
  return least === null || most === null ? null : `${say(least)} to ${say(most)}`;
}
