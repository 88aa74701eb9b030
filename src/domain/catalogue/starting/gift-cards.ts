import { basisPoints } from "../../../kernel/money.ts";
import type { Fee } from "../pricing.ts";
import type { StartingPart, StartingProduct } from "../starting-product.ts";
import { naira, percent, sampleData } from "../starting-product.ts";

type CardRow = readonly [
  firstId: number,
  slug: string,
  brand: string,
  country: string,
  currency: "USD" | "GBP" | "EUR" | "CAD" | "NGN",
  sellingPercent: number,
  /** Values of fixed cards. The n-th has the id `firstId + n`, from zero; the range, where there is one, `firstId + 9`. */
  values: readonly number[],
  range: readonly [minimum: number, maximum: number] | null,
];

/** Every brand and country has ten ids of its own. */
const rows: readonly CardRow[] = [
  [11001, "amazon-us", "Amazon", "US", "USD", 100, [10, 25, 50, 100], [1, 2_000]],
  [11011, "amazon-uk", "Amazon", "UK", "GBP", 100, [10, 25, 50, 100], [1, 1_000]],
  [11021, "amazon-de", "Amazon", "DE", "EUR", 100, [10, 25, 50, 100], [1, 1_000]],
  [11031, "amazon-ca", "Amazon", "CA", "CAD", 100, [25, 50, 100], [1, 1_000]],
  [11041, "apple-us", "Apple and iTunes", "US", "USD", 99, [5, 10, 25, 50, 100], [2, 500]],
  [11051, "google-play-us", "Google Play", "US", "USD", 99, [5, 10, 25, 50, 100], null],
  [11061, "google-play-uk", "Google Play", "UK", "GBP", 99, [5, 10, 25, 50], null],
  [11071, "google-play-de", "Google Play", "DE", "EUR", 99, [5, 15, 25, 50], null],
  [11081, "steam-us", "Steam", "US", "USD", 98.5, [5, 10, 20, 50, 100], null],
  [11091, "xbox-us", "Xbox", "US", "USD", 98.5, [10, 25, 50, 100], null],
  [11101, "playstation-us", "PlayStation", "US", "USD", 98.5, [10, 25, 50, 100], null],
  [11111, "nintendo-us", "Nintendo eShop", "US", "USD", 98.5, [10, 20, 35, 50], null],
  [11121, "netflix-us", "Netflix", "US", "USD", 99, [25, 50, 100], [25, 200]],
  [11131, "spotify-us", "Spotify", "US", "USD", 99, [10, 30, 60], null],
  [11141, "razer-gold-us", "Razer Gold", "US", "USD", 97.5, [5, 10, 20, 50, 100], null],
  [11151, "roblox-us", "Roblox", "US", "USD", 97.5, [10, 25, 50], null],
  [11161, "uber-us", "Uber", "US", "USD", 99, [15, 25, 50, 100], [15, 500]],
  [11171, "uber-ca", "Uber", "CA", "CAD", 99, [25, 50, 100], null],
  [11181, "airbnb-us", "Airbnb", "US", "USD", 99, [50, 100, 250], [25, 500]],
  [11191, "ebay-us", "eBay", "US", "USD", 99, [25, 50, 100], null],
  [11201, "nike-us", "Nike", "US", "USD", 97, [25, 50, 100], [10, 500]],
  [11211, "sephora-us", "Sephora", "US", "USD", 97, [25, 50, 100], null],
  [11221, "visa-prepaid-us", "Visa Prepaid", "US", "USD", 100, [25, 50, 100], [10, 500]],
  [11231, "mastercard-prepaid-us", "Mastercard Prepaid", "US", "USD", 100, [25, 50, 100], [10, 500]],
  [11901, "jumia-ng", "Jumia", "NG", "NGN", 97, [2_000, 5_000, 10_000, 20_000], [1_000, 200_000]],
  [11911, "shoprite-ng", "Shoprite", "NG", "NGN", 98, [2_000, 5_000, 10_000], [1_000, 100_000]],
];

const cardsMax = 10;
const rangeOffset = 9;

/** Naira for one unit: sample data, set by the operator as the market moves. */
const rates = { USD: naira(1_550), GBP: naira(2_085), EUR: naira(1_790), CAD: naira(1_120), NGN: null };

/** Cards with a PIN beside the code. */
const withPin = new Set(["visa-prepaid-us", "mastercard-prepaid-us", "nike-us", "sephora-us"]);

const foreignFee: Fee = { kind: "percent", basisPoints: basisPoints(150n), cap: naira(5_000) };

/** Foreign and Nigerian gift cards. Ids from 11001, Nigerian ones from 11901. */
export const giftCards: StartingPart = {
  billers: rows.map(([, slug, brand, country]) => ({
    slug,
    name: `${brand} ${country}`,
    category: "giftcard",
    customerField: "recipient_phone",
    customerLabel: "Recipient's phone number",
  })),
  products: rows.flatMap((row) => {
    const [firstId, slug, brand, country, currency, , values, range] = row;
    const fixedCards = values.map((value, index) => ({
      ...card(row),
      id: firstId + index,
      code: `${slug}-${value}`,
      name: `${brand} ${country} ${currency} ${value}`,
      plan: `${currency} ${value}`,
      ...(currency === "NGN" ? { face: naira(value) } : { foreignFace: naira(value) }),
    }));
    if (range === null) return fixedCards;
    const [minimum, maximum] = range;
    return [
      ...fixedCards,
      {
        ...card(row),
        id: firstId + rangeOffset,
        code: `${slug}-range`,
        name: `${brand} ${country} ${currency} ${minimum} to ${maximum}`,
        plan: `${currency} of your choice`,
        range: [naira(minimum), naira(maximum)] as const,
      },
    ];
  }),
};

function card(row: CardRow): Omit<StartingProduct, "id" | "code" | "name"> {
  const [, slug, brand, country, currency, sellingPercent] = row;
  const rate = rates[currency];
  return {
    biller: slug,
    maxQuantity: cardsMax,
    currency,
    ...(rate === null ? {} : { fxRate: rate }),
    attributes: { brand, country, has_pin: withPin.has(slug) },
    price: percent(sellingPercent, rate === null ? null : foreignFee),
    description: sampleData,
  };
}
