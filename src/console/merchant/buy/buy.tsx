import { findCategory } from "../../../categories/category-slugs.ts";
import { enterSale } from "../../../domain/members/console-sales.ts";
import { readPurchaseRequest } from "../../../domain/purchases/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer } from "../../kit/answer.tsx";
import { type Form, formOf, type Typed, typedForm } from "../../kit/form.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { keepForSession } from "../transactions/reveal.ts";
import { boughtPages } from "./bought.tsx";
import { choosePage } from "./choose.tsx";
import { boughtPath, saleHref } from "./customers.ts";
import { buyFields } from "./fields.tsx";
import { payable } from "./offer.ts";
import { againField, payableField } from "./pay.tsx";
import {
  type Chosen,
  findSoldBefore,
  priceSale,
  readBody,
  referenceOf,
  type SellServices,
  saleField,
} from "./price-sale.ts";
import { salePage } from "./sale.tsx";
import { closedPage, openBodyCheck, refuseWhenClosed } from "./selling.tsx";
import { startPage } from "./start.tsx";

const capability = "buy";
/** An address may be so long; a text message that is longer is priced without one. */
const addressMax = 2_000;

/**
 * Selling at a counter: a number, what to sell to it, its price, and what became of it. Every page but a refused one has an
 * address, so that the back button and a reload lead to pages and sell nothing.
 */
export function buyPages(routes: ModeRoutes, given: MerchantServices): void {
  const services = { ...given, checkBody: openBodyCheck() };

  const whenOpen = (show: (visit: ModeVisit) => Promise<Answer | null>) => (visit: ModeVisit) =>
    closedPage(visit, "Sell") ?? show(visit);
  routes.page("/buy", { capability, show: whenOpen((visit) => startPage(services, visit)) });
  routes.page("/buy/:category", { capability, show: whenOpen((visit) => chosenPage(services, visit)) });

  routes.form("/buy/:category/check", {
    capability,
    // It only asks and prices: a reload shows the same page, with the same reference.
    isHarmless: true,
    doneAt: (visit) => visit.to("buy"),
    show: (visit, typed) => saleAgain(services, visit, typed),
    send: (visit, form) => check(services, visit, form),
  });

  routes.form("/buy/:category/order/:reference", {
    capability,
    doneAt: (visit) => boughtPath(visit, visit.param("reference")),
    show: (visit, typed) => saleAgain(services, visit, typed),
    send: (visit, form) => order(services, visit, form),
  });

  boughtPages(routes, services);
}

/** What is chosen in the address: nothing yet, a biller, or a product, which is priced as soon as enough is typed. */
async function chosenPage(services: SellServices, visit: ModeVisit): Promise<Answer | null> {
  const category = findCategory(visit.param("category"));
  if (category === null) return null;
  const product = visit.query.get("product");
  if (product === undefined) return choosePage(visit, category, await services.catalogue.current());
  const chosen = await chosenOf(services, visit, product);
  // Named before anything is typed: whatever is lost on the way, the same sale is charged once.
  if (!visit.query.has(saleField)) {
    return goTo(saleHref(visit, category, { ...Object.fromEntries(visit.query), [saleField]: newSale(visit) }));
  }
  return salePage(services, visit, chosen, typedForm(formOf(visit.query), null));
}

function newSale({ formToken }: ModeVisit): string {
  return formToken.slice(0, 16);
}

/** A product of the address's category that this merchant sees. @throws Refusal PRODUCT_NOT_FOUND */
async function chosenOf(services: SellServices, visit: ModeVisit, id: string): Promise<Chosen> {
  const category = findCategory(visit.param("category"));
  const catalogue = await services.catalogue.current();
  const product = /^[1-9][0-9]{0,9}$/.test(id) ? catalogue.findProduct(Number(id) as ProductId) : null;
  const isSeen = product !== null && catalogue.findBiller(product.biller.slug, visit.buyer) !== null;
  if (category === null || !isSeen || product.biller.category !== category.slug) throw refuse("PRODUCT_NOT_FOUND");
  return { category, product };
}

/** On to the page that has the price. @throws Refusal with what is wrong */
async function check(services: SellServices, visit: ModeVisit, form: Form): Promise<Answer> {
  refuseWhenClosed(visit);
  const chosen = await chosenOf(services, visit, form.text("product"));
  const { category, product } = chosen;
  const quick = form.text("quick");
  const fields = {
    ...Object.fromEntries(buyFields(category, product).map(({ name }) => [name, form.text(name)])),
    ...(quick === "" ? {} : { amount: quick }),
    product: String(product.id),
    [saleField]: form.text(saleField) || newSale(visit),
  };
  // An amount that was pressed may come before the number is typed.
  if (quick === "") await priceSale(services, visit, chosen, form);
  const path = saleHref(visit, category, fields);
  if (path.length <= addressMax) return goTo(path);
  return salePage(services, visit, chosen, typedForm(formOf(Object.entries(fields)), null));
}

/** Buys what the page showed, under the reference that it made. @throws Refusal where nothing was charged */
async function order(services: SellServices, visit: ModeVisit, form: Form): Promise<Answer> {
  refuseWhenClosed(visit);
  const reference = visit.param("reference");
  const chosen = await chosenOf(services, visit, form.text("product"));
  const { category, product } = chosen;
  const typed = await readBody(services, visit, chosen, form);
  const named = referenceOf(form, visit, typed);
  if (named !== reference) return salePage(services, visit, chosen, typedForm(form, null), "changed");
  const isKnown = (await services.findByReference({ wallet: visit.wallet, reference: named })) !== null;
  const expected = isKnown ? null : await agreedTo(services, visit, chosen, form);
  if (expected === "again") return salePage(services, visit, chosen, typedForm(form, null), "again");
  const verificationId = form.text("verification_id");
  const body = {
    ...{ reference, ...typed },
    ...(expected === null ? {} : { expected_price: expected }),
    ...(verificationId === "" ? {} : { verification_id: verificationId }),
  };
  services.checkBody(category, body);
  // Before the purchase: none is without its person, whatever crashes.
  await enterSale(services.people, {
    ...{ wallet: visit.wallet, reference: named, person: visit.session.person },
    ...{ command: "console buy", details: { product: product.id } },
  });
  const bought = await services.waiting.buying(visit.reply, (watch) => {
    const common = { principal: visit.buyer, channel: "dashboard", category, ...watch } as const;
    return services.buy({ ...common, request: readPurchaseRequest(category, body, nothingSent) });
  });
  if (!bought.replayed) await keepForSession(services, visit, bought.purchase);
  // How it ended, its own page says.
  return goTo(
    boughtPath(visit, reference),
    bought.replayed ? "You already made this sale. It was charged once." : undefined,
  );
}

/**
 * What a new sale may cost, as its page said; "again" where the same was sold a few minutes ago, which its page didn't say.
 * A person who may not see costs agreed to what the customer pays. @throws Refusal PRICE_CHANGED
 */
async function agreedTo(services: SellServices, visit: ModeVisit, chosen: Chosen, form: Form): Promise<string> {
  const priced = await priceSale(services, visit, chosen, form);
  const before = await findSoldBefore(services, visit, priced);
  if (before !== null && form.text(againField) !== String(before)) return "again";
  if (visit.may("see_costs")) return form.text("expected_price");
  if (form.text(payableField) !== formatNaira(payable(visit, priced.preview.price))) throw refuse("PRICE_CHANGED");
  return formatNaira(priced.preview.price.total);
}

/** The page again with what was typed and refused; where the product itself is gone, nothing is there. */
async function saleAgain(services: SellServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const closed = closedPage(visit, "Sell");
  return closed ?? salePage(services, visit, await chosenOf(services, visit, typed.form.text("product")), typed);
}
