import type { Product } from "../../categories/product/product.ts";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import { quote } from "../../domain/catalogue/pricing.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { openCredentials } from "../../domain/suppliers/administration.ts";
import { explainedRow, explainRoutes } from "../../domain/suppliers/routing/explain-routes.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import { openRouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import { listLevels } from "../../domain/suppliers/vouchers/queries.ts";
import { usualThreshold } from "../../domain/suppliers/vouchers/stock.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { formatHundredths, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { StartError } from "../../kernel/start-error.ts";
import { originOutside } from "../../main/services/connector-services.ts";
import { complaintAbout } from "../../providers/registry.ts";
import { countValue, merchantIdValue, nairaValue, productIdValue } from "../arguments.ts";
import { wrong } from "../failures.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printLine, printRows, printWarning } from "../printing.ts";

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
  const levels = await listLevels(database, today, usualThreshold);
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
