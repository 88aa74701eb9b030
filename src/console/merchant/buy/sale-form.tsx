import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import type { Network } from "../../../kernel/phone.ts";
import type { Typed } from "../../kit/form.ts";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button, Columns, Sheet, Switch } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { moneyText } from "../../kit/parts/text.tsx";
import { useVisit } from "../access.ts";
import { categoriesFor, customerHref, saleHref } from "./customers.ts";
import { BuyControl, type BuyField } from "./fields.tsx";
import { FoundNetwork, HolderFacts } from "./found-customer.tsx";
import { isOnOffer } from "./offer.ts";
import { Pay, type WalletState } from "./pay.tsx";
import { type Chosen, type Holder, type Priced, saleField } from "./price-sale.ts";

interface SaleFormProps {
  readonly chosen: Chosen;
  readonly fields: readonly BuyField[];
  readonly catalogue: CatalogueSnapshot;
  /** The customer's; "" until one is typed. */
  readonly number: string;
  readonly typed: Typed;
  readonly holder: Holder;
  readonly priced: Priced | null;
  /** What this very sale was charged as before; null where it wasn't. */
  readonly sold: Purchase | null;
  readonly soldBefore: PurchaseId | null;
  readonly wallet: WalletState;
  /** The network of the last sale to the number. */
  readonly soldAs: Network | null;
  /** What is wrong with all of it. */
  readonly error: string | null;
}

/** The customer, what is left open, and beside it the price with its button. Enter in any field tells the price first. */
export function SaleForm(props: SaleFormProps) {
  const visit = useVisit();
  const { formFields, faults } = useSurroundings();
  const { chosen, fields, catalogue, number, typed, holder, priced, sold, soldBefore, wallet, soldAs, error } = props;
  const { category, product } = chosen;
  if (error !== null) faults?.push({ text: error, field: null });
  // Where something is wrong, the summary of it has the focus.
  const isRight = error === null && fields.every(({ name }) => typed.error(name) === null);
  const focus = fields.find(({ name, isRequired }) => isRequired && typed.form.text(name) === "")?.name;
  const others = catalogue
    .billers(visit.buyer)
    .flatMap(({ products }) => products.filter((one) => one.biller.category === category.slug && isOnOffer(one)));
  const isNumber = ({ name }: BuyField) => name === category.customerField;
  const control = (field: BuyField) => (
    <BuyControl key={field.name} {...{ field, product, typed }} isFocused={isRight && field.name === focus} />
  );
  const hidden = { product: String(product.id), [saleField]: typed.form.text(saleField), ...formFields };
  return (
    <form method="post" action={visit.to(`buy/${category.slug}/check`)} data-island="once" data-sent="here">
      <HiddenFields fields={hidden} />
      <Columns kind="aside">
        <div>
          {fields.some(isNumber) ? (
            <Sheet title="Customer" note={<Kinds {...{ category, catalogue, number }} />}>
              {fields.filter(isNumber).map(control)}
              {number === "" ? null : <FoundNetwork {...{ ...chosen, number, soldAs, others }} />}
              <HolderFacts {...{ category, holder }} />
            </Sheet>
          ) : null}
          <Sheet title="Details" note={<OtherProduct {...{ chosen, typed, fields, catalogue }} />}>
            {fields.filter((field) => !isNumber(field)).map(control)}
            <div class="buttons">
              <Button kind={priced === null ? "main" : "plain"}>
                {priced === null ? "See the price" : "Update the price"}
              </Button>
            </div>
            {priced === null ? <QuickAmounts product={product} /> : null}
          </Sheet>
        </div>
        <div class="stay">
          <Pay {...{ chosen, priced, sold, soldBefore, holder, wallet }} isFocused={focus === undefined && isRight} />
        </div>
      </Columns>
    </form>
  );
}

/** More stand on the first page. */
const kindsMax = 3;

/** What else can be sold to this number. */
function Kinds({ category, catalogue, number }: Pick<SaleFormProps, "catalogue" | "number"> & { category: Category }) {
  const visit = useVisit();
  const kinds = number === "" ? [] : categoriesFor(number, catalogue.billers(visit.buyer)).slice(0, kindsMax);
  if (kinds.length < 2) return null;
  return (
    <Switch
      label="What to sell"
      options={kinds.map((kind) => ({
        name: kind.title,
        href: customerHref(visit, catalogue, { category: kind, number }),
        isCurrent: kind === category,
      }))}
    />
  );
}

type OtherProductProps = Pick<SaleFormProps, "chosen" | "typed" | "fields" | "catalogue">;

/** Back to what the same biller has, with everything that was typed. */
function OtherProduct({ chosen: { category, product }, typed, fields, catalogue }: OtherProductProps) {
  const visit = useVisit();
  const view = catalogue.findBiller(product.biller.slug, visit.buyer);
  if ((view?.products.length ?? 0) < 2) return null;
  const kept = Object.fromEntries(fields.map(({ name }) => [name, typed.form.text(name)]));
  return (
    <a href={saleHref(visit, category, { ...kept, amount: null, biller: product.biller.slug })}>Another product</a>
  );
}

const quickNaira = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000];
const quickMax = 6;

/** Amounts that are often sold, each one press away from its price. */
function QuickAmounts({ product }: { readonly product: Product }) {
  const { amountType, faceCurrency, minAmount, maxAmount } = product;
  if (amountType !== "variable" || faceCurrency !== "NGN") return null;
  const amounts = quickNaira
    .filter((naira) => {
      const hundredths = BigInt(naira) * 100n;
      return (minAmount === null || hundredths >= minAmount) && (maxAmount === null || hundredths <= maxAmount);
    })
    .slice(0, quickMax);
  return (
    <fieldset class="quick">
      <legend class="unseen">Often sold</legend>
      <div class="tiles">
        {amounts.map((naira) => (
          <button key={naira} class="tile" type="submit" name="quick" value={String(naira)} formNoValidate>
            <b>{moneyText(`${naira}`).replace(/\.00$/, "")}</b>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
