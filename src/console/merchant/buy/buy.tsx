import { type CategorySlug, findCategory } from "../../../categories/category-slugs.ts";
import { enterSale } from "../../../domain/members/console-sales.ts";
import { createBeneficiary } from "../../../domain/purchases/beneficiaries/beneficiaries.ts";
import type { Bought } from "../../../domain/purchases/buying/buy.ts";
import { beneficiaryCommand, readPurchaseRequest } from "../../../domain/purchases/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import { assert } from "../../../kernel/assert.ts";
import { type ProductId, parseReference } from "../../../kernel/ids.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer } from "../../kit/answer.tsx";
import { emptyForm, type Form, formOf, type Typed, typedForm } from "../../kit/form.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { keepForSession } from "../transactions/reveal.ts";
import { boughtPages, boughtPath } from "./bought.tsx";
import { checkPage, referenceOf, requestBody } from "./check.tsx";
import { categoriesPage, productsPage } from "./choose.tsx";
import { type Chosen, detailsPage, saveAsField, savedField } from "./details.tsx";
import { buyFields } from "./fields.tsx";
import { type CheckBody, closedPage, openBodyCheck, refuseWhenClosed } from "./selling.tsx";

type Services = MerchantServices & { readonly checkBody: CheckBody };

const capability = "buy";

/** Selling by hand: category, biller, product, number and amount, a check of all of it, and what became of it. */
export function buyPages(routes: ModeRoutes, given: MerchantServices): void {
  const services = { ...given, checkBody: openBodyCheck() };

  routes.page("/buy", {
    capability,
    show: async (visit) => closedPage(visit, "Buy") ?? categoriesPage(visit, await services.catalogue.current()),
  });

  routes.page("/buy/:category", {
    capability,
    show: async (visit) => closedPage(visit, "Buy") ?? (await chosenPage(services, visit)),
  });

  routes.form("/buy/:category/check", {
    capability,
    // It only asks and prices: a reload shows the same page, with the same reference.
    isHarmless: true,
    doneAt: (visit) => visit.to("buy"),
    show: (visit, typed) => detailsAgain(services, visit, typed),
    async send(visit, form) {
      refuseWhenClosed(visit);
      const chosen = await chosenOf(services, visit, form.text("product"));
      if (chosen === null) throw refuse("PRODUCT_NOT_FOUND");
      const typed = typedForm(form, null);
      if (form.text("step") === "change") return detailsPage(services, visit, chosen, typed);
      return checkPage(services, visit, chosen, typed, referenceOf(form, visit, requestBody(form, chosen, "web")));
    },
  });

  routes.form("/buy/:category/order/:reference", {
    capability,
    doneAt: (visit) => boughtPath(visit, visit.param("reference")),
    show: (visit, typed) => checkAgain(services, visit, typed),
    send: (visit, form) => order(services, visit, form),
  });

  boughtPages(routes, services);
}

/** What is chosen in the address: nothing yet, a biller, or a product, whose fields are asked for then. */
async function chosenPage(services: Services, visit: ModeVisit): Promise<PageAnswer | null> {
  const category = findCategory(visit.param("category"));
  if (category === null) return null;
  const product = visit.query.get("product");
  if (product === undefined) return productsPage(visit, category, await services.catalogue.current());
  const chosen = await chosenOf(services, visit, product);
  if (chosen === null) return null;
  const beneficiary = visit.query.get("beneficiary");
  const form = beneficiary === undefined ? emptyForm : formOf([[savedField, beneficiary]]);
  return detailsPage(services, visit, chosen, typedForm(form, null));
}

/** A product of the address's category that this merchant sees; null where there is none. */
async function chosenOf(services: Services, visit: ModeVisit, id: string): Promise<Chosen | null> {
  const category = findCategory(visit.param("category"));
  if (category === null || !/^[1-9][0-9]{0,9}$/.test(id)) return null;
  const catalogue = await services.catalogue.current();
  const product = catalogue.findProduct(Number(id) as ProductId);
  if (product === null || product.biller.category !== category.slug) return null;
  return catalogue.findBiller(product.biller.slug, visit.buyer) === null ? null : { category, product };
}

/** Buys what the check page showed, under the reference that it made. @throws Refusal where nothing was charged */
async function order(services: Services, visit: ModeVisit, form: Form) {
  refuseWhenClosed(visit);
  const reference = visit.param("reference");
  const chosen = await chosenOf(services, visit, form.text("product"));
  if (chosen === null) throw refuse("PRODUCT_NOT_FOUND");
  const { category, product } = chosen;
  const verificationId = form.text("verification_id");
  const body = {
    ...requestBody(form, chosen, reference),
    expected_price: form.text("expected_price"),
    ...(verificationId === "" ? {} : { verification_id: verificationId }),
  };
  services.checkBody(category, body);
  // Before the purchase: none is without its person, whatever crashes.
  const sold = parseReference(reference);
  assert(sold !== null, "the body's reference was checked");
  await enterSale(services.people, {
    wallet: visit.wallet,
    reference: sold,
    person: visit.session.person,
    details: { product: product.id },
  });
  const bought = await services.waiting.buying(visit.reply, async (watch) => {
    const common = { principal: visit.buyer, channel: "dashboard", category, ...watch } as const;
    return form.text(savedField) === ""
      ? services.buy({ ...common, request: readPurchaseRequest(category, body, nothingSent) })
      : services.buyForBeneficiary(beneficiaryCommand(common, body, nothingSent));
  });
  if (!bought.replayed) await keepForSession(services, visit, bought.purchase);
  const saved = await saveNumber(services, visit, form, bought);
  return goTo(boughtPath(visit, reference), [sentenceOf(bought), saved].filter(Boolean).join(" "));
}

function sentenceOf({ purchase, replayed }: Bought): string {
  if (replayed) return "This was bought before, and charged once: here it is.";
  if (purchase.status === "pending") return "Charged. The supplier has not answered yet.";
  return purchase.status === "failed" ? "It failed and was refunded." : "Bought.";
}

/** Keeps the number where a name for it was typed. The purchase is made: what is wrong with that is only told. */
async function saveNumber(services: Services, visit: ModeVisit, form: Form, bought: Bought): Promise<string> {
  const label = form.text(saveAsField);
  const { purchase, soldProduct, replayed } = bought;
  const mayKeep = visit.may("keep_beneficiaries");
  if (label === "" || form.text(savedField) !== "" || purchase.customerRef === null || replayed || !mayKeep) return "";
  const { biller, meterType } = soldProduct.product;
  const category = biller.category as CategorySlug;
  const facts = { label: label.slice(0, 100), category, customerRef: purchase.customerRef, billerSlug: biller.slug };
  try {
    await createBeneficiary(services, visit.buyer, { ...facts, meterType });
    return `The number is saved as ${facts.label}.`;
  } catch (error) {
    const isKnown = error instanceof Refusal && error.code === "BENEFICIARY_EXISTS";
    return isKnown ? "The number was saved before." : "The number could not be saved.";
  }
}

/** The fields again, with what was typed and the faults; where the product itself is gone, nothing is there. */
async function detailsAgain(services: Services, visit: ModeVisit, typed: Typed): Promise<PageAnswer | null> {
  const closed = closedPage(visit, "Buy");
  if (closed !== null) return closed;
  const chosen = await chosenOf(services, visit, typed.form.text("product"));
  return chosen === null ? null : detailsPage(services, visit, chosen, typed);
}

/** The check page again with what was refused; the fields, where one of them is wrong or it can't be bought at all. */
async function checkAgain(services: Services, visit: ModeVisit, typed: Typed): Promise<PageAnswer | null> {
  const chosen = await chosenOf(services, visit, typed.form.text("product"));
  if (chosen === null || closedPage(visit, "Buy") !== null) return detailsAgain(services, visit, typed);
  const shown = [...buyFields(chosen.category, chosen.product).map(({ name }) => name), savedField];
  if (Object.keys(typed.errors).some((field) => shown.includes(field))) {
    return detailsPage(services, visit, chosen, typed);
  }
  try {
    return await checkPage(services, visit, chosen, typed, visit.param("reference"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return detailsPage(services, visit, chosen, typedForm(typed.form, error));
  }
}
