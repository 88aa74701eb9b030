import { categories } from "../../../categories/registry.ts";
import type { BillerView, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { networkHint, type Phone } from "../../../kernel/phone.ts";
import { withZero } from "../../../kernel/typed-text.ts";
import { goTo, type PageAnswer, page, type RedirectAnswer } from "../../kit/answer.tsx";
import { customerText } from "../../kit/delivered.tsx";
import { BillerTile } from "../../kit/parts/biller-tile.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Button, ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import {
  type Customer,
  categoriesFor,
  customerHref,
  lastCustomers,
  networkFor,
  readTypedNumber,
  savedCustomers,
} from "./customers.ts";

const lastMax = 6;
/** Begins as mobile numbers do, and ends too soon. */
const shortPhone = /^0[789][01][0-9]{0,7}$/;

/**
 * One number, in any spelling, decides the rest. A name finds the saved numbers; what needs no number begins
 * with its category.
 */
export async function startPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer | RedirectAnswer> {
  const catalogue = await services.catalogue.current();
  const typed = (visit.query.get("to") ?? "").slice(0, 100);
  const number = readTypedNumber(typed);
  const isName = /\p{L}{2}/u.test(number);
  const [saved, last] = await Promise.all([
    savedCustomers(services, visit, isName || number === "" ? typed : number),
    lastCustomers(services, visit, catalogue),
  ]);
  const views = catalogue.billers(visit.buyer);
  if (number !== "" && !isName) {
    const known = [...saved, ...last].filter((customer) => customer.number === number);
    const [customer] = known;
    // A digit that was left out makes no meter of a phone, and a phone that lost its 0 no smartcard.
    const isUnsure = customer === undefined && (shortPhone.test(number) || phoneIn(number) !== null);
    const [category] = isUnsure ? [] : categoriesFor(number, views);
    if (category !== undefined) {
      // What was sold to the number is known to be right; a phone begins with airtime all the same, as it may get anything.
      const isOfKnown = customer !== undefined && (category.verify !== undefined || customer.category === category);
      const start = isOfKnown ? customer : { category, number, network: customer?.network ?? null };
      return goTo(customerHref(visit, catalogue, start));
    }
  }
  const isFound = saved.length > 0;
  const error = typed === "" || (isName && isFound) ? null : faultIn(typed, number, isName);
  return page(
    {
      title: "Sell",
      note: "Type who it’s for. You see the price before you pay.",
      actions: visit.may("buy_in_bulk") ? <ButtonLink href={visit.to("bulk")}>New bulk order</ButtonLink> : null,
      status: error === null ? 200 : 400,
    },
    <>
      <Sheet>
        <search>
          <form class="form" method="get" action={visit.to("buy")}>
            <TextField
              name="to"
              label="Phone, meter or smartcard number"
              hint="Or the name of a saved customer"
              value={typed}
              error={error}
              isFocused={error === null}
            />
            <div class="buttons">
              <Button kind="main">Find</Button>
            </div>
          </form>
        </search>
      </Sheet>
      <Readings {...{ number, catalogue, views }} />
      <People title="Saved customers" customers={saved} catalogue={catalogue} />
      {isName ? null : <People title="Last customers" customers={last.slice(0, lastMax)} catalogue={catalogue} />}
      <Categories views={views} companyName={(await services.people.company()).name} />
    </>,
  );
}

function faultIn(typed: string, number: string, isName: boolean): string {
  if (isName) return `No saved customer matches “${typed}”.`;
  if (phoneIn(number) !== null) return "10 digits. Choose below whether it’s a phone without its first 0.";
  if (shortPhone.test(number))
    return `${number.length} digits. A Nigerian mobile number has 11. Or choose a product below.`;
  return `“${typed}” is no phone, meter or smartcard number we can sell to. Check it, or choose a product below.`;
}

/** The phone that ten digits may be: one of a network, with the 0 that a hurry or a spreadsheet took. */
function phoneIn(number: string): Phone | null {
  const phone = withZero(number);
  return phone === null || networkHint(phone) === null ? null : phone;
}

interface ReadingsProps {
  readonly number: string;
  readonly catalogue: CatalogueSnapshot;
  readonly views: readonly BillerView[];
}

/** Ten digits are a phone whose 0 was lost, or what they are: whoever asked the customer chooses. */
function Readings({ number, catalogue, views }: ReadingsProps) {
  const visit = useVisit();
  const phone = phoneIn(number);
  if (phone === null) return null;
  const readings = [
    ...categoriesFor(phone, views)
      .slice(0, 1)
      .map((category) => ({ category, number: phone, what: "Phone, with its first 0" })),
    ...categoriesFor(number, views).map((category) => ({ category, number, what: category.title })),
  ];
  return (
    <Sheet title="Which number is it?">
      <div class="tiles">
        {readings.map(({ what, ...start }) => (
          <a class="tile" key={what} href={customerHref(visit, catalogue, start)}>
            <b class="phone">{start.number === phone ? customerText(phone) : start.number}</b>
            <span>{what}</span>
          </a>
        ))}
      </div>
    </Sheet>
  );
}

function People(props: {
  readonly title: string;
  readonly customers: readonly Customer[];
  readonly catalogue: CatalogueSnapshot;
}) {
  const visit = useVisit();
  const { title, customers, catalogue } = props;
  if (customers.length === 0) return null;
  const isSaved = customers[0]?.label !== null;
  const more = isSaved && visit.may("keep_beneficiaries") ? <a href={visit.to("beneficiaries")}>All saved</a> : null;
  return (
    <Sheet title={title} note={more}>
      <div class="tiles people">
        {customers.map((customer) => (
          <a
            class="tile set"
            key={`${customer.category.slug} ${customer.number} ${customer.label}`}
            href={customerHref(visit, catalogue, customer)}
          >
            <BillerTile biller={billerOf(customer)} />
            <div>
              <b class="phone">{customer.label ?? customerText(customer.number)}</b>
              <span>
                {customer.last === null ? (
                  customerText(customer.number)
                ) : (
                  <>
                    <Money amount={customer.last.amount} /> · <Moment at={customer.last.at} style="minute" />
                  </>
                )}
              </span>
            </div>
          </a>
        ))}
      </div>
    </Sheet>
  );
}

function billerOf(customer: Customer) {
  const { category, last } = customer;
  return last?.product.biller ?? { category: category.slug, network: networkFor(customer), name: category.title };
}

/** The way in for what needs no number, or one that says nothing, such as an account. */
function Categories({ views, companyName }: { readonly views: readonly BillerView[]; readonly companyName: string }) {
  const visit = useVisit();
  const offered = categories.filter(({ slug }) => views.some(({ biller }) => biller.category === slug));
  if (offered.length === 0) {
    return (
      <Sheet>
        <Empty title="No products yet">{companyName} hasn’t opened any products to you yet. Contact them.</Empty>
      </Sheet>
    );
  }
  return (
    <Sheet title="Or start with a product">
      <div class="tiles">
        {offered.map(({ slug, title }) => (
          <a class="tile" key={slug} href={visit.to(`buy/${slug}`)}>
            <b>{title}</b>
            <span>{namesOf(views.filter(({ biller }) => biller.category === slug))}</span>
          </a>
        ))}
      </div>
    </Sheet>
  );
}

function namesOf(billers: readonly BillerView[]): string {
  const names = billers.slice(0, 2).map(({ biller }) => biller.name.replace(/ \(.*\)/, ""));
  const more = billers.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
