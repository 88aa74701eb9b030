import { findWallet } from "../../../domain/wallet/queries.ts";
import { zeroKobo } from "../../../kernel/money.ts";
import { parsePhone, phonePattern } from "../../../kernel/phone.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { type FieldErrors, Refusal } from "../../../kernel/problems.ts";
import { typedPhone } from "../../../kernel/typed-text.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { customerText } from "../../kit/delivered.tsx";
import { type Form, formOf, type Typed, typedForm } from "../../kit/form.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import type { ModeVisit } from "../access.ts";
import { phoneFault } from "../bulk/read-cells.ts";
import { isNumberOf, lastCustomers, readTypedNumber } from "./customers.ts";
import { type BuyField, buyFields } from "./fields.tsx";
import {
  type Chosen,
  findHolder,
  findSoldBefore,
  type Holder,
  isFilled,
  type Priced,
  priceSale,
  type SellServices,
} from "./price-sale.ts";
import { SaleForm } from "./sale-form.tsx";
import { sellingStatus, topOf } from "./selling.tsx";

/** What the page shows of a sale: what was typed and is wrong with it, whose number it is, and what it costs. */
interface Sale {
  readonly typed: Typed;
  readonly holder: Holder;
  readonly priced: Priced | null;
}

/**
 * One page from the number to the button that pays: the fields that the product leaves open, whose number it is, and the
 * price as soon as it is known. `since`: why what was sent isn't carried out: it was changed after its price was seen, or the
 * same was sold.
 */
export async function salePage(
  services: SellServices,
  visit: ModeVisit,
  chosen: Chosen,
  given: Typed,
  since: "changed" | "again" | null = null,
): Promise<PageAnswer> {
  const { category, product } = chosen;
  const fields = buyFields(category, product);
  const names = fields.map(({ name }) => name);
  const sale = await readSale(services, visit, chosen, given);
  const { typed, priced } = sale;
  const [catalogue, wallet, company] = await Promise.all([
    services.catalogue.current(),
    findWallet(services.reads, visit.wallet),
    services.people.company(),
  ]);
  const reference = priced?.reference ?? null;
  const sold = reference === null ? null : await services.findByReference({ wallet: visit.wallet, reference });
  const isNew = priced !== null && sold === null;
  const soldBefore = isNew ? await findSoldBefore(services, visit, priced) : null;
  const isPhone = product.biller.network !== null;
  const last = isPhone ? await lastCustomers(services, visit, catalogue) : [];
  const number = readTypedNumber(typed.form.text(category.customerField));
  const error = topOf(typed, names, visit, company.name);
  return page(
    {
      title: `Buy ${product.name}`,
      heading: product.name,
      note: !isNumberOf(category, number) ? category.title : `For ${customerText(number)}`,
      actions: <ButtonLink href={visit.to("buy")}>Another number</ButtonLink>,
      status: since !== null ? 409 : sellingStatus(typed),
    },
    <>
      {since === "changed" ? (
        <Flash kind="waiting">You changed the sale. Check the new price, then pay.</Flash>
      ) : since === "again" ? (
        <Flash kind="waiting">The same was sold meanwhile, and this sale wasn’t charged. Do you want both?</Flash>
      ) : null}
      <SaleForm
        {...{ chosen, fields, catalogue, number, sold, soldBefore, ...sale }}
        wallet={wallet ?? { balance: zeroKobo, debt: zeroKobo }}
        soldAs={last.find((customer) => customer.number === number)?.network ?? null}
        error={error}
      />
    </>,
  );
}

/** Checks and prices what is typed so far; what is wrong stands at its field. */
async function readSale(services: SellServices, visit: ModeVisit, chosen: Chosen, given: Typed): Promise<Sale> {
  const { category, product } = chosen;
  const fields = buyFields(category, product);
  let typed = aimed(given, chosen, fields);
  let holder: Holder = null;
  let priced: Priced | null = null;
  try {
    if (typed.error(category.customerField) === null) holder = await findHolder(services, visit, chosen, typed.form);
    if (typed.refusal === null) typed = typedForm(withRenewal(typed.form, holder), null);
    const isWrong = fields.some(({ name }) => typed.error(name) !== null);
    if (!isWrong && isFilled(typed.form, chosen)) priced = await priceSale(services, visit, chosen, typed.form);
  } catch (error) {
    if (!(error instanceof Refusal) || (problems[error.code].status >= 500 && !error.code.endsWith("_UNAVAILABLE"))) {
      throw error;
    }
    // What is wrong with the number is told beside what was wrong before.
    const more = aimed(typedForm(typed.form, error), chosen, fields);
    typed = typed.refusal === null ? more : typedForm(typed.form, typed.refusal, { ...more.errors, ...typed.errors });
  }
  return { typed, holder, priced };
}

/** What a renewal costs is known of the smartcard: it stands there until another amount is typed. */
function withRenewal(form: Form, holder: Holder): Form {
  const amount = holder?.kind === "verified" ? holder.verified.reported.renewal_amount : null;
  if (typeof amount !== "string" || form.text("amount") !== "") return form;
  return formOf([...[...form.fields].map(([name, [value = ""]]) => [name, value] as const), ["amount", amount]]);
}

/** Refusals that are about a field without saying so, and faults in the words of whoever stands at the counter. */
function aimed(given: Typed, { category, product }: Chosen, fields: readonly BuyField[]): Typed {
  const { customerField } = category;
  const typed = given.aimed({
    VERIFICATION_FAILED: [
      customerField,
      `${product.biller.name} doesn’t know this number. Check it with the customer.`,
    ],
    RECIPIENT_BLOCKED: [customerField],
  });
  const errors: FieldErrors = Object.fromEntries(
    Object.entries(typed.errors).map(([name, messages]) => {
      const field = fields.find((each) => each.name === name);
      const text = typed.form.text(name);
      if (field === undefined) return [name, messages];
      if (text === "") return [name, [`Enter the ${field.label.toLowerCase()}.`]];
      const isUnread = field.schema.pattern === phonePattern && parsePhone(typedPhone(text)) === null;
      return [name, isUnread ? [phoneFault(text)] : messages];
    }),
  );
  return typedForm(typed.form, typed.refusal, errors);
}
