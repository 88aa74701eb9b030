import type { Product } from "../../../categories/product/product.ts";
import { categories } from "../../../categories/registry.ts";
import { type Price, quote, unitFee, unitPrice } from "../../../domain/catalogue/pricing.ts";
import type { Buyer, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { add, formatNaira, type Kobo, kobo, zeroKobo } from "../../../kernel/money.ts";
import { byteOrderMark, type Cell, writeCsv } from "../../../platform/csv.ts";
import { csvAnswer, type FileAnswer, type PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, readList, refuseUnread } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { Moment, Money, Status } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { isOnOffer, productsWith, wordsOf } from "../buy/offer.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";

const rowsPerPage = 100;

/** What do I pay, and what changed? */
export function pricePages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/prices", { capability: "look", show: (visit) => pricesPage(services, visit) });
  routes.file("/prices/prices.csv", { capability: "look", show: (visit) => pricesFile(services, visit) });
}

function readQuery(visit: ModeVisit, catalogue: CatalogueSnapshot) {
  const billers = catalogue.billers(visit.buyer).map(({ biller }) => biller);
  const sold = categories.filter(({ slug }) => billers.some(({ category }) => category === slug));
  const category = sold.find(({ slug }) => slug === visit.query.get("category"))?.slug ?? null;
  const shown = billers.filter((biller) => category === null || biller.category === category);
  return readList(visit, visit.to("prices"), {
    q: findFilter("Product or its number"),
    category: choiceFilter(
      "Category",
      sold.map(({ slug, title }) => ({ value: slug, label: title })),
    ),
    biller: choiceFilter(
      "Biller",
      shown.map(({ slug, name }) => ({ value: slug, label: name })),
      // One of another category is understood, and has nothing to show.
      (slug) => billers.find((biller) => biller.slug === slug)?.slug ?? null,
    ),
    changed: choiceFilter("Changed", [{ value: "day", label: "In the last 24 hours" }], (text) =>
      text === "day" ? text : null,
    ),
  });
}

async function pricesPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { catalogue, clock } = services;
  const current = await catalogue.current();
  const requested = readQuery(visit, current);
  const found = pricesFor(current, visit.buyer, requested.values, clock.now());
  const lastPage = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const query = { ...requested, page: Math.min(lastPage, requested.page) };
  const before = (query.page - 1) * rowsPerPage;
  const mayBuy = visit.may("buy");
  return listPage(query, {
    above: await savedViews(services, visit, query),
    title: "Prices",
    note: "What you pay for one, fee included",
    csv: found.length === 0 ? null : { path: visit.to("prices/prices.csv"), count: found.length },
    caption: "Prices, by category and biller",
    rows: found.slice(before, before + rowsPerPage),
    // To buy one, for those who may.
    href: ({ product, isOnOffer }) =>
      mayBuy && isOnOffer ? visit.to(`buy/${product.biller.category}?product=${product.id}`) : null,
    columns,
    empty: <Empty title="No products yet">Nothing can be sold right now.</Empty>,
    noneFits:
      query.values.changed === null
        ? { title: "No products match", text: "Try fewer words, or clear a filter." }
        : {
            title: "No price changed in the last 24 hours",
            text: (
              <>
                Prices change only when we announce it; your server gets <code>catalogue.updated</code>.
              </>
            ),
          },
    pages: { perPage: rowsPerPage, total: found.length },
    below: (
      <p class="hint">
        Changed is when a price of the product, its rate or whether we sell it was last set, for anyone. Your own price
        may be the same as before.
      </p>
    ),
  });
}

const columns: readonly Column<PricedProduct>[] = [
  {
    title: "Product",
    cell: ({ product }) => <ProductName product={product} />,
    place: "lead",
  },
  { title: "Number", cell: ({ product }) => <code>{product.id}</code>, place: "sub" },
  { title: "Value", cell: faceOf, align: "end" },
  { title: "Fee", cell: feeOf, align: "end" },
  { title: "You pay", cell: paysOf, place: "amount" },
  {
    title: "Changed",
    // In words alone: a new deployment's prices were all set today, and a colour at each would be no news.
    cell: ({ product, isChanged }) => (
      <span class="tight">
        {isChanged ? "New, " : ""}
        <Moment at={product.updatedAt} style="list" />
      </span>
    ),
    place: "sub",
    isExtra: true,
  },
  {
    title: "Status",
    // Only where there is something to say.
    cell: ({ isOnOffer }) => (isOnOffer ? null : <Status kind="bad">Not sold now</Status>),
    place: "state",
  },
];

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

type CellOf = (priced: PricedProduct) => Cell;

/** Amounts are naira, but for those in `face_currency`. */
const csvColumns: readonly (readonly [string, CellOf])[] = [
  ["product_id", ({ product }) => product.id],
  ["code", ({ product }) => product.code],
  ["category", ({ product }) => product.biller.category],
  ["biller", ({ product }) => product.biller.name],
  ["product", ({ product }) => product.name],
  ["face_currency", ({ product }) => product.faceCurrency],
  ["face_amount", ({ product, face }) => product.foreignFace ?? face],
  ["min_amount", ({ product }) => product.minAmount],
  ["max_amount", ({ product }) => product.maxAmount],
  ["you_pay", ({ pays }) => pays],
  ["discount_percent", ({ discount }) => (discount === null ? null : percentText(discount))],
  ["fee", ({ fee }) => fee],
  ["fee_percent", ({ feeShare }) => (feeShare === null ? null : percentText(feeShare))],
  ["on_offer", ({ isOnOffer }) => isOnOffer],
];

/** The whole of the filter: the catalogue is in memory, and so is this. */
async function pricesFile(services: MerchantServices, visit: ModeVisit): Promise<FileAnswer> {
  const { catalogue, clock, wallTime } = services;
  const current = await catalogue.current();
  const query = readQuery(visit, current);
  refuseUnread(query);
  const columnsOfFile = [
    ...csvColumns,
    ["changed_at", ({ product }: PricedProduct) => wallTime.format(product.updatedAt)] as const,
  ];
  const records = pricesFor(current, visit.buyer, query.values, clock.now()).map((priced) =>
    columnsOfFile.map(([, cellOf]) => cellOf(priced)),
  );
  const content = byteOrderMark + writeCsv([columnsOfFile.map(([name]) => name), ...records]);
  return csvAnswer(`prices-${visit.mode}.csv`, content);
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
