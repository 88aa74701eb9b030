import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatHundredths } from "../../kernel/money.ts";
import type { ListedCost, ListedProduct } from "../contract.ts";
import type { CatalogueList, Question } from "../dialect.ts";
import { koboOf, listAt, objectOf, type Reply, textAt } from "../reply.ts";
import type { Service } from "./services.ts";

const productsOfPage = 200;
const basisPointsOfWhole = 10_000n;

/** Their gift cards; of a card with fixed values, each value is a product. */
export function giftcardList(service: Service): CatalogueList {
  const pageOf = (page: number) => service.question("GET", `/products?size=${productsOfPage}&page=${page}`);
  return {
    category: "giftcard",
    question: pageOf(1),
    read({ json }: Reply, requested: Question) {
      const page = Number(/page=([0-9]+)$/.exec(requested.path)?.[1]);
      // Asked for, pages count from 1, and told from 0. Counted in another way, one would be missing.
      if (!Array.isArray(json.content) || typeof json.last !== "boolean" || json.number !== page - 1) return null;
      // They always have some.
      if (page === 1 && json.content.length === 0) return null;
      const products = json.content.flatMap((row) => productsIn(objectOf(row) ?? {}));
      return { products, next: json.last ? null : pageOf(page + 1) };
    },
  };
}

function productsIn(row: JsonObject): readonly ListedProduct[] {
  const productId = textAt(row, "productId");
  const name = textAt(row, "productName");
  const currency = textAt(row, "recipientCurrencyCode");
  // Some want the customer's number with the brand, for which our gift cards have no field.
  const isSold = (row.status ?? "ACTIVE") === "ACTIVE";
  if (productId === null || name === null || currency === null || !isSold || needsUserId(row)) return [];
  const biller = textAt(row, "brand", "brandName") ?? name;
  const product = { category: "giftcard", supplierCode: productId, name, biller };
  if (row.denominationType === "RANGE") return [{ ...product, face: null, cost: shareOf(row) }];
  const values = listAt(row, "fixedRecipientDenominations");
  return values.flatMap((value, index) => {
    const hundredths = koboOf(textAt(value));
    if (hundredths === null) return [];
    const face = formatHundredths(hundredths);
    return {
      ...product,
      supplierCode: `${productId}/${face}`,
      name: `${name.slice(0, 180)} ${currency} ${face}`,
      face: { currency, hundredths },
      cost: costOf(row, index, values.length),
    };
  });
}

function needsUserId({ additionalRequirements }: JsonObject): boolean {
  return objectOf(additionalRequirements)?.userIdRequired === true;
}

/** What a card of the nth value takes from our account: its price, fees added, discount taken off. */
function costOf(row: JsonObject, index: number, count: number): ListedCost | null {
  const prices = listAt(row, "fixedSenderDenominations");
  const price = prices.length === count ? hundredthsOf(prices[index]) : null;
  const fee = hundredthsOf(row.senderFee ?? 0);
  const currency = textAt(row, "senderCurrencyCode");
  const share = shareIn(row);
  if (price === null || fee === null || share === null || currency === null) return null;
  // Up: a cost must not be reckoned too low.
  const hundredths = (price * share + basisPointsOfWhole - 1n) / basisPointsOfWhole + fee;
  return { kind: "fixed", currency, hundredths };
}

/** Of any value: a share of it, where no fee of a fixed amount comes on top. A route's share is at most the whole. */
function shareOf(row: JsonObject): ListedCost | null {
  const share = shareIn(row);
  if (share === null || share > basisPointsOfWhole || hundredthsOf(row.senderFee ?? 0) !== 0n) return null;
  return { kind: "percent", basisPoints: Number(share) };
}

/** In hundredths of a percent of the price: the whole, the fee's percentage, less the discount's. */
function shareIn(row: JsonObject): bigint | null {
  const fee = hundredthsOf(row.senderFeePercentage ?? 0);
  const discount = koboOf(textAt(row.discountPercentage ?? 0));
  return fee === null || discount === null ? null : basisPointsOfWhole + fee - discount;
}

/** Rounded up: they reckon in five decimals. */
function hundredthsOf(value: Json | undefined): bigint | null {
  const text = textAt(value);
  const cut = koboOf(text);
  return cut === null ? null : cut + (/\.[0-9]{2}[0-9]*[1-9]/.test(text ?? "") ? 1n : 0n);
}
