import type { Category } from "../../../categories/category.ts";
import { amountRange } from "../../../categories/product/amounts.ts";
import type { Product } from "../../../categories/product/product.ts";
import { categories } from "../../../categories/registry.ts";
import { type Price, quote } from "../../../domain/catalogue/pricing.ts";
import type { BillerView, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Filters } from "../../kit/parts/filters.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Money, moneyText, Status } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";

/** More are found by searching. */
const rowsMax = 200;

/** Which category? Only those that this merchant sees. */
export function categoriesPage(visit: ModeVisit, catalogue: CatalogueSnapshot): PageAnswer {
  const views = catalogue.billers(visit.buyer);
  const rows = categories.flatMap((category) => {
    const billers = views.filter(({ biller }) => biller.category === category.slug);
    return billers.length === 0 ? [] : [{ category, billers }];
  });
  const note = "What should it be? You see the price before anything is charged.";
  return page(
    { title: "Buy", note, actions: <ButtonLink href={visit.to("bulk")}>Buy in bulk</ButtonLink> },
    <Sheet isPadded={false}>
      <Table
        caption="Categories"
        rows={rows}
        href={({ category }) => visit.to(`buy/${category.slug}`)}
        columns={[
          { title: "Category", cell: ({ category }) => category.title, place: "lead" },
          { title: "Companies", cell: ({ billers }) => namesOf(billers), place: "sub" },
        ]}
        empty={
          <Empty title="Nothing on offer">The operator of this service has not opened a category to you yet.</Empty>
        }
      />
    </Sheet>,
  );
}

/** The kept number that is bought for, on its way to the product. */
function forWhom({ query }: ModeVisit): Readonly<Record<string, string>> {
  const beneficiary = query.get("beneficiary") ?? "";
  return beneficiary === "" ? {} : { beneficiary };
}

function namesOf(billers: readonly BillerView[]): string {
  const names = billers.slice(0, 4).map(({ biller }) => biller.name);
  const more = billers.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The choice of biller or product: the billers of a category, or what one of them or a search has. */
export function productsPage(visit: ModeVisit, category: Category, catalogue: CatalogueSnapshot): PageAnswer {
  const views = catalogue.billers(visit.buyer).filter(({ biller }) => biller.category === category.slug);
  const slug = visit.query.get("biller") ?? "";
  const words = (visit.query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = views.find(({ biller }) => biller.slug === slug) ?? (views.length === 1 ? (views[0] ?? null) : null);
  const isListed = chosen !== null || words.length > 0;
  const isOneOfMany = isListed && views.length > 1;
  const title = chosen === null || views.length === 1 ? category.title : `${category.title}: ${chosen.biller.name}`;
  const actions = (
    <ButtonLink href={visit.to(isOneOfMany ? `buy/${category.slug}` : "buy")}>
      {isOneOfMany ? "All companies" : "All categories"}
    </ButtonLink>
  );
  return page(
    { title, note: isListed ? "Which product?" : "Which company?", actions },
    <>
      <Filters
        action={visit.to(`buy/${category.slug}`)}
        kept={{ ...forWhom(visit), ...(chosen === null || views.length === 1 ? {} : { biller: chosen.biller.slug }) }}
        filters={[{ kind: "find", name: "q", label: "Find", value: visit.query.get("q") ?? "", hint: "a product" }]}
      />
      <Sheet isPadded={false}>
        {isListed ? (
          <Products {...{ category, catalogue, words, views: chosen === null ? views : [chosen] }} />
        ) : (
          <Billers {...{ category, views }} />
        )}
      </Sheet>
    </>,
  );
}

function Billers({ category, views }: { readonly category: Category; readonly views: readonly BillerView[] }) {
  const visit = useVisit();
  const hrefOf = ({ biller, products }: BillerView) => {
    const [only, another] = products.filter(({ available }) => available);
    const query = only !== undefined && another === undefined ? { product: String(only.id) } : { biller: biller.slug };
    return biller.status === "unavailable"
      ? null
      : visit.to(`buy/${category.slug}?${new URLSearchParams({ ...query, ...forWhom(visit) })}`);
  };
  return (
    <Table
      caption="Billers"
      rows={views}
      href={hrefOf}
      columns={[
        { title: "Name", cell: ({ biller }) => biller.name, place: "lead" },
        {
          title: "Products",
          cell: ({ products }) => products.filter(({ available }) => available).length,
          align: "end",
          place: "amount",
        },
        { title: "Status", cell: ({ biller }) => billerStatus(biller.status), place: "state" },
      ]}
      empty={<Empty title="Nothing on offer">This category has nothing to sell at the moment.</Empty>}
    />
  );
}

function billerStatus(status: "available" | "degraded" | "unavailable") {
  if (status === "available") return <Status kind="good">on offer</Status>;
  return status === "degraded" ? <Status kind="waiting">slow</Status> : <Status kind="bad">off offer</Status>;
}

function Products(props: {
  readonly category: Category;
  readonly catalogue: CatalogueSnapshot;
  readonly views: readonly BillerView[];
  readonly words: readonly string[];
}) {
  const visit = useVisit();
  const { category, catalogue, views, words } = props;
  const found = views
    .flatMap(({ products }) => products)
    .filter((product) => product.replacedBy === null && words.every((word) => textOf(product).includes(word)));
  const hrefOf = ({ id }: Product) =>
    visit.to(`buy/${category.slug}?${new URLSearchParams({ product: String(id), ...forWhom(visit) })}`);
  const isOnOffer = ({ available, biller }: Product) => available && biller.status !== "unavailable";
  const rows = [...found.filter(isOnOffer), ...found.filter((product) => !isOnOffer(product))].slice(0, rowsMax);
  return (
    <>
      <Table
        caption="Products"
        rows={rows}
        href={(product) => (isOnOffer(product) ? hrefOf(product) : null)}
        columns={[
          { title: "Product", cell: ({ name }) => name, place: "lead" },
          { title: "Valid", cell: ({ validity }) => validity ?? "", place: "sub" },
          { title: "Number", cell: ({ id }) => <code>{id}</code>, place: "none" },
          {
            title: "You pay",
            cell: (product) => <UnitPrice {...{ product, price: catalogue.priceOf(product, visit.buyer) }} />,
            align: "end",
            place: "amount",
          },
          {
            title: "Status",
            cell: (product) =>
              isOnOffer(product) ? <Status kind="good">on offer</Status> : <Status kind="bad">off offer</Status>,
            place: "state",
          },
        ]}
        empty={<Empty title="No such product">Look for another word, or go back to all companies.</Empty>}
      />
      {found.length > rowsMax ? (
        <p class="hint">
          The first {rowsMax} of {found.length}: search to see others.
        </p>
      ) : null}
    </>
  );
}

function textOf({ name, plan, code, id, biller }: Product): string {
  return [name, plan, code, id, biller.name, biller.network].join(" ").toLowerCase();
}

/** What one costs; a range where the customer names the amount. */
function UnitPrice({ product, price }: { readonly product: Product; readonly price: Price }) {
  if (product.amountType === "fixed")
    return <Money amount={quote(product, price, { amount: null, quantity: 1 }).total} />;
  const { min_amount: least, max_amount: most } = amountRange([product]);
  if (least === null || most === null) return <>any amount</>;
  const say = (amount: string) =>
    product.faceCurrency === "NGN" ? moneyText(amount) : `${product.faceCurrency} ${amount}`;
  return (
    <span class="money">
      {say(least)} to {say(most)}
    </span>
  );
}
