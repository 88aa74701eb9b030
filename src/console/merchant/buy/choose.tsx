import type { ComponentChildren } from "preact";
import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { type Price, quote } from "../../../domain/catalogue/pricing.ts";
import type { BillerView, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { customerText } from "../../kit/delivered.tsx";
import { onceField } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button, ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Money } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import { saleHref } from "./customers.ts";
import { amountsText, isOnOffer, payable, productsWith, wordsOf } from "./offer.ts";

/** More are found by searching. */
const rowsMax = 120;
/** From so many on, a field finds one. */
const searchedFrom = 24;

/** The billers of a category, or what one of them or a search has: each a step nearer to the price. */
export function choosePage(visit: ModeVisit, category: Category, catalogue: CatalogueSnapshot): PageAnswer {
  const views = catalogue.billers(visit.buyer).filter(({ biller }) => biller.category === category.slug);
  const slug = visit.query.get("biller") ?? "";
  const words = wordsOf(visit.query.get("q") ?? "");
  const chosen = views.find(({ biller }) => biller.slug === slug) ?? (views.length === 1 ? (views[0] ?? null) : null);
  const number = visit.query.get(category.customerField) ?? "";
  const what = chosen === null || views.length === 1 ? category.title : chosen.biller.name;
  const products = productsWith(words, chosen === null ? views : [chosen]);
  const isListed = chosen !== null || words.length > 0;
  return page(
    {
      title: number === "" ? what : `${what} for ${customerText(number)}`,
      note: isListed
        ? "Choose a product."
        : category.slug === "electricity"
          ? "Choose the DisCo."
          : "Choose from whom.",
      actions: (
        <>
          {isListed && views.length > 1 ? (
            <ButtonLink href={saleHref(visit, category, { ...keptIn(visit), biller: null, q: null })}>
              Choose another
            </ButtonLink>
          ) : null}
          <ButtonLink href={visit.to("buy")}>Another number</ButtonLink>
        </>
      ),
    },
    <>
      {products.length >= searchedFrom || words.length > 0 ? <Search category={category} /> : null}
      <Sheet>
        {isListed ? <Products {...{ category, catalogue, products }} /> : <Billers {...{ category, views }} />}
      </Sheet>
    </>,
  );
}

/** What was typed so far: it goes along with every choice. */
function keptIn({ query }: ModeVisit): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name !== onceField && name !== "sale"));
}

function Search({ category }: { readonly category: Category }) {
  const visit = useVisit();
  const { q = "", ...kept } = keptIn(visit);
  return (
    <Sheet>
      <search>
        <form class="form" method="get" action={visit.to(`buy/${category.slug}`)}>
          <HiddenFields fields={kept} />
          <TextField name="q" label="Find a product" value={q} isRequired={false} isOptional={false} />
          <div class="buttons">
            <Button>Find</Button>
          </div>
        </form>
      </search>
    </Sheet>
  );
}

function Billers({ category, views }: { readonly category: Category; readonly views: readonly BillerView[] }) {
  const visit = useVisit();
  if (views.length === 0) return <Empty title="No products yet">Nothing of this kind can be sold right now.</Empty>;
  const hrefOf = ({ biller, products }: BillerView) => {
    const [only, another] = products.filter(isOnOffer);
    const isOnly = only !== undefined && another === undefined;
    const choice = isOnly ? { product: String(only.id), biller: null } : { biller: biller.slug };
    return saleHref(visit, category, { ...keptIn(visit), ...choice });
  };
  return (
    <div class="tiles wide">
      {views.map((view) => {
        const { biller } = view;
        const isOff = biller.status === "unavailable";
        return (
          <Tile key={biller.slug} href={isOff ? null : hrefOf(view)} title={biller.name}>
            {isOff ? "Not available right now" : biller.status === "degraded" ? "Slow right now" : null}
          </Tile>
        );
      })}
    </div>
  );
}

function Products(props: { category: Category; catalogue: CatalogueSnapshot; products: readonly Product[] }) {
  const { category, catalogue, products } = props;
  const visit = useVisit();
  const { biller: _biller, q: _words, ...kept } = keptIn(visit);
  const sorted = [...products.filter(isOnOffer), ...products.filter((product) => !isOnOffer(product))];
  if (sorted.length === 0) return <Empty title="No products match">Try fewer words, or choose another one.</Empty>;
  return (
    <>
      <div class="tiles wide">
        {sorted.slice(0, rowsMax).map((product) => (
          <Tile
            key={product.id}
            href={isOnOffer(product) ? saleHref(visit, category, { ...kept, product: String(product.id) }) : null}
            title={product.name}
            price={<UnitPrice {...{ product, price: catalogue.priceOf(product, visit.buyer) }} />}
          >
            {isOnOffer(product) ? unsaid(product) : "Not available right now"}
          </Tile>
        ))}
      </div>
      {sorted.length > rowsMax ? (
        <p class="quiet">
          The first {rowsMax} of {sorted.length}. Find others by their name.
        </p>
      ) : null}
    </>
  );
}

interface TileProps {
  /** Null for what can't be chosen now. */
  readonly href: string | null;
  readonly title: string;
  readonly price?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Tile({ href, title, price, children }: TileProps) {
  const content = (
    <>
      <b>
        {title} {price}
      </b>
      {children === null || children === "" ? null : <span>{children}</span>}
    </>
  );
  return href === null ? (
    <div class="tile off">{content}</div>
  ) : (
    <a class="tile" href={href}>
      {content}
    </a>
  );
}

/** What its name leaves out. */
function unsaid({ name, planType, validity, amountType }: Product): string {
  const parts = [amountType === "fixed" ? planType : null, validity];
  return parts.filter((part) => part !== null && !name.toLowerCase().includes(part.toLowerCase())).join(" · ");
}

/** What one costs the shop, or its customer where only that may be seen; a range where the customer names the amount. */
function UnitPrice({ product, price }: { readonly product: Product; readonly price: Price }) {
  const visit = useVisit();
  if (product.amountType === "fixed")
    return <Money amount={payable(visit, quote(product, price, { amount: null, quantity: 1 }))} />;
  const amounts = amountsText(product);
  return amounts === null ? <>any amount</> : <small>{amounts.replaceAll(".00", "")}</small>;
}
