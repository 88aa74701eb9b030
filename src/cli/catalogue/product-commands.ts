import { Option } from "commander";
import { offerProduct, withdrawProduct } from "../../domain/catalogue/changes/administration.ts";
import { addProduct, type NewProduct } from "../../domain/catalogue/changes/new-product.ts";
import { type ProductNames, renameProduct } from "../../domain/catalogue/changes/present-product.ts";
import { priceOfRow } from "../../domain/catalogue/product-row.ts";
import { listProducts, type ProductRow } from "../../domain/catalogue/queries.ts";
import { feeText, priceText } from "../../domain/suppliers/price-lists/difference-row.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import { countValue, currencyValue, jsonValue, nairaValue, productIdValue } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { type FeeOptions, feeOf, feeValue, priceValue } from "./price-arguments.ts";

/** Commands about what can be bought. */
export function addProductCommands(product: OperatorCommand): void {
  product
    .command("list")
    .description("every product and its base price, or those of a biller")
    .argument("[biller]", "such as mtn-data")
    .does(listAll);
  addCommand(product);
  renameCommand(product);
  product
    .command("enable")
    .description("sell a product again")
    .argument("<product>", "the product's id", productIdValue)
    .does(async ({ database }, id: ProductId, options: JsonOption) => {
      await offerProduct(database, id);
      if (options.json) printJson({ product_id: id, available: true });
      else printLine(`Product ${id} is on offer.`);
    });
  product
    .command("disable")
    .description("stop selling a product; it stays listed as not available")
    .argument("<product>", "the product's id", productIdValue)
    .option("--replaced-by <product>", "what merchants are told to buy instead", productIdValue)
    .does(
      async ({ database }, id: ProductId, { replacedBy, json }: JsonOption & { readonly replacedBy?: ProductId }) => {
        await withdrawProduct(database, id, replacedBy ?? null);
        if (json) printJson({ product_id: id, available: false, replaced_by: replacedBy ?? null });
        else printLine(`Product ${id} is not on offer.`);
      },
    );
}

type AddOptions = Omit<NewProduct, "code" | "fee"> & FeeOptions & JsonOption;

function addCommand(product: OperatorCommand): void {
  product
    .command("add")
    .description("sell something new; live purchases need a route as well")
    .argument("<code>", "what operators call it, such as mtn-sme-7gb-30d")
    .requiredOption("--biller <slug>", "whose product it is: biller list, biller add")
    .requiredOption("--name <text>", "what merchants read")
    .requiredOption(
      "--price <price>",
      "what everyone pays: naira a unit, or a share of the face value such as 97.5%",
      priceValue,
    )
    .option("--fee <fee>", "on top of the price: naira, or a percentage", feeValue)
    .option("--fee-cap <naira>", "the most that a percentage fee comes to", nairaValue)
    .option("--face <amount>", "nominal value of one unit", nairaValue)
    .option("--min <amount>", "with --max: the client names the amount between them", nairaValue)
    .option("--max <amount>", "the largest amount", nairaValue)
    .option("--max-quantity <number>", "the most in one purchase; unless given, the category's", countValue(100_000))
    .option("--plan <text>", "what the trade calls it: 1.5GB, Compact")
    .option("--plan-type <text>", "such as SME or GIFTING")
    .option("--validity <text>", "as a customer reads it: 30 days")
    .option("--currency <code>", "of face, min and max; naira unless given", currencyValue)
    .option("--fx-rate <naira>", "what one unit of a new currency costs", nairaValue)
    .addOption(new Option("--meter-type <type>", "of electricity").choices(["prepaid", "postpaid"]))
    .option("--legacy-plan <number>", "what clients of the legacy endpoints call a data plan", countValue(999))
    .option("--attributes <json>", 'facts of its category, such as {"exam":"WASSCE"}', jsonValue)
    .option("--id <number>", "unless given, the next one from 100000", productIdValue)
    .does(add);
}

interface RenameOptions extends ProductNames, JsonOption {}

function renameCommand(product: OperatorCommand): void {
  product
    .command("rename")
    .description("spell a product's name anew, or give it a number for older clients; what it is stays the same")
    .argument("<product>", "the product's id", productIdValue)
    .option("--name <text>", "what merchants read")
    .option(
      "--legacy-plan <number>",
      "what clients of the legacy endpoints call a data plan that has no number yet",
      countValue(999),
    )
    .does(async ({ database }, id: ProductId, { json, ...names }: RenameOptions) => {
      await renameProduct(database, id, names);
      if (json) printJson({ product_id: id, ...names });
      else printLine(`Product ${id} is changed.`);
    });
}

async function add({ database }: Session, code: string, options: AddOptions): Promise<void> {
  const { json, fee: _fee, feeCap: _cap, ...fields } = options;
  const { id } = await addProduct(database, { ...fields, code, fee: feeOf(options).fee ?? null });
  if (json) printJson({ product_id: id, code, biller: fields.biller });
  else {
    printLine(`Product ${id}, ${code}, is on offer.`);
    printLine(`Live purchases need a route: route set ${id} SUPPLIER --code CODE --cost COST`);
  }
}

async function listAll({ database }: Session, biller: string | undefined, options: JsonOption): Promise<void> {
  const rows = await database.query<ProductRow>(listProducts);
  const shown = rows
    .filter((row) => biller === undefined || row.billerSlug === biller)
    .map((row) => {
      const price = priceOfRow(row);
      return {
        product_id: row.id,
        code: row.code,
        biller: row.billerSlug,
        name: row.name,
        face: faceText(row),
        price: priceText(price),
        fee: price.fee === null ? "" : feeText(price.fee),
        available: row.available,
      };
    });
  printRows(shown, { headings: { face: "face value", available: "on offer" } }, options);
}

function faceText(row: ProductRow): string {
  const amounts = [row.minAmount, row.maxAmount, row.faceAmount, row.foreignFace].filter((amount) => amount !== null);
  const texts = amounts.map((amount) => formatNaira(kobo(amount)));
  return texts.length === 0 ? "" : `${row.faceCurrency} ${texts.join(" to ")}`;
}
