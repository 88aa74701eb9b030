import { addressOf, askStored, findNamedSupplier } from "../../domain/suppliers/asking.ts";
import { acceptDifferences } from "../../domain/suppliers/price-lists/accept.ts";
import { askDifferences, countKinds, hasCatalogue } from "../../domain/suppliers/price-lists/ask-differences.ts";
import { type ChangeKind, type Comparison, changeKinds } from "../../domain/suppliers/price-lists/compare.ts";
import { differenceRow } from "../../domain/suppliers/price-lists/difference-row.ts";
import { readAccepted } from "../../domain/suppliers/price-lists/marked-file.ts";
import { warnOfLosses } from "../catalogue/price-arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows, printStep, printWarning } from "../printing.ts";
import { readMarkedFile, writeDifferences } from "./catalogue-file.ts";

export function addCatalogueCommand(supplier: OperatorCommand): void {
  supplier
    .command("catalogue")
    .description("compare a supplier's price list with our routes, and apply the differences that you accept")
    .argument("<name>", "the supplier")
    .option("--to <file>", "write all differences as CSV, to be marked: a new file")
    .option("--accept <file>", "apply the lines of that file that are marked, all or none; asks the supplier nothing")
    .option("--many-gone", "with --accept: also where more than half of a category's routes are gone")
    .addHelpText("after", `\n${explanation}`)
    .does(catalogue);
}

const explanation = `In the column accept, yes takes a line: a new route for the product in product_id (new), the route's new cost
(cost_changed, loses_money), or the route switched off (gone, value_changed). off takes the new cost and switches
the route off. Everything else stays as it is.`;

interface CatalogueOptions extends JsonOption {
  readonly to?: string;
  readonly accept?: string;
  readonly manyGone?: true;
}

async function catalogue(session: Session, name: string, options: CatalogueOptions): Promise<number> {
  const { to, accept, manyGone } = options;
  if (accept !== undefined && to !== undefined) throw wrong("Give either --to or --accept.");
  if (accept === undefined && manyGone === true) throw wrong("--many-gone belongs to --accept.");
  if (accept !== undefined) return apply(session, name, { ...options, accept });
  const comparison = await ask(session, name);
  if (to !== undefined) await writeDifferences(to, name, comparison.differences);
  print(name, comparison, options);
  return 0;
}

/** @throws Refusal where the supplier has no list, or did not tell it */
async function ask(session: Session, name: string): Promise<Comparison> {
  const supplier = await findNamedSupplier(session, name);
  const none = wrong(`${name} has no list that can be asked for: it is spoken to by ${supplier.connector}.`);
  if (addressOf(supplier.settings) === null) throw none;
  const query = await askStored(session, supplier, async ({ connector }) => {
    if (!hasCatalogue(connector)) throw none;
    return askDifferences(session.database, connector, ({ received: shown, lists, products }) =>
      printStep(`${shown} of ${lists} lists, ${products} products`),
    );
  }).finally(() => printStep(""));
  if (query.kind === "compared") return query.comparison;
  throw wrong(`${name} did not tell its whole list, so nothing is known: ${query.evidence}`);
}

const headings: Readonly<Record<ChangeKind, string>> = {
  loses_money: "sold at a loss at the new cost",
  value_changed: "worth something else than our product",
  gone: "gone from the list",
  cost_changed: "at another cost",
  new: "listed without a route of ours",
};
/** The file has all of them. */
const shownMax = 10;

function print(name: string, comparison: Comparison, { to, json }: CatalogueOptions): void {
  const { differences, listed, categories, unclear, shrunk, offThoughListed } = comparison;
  const counts = countKinds(differences);
  if (json && to === undefined) for (const difference of differences) printJson(differenceRow(difference));
  else if (json) printJson({ supplier: name, file: to ?? null, listed, ...counts });
  else {
    printLine(`${name} lists ${listed} products of ${categories.join(", ")}.`);
    if (differences.length === 0) printLine("Our routes agree with it.");
    if (to !== undefined) for (const kind of changeKinds) printLine(`${counts[kind]} ${headings[kind]}`);
    else printShort(comparison, counts);
    if (offThoughListed > 0) printLine(`${offThoughListed} routes are off, though they lead to what is listed.`);
    if (to !== undefined)
      printLine(`${to} has them all: mark its lines, then supplier catalogue ${name} --accept ${to}`);
  }
  for (const { category, gone, routes } of shrunk) {
    printWarning(`${gone} of ${routes} routes of ${category} are gone: was the list cut short?`);
  }
  for (const { category, supplierCode, why } of unclear.slice(0, shownMax)) {
    printWarning(`${category} ${supplierCode} was not compared: ${why}.`);
  }
  if (unclear.length > shownMax) printWarning(`Nor were ${unclear.length - shownMax} more.`);
}

function printShort({ differences }: Comparison, counts: Readonly<Record<ChangeKind, number>>): void {
  for (const kind of changeKinds.filter((each) => counts[each] > 0)) {
    printLine(`\n${counts[kind]} ${headings[kind]}:`);
    const rows = differences.filter((difference) => difference.kind === kind).slice(0, shownMax);
    const isNew = kind === "new";
    const columns = [
      ...(["category", "supplier_code"] as const),
      ...(isNew ? (["name", "biller", "face"] as const) : (["product_id", "our_name", "cost_old"] as const)),
      ...(kind === "gone" || kind === "value_changed" ? [] : (["cost_new"] as const)),
      ...(kind === "loses_money" ? (["note"] as const) : []),
    ];
    const over = { supplier_code: "code", face: "value", our_name: "name", cost_old: "cost", note: "" };
    const costNew = isNew ? "cost" : "new cost";
    printRows(rows.map(differenceRow), { columns, headings: { ...over, cost_new: costNew } }, {});
    if (counts[kind] > shownMax) printLine(`and ${counts[kind] - shownMax} more: --to FILE writes all of them.`);
  }
}

async function apply(
  session: Session,
  name: string,
  { accept, manyGone, json }: CatalogueOptions & { readonly accept: string },
): Promise<number> {
  const { database } = session;
  await findNamedSupplier(session, name);
  const { lines, faults } = readAccepted(await readMarkedFile(accept), name);
  if (lines.length === 0 && faults.length === 0) {
    throw wrong(`No line of ${accept} is marked: write yes into its column accept.`);
  }
  const mayShrink = manyGone === true;
  const { routes, ...done } = await acceptDifferences(database, { supplier: name, lines, faults, mayShrink });
  const { added, repriced, switchedOff, already } = done;
  if (json) printJson({ supplier: name, added, repriced, switched_off: switchedOff, already });
  else {
    const said = `${added} routes were added, ${repriced} got another cost, ${switchedOff} were switched off`;
    printLine(`${said}${already > 0 ? `; ${already} were so already` : ""}.`);
  }
  await warnOfLosses(database, routes);
  return 0;
}
