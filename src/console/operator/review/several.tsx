import type { FinalOutcome, Purchase } from "../../../domain/purchases/purchase.ts";
import { findingCodes } from "../../../domain/resolution/review/review.ts";
import { listReview, listReviewAnswers } from "../../../domain/resolution/review/review-queries.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { countText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { merchantNames } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";
import { causeOf, causeText } from "./cause.ts";
import { areTopUps, Chosen, chosenSales, type Group, Groups, linkTo, severalPath } from "./several-form.tsx";
import { checkSure } from "./sure.tsx";
import { askForResolutions } from "./together.tsx";

const here = severalPath;
const queuePath = "/operator/review";
/** Of the queue, the oldest. */
const readMax = 2_000;
/** A form has 200 fields at most. */
const shownMax = 150;

/** Sales in review of one supplier and one cause, chosen and decided together. */
export function severalPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.both(here, {
    capability: "resolve",
    doneAt: () => queuePath,
    show: (visit, typed) => severalPage(services, visit, typed),
    send: (visit, form) => ask(services, visit, form),
  });
}

/** What waits, oldest first, and what each one's supplier made of it. */
async function readWaiting({ reads }: OperatorServices) {
  const [rows, answers] = await Promise.all([listReview(reads, readMax), listReviewAnswers(reads, readMax)]);
  return rows.map((purchase) => ({ purchase, happened: causeOf(answers.get(purchase.id) ?? null) }));
}

/** The same by supplier and what happened, the largest group first. */
async function readGroups(services: OperatorServices): Promise<readonly Group[]> {
  const groups = new Map<string, { supplier: string; cause: string; sales: Group["sales"][number][] }>();
  for (const sale of await readWaiting(services)) {
    const { supplier } = sale.purchase;
    if (supplier === null) continue;
    const cause = causeText(sale.happened);
    const key = JSON.stringify([supplier, cause]);
    const group = groups.get(key) ?? { supplier, cause, sales: [] };
    group.sales.push(sale);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.sales.length - a.sales.length);
}

async function ask(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { transactionIds } = services;
  const chosen = new Set(chosenSales.in(form));
  const supplier = form.text("supplier");
  const waiting = (await readWaiting(services)).filter(
    ({ purchase }) => purchase.supplier === supplier && chosen.has(transactionIds.format(purchase.id, "live")),
  );
  const gone = chosen.size - waiting.length;
  if (gone > 0) {
    const message = `${countText(gone, "sale")} that you chose ended meanwhile. Choose again; nothing was asked for.`;
    throw refused(message);
  }
  const products = await services.catalogue.current();
  const outcome = outcomeIn(form, areTopUps(products, waiting));
  const happened = waiting.map((sale) => sale.happened);
  if (outcome.status === "failed") checkSure(form, supplier, happened);
  const ends = waiting.map(({ purchase }) => ({ purchase, outcome, line: null }));
  return askForResolutions(services, visit, { supplier, ends, evidence: form.text("evidence") }, queuePath);
}

function outcomeIn(form: SentForm, isTopUp: boolean): FinalOutcome {
  const result = form.text("result");
  if (result === "declined") {
    const errorCode = findingCodes.find((known) => known === form.text("reason")) ?? "EXPIRED_UNCONFIRMED";
    return { status: "failed", errorCode, providerReference: null };
  }
  if (result !== "vended") throw wrong("result", "Choose what happened.");
  if (!isTopUp) throw wrong("result", "Only airtime and data hand nothing over. Use a statement for these.");
  return { status: "successful", providerReference: null, fulfilment: null };
}

async function severalPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const sought = (name: string) => typed.form.text(name) || (visit.query.get(name) ?? "");
  const groups = await readGroups(services);
  const group = groups.find(({ supplier, cause }) => supplier === sought("supplier") && cause === sought("cause"));
  const head = {
    title: "Decide several at once",
    crumbs: [["Review queue", queuePath]] as const,
  };
  if (group === undefined)
    return page({ ...head, note: "Choose a supplier and what happened" }, <Groups groups={groups} />);
  const { reads, catalogue, people } = services;
  const shown = group.sales.slice(0, shownMax);
  const sales = shown.map(({ purchase }) => purchase);
  const props = {
    ...{ group, shown, typed, products: await catalogue.current(), now: people.clock.now() },
    names: await merchantNames(reads, sales),
    isChosen: chosenBefore(visit, typed),
    idOf: ({ id }: Purchase) => services.transactionIds.format(id, "live"),
  };
  const note = `${group.supplier}: ${group.cause}. ${countText(group.sales.length, "sale")}`;
  const actions = (
    <>
      <ButtonLink href={linkTo(group, { select: "page" })}>Select page</ButtonLink>
      <ButtonLink href={here}>Other cause</ButtonLink>
    </>
  );
  return page({ ...head, note, actions }, <Chosen {...props} />);
}

/** Which sales are ticked: as they were sent, else all where the address says so. */
function chosenBefore({ query }: StaffVisit, { form }: Typed): (name: string) => boolean {
  const sent = new Set(form.all("sale"));
  return (name) => (form.fields.size === 0 ? query.get("select") === "page" : sent.has(name));
}
