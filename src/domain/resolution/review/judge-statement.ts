import type { PurchaseId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { formatNaira } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { openYieldToEventLoop } from "../../../platform/pacing.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import { derivedNames } from "../../../providers/registry.ts";
import { codesIn, listSoldTo, plainCode, soldBefore } from "../../purchases/fulfilment/delivered-codes.ts";
import { type FinalOutcome, type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { vendRequestOf } from "../../purchases/vend-request.ts";
import { filledGoods } from "./goods-fields.ts";
import type { PlannedEnd, PlanServices } from "./resolve-together.ts";
import { fulfilmentTemplate } from "./review.ts";
import { completedFulfilment, fulfilmentFaults } from "./review-fulfilment.ts";
import { listPendingSalesNamed, listSalesByIds, type NamedSale } from "./review-queries.ts";
import type { EndLine } from "./statement-lines.ts";

export interface JudgeServices extends PlanServices {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
}

/** The supplier of a statement, and which reference it names sales by: ours, or the supplier's own. */
export interface StatementOf {
  readonly supplier: { readonly name: string; readonly connector: string };
  readonly by: "reference" | "provider_reference";
}

/** What a line of a statement would do. */
export interface JudgedLine {
  readonly line: number;
  readonly reference: string;
  /** `no_action`: nothing is to be done. `doubtful`: nothing is done before a person has looked. `wrong`: it can't be read. */
  readonly verdict: "fulfil" | "refund" | "no_action" | "doubtful" | "unmatched" | "wrong";
  /** In a sentence; empty where it does what it says. */
  readonly why: string;
  readonly purchase: Purchase | null;
  /** Null where it ends nothing. */
  readonly outcome: FinalOutcome | null;
}

/**
 * Judges each line of a statement by the sales as they are now. Reads only. A line ends a sale where all of it is plain: one
 * pending sale, at this supplier, in the attempt that the line is about, by one line, at the cost that we know, with all that
 * the customer is to get, and nobody else got or is to get. Whatever else it says is for a person.
 */
export async function judgeStatement(
  services: JudgeServices,
  statement: StatementOf,
  lines: readonly EndLine[],
): Promise<readonly JudgedLine[]> {
  const named = await salesNamed(services, statement, lines);
  const uses = new Map<PurchaseId, number[]>();
  for (const [at, { sales, attempt }] of named.entries()) {
    for (const { purchase } of sales) {
      if (attempt !== null && attempt !== purchase.attempt) continue;
      uses.set(purchase.id, [...(uses.get(purchase.id) ?? []), lines[at]?.line ?? 0]);
    }
  }
  const judged: JudgedLine[] = [];
  const pause = openYieldToEventLoop();
  for (const [at, line] of lines.entries()) {
    // Sales go on between: thousands of lines take seconds.
    if (at % 100 === 99) await pause();
    const { sales, attempt } = named[at] ?? nothingNamed;
    const [sale] = sales;
    const { line: number, reference, fault } = line;
    if (sale === undefined || fault !== null) {
      const verdict = fault === null ? "unmatched" : "wrong";
      judged.push({ line: number, reference, verdict, why: fault ?? "", purchase: null, outcome: null });
      continue;
    }
    const others = sales.length > 1 ? [] : (uses.get(sale.purchase.id) ?? []);
    const verdict =
      sales.length > 1
        ? doubtful(`${sales.length} pending sales have this ID`)
        : others.length > 1
          ? doubtful(`Lines ${others.slice(0, 3).join(" and ")} are about one sale`)
          : await verdictOf(services, statement, { line, sale, attempt });
    judged.push({ line: number, reference, purchase: sale.purchase, ...verdict });
  }
  return doubtGoods(services, lines, judged);
}

/** No customer gets a token that another sale got, or that another line names as well, whatever that line would do. */
async function doubtGoods(
  services: JudgeServices,
  lines: readonly EndLine[],
  judged: readonly JudgedLine[],
): Promise<readonly JudgedLine[]> {
  const handing = judged.flatMap(({ line, purchase, outcome }) =>
    purchase === null || outcome?.status !== "successful" || outcome.fulfilment === null
      ? []
      : [{ line, purchase, fulfilment: outcome.fulfilment }],
  );
  if (handing.length === 0) return judged;
  const soldTo = await listSoldTo(services, handing);
  const naming = new Map<string, Set<number>>();
  for (const { line, fulfilment } of handing) for (const code of codesIn(fulfilment)) naming.set(code, new Set([line]));
  const pause = openYieldToEventLoop();
  for (const [at, { line, cells }] of lines.entries()) {
    if (at % 1_000 === 999) await pause();
    for (const cell of Object.values(cells)) naming.get(plainCode(cell))?.add(line);
  }
  const doubts = new Map<number, Verdict>();
  for (const [at, { line, fulfilment }] of handing.entries()) {
    const [before, ...more] = new Set(
      codesIn(fulfilment).flatMap((code) => [...(naming.get(code) ?? [])].sort((a, b) => a - b)),
    );
    const first = soldTo[at] ?? null;
    if (more.length > 0) doubts.set(line, doubtful(`Lines ${before} and ${more[0]} hand over one token, PIN or code`));
    else if (first !== null) doubts.set(line, doubtful(soldBefore(services.transactionIds.format(first, "live"))));
  }
  return judged.map((each) => ({ ...each, ...doubts.get(each.line) }));
}

interface Named {
  readonly sales: readonly NamedSale[];
  /** The attempt that the reference names; null where it names none. */
  readonly attempt: number | null;
}
const nothingNamed: Named = { sales: [], attempt: null };

const attemptName = /^(.+)-([1-9]\d{0,3})$/;

async function salesNamed(
  { database, transactionIds }: JudgeServices,
  { supplier, by }: StatementOf,
  lines: readonly EndLine[],
): Promise<readonly Named[]> {
  if (by === "provider_reference") {
    const references = [...new Set(lines.map(({ reference }) => reference))];
    const found = await listPendingSalesNamed(database, supplier.name, references);
    const byName = new Map<string | null, NamedSale[]>();
    for (const sale of found) {
      const name = sale.purchase.providerReference;
      byName.set(name, [...(byName.get(name) ?? []), sale]);
    }
    return lines.map(({ reference }) => ({ sales: byName.get(reference) ?? [], attempt: null }));
  }
  const here = derivedNames(supplier.connector)?.here;
  const names = lines.map(({ reference }) => {
    const [, transactionId = "", attempt = ""] = attemptName.exec(here?.(reference) ?? reference) ?? [];
    return { id: transactionIds.parse(transactionId, "live"), attempt: Number(attempt) };
  });
  const ids = new Set(names.flatMap(({ id }) => (id === null ? [] : [id])));
  const found = await listSalesByIds(database, [...ids]);
  const byId = new Map(found.map((sale) => [sale.purchase.id, sale]));
  return names.map(({ id, attempt }) => {
    const sale = id === null ? undefined : byId.get(id);
    return sale === undefined ? nothingNamed : { sales: [sale], attempt };
  });
}

type Verdict = Pick<JudgedLine, "verdict" | "why" | "outcome">;

function doubtful(why: string): Verdict {
  return { verdict: "doubtful", why, outcome: null };
}

function noAction(why: string): Verdict {
  return { verdict: "no_action", why, outcome: null };
}

const namesOfStates = { vended: "delivered", declined: "not delivered" } as const;

async function verdictOf(
  services: JudgeServices,
  { supplier, by }: StatementOf,
  about: { readonly line: EndLine; readonly sale: NamedSale; readonly attempt: number | null },
): Promise<Verdict> {
  const { line, sale, attempt } = about;
  const { purchase, step } = sale;
  const { state } = line;
  if (purchase.supplier !== supplier.name || (attempt !== null && attempt !== purchase.attempt)) {
    return doubtful(`The sale is with ${purchase.supplier ?? "no supplier"} now, attempt ${purchase.attempt}`);
  }
  if (state === "unknown") return noAction("The supplier doesn’t know either");
  if (purchase.status !== "pending") {
    const here = purchase.status === "successful" ? "vended" : "declined";
    if (here === state) return noAction(`It has ended: ${namesOfStates[here]}`);
    return doubtful(`It has ended as ${namesOfStates[here]}, and the statement says ${namesOfStates[state]}`);
  }
  if (step !== "review" && step !== "requery") return doubtful("It is being sent right now");
  const providerReference = by === "provider_reference" ? line.reference : null;
  if (state === "declined") {
    return {
      verdict: "refund",
      why: "",
      outcome: { status: "failed", errorCode: "PROVIDER_DECLINED", providerReference },
    };
  }
  const amounts = amountFault(line, sale);
  if (amounts !== null) return doubtful(amounts);
  const { fulfilment, fault } = await fulfilmentIn(services, purchase, line);
  if (fault !== null) return doubtful(fault);
  return { verdict: "fulfil", why: "", outcome: { status: "successful", providerReference, fulfilment } };
}

function amountFault({ amount }: EndLine, { cost }: NamedSale): string | null {
  if (amount === undefined || cost === null || amount === cost) return null;
  return amount === null
    ? "Its amount is missing, or can’t be read"
    : `It charged ${formatNaira(amount)}; we know ${formatNaira(cost)}`;
}

/** What the customer gets by the line's own columns; null for a top-up. */
async function fulfilmentIn(
  { catalogue, transactionIds }: JudgeServices,
  purchase: Purchase,
  { cells }: EndLine,
): Promise<{ readonly fulfilment: JsonObject | null; readonly fault: string | null }> {
  const { category, product } = soldProductOf(catalogue, purchase);
  if (category.byHand === null) return { fulfilment: null, fault: null };
  const request = vendRequestOf(transactionIds, purchase, product, purchase);
  const byHeading = new Map(Object.entries(cells).map(([name, cell]) => [headingOf(name), cell]));
  const cellAt = (path: string) =>
    headingsFor(path)
      .map((name) => byHeading.get(name))
      .find(Boolean) ?? "";
  const given = filledGoods(category, await fulfilmentTemplate(category, request), cellAt);
  const fulfilment = (await completedFulfilment(category, given)) ?? given;
  const [fault] = await fulfilmentFaults(category, request, fulfilment);
  if (fault === undefined) return { fulfilment, fault: null };
  const [path = "", ...words] = fault.split(" ");
  return { fulfilment: null, fault: `${path.slice(1).replaceAll("/", ".")} ${words.join(" ")}` };
}

function headingOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s-]+/g, "_");
}

/** The headings that a field may stand under: `pins.0.pin` under `pin` or `pin_1` too, the meter's one token under `token`. */
export function headingsFor(path: string): readonly string[] {
  if (path === "tokens.0.value") return [path, "token"];
  const [, index = "", name = ""] = /\.(\d+)\.(\w+)$/.exec(path) ?? [];
  if (name === "") return [path];
  const numbered = [path, `${name}_${Number(index) + 1}`];
  return index === "0" ? [...numbered, name] : numbered;
}

/** The ends that a statement's plain lines are to bring. */
export function plannedEnds(judged: readonly JudgedLine[]): readonly PlannedEnd[] {
  return judged.flatMap(({ line, purchase, outcome }) =>
    purchase === null || outcome === null ? [] : [{ line, purchase, outcome }],
  );
}
