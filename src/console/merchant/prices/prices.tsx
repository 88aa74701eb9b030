import { categories } from "../../../categories/registry.ts";
import type { Catalogue } from "../../../domain/catalogue/catalogue.ts";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import { formatNaira, kobo } from "../../../kernel/money.ts";
import { byteOrderMark, writeCsv } from "../../../platform/csv.ts";
import { may } from "../../access.ts";
import { type Answer, type PageAnswer, page } from "../../answer.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Filters } from "../../parts/filters.tsx";
import { Moment, type MomentFormat, momentFormat } from "../../parts/moment.tsx";
import { Money, moneyText } from "../../parts/money.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped, Pager } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status } from "../../parts/status.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Routes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { buyerOf } from "../buy/selling-gate.tsx";
import {
  type PricedProduct,
  type PriceQuery,
  parametersOf,
  percentText,
  pricesFor,
  readPriceQuery,
} from "./price-list.ts";

export interface PricePageServices {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly timeZone: string;
}

const rowsPerPage = 100;

/** What do I pay, and what changed? */
export function pricePages(routes: Routes<ModeVisit>, services: PricePageServices): void {
  const format = momentFormat(services.timeZone);
  routes.page("/prices", { capability: "look", show: (visit) => pricesPage(services, visit, format) });
  routes.page("/prices/prices.csv", { capability: "look", show: (visit) => pricesFile(services, visit) });
}

async function pricesOf({ catalogue, clock }: PricePageServices, visit: ModeVisit, query: PriceQuery) {
  return pricesFor(await catalogue.current(), buyerOf(visit), query, clock.now());
}

async function pricesPage(services: PricePageServices, visit: ModeVisit, format: MomentFormat): Promise<PageAnswer> {
  const query = readPriceQuery(visit);
  const found = await pricesOf(services, visit, query);
  const lastPage = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const number = Math.min(lastPage, Math.max(1, Math.floor(Number(visit.query.get("page") ?? 1)) || 1));
  const before = (number - 1) * rowsPerPage;
  const rows = found.slice(before, before + rowsPerPage);
  const href = (more: Readonly<Record<string, string>>, path = "prices") =>
    modePath(visit, `${path}?${new URLSearchParams({ ...parametersOf(query), ...more })}`);
  return page(
    "Prices",
    <>
      <PageHead
        title="Prices"
        actions={
          found.length === 0 ? undefined : (
            <ButtonLink href={href({}, "prices/prices.csv")} isDownload>
              Download {grouped(found.length)} as CSV
            </ButtonLink>
          )
        }
      >
        What you pay for one, with the fee
      </PageHead>
      <PriceFilters {...{ visit, query, billers: (await services.catalogue.current()).billers(buyerOf(visit)) }} />
      <Sheet isPadded={false}>
        <Table
          caption="Prices, by category and biller"
          rows={rows}
          href={hrefFor(visit)}
          columns={columnsOf(format)}
          empty={
            <Empty
              title={query.isChanged ? "Nothing changed in the last 24 hours" : "No such product"}
              action={<ButtonLink href={modePath(visit, "prices")}>Show all</ButtonLink>}
            >
              {query.isChanged
                ? "Prices stay as they are until the operator of this service sets them anew. The event catalogue.updated tells your server when that happens."
                : "Look for fewer words, or take a filter away."}
            </Empty>
          }
        />
      </Sheet>
      <Pager
        previousHref={number > 1 ? href({ page: String(number - 1) }) : null}
        nextHref={number < lastPage ? href({ page: String(number + 1) }) : null}
        from={rows.length === 0 ? null : before + 1}
        to={before + rows.length}
        total={found.length}
      />
      <p class="hint">
        Changed tells when anybody's price of the product, its rate or whether it is offered was last set: your own
        price may have stayed the same.
      </p>
    </>,
  );
}

type Billers = ReturnType<Awaited<ReturnType<Catalogue["current"]>>["billers"]>;

function PriceFilters(props: { readonly visit: ModeVisit; readonly query: PriceQuery; readonly billers: Billers }) {
  const { visit, query, billers } = props;
  const shown = billers.filter(({ biller }) => (query.category ?? biller.category) === biller.category);
  const choice = (name: string, label: string, value: string | null) =>
    ({ kind: "choice", name, label, value: value ?? "" }) as const;
  return (
    <Filters
      action={modePath(visit, "prices")}
      filters={[
        { kind: "text", name: "q", label: "Find", value: query.q, hint: "a product, a number" },
        {
          ...choice("category", "Category", query.category),
          options: categories
            .filter(({ slug }) => billers.some(({ biller }) => biller.category === slug))
            .map(({ slug, title }) => ({ value: slug, label: title })),
        },
        {
          ...choice("biller", "Biller", query.biller),
          options: shown.map(({ biller }) => ({ value: biller.slug, label: biller.name })),
        },
        {
          ...choice("changed", "Changed", query.isChanged ? "day" : null),
          options: [{ value: "day", label: "in the last 24 hours" }],
        },
      ]}
    />
  );
}

/** To buy one, for those who may. */
function hrefFor(visit: ModeVisit) {
  const mayBuy = may(visit.member.role, "buy");
  return ({ product, isOnOffer }: PricedProduct) =>
    mayBuy && isOnOffer ? modePath(visit, `buy/${product.biller.category}?product=${product.id}`) : null;
}

function columnsOf(format: MomentFormat): readonly Column<PricedProduct>[] {
  return [
    { title: "Product", cell: ({ product }) => product.name, place: "lead" },
    { title: "Biller", cell: ({ product }) => product.biller.name, isQuiet: true, place: "under" },
    { title: "Number", cell: ({ product }) => <code>{product.id}</code>, isQuiet: true },
    { title: "Face amount", cell: faceOf, align: "end" },
    { title: "Discount", cell: ({ discount }) => (discount === null ? "" : `${percentText(discount)}%`), align: "end" },
    { title: "Fee", cell: feeOf, align: "end" },
    { title: "You pay", cell: paysOf, align: "end", place: "amount" },
    {
      title: "Changed",
      // In words alone: a new deployment's prices were all set today, and a colour at each would be no news.
      cell: ({ product, isChanged }) => (
        <span>
          {isChanged ? "changed " : ""}
          <Moment at={product.updatedAt} format={format} style={isChanged ? "minute" : "day"} />
        </span>
      ),
      isQuiet: true,
    },
    {
      title: "Status",
      cell: ({ isOnOffer }) =>
        isOnOffer ? <Status kind="good">on offer</Status> : <Status kind="bad">off offer</Status>,
      place: "state",
    },
  ];
}

/** The value, or the range of amounts that may be named, in the product's own currency. */
function faceOf({ product, face }: PricedProduct) {
  const { faceCurrency, foreignFace, minAmount, maxAmount } = product;
  const foreign = (amount: bigint) => `${faceCurrency} ${formatNaira(kobo(amount))}`;
  if (foreignFace !== null) return foreign(foreignFace);
  if (face !== null) return <Money amount={face} />;
  if (minAmount === null || maxAmount === null) return "";
  const say = (amount: bigint) => (faceCurrency === "NGN" ? moneyText(kobo(amount)) : foreign(amount));
  return `${say(minAmount)} to ${say(maxAmount)}`;
}

function feeOf({ fee, feeShare }: PricedProduct) {
  if (feeShare !== null) return `${percentText(feeShare)}%`;
  return fee === 0n ? "" : <Money amount={fee} />;
}

function paysOf({ pays, discount, fee }: PricedProduct) {
  if (pays !== null) return <Money amount={pays} />;
  const less = discount === null || discount === 0n ? "" : ` less ${percentText(discount)}%`;
  return `amount${less}${fee === 0n ? "" : " and the fee"}`;
}

const csvColumns = [
  "product_id",
  "code",
  "category",
  "biller",
  "product",
  "face_currency",
  "face_amount",
  "min_amount",
  "max_amount",
  "you_pay",
  "discount_percent",
  "fee",
  "fee_percent",
  "on_offer",
  "changed_at",
];

/** The whole of the filter: the catalogue is in memory, and so is this. Amounts are naira, but for those in `face_currency`. */
async function pricesFile(services: PricePageServices, visit: ModeVisit): Promise<Answer> {
  const found = await pricesOf(services, visit, readPriceQuery(visit));
  const records = found.map(({ product, face, pays, discount, fee, feeShare, isOnOffer }) => [
    product.id,
    product.code,
    product.biller.category,
    product.biller.name,
    product.name,
    product.faceCurrency,
    product.foreignFace ?? face,
    product.minAmount,
    product.maxAmount,
    pays,
    discount === null ? null : percentText(discount),
    fee,
    feeShare === null ? null : percentText(feeShare),
    isOnOffer,
    services.wallTime.format(product.updatedAt),
  ]);
  const content = byteOrderMark + writeCsv([csvColumns, ...records]);
  return { kind: "file", name: `prices-${visit.mode}.csv`, type: "text/csv; charset=utf-8", content };
}
