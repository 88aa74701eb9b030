import type { Category } from "../../../categories/category.ts";
import { categoryOf, findCategory } from "../../../categories/category-slugs.ts";
import { readCustomerNumber } from "../../../categories/customer-number.ts";
import type { MeterType, Product } from "../../../categories/product/product.ts";
import { categories } from "../../../categories/registry.ts";
import type { BillerView, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listBeneficiaryPage } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/purchases/beneficiaries/beneficiary.ts";
import { listLastCustomers } from "../../../domain/purchases/beneficiaries/last-customer-queries.ts";
import { wordsIn } from "../../../domain/purchases/beneficiaries/queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Network, networkHint, parsePhone, phonePattern, readDigits } from "../../../kernel/phone.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { typedText } from "../../../kernel/typed-text.ts";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { isOnOffer } from "./offer.ts";

/** Somebody to sell to: a number, and what the shop knows of it by saving it or by its last sale. */
export interface Customer {
  readonly category: Category;
  readonly number: string;
  /** The shop's own name for it; null where it isn't saved. */
  readonly label: string | null;
  /** Where the customer can be reached, where that is not the number. */
  readonly phone: string | null;
  readonly network: Network | null;
  readonly billerSlug: string | null;
  readonly meterType: MeterType | null;
  /** The last sale at the counter; null where there is none among the newest. */
  readonly last: { readonly product: Product; readonly amount: Kobo; readonly at: Instant } | null;
}

/** Saved numbers that are offered; more stand under Customers. */
const savedMax = 6;

/** The saved numbers whose name, number or biller has every word, the newest first. */
export async function savedCustomers(
  { reads }: Pick<MerchantServices, "reads">,
  { buyer }: ModeVisit,
  text: string,
): Promise<readonly Customer[]> {
  const filter = { category: null, words: wordsIn(text).slice(0, 10) };
  const { beneficiaries } = await listBeneficiaryPage(reads, buyer, filter, { page: 1, perPage: savedMax });
  return beneficiaries.map(savedCustomer);
}

export function savedCustomer(kept: Beneficiary): Customer {
  const { category, customerRef: number, label, phone, network, billerSlug, meterType } = kept;
  return { category: categoryOf(category), number, label, phone, network, billerSlug, meterType, last: null };
}

/** The last customers at this wallet's counter whose number a sale can begin with; a cashier's own alone. */
export async function lastCustomers(
  { reads }: Pick<MerchantServices, "reads">,
  { wallet, may, session }: ModeVisit,
  catalogue: CatalogueSnapshot,
): Promise<readonly Customer[]> {
  return (await listLastCustomers(reads, wallet, may("look") ? null : session.person.id)).flatMap(
    (found): Customer[] => {
      const product = catalogue.findProduct(found.productId);
      const category = product === null ? null : findCategory(product.biller.category);
      if (product === null || category === null || !takes(category, found.customerRef)) return [];
      const { customerRef: number, amount, purchasedAt: at } = found;
      const phone = found.phone === number ? null : found.phone;
      const { network, slug: billerSlug } = product.biller;
      const { meterType } = product;
      return [{ category, number, label: null, phone, network, billerSlug, meterType, last: { product, amount, at } }];
    },
  );
}

/** A number in the spelling that purchases keep, whichever it is typed in: grouped, with dashes, `+234`. */
export function readTypedNumber(text: string): string {
  const typed = typedText(text);
  return parsePhone(typed) ?? readDigits(typed) ?? typed;
}

/** Whether the category sells to this number: a phone is never taken for a meter. */
export function takes(category: Category, number: string): boolean {
  const { body, customerField } = category;
  const pattern = patternOf(category);
  const isForPhones = pattern === phonePattern;
  if (pattern === undefined || isForPhones !== (parsePhone(number) !== null)) return false;
  if (isForPhones && body.required?.includes(customerField) !== true) return false;
  return isNumberOf(category, number);
}

/** Whether it is a number as the category's purchases keep it. */
export function isNumberOf(category: Category, number: string): boolean {
  try {
    return readCustomerNumber(category, number, category.customerField) === number;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * What can be sold to a number, the most likely first: a phone gets airtime, ten digits are a smartcard, others that a
 * meter may have are a meter. Accounts are left out, as any text may be one.
 */
export function categoriesFor(number: string, views: readonly BillerView[]): readonly Category[] {
  const isOfDigits = (pattern = "") => pattern === phonePattern || /^\^\[0-9\]/.test(pattern);
  const isSmartcard = /^[0-9]{10}$/.test(number);
  const order = ["airtime", "data", ...(isSmartcard ? ["cable", "electricity"] : ["electricity", "cable"])];
  const rank = ({ slug }: Category) => (order.indexOf(slug) + order.length + 1) % (order.length + 1);
  return categories
    .filter(({ slug }) => views.some(({ biller }) => biller.category === slug))
    .filter((category) => takes(category, number) && isOfDigits(patternOf(category)))
    .toSorted((one, other) => rank(one) - rank(other));
}

function patternOf({ body, customerField }: Category): string | undefined {
  return (body.properties[customerField] as { readonly pattern?: string } | undefined)?.pattern;
}

type Start = Pick<Customer, "category" | "number"> & Partial<Customer>;

/** Where to sell to a customer: with the product, or at least the biller, that the number or the last sale tells. */
export function customerHref(visit: ModeVisit, catalogue: CatalogueSnapshot, customer: Start): string {
  const { category, number, billerSlug = null, meterType = null, last = null, phone = null } = customer;
  const network = networkFor(customer);
  const views = catalogue
    .billers(visit.buyer)
    .filter(({ biller }) => biller.category === category.slug && biller.status !== "unavailable");
  const view =
    views.find(({ biller }) => biller.slug === billerSlug) ??
    views.find(({ biller }) => network !== null && biller.network === network) ??
    null;
  const products = (view?.products ?? []).filter(isOnOffer);
  const product =
    products.find((each) => each === last?.product && each.amountType === "variable") ??
    products.find((each) => meterType !== null && each.meterType === meterType) ??
    (products.length === 1 ? products[0] : undefined);
  return saleHref(visit, category, {
    [category.customerField]: number,
    ...(product === undefined ? { biller: view?.biller.slug } : { product: String(product.id) }),
    ...(phone !== null && "phone" in category.body.properties ? { phone } : {}),
  });
}

/** The network that is kept with a number, else the one that its first digits belong to. */
export function networkFor({ number, network = null }: Pick<Start, "number" | "network">): Network | null {
  const phone = parsePhone(number);
  return network ?? (phone === null ? null : networkHint(phone));
}

/** The address of a sale with what is known of it; what is empty is left out. */
export function saleHref(
  visit: ModeVisit,
  { slug }: Pick<Category, "slug">,
  fields: Readonly<Record<string, string | null | undefined>>,
): string {
  const filled = Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1]));
  const query = new URLSearchParams(filled).toString();
  return visit.to(query === "" ? `buy/${slug}` : `buy/${slug}?${query}`);
}

/** The field of a new beneficiary that says after which sale it is saved, to go back there. */
export const afterSaleField = "after_sale";

/** The address of what became of a sale. */
export function boughtPath(visit: ModeVisit, reference: string): string {
  return visit.to(`buy/bought/${encodeURIComponent(reference)}`);
}
