import type { Command } from "commander";
import { offerProduct, withdrawProduct } from "../../domain/catalogue/administration.ts";
import { setBillerStatus, setFxRate } from "../../domain/catalogue/offering.ts";
import { listFxRates } from "../../domain/catalogue/offering-queries.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira } from "../../kernel/money.ts";
import { nairaWord, orComplain, productIdWord } from "./arguments.ts";
import { printJson, printLine, printTable } from "./printing.ts";
import type { Session, WithSession } from "./session.ts";

const asJson = ["--json", "one JSON line per result, for programs"] as const;

interface Options {
  readonly json?: true;
}

/** Commands about what is on offer, and what foreign money costs. */
export function addOfferingCommands(program: Command, withSession: WithSession): void {
  const rates = program.command("fx-rate").description("what foreign cards' currencies cost");
  rates
    .command("list")
    .description("every currency and its rate")
    .option(...asJson)
    .action((options: Options) => withSession((session) => listRates(session, options)));
  rates
    .command("set")
    .description("change the rate of all products in a currency")
    .argument("<currency>", "such as USD", currencyWord)
    .argument("<rate>", "naira for one unit, such as 1550.00", nairaWord)
    .option(...asJson)
    .action((currency: string, rate: Kobo, options: Options) =>
      withSession(async ({ database }) => {
        const changed = await setFxRate(database, currency, rate);
        if (options.json) printJson({ currency, rate: formatNaira(rate), changed });
        else printLine(`One ${currency} costs ${formatNaira(rate)} now; that changed ${changed} products.`);
        return 0;
      }),
    );
  addProductCommands(program.command("product").description("whether a product is on offer"), withSession);
  addBillerCommands(program.command("biller").description("whether a biller's products are on offer"), withSession);
}

function addProductCommands(product: Command, withSession: WithSession): void {
  product
    .command("enable")
    .description("sell a product again")
    .argument("<product>", "the product's id", productIdWord)
    .option(...asJson)
    .action((id: ProductId, options: Options) =>
      withSession(async ({ database }) => {
        await offerProduct(database, id);
        if (options.json) printJson({ product_id: id, available: true });
        else printLine(`Product ${id} is on offer.`);
        return 0;
      }),
    );
  product
    .command("disable")
    .description("stop selling a product; it stays listed as not available")
    .argument("<product>", "the product's id", productIdWord)
    .option("--replaced-by <product>", "what merchants are told to buy instead", productIdWord)
    .option(...asJson)
    .action((id: ProductId, { replacedBy, json }: Options & { readonly replacedBy?: ProductId }) =>
      withSession(async ({ database }) => {
        await withdrawProduct(database, id, replacedBy ?? null);
        if (json) printJson({ product_id: id, available: false, replaced_by: replacedBy ?? null });
        else printLine(`Product ${id} is not on offer.`);
        return 0;
      }),
    );
}

function addBillerCommands(biller: Command, withSession: WithSession): void {
  for (const [verb, status] of [
    ["enable", "available"],
    ["disable", "unavailable"],
  ] as const) {
    biller
      .command(verb)
      .description(`all of a biller's products are ${status}`)
      .argument("<slug>", "such as mtn-data")
      .option(...asJson)
      .action((slug: string, options: Options) =>
        withSession(async ({ database }) => {
          const changed = await setBillerStatus(database, slug, status);
          if (options.json) printJson({ biller: slug, status, changed });
          else printLine(`${slug} ${changed ? "is" : "was already"} ${status}.`);
          return 0;
        }),
      );
  }
}

async function listRates({ database }: Session, options: Options): Promise<number> {
  const rows = await listFxRates(database);
  const told = rows.map(({ currency, rate, products }) => ({
    currency,
    rate: formatNaira(rate),
    products: Number(products),
  }));
  if (options.json) for (const row of told) printJson(row);
  else
    printTable(
      ["currency", "naira for one", "products"],
      told.map((row) => Object.values(row).map(String)),
    );
  return 0;
}

function currencyWord(text: string): string {
  return orComplain(/^[A-Z]{3}$/.test(text) ? text : null, "It must be a currency's code such as USD.");
}
