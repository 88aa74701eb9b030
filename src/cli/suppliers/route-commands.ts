import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import { quote } from "../../domain/catalogue/pricing.ts";
import { grouped } from "../../domain/catalogue/snapshot.ts";
import { findImportRequest, importingRoutes } from "../../domain/history/suppliers/stopping.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { openCredentials } from "../../domain/suppliers/administration.ts";
import { originOutside } from "../../domain/suppliers/asking.ts";
import { priceText } from "../../domain/suppliers/price-lists/difference-row.ts";
import { listSupplierRoutes, type RouteRow } from "../../domain/suppliers/queries.ts";
import {
  countsOf,
  impliedCode,
  importRoutes,
  planImport,
  readPriorities,
} from "../../domain/suppliers/route-lists/import-list.ts";
import { complaintAboutList, listLinesMax, readRouteList } from "../../domain/suppliers/route-lists/read-list.ts";
import type { RouteFigures } from "../../domain/suppliers/routing/count-queries.ts";
import { explainedRow, explainRoutes, readRouteFacts } from "../../domain/suppliers/routing/explain-routes.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import { type Rates, ratesOf, readFigures } from "../../domain/suppliers/routing/route-figures.ts";
import { costOf, readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import { sampleSale } from "../../domain/suppliers/routing/sample-sale.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { StartError } from "../../kernel/start-error.ts";
import { textOfFile } from "../../platform/csv.ts";
import type { TextRecord } from "../../platform/csv-text.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { complaintAbout } from "../../providers/registry.ts";
import { countValue, merchantIdValue, nairaValue, productIdValue } from "../arguments.ts";
import { warnOfLosses } from "../catalogue/price-arguments.ts";
import { readGivenFile, readRecordsUpTo } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type AskingOptions, byOption, requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";

export function addRouteList(route: OperatorCommand): void {
  route
    .command("list")
    .description(
      "routes, of one product or of all, and how they did at the first answer: this clock hour and the last, and 24",
    )
    .argument("[product]", "the product's id", productIdValue)
    .does(listRoutes);
}

async function listRoutes(session: Session, productId: ProductId | undefined, options: JsonOption): Promise<void> {
  const { database } = session;
  const table = await readRouteTable(database);
  const all = await database.query<RouteRow>(listSupplierRoutes);
  const lately = indexed(await readFigures(session, 1));
  const inADay = indexed(await readFigures(session, 23));
  const rows = all
    .filter((row) => productId === undefined || row.productId === productId)
    .map((row) => ({
      product_id: row.productId,
      supplier: row.supplier,
      code: row.supplierCode,
      cost: priceText(costOf(row)),
      priority: row.priority,
      weight: row.weight,
      enabled: row.enabled && table.findSupplier(row.supplier)?.state === "enabled",
      choose_by: table.orderOf(row.productId),
      hour: ratesOf(lately.get(keyOf(row))),
      day: ratesOf(inADay.get(keyOf(row))),
    }));
  if (options.json) for (const row of rows) printJson({ ...row, hour: figuresOf(row.hour), day: figuresOf(row.day) });
  else {
    const texts = rows.map((row) => ({ ...row, hour: textOf(row.hour), day: textOf(row.day) }));
    printRows(texts, { headings: { choose_by: "chosen by", hour: "last hour", day: "24 hours" } }, options);
  }
}

const keyOf = ({ supplier, productId }: Pick<RouteRow, "supplier" | "productId">) => `${supplier} ${productId}`;

function indexed(figures: readonly RouteFigures[]): ReadonlyMap<string, readonly RouteFigures[]> {
  return grouped(figures, keyOf);
}

/** For programs. Without an attempt there is neither a share nor an average. */
function figuresOf({ attempts, vendedShare, averageSeconds }: Rates) {
  if (attempts === 0) return { attempts, vended_percent: null, average_ms: null };
  return {
    attempts,
    vended_percent: Math.round(vendedShare * 1_000) / 10,
    average_ms: Math.round(averageSeconds * 1_000),
  };
}

/** For people: `98.5 % of 1200, 0.84 s`. */
function textOf({ attempts, vendedShare, averageSeconds }: Rates): string {
  if (attempts === 0) return "-";
  return `${(vendedShare * 100).toFixed(1)} % of ${attempts}, ${averageSeconds.toFixed(2)} s`;
}

export function addRouteImport(route: OperatorCommand): void {
  route
    .command("import")
    .description(
      "many routes of a supplier at once, all or none, with each fault named by its line; what is off stays off; warns as route set does",
    )
    .argument(
      "<file>",
      "CSV whose first line names product, code, cost and, where wanted, priority; no code where the supplier has none",
    )
    .requiredOption("--supplier <name>", "whose they are")
    .option("--whole", "it names all of the supplier's routes: those that it lacks are removed")
    .option(...byOption)
    .does(importList);
}

async function importList(
  session: Session,
  file: string,
  { supplier, whole = false, ...options }: AskingOptions & { readonly supplier: string; readonly whole?: boolean },
): Promise<void> {
  const { database } = session;
  const rows = await readRows(file);
  // A list without the column is one of a supplier that has no codes.
  const code = rows.some(({ record }) => "code" in record) ? "" : await codeWithout(database, supplier);
  const read = readRouteList(rows, { supplier, code, priorityOf: await readPriorities(database, supplier) });
  const list = { ...read, isWhole: whole };
  const plan = await planImport(database, list);
  const text = async () => textOfFile(await readGivenFile(file));
  const request = await findImportRequest(session, list, plan, text);
  if (request !== null && (await requestChange(session, importingRoutes, request, options))) return;
  const { off, planned } = await importRoutes(database, { ...list, seen: plan.version });
  const enabled = list.routes.filter(({ productId }) => !off.has(productId));
  const { removed } = countsOf(planned);
  if (options.json) {
    const figures = { routes: list.routes.length, off: list.routes.length - enabled.length };
    printJson({ supplier, ...figures, ...(whole ? { removed } : {}) });
  } else {
    printLine(`${enabled.length} products go to ${supplier}.`);
    if (enabled.length < list.routes.length)
      printLine(`${list.routes.length - enabled.length} more could go there; their routes are off, as they were.`);
    if (whole) printLine(`${removed} routes were removed.`);
  }
  await warnOfLosses(database, enabled);
}

/** @throws Refusal naming what is wrong with the file as a whole */
async function readRows(file: string): Promise<readonly TextRecord[]> {
  const rows = await readRecordsUpTo(listLinesMax, file);
  const complaint = complaintAboutList(rows);
  if (complaint !== null) throw wrong(`The file ${file} ${complaint}`);
  return rows;
}

/** The code of a route for which the operator gave none. @throws Refusal where the supplier needs one, or is unknown */
export async function codeWithout(database: Queryable, supplier: string): Promise<string> {
  const code = await impliedCode(database, supplier);
  if (code !== null) return code;
  throw wrong(`${supplier} calls products by codes: say with --code what it calls this one.`);
}

interface ExplainOptions extends JsonOption {
  readonly merchant: MerchantId;
  readonly amount?: Kobo;
  readonly quantity?: number;
  readonly reference?: string;
}

export function addRouteExplain(route: OperatorCommand): void {
  route
    .command("explain")
    .description("which supplier a live purchase would go to now, which next, and why not to the others")
    .argument("<product>", "the product's id", productIdValue)
    .requiredOption("--merchant <id>", "who buys: its price decides the margin", merchantIdValue)
    .option("--amount <amount>", "of a variable amount, in its currency; otherwise the least that is sold", nairaValue)
    .option("--quantity <number>", "otherwise the least that is sold", countValue(100_000))
    .option("--reference <text>", "the merchant's name for the purchase, by which a choice by weight falls")
    .addHelpText("after", `\n${unseen}`)
    .does(explain);
}

const unseen =
  "What processes have sent and which breakers they have open is known as they stored it in the last seconds; whether there is a connector is judged by this command's own settings.";

async function explain(session: Session, productId: ProductId, options: ExplainOptions): Promise<void> {
  const { database, clock, wallTime } = session;
  const merchant = await findExistingMerchant(database, options.merchant);
  const catalogue = await readCatalogue(database);
  const product = catalogue.findProduct(productId);
  if (product === null) throw refuse("PRODUCT_NOT_FOUND");
  const price = catalogue.priceOf(product, { merchantId: merchant.id, priceTier: merchant.price_tier });
  const bought = quote(product, price, sampleSale(product, options));
  const facts = await readRouteFacts({ database, clock, wallTime, complaintAbout: await complaints(session) }, [
    product.id,
  ]);
  const explanation = explainRoutes(facts, {
    product,
    amounts: bought,
    purchase: options.reference === undefined ? null : { merchantId: merchant.id, reference: options.reference },
  });
  if (!options.json) {
    const whom = formatMerchantId(merchant.id);
    const total = formatNaira(bought.total);
    printLine(`${product.name}: ${whom} pays ${total}. It goes by ${explanation.by}.`);
    if (!product.available) printLine("It is switched off: purchases are refused before a route is looked for.");
  }
  const rows = explanation.routes.map((explained) => explainedRow(explained, bought.total));
  const columns = ["place", "supplier", "why", "cost", "margin"] as const;
  printRows(
    rows,
    { columns, headings: { place: "" }, absent: "-", none: "No supplier serves it: route set enters one." },
    options,
  );
  if (!options.json) printLine(unseen);
}

/** Says why this deployment could not speak to a supplier, as the service would find it. */
async function complaints(session: Session): Promise<(supplier: Supplier) => string | null> {
  const secretBox = await session.secretBox().catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    printWarning("Without ENCRYPTION_KEY it is not seen here whether suppliers' credentials open.");
    return null;
  });
  return (supplier) => {
    const { connector, settings } = supplier;
    const outside = originOutside(session.supplierOrigins, settings);
    if (outside !== null) return `SUPPLIER_ORIGINS does not name ${outside}`;
    if (secretBox === null) return null;
    const credentials = openCredentials(secretBox, supplier);
    if (credentials === null) return "its credentials do not open under ENCRYPTION_KEY";
    return complaintAbout({ connector, settings, credentials });
  };
}
