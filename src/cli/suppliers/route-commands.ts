import type { Product } from "../../categories/product/product.ts";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import { quote } from "../../domain/catalogue/pricing.ts";
import { grouped } from "../../domain/catalogue/snapshot.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { openCredentials, setRoutes } from "../../domain/suppliers/administration.ts";
import { priceText } from "../../domain/suppliers/price-lists/difference-row.ts";
import { listSupplierRoutes, type RouteRow } from "../../domain/suppliers/queries.ts";
import type { RouteFigures } from "../../domain/suppliers/routing/count-queries.ts";
import {
  explainedRow,
  explainRoutes,
  type LineFault,
  type ListedRoute,
} from "../../domain/suppliers/routing/explain-routes.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import { openRouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import { type Rates, ratesOf, readFigures } from "../../domain/suppliers/routing/route-figures.ts";
import { costOf, readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import { listLevels } from "../../domain/suppliers/vouchers/level-queries.ts";
import { levelsOn } from "../../domain/suppliers/vouchers/stock.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { formatHundredths, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { StartError } from "../../kernel/start-error.ts";
import { isShortened } from "../../kernel/typed-text.ts";
import { originOutside } from "../../main/services/connector-services.ts";
import { exportAsText } from "../../platform/csv.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { complaintAbout, takesCodes } from "../../providers/registry.ts";
import { costValue, countValue, merchantIdValue, nairaValue, productIdValue, readOrComplain } from "../arguments.ts";
import { warnOfLosses } from "../catalogue/price-arguments.ts";
import { type GivenRecord, readRecordsUpTo } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
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
    printRows(texts, { columns }, options);
  }
}

const columns = {
  product_id: "product",
  supplier: "supplier",
  code: "code",
  cost: "cost",
  priority: "priority",
  weight: "weight",
  enabled: "enabled",
  choose_by: "chosen by",
  hour: "last hour",
  day: "24 hours",
};

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

/** A price list of a supplier has some hundred lines. */
const linesMax = 10_000;
const usualPriority = 100;
const columnsText = "The first line names the columns product, code, cost and, where wanted, priority.";

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
    .does(async ({ database }, file: string, { supplier, json }: JsonOption & { supplier: string }) => {
      const rows = await readRows(file);
      // A list without the column is one of a supplier that has no codes.
      const code = rows.some(({ record }) => "code" in record) ? "" : await codeWithout(database, supplier);
      const list = readRoutes(rows, { supplier, code });
      const enabled = await setRoutes(database, list);
      const { routes } = list;
      const off = routes.length - enabled.length;
      if (json) printJson({ supplier, routes: routes.length, off });
      else {
        printLine(`${enabled.length} products go to ${supplier}.`);
        if (off > 0) printLine(`${off} more could go there; their routes are off, as they were.`);
      }
      await warnOfLosses(database, enabled);
    });
}

/** @throws Refusal naming what is wrong with the file as a whole */
async function readRows(file: string): Promise<readonly GivenRecord[]> {
  const rows = await readRecordsUpTo(linesMax, file);
  const [first] = rows;
  if (first === undefined) throw wrong(`The file ${file} names no route. ${columnsText}`);
  const lacking = ["product", "cost"].filter((name) => !(name in first.record));
  if (lacking.length > 0) {
    throw wrong(`The file ${file} has no column ${lacking.join(", ")}. ${columnsText}`);
  }
  return rows;
}

/** Lines that can't be read are faults, which `setRoutes` tells together with those that it finds. */
function readRoutes(rows: readonly GivenRecord[], given: { readonly supplier: string; readonly code: string }) {
  const routes: ListedRoute[] = [];
  const faults: LineFault[] = [];
  for (const { record, line } of rows) {
    const read = readRoute({ code: given.code, ...record }, given.supplier, line);
    if ("sentence" in read) faults.push(read);
    else routes.push(read);
  }
  return { routes, faults };
}

function readRoute(record: Readonly<Record<string, string>>, supplier: string, line: number): ListedRoute | LineFault {
  const { product = "", code = "", cost = "", priority = "" } = record;
  const complaints: string[] = [];
  const read = <T>(parse: () => T) => readOrComplain(complaints, parse);
  const productId = read(() => productIdValue(product));
  if (code.includes("\0")) complaints.push("The code holds a character that is no text.");
  if (isShortened(code)) complaints.push(`A spreadsheet has shortened the code. ${exportAsText}`);
  const price = read(() => costValue(cost));
  const order = priority === "" ? usualPriority : read(() => countValue(999)(priority));
  if (productId !== null && price !== null && order !== null && complaints.length === 0) {
    return { productId, supplier, supplierCode: code, cost: price, priority: order, line };
  }
  const shown = [product, code, cost].join(", ").replaceAll("\0", "?");
  return { line, sentence: `Line ${line} (${shown}): ${complaints.join(" ")}` };
}

/** Stands for the code where a supplier's connector has none. */
const noCode = "-";

/** The code of a route for which the operator gave none. @throws Refusal where the supplier needs one, or is unknown */
export async function codeWithout(database: Queryable, supplier: string): Promise<string> {
  const known = (await readRouteTable(database)).findSupplier(supplier);
  if (known === null) throw refuse("NOT_FOUND", { message: "There is no such supplier." });
  if (!takesCodes(known.connector)) return noCode;
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
  const bought = quote(product, price, amountsOf(product, options));
  const today = wallTime.dayOf(clock.now()).date;
  const levels = await listLevels(database, levelsOn(today));
  const emptied = new Set(levels.filter(({ left }) => left === 0).map((level) => level.productId));
  const explanation = await explainRoutes(
    {
      database,
      counts: openRouteCounts({ database, clock, wallTime, costOf: () => zeroKobo }),
      complaintAbout: await complaints(session),
      isSoldOut: ({ connector }) => connector === "voucher-stock" && emptied.has(product.id),
    },
    {
      product,
      amounts: bought,
      purchase: options.reference === undefined ? null : { merchantId: merchant.id, reference: options.reference },
    },
  );
  if (!options.json) {
    const whom = formatMerchantId(merchant.id);
    const total = formatNaira(bought.total);
    printLine(`${product.name}: ${whom} pays ${total}. It goes by ${explanation.by}.`);
    if (!product.available) printLine("It is switched off: purchases are refused before a route is looked for.");
  }
  const rows = explanation.routes.map((explained) => explainedRow(explained, bought.total));
  const columns = { place: "", supplier: "supplier", why: "why", cost: "cost", margin: "margin" };
  printRows(rows, { columns, absent: "-", none: "No supplier serves it: route set enters one." }, options);
  if (!options.json) printLine(unseen);
}

/** @throws Refusal VALIDATION_ERROR for what is not sold so */
function amountsOf(product: Product, { amount, quantity = product.minQuantity }: ExplainOptions) {
  const { minQuantity, maxQuantity, minAmount, maxAmount } = product;
  if (quantity < minQuantity || quantity > maxQuantity) {
    throw wrong(`The quantity must be from ${minQuantity} to ${maxQuantity}.`);
  }
  if (product.amountType === "fixed") {
    if (amount !== undefined) throw wrong(`Product ${product.id} has a fixed amount: leave --amount out.`);
    return { amount: null, quantity };
  }
  const requested = amount ?? minAmount;
  if (requested === null) throw wrong(`Product ${product.id} has no least amount: say one with --amount.`);
  if ((minAmount !== null && requested < minAmount) || (maxAmount !== null && requested > maxAmount)) {
    const [least, most] = [minAmount ?? 0n, maxAmount ?? 0n].map(formatHundredths);
    throw wrong(`The amount must be between ${least} and ${most} ${product.faceCurrency}.`);
  }
  return { amount: requested, quantity };
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
