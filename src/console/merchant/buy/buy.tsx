import { type CategorySlug, findCategory } from "../../../categories/category-slugs.ts";
import { writeEntry } from "../../../domain/audit/audit-log.ts";
import { createBeneficiary } from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Bought } from "../../../domain/buying/buy.ts";
import { beneficiaryCommand, readPurchaseRequest } from "../../../domain/buying/purchase-request.ts";
import { auditName } from "../../../domain/people/person.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { may } from "../../access.ts";
import { goTo, type PageAnswer } from "../../answer.ts";
import { emptyForm, type Form, formOf } from "../../form.ts";
import { notFoundPage } from "../../gate-pages.tsx";
import type { Routes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { keepForSession } from "../reveal.ts";
import { boughtPages } from "./bought.tsx";
import { type BuyPageServices, type CheckBody, openBodyCheck } from "./buy-services.ts";
import { checkPage, referenceOf, requestBody } from "./check.tsx";
import { categoriesPage, productsPage } from "./choose.tsx";
import { type Chosen, detailsPage, saveAsField, savedField } from "./details.tsx";
import { buyFields } from "./fields.tsx";
import { buyerOf, closedPage, refuseWhenClosed } from "./selling-gate.tsx";

type Services = BuyPageServices & { readonly checkBody: CheckBody };

/** Selling by hand: category, biller, product, number and amount, a check of all of it, and what became of it. */
export function buyPages(routes: Routes<ModeVisit>, given: BuyPageServices): void {
  const services = { ...given, checkBody: openBodyCheck() };

  routes.page("/buy", {
    capability: "buy",
    show: async (visit) =>
      closedPage(visit, "Buy") ?? categoriesPage(visit, await services.catalogue.current(), buyerOf(visit)),
  });

  routes.page("/buy/:category", {
    capability: "buy",
    show: async (visit) => closedPage(visit, "Buy") ?? (await chosenPage(services, visit)),
  });

  routes.form("/buy/:category/check", {
    capability: "buy",
    // It only asks and prices: a reload shows the same page, with the same reference.
    isHarmless: true,
    async send(visit, form) {
      refuseWhenClosed(visit);
      const chosen = await chosenOf(services, visit, form.text("product"));
      if (chosen === null) throw refuse("PRODUCT_NOT_FOUND");
      if (form.text("step") === "change") return detailsPage(services, visit, chosen, { form, refusal: null });
      const reference = referenceOf(form, visit, requestBody(form, chosen, "web"));
      return checkPage(services, visit, chosen, { form, reference, refusal: null });
    },
    refused: (visit, form, refusal) => detailsAgain(services, visit, form, refusal),
    doneAt: (visit) => modePath(visit, "buy"),
  });

  routes.form("/buy/:category/order/:reference", {
    capability: "buy",
    send: (visit, form) => order(services, visit, form),
    refused: (visit, form, refusal) => checkAgain(services, visit, form, refusal),
    doneAt: (visit) => modePath(visit, `buy/bought/${encodeURIComponent(parametersOf(visit).reference)}`),
  });

  boughtPages(routes, services);
}

function parametersOf({ request }: ModeVisit): { readonly category: string; readonly reference: string } {
  return request.params as { readonly category: string; readonly reference: string };
}

/** What is chosen in the address: nothing yet, a biller, or a product, whose fields are asked for then. */
async function chosenPage(services: Services, visit: ModeVisit): Promise<PageAnswer> {
  const category = findCategory(parametersOf(visit).category);
  if (category === null) return notFoundPage();
  const product = visit.query.get("product");
  if (product === undefined) {
    return productsPage(visit, category, await services.catalogue.current(), buyerOf(visit));
  }
  const chosen = await chosenOf(services, visit, product);
  if (chosen === null) return notFoundPage();
  const beneficiary = visit.query.get("beneficiary");
  const form = beneficiary === undefined ? emptyForm : formOf([[savedField, beneficiary]]);
  return detailsPage(services, visit, chosen, { form, refusal: null });
}

/** A product of the address's category that this merchant sees; null where there is none. */
async function chosenOf(services: Services, visit: ModeVisit, id: string): Promise<Chosen | null> {
  const category = findCategory(parametersOf(visit).category);
  if (category === null || !/^[1-9][0-9]{0,9}$/.test(id)) return null;
  const catalogue = await services.catalogue.current();
  const product = catalogue.findProduct(Number(id) as ProductId);
  if (product === null || product.biller.category !== category.slug) return null;
  return catalogue.findBiller(product.biller.slug, buyerOf(visit)) === null ? null : { category, product };
}

/** Buys what the check page showed, under the reference that it made. @throws Refusal where nothing was charged */
async function order(services: Services, visit: ModeVisit, form: Form) {
  refuseWhenClosed(visit);
  const { reference } = parametersOf(visit);
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
  const details = { merchant: visit.member.merchantId, mode: visit.mode, reference, product: product.id };
  const entry = { who: auditName(visit.session.person), command: "console buy", details: JSON.stringify(details) };
  await writeEntry(services.database, entry);
  const bought = await services.earlyAnswers.buying(visit.reply, async (watch) => {
    const common = { principal: buyerOf(visit), channel: "dashboard", category, ...watch } as const;
    return form.text(savedField) === ""
      ? services.buy({ ...common, request: readPurchaseRequest(category, body, nothingSent) })
      : services.buyForBeneficiary(beneficiaryCommand(common, body, nothingSent));
  });
  if (!bought.replayed) await keepForSession(services, visit, bought.purchase);
  const saved = await saveNumber(services, visit, form, bought);
  return goTo(modePath(visit, `buy/bought/${reference}`), [sentenceOf(bought), saved].filter(Boolean).join(" "));
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
  const mayKeep = may(visit.member.role, "keep_beneficiaries");
  if (label === "" || form.text(savedField) !== "" || purchase.customerRef === null || replayed || !mayKeep) return "";
  const { biller, meterType } = soldProduct.product;
  const category = biller.category as CategorySlug;
  const facts = { label: label.slice(0, 100), category, customerRef: purchase.customerRef, billerSlug: biller.slug };
  try {
    await createBeneficiary(services, buyerOf(visit), { ...facts, meterType });
    return `The number is saved as ${facts.label}.`;
  } catch (error) {
    const isKnown = error instanceof Refusal && error.code === "BENEFICIARY_EXISTS";
    return isKnown ? "The number was saved before." : "The number could not be saved.";
  }
}

/** The fields again, with what was typed and the faults; where the product itself is gone, its category. */
async function detailsAgain(services: Services, visit: ModeVisit, form: Form, refusal: Refusal): Promise<PageAnswer> {
  const chosen = await chosenOf(services, visit, form.text("product"));
  const closed = closedPage(visit, "Buy");
  if (closed !== null || chosen === null) return closed ?? notFoundPage();
  return detailsPage(services, visit, chosen, { form, refusal });
}

/** The check page again with what was refused; the fields, where one of them is wrong or it can't be bought at all. */
async function checkAgain(services: Services, visit: ModeVisit, form: Form, refusal: Refusal): Promise<PageAnswer> {
  const chosen = await chosenOf(services, visit, form.text("product"));
  if (chosen === null || closedPage(visit, "Buy") !== null) return detailsAgain(services, visit, form, refusal);
  const shown = [...buyFields(chosen.category, chosen.product).map(({ name }) => name), savedField];
  const isOfField = Object.keys(refusal.detail.errors ?? {}).some((field) => shown.includes(field));
  if (isOfField) return detailsPage(services, visit, chosen, { form, refusal });
  const { reference } = parametersOf(visit);
  try {
    return await checkPage(services, visit, chosen, { form, reference, refusal });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return detailsPage(services, visit, chosen, { form, refusal: error });
  }
}
