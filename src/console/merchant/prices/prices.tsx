import type { Product } from "../../../categories/product/product.ts";
import { type Price, quote, unitFee, unitPrice } from "../../../domain/catalogue/pricing.ts";
import type { Buyer, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { add, formatNaira, type Kobo, kobo, zeroKobo } from "../../../kernel/money.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { offerFilters } from "../../kit/offer-filters.ts";
import { Empty } from "../../kit/parts/layout.tsx";
import { Moment, Money, Status } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { isOnOffer, productsWith, wordsOf } from "../buy/offer.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";

/** What do I pay, and what changed? The file has the whole of the filter: the catalogue is in memory, and so is this. */
export function pricePages(routes: ModeRoutes, services: MerchantServices): void {
  const { catalogue, clock } = services;
  const pricesOf = async ({ buyer }: ModeVisit, values: PriceQuery) => {
    return pricesFor(await catalogue.current(), buyer, values, clock.now());
  };
  list(routes, {
    at: "/prices",
    may: "look",
    title: "Prices",
    filters: async (visit) => filtersOf(visit, await catalogue.current()),
    perPage: 100,
    async read({ visit, query, values, skip, limit }) {
      const found = await pricesOf(visit, values);
      return {
        rows: found.slice(skip, skip + limit),
        total: found.length,
        above: await savedViews(services, visit, query),
        noneFits: values.changed === null ? noneMatch : noneChanged,
      };
    },
    // To buy one, for those who may.
    href: ({ product, isOnOffer }, { visit }) =>
      visit.may("buy") && isOnOffer ? visit.to(`buy/${product.biller.category}?product=${product.id}`) : null,
    csv: {
      ...{ from: services, may: "look", at: "/prices/prices.csv", what: "prices" },
      nameOf: ({ visit }) => `prices-${visit.mode}.csv`,
      rows: async ({ visit, values }) => [await pricesOf(visit, values)],
    },
    note: "What you pay for one, fee included",
    caption: "Prices, by category and biller",
    // Amounts are naira, but for those in `face_currency`.
    columns: ({ lead, sub, end, status, inFile }) => [
      inFile({
        product_id: ({ product }) => product.id,
        code: ({ product }) => product.code,
        category: ({ product }) => product.biller.category,
        biller: ({ product }) => product.biller.name,
      }),
      lead("Product", ({ product }) => <ProductName product={product} />, { product: ({ product }) => product.name }),
      sub("Number", ({ product }) => <code>{product.id}</code>),
      end("Value", faceOf, {
        face_currency: ({ product }) => product.faceCurrency,
        face_amount: ({ product, face }) => product.foreignFace ?? face,
        min_amount: ({ product }) => product.minAmount,
        max_amount: ({ product }) => product.maxAmount,
      }),
      inFile({
        you_pay: ({ pays }) => pays,
        discount_percent: ({ discount }) => (discount === null ? null : percentText(discount)),
      }),
      end("Fee", feeOf, {
        fee: ({ fee }) => fee,
        fee_percent: ({ feeShare }) => (feeShare === null ? null : percentText(feeShare)),
      }),
      { title: "You pay", cell: paysOf, place: "amount" },
      inFile({ on_offer: ({ isOnOffer }) => isOnOffer }),
      {
        title: "Changed",
        // In words alone: a new deployment's prices were all set today, and a colour at each would be no news.
        cell: ({ product, isChanged }) => (
          <span class="tight">
            {isChanged ? "New, " : ""}
            <Moment at={product.updatedAt} style="list" />
          </span>
        ),
        ...{ place: "sub", isExtra: true },
        file: { changed_at: ({ product }, wallTime) => wallTime.format(product.updatedAt) },
      },
      // Only where there is something to say.
      status("Status", ({ isOnOffer }) => (isOnOffer ? null : <Status kind="bad">Not sold now</Status>)),
    ],
    empty: <Empty title="No products yet">Nothing can be sold right now.</Empty>,
    below: whatChanged,
  });
}

const whatChanged = (
  <p class="hint">
    Changed is when a price of the product, its rate or whether we sell it was last set, for anyone. Your own price may
    be the same as before.
  </p>
);

const noneMatch = { title: "No products match", text: "Try fewer words, or clear a filter." };
const noneChanged = {
  title: "No price changed in the last 24 hours",
  text: (
    <>
      Prices change only when we announce it; your server gets <code>catalogue.updated</code>.
    </>
  ),
};

function filtersOf(visit: ModeVisit, catalogue: CatalogueSnapshot) {
  const billers = catalogue.billers(visit.buyer).map(({ biller }) => biller);
  return {
    ...offerFilters(visit, billers),
    changed: choiceFilter("Changed", [{ value: "day", label: "In the last 24 hours" }] as const),
  };
}

/** What the customer gets for it, or the range of amounts that may be named, in the product's own currency. */
function faceOf({ product, face }: PricedProduct) {
  const { faceCurrency, foreignFace, minAmount, maxAmount } = product;
  const shown = (amount: bigint) =>
    faceCurrency === "NGN" ? (
      <Money amount={kobo(amount)} />
    ) : (
      <span class="money">{`${faceCurrency} ${formatNaira(kobo(amount))}`}</span>
    );
  if (foreignFace !== null) return shown(foreignFace);
  if (face !== null) return <Money amount={face} />;
  if (minAmount === null || maxAmount === null) return null;
  return (
    <span>
      {shown(minAmount)} to {shown(maxAmount)}
    </span>
  );
}

function feeOf({ fee, feeShare }: PricedProduct) {
  if (feeShare !== null) return `${percentText(feeShare)}%`;
  return fee === 0n ? null : <Money amount={fee} />;
}

function paysOf({ pays, discount, fee }: PricedProduct) {
  const isLess = discount !== null && discount !== 0n;
  if (pays !== null) {
    return (
      <>
        <Money amount={pays} />
        {isLess ? <small>{percentText(discount)}% off</small> : null}
      </>
    );
  }
  return `${isLess ? `${percentText(discount)}% off` : "The amount"}${fee === 0n ? "" : " and the fee"}`;
}

/** What the address of the prices asks for. */
interface PriceQuery {
  readonly q: string | null;
  readonly category: string | null;
  readonly biller: string | null;
  /** Only prices that changed in the last 24 hours. */
  readonly changed: "day" | null;
}

/** A product with what this merchant pays for one of it. */
interface PricedProduct {
  readonly product: Product;
  readonly isOnOffer: boolean;
  readonly isChanged: boolean;
  /** Nominal value of one; null where the customer names the amount, or there is none. */
  readonly face: Kobo | null;
  /** All that one costs, with the fee; null where it depends on the amount. */
  readonly pays: Kobo | null;
  /** Hundredths of a percent less than the face amount; null where there is nothing to compare with. */
  readonly discount: bigint | null;
  /** Of one, at the least amount where that is named. */
  readonly fee: Kobo;
  /** In hundredths of a percent where the fee is a share. */
  readonly feeShare: bigint | null;
}

const changedWithinMs = 24 * 3_600_000;

/** The products that fit, by category and biller, each with this buyer's price. What another took the place of is left out. */
function pricesFor(
  catalogue: CatalogueSnapshot,
  buyer: Buyer,
  query: PriceQuery,
  now: Instant,
): readonly PricedProduct[] {
  const views = catalogue
    .billers(buyer)
    .filter(({ biller }) => (query.category ?? biller.category) === biller.category)
    .filter(({ biller }) => (query.biller ?? biller.slug) === biller.slug);
  return productsWith(wordsOf(query.q ?? ""), views)
    .map((product) => priced(product, catalogue.priceOf(product, buyer), now))
    .filter(({ isChanged }) => isChanged || query.changed === null);
}

function priced(product: Product, price: Price, now: Instant): PricedProduct {
  const isFixed = product.amountType === "fixed";
  const one = isFixed ? quote(product, price, { amount: null, quantity: 1 }) : null;
  const hasFace = one !== null && (product.face !== null || product.foreignFace !== null);
  return {
    product,
    isOnOffer: isOnOffer(product),
    isChanged: now - product.updatedAt < changedWithinMs,
    face: hasFace ? one.faceAmount : null,
    pays: one === null ? unitWithFee(product, price) : one.total,
    discount: price.kind === "percent" ? 10_000n - price.basisPoints : hasFace ? shareOf(one) : null,
    fee: one === null ? unitFee(product, price) : one.fee,
    feeShare: price.fee?.kind === "percent" ? price.fee.basisPoints : null,
  };
}

/** Of a product whose amount is named, but whose price is fixed all the same. */
function unitWithFee(product: Product, price: Price): Kobo | null {
  const unit = unitPrice(product, price);
  return unit === null ? null : add(unit, unitFee(product, price));
}

/** Rounded down: nobody is promised more than is given. */
function shareOf({ discount, amount }: { readonly discount: Kobo; readonly amount: Kobo }): bigint | null {
  return amount > zeroKobo ? (discount * 10_000n) / amount : null;
}

/** Hundredths of a percent have two decimals as kobo do. */
export function percentText(share: bigint): string {
  return formatNaira(kobo(share));
}
