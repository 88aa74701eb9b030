import { type Command, Option } from "commander";
import { addBiller, type NewBiller } from "../../domain/catalogue/new-biller.ts";
import { setBillerStatus, setFxRate } from "../../domain/catalogue/offering.ts";
import { listFxRates } from "../../domain/catalogue/offering-queries.ts";
import { type BillerRow, listBillers } from "../../domain/catalogue/queries.ts";
import type { CategorySlug } from "../../domain/categories/product.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira } from "../../kernel/money.ts";
import { type Network, networks, parseNetwork } from "../../kernel/phone.ts";
import { categoryWord, currencyWord, nairaWord, orComplain } from "./arguments.ts";
import { printJson, printLine, printTable } from "./printing.ts";
import { addProductCommands } from "./product-commands.ts";
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
  addProductCommands(program.command("product").description("what is sold, and whether it is on offer"), withSession);
  addBillerCommands(
    program.command("biller").description("whose products are sold, and whether they are on offer"),
    withSession,
  );
}

function addBillerCommands(biller: Command, withSession: WithSession): void {
  biller
    .command("list")
    .description("every biller, or those of a category")
    .argument("[category]", "such as electricity", categoryWord)
    .option(...asJson)
    .action((category: CategorySlug | undefined, options: Options) =>
      withSession((session) => listAll(session, category, options)),
    );
  biller
    .command("add")
    .description("a new biller; its products come by product add")
    .argument("<slug>", "what requests call it, such as ikeja-electric")
    .requiredOption("--name <text>", "what customers know it by")
    .requiredOption("--category <category>", "what it sells", categoryWord)
    .option("--network <network>", `of its numbers: ${networks.join(", ")}`, networkWord)
    .option("--customer-label <text>", "what a form calls the customer's number; unless given, the category's word")
    .option("--no-verification", "its numbers can't be verified before a purchase")
    .addOption(new Option("--meter-types <types...>", "of electricity").choices(["prepaid", "postpaid"]))
    .option(...asJson)
    .action((slug: string, options: AddOptions) => withSession((session) => add(session, slug, options)));
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

interface AddOptions extends Omit<NewBiller, "slug" | "requiresVerification">, Options {
  /** False where it was switched off; else it is the category's to say. */
  readonly verification: boolean;
}

async function add({ database }: Session, slug: string, options: AddOptions): Promise<number> {
  const { json, verification, ...wish } = options;
  await addBiller(database, { ...wish, slug, ...(verification ? {} : { requiresVerification: false }) });
  if (json) printJson({ biller: slug, category: wish.category });
  else printLine(`${slug} is there, without products yet: product add CODE --biller ${slug} --name … --price …`);
  return 0;
}

async function listAll({ database }: Session, category: CategorySlug | undefined, options: Options): Promise<number> {
  const rows = (await database.query<BillerRow>(listBillers)).filter((row) =>
    [row.category, undefined].includes(category),
  );
  if (options.json)
    for (const { slug, name, category, network, status } of rows)
      printJson({ biller: slug, name, category, network, status });
  else
    printTable(
      ["biller", "name", "category", "network", "status"],
      rows.map((row) => [row.slug, row.name, row.category, row.network ?? "", row.status]),
    );
  return 0;
}

function networkWord(text: string): Network {
  return orComplain(parseNetwork(text), `It must be one of ${networks.join(", ")}.`);
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
