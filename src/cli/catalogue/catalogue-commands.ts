import type { CategorySlug } from "../../categories/category-slugs.ts";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import {
  clearPrice,
  hideCategory,
  type PriceOrder,
  planPrice,
  setPrice,
  showCategory,
} from "../../domain/catalogue/changes/administration.ts";
import { askForPrices } from "../../domain/catalogue/price-changes/price-change.ts";
import type { PriceLine } from "../../domain/catalogue/price-changes/price-lines.ts";
import { changingPrices } from "../../domain/catalogue/price-changes/set-prices.ts";
import type { Price, PriceScope } from "../../domain/catalogue/pricing.ts";
import { setPriceTier } from "../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { tierMax } from "../../domain/merchants/tiers/tiers.ts";
import { findStaffPerson } from "../../domain/staff/staff.ts";
import { feeText, priceText, whose } from "../../domain/suppliers/price-lists/difference-row.ts";
import { readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import { needsSecondPerson, readPreview } from "../../domain/suppliers/selling-prices/made-alone.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { categoryValue, countValue, merchantIdValue, nairaValue, productIdValue } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { changeServices } from "../people/email-command.ts";
import { printRequested } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";
import { type FeeOptions, feeOf, feeValue, priceValue, warnOfLosses } from "./price-arguments.ts";

interface ScopeOptions extends JsonOption {
  readonly merchant?: MerchantId;
  readonly tier?: number;
}

interface PriceOptions extends ScopeOptions, FeeOptions {
  readonly by?: string;
}

const byText = "the email of who asks, for what takes a second person";

/** Commands about what merchants see and pay. */
export function addCatalogueCommands(program: OperatorCommand): void {
  visibilityCommand(program, { name: "hide-category", change: hideCategory, done: "hidden from" });
  visibilityCommand(program, { name: "show-category", change: showCategory, done: "shown to" });
  program
    .command("set-price")
    .description("set what a product costs: everyone, a price tier or one merchant")
    .argument("<product>", "the product's id", productIdValue)
    .argument("<price>", "naira such as 985.00, or a share of the face value such as 97.5%", priceValue)
    .option("--merchant <id>", "for this merchant alone", merchantIdValue)
    .option("--tier <number>", "for this price tier: set-price-tier says who is in it", countValue(tierMax))
    .option("--fee <fee>", "on top of the price: naira, a percentage, or none; unless given, as it is", feeValue)
    .option("--fee-cap <naira>", "the most that a percentage fee comes to", nairaValue)
    .option("--by <email>", byText)
    .does(async (session, productId: ProductId, price: PriceOrder["price"], options: PriceOptions) => {
      const { database } = session;
      const order: PriceOrder = { productId, price, scope: scopeOf(options), ...feeOf(options) };
      const { line } = planPrice(await readCatalogue(database), order);
      if (await takesTwo(session, line, options)) return;
      print(order, await setPrice(database, order), options);
      await warnOfLosses(database, (await readRouteTable(database)).routesOf(productId));
    });
  program
    .command("clear-price")
    .description("take a tier's or a merchant's own price away")
    .argument("<product>", "the product's id", productIdValue)
    .option("--merchant <id>", "of this merchant", merchantIdValue)
    .option("--tier <number>", "of this price tier", countValue(tierMax))
    .option("--by <email>", byText)
    .does(async (session, productId: ProductId, options: PriceOptions) => {
      const { database } = session;
      const scope = scopeOf(options);
      if (scope.of === "everyone") throw wrong("Say whose price: --merchant or --tier.");
      const before = (await readCatalogue(database)).ownPrice(productId, scope);
      const line = before === null ? null : { productId, scope, before, after: null };
      if (await takesTwo(session, line, options)) return;
      const changed = await clearPrice(database, { productId, scope });
      if (options.json) printJson({ product_id: productId, changed });
      else printLine(changed ? `Product ${productId} has no such price any more.` : "There was no such price.");
      if (changed) await warnOfLosses(database, (await readRouteTable(database)).routesOf(productId));
    });
  program
    .command("set-price-tier")
    .description("put a merchant in another price tier: it pays what set-price --tier says, else the base price")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<tier>", `1 to ${tierMax}; everybody starts in 1`, countValue(tierMax))
    .does(async ({ database }, id: MerchantId, tier: number, options: JsonOption) => {
      const changed = await setPriceTier(database, id, tier);
      if (options.json) printJson({ merchant_id: formatMerchantId(id), price_tier: tier, changed });
      else printLine(`${formatMerchantId(id)} ${changed ? "is" : "was already"} in price tier ${tier}.`);
    });
}

/**
 * Asks for a price that takes a second person, and prints the request. False where nobody has to be asked, or the company
 * has no staff. A command proves nobody's role, so that it may do no more than a person of the catalogue alone.
 */
async function takesTwo(session: Session, line: PriceLine | null, options: PriceOptions): Promise<boolean> {
  if (line === null) return false;
  const { database } = session;
  const known = { catalogue: await readCatalogue(database), routes: await readRouteTable(database) };
  const preview = await readPreview(database, known, [line], { isAhead: true });
  if (!needsSecondPerson(preview)) return false;
  const person = await findStaffPerson(database, options.by ?? "", changingPrices.rules.ask);
  if (person === null) return false;
  const requested = { lines: [line], reason: "By command", belowCost: preview.belowCost };
  printRequested(await askForPrices(await changeServices(session), person, requested), options);
  return true;
}

function visibilityCommand(
  program: OperatorCommand,
  { name, change, done }: { readonly name: string; readonly change: typeof hideCategory; readonly done: string },
): void {
  program
    .command(name)
    .description(`a category is ${done} a merchant`)
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<category>", "such as betting", categoryValue)
    .does(async ({ database }, id: MerchantId, category: CategorySlug, options: JsonOption) => {
      const changed = await change(database, id, category);
      if (options.json) printJson({ merchant_id: formatMerchantId(id), category, changed });
      else printLine(`The category ${category} ${changed ? "is" : "was already"} ${done} ${formatMerchantId(id)}.`);
    });
}

function scopeOf({ merchant, tier }: ScopeOptions): PriceScope {
  if (merchant !== undefined && tier !== undefined) throw wrong("Give --merchant or --tier, not both.");
  if (merchant !== undefined) return { of: "merchant", merchantId: merchant };
  return tier === undefined ? { of: "everyone" } : { of: "tier", tier };
}

function print({ productId, scope }: PriceOrder, price: Price, options: JsonOption): void {
  const amount = priceText(price);
  const fee = price.fee === null ? null : feeText(price.fee);
  if (options.json) printJson({ product_id: productId, price: amount, fee });
  else
    printLine(
      `Product ${productId} costs ${amount}${fee === null ? "" : ` and a fee of ${fee}`} now, ${whose(scope)}.`,
    );
}
