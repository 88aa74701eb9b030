import { Option } from "commander";
import type { CategorySlug } from "../../categories/category-slugs.ts";
import { rateChange, rateRequest } from "../../console/operator/prices/rates.tsx";
import { addBiller, type NewBiller } from "../../domain/catalogue/changes/new-product.ts";
import { checkFxRate, setBillerStatus, setFxRate } from "../../domain/catalogue/offering.ts";
import { listFxRates } from "../../domain/catalogue/offering-queries.ts";
import { type BillerRow, listBillers } from "../../domain/catalogue/queries.ts";
import { readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { type Network, networks, parseNetwork } from "../../kernel/phone.ts";
import { categoryValue, currencyValue, nairaValue, orComplain } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type AskingOptions, byOption, requestAsPage } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { warnOfLosses } from "./price-arguments.ts";
import { addProductCommands } from "./product-commands.ts";

/** A rate is that of every card in the currency: the few that lose most stand for the others. */
const worstMax = 5;

/** Commands about what is on offer, and what foreign money costs. */
export function addOfferingCommands(program: OperatorCommand): void {
  const rates = program
    .command("fx-rate")
    .description("what a unit of a foreign currency costs: for cards in it, and for what suppliers take in it");
  rates.command("list").description("every currency and its rate").does(listRates);
  rates
    .command("set")
    .description("set a currency's rate, for all products and all costs of suppliers in it")
    .argument("<currency>", "such as USD", currencyValue)
    .argument("<rate>", "naira for one unit, such as 1550.00", nairaValue)
    .option("--yes", "confirm less than half or more than double the present rate")
    .option(...byOption)
    .does(setRate);
  addProductCommands(program.command("product").description("what is sold, and whether it is on offer"));
  addBillerCommands(program.command("biller").description("whose products are sold, and whether they are on offer"));
}

function addBillerCommands(biller: OperatorCommand): void {
  biller
    .command("list")
    .description("every biller, or those of a category")
    .argument("[category]", "such as electricity", categoryValue)
    .does(listAll);
  biller
    .command("add")
    .description("a new biller; its products come by product add")
    .argument("<slug>", "what requests call it, such as ikeja-electric")
    .requiredOption("--name <text>", "what customers know it by")
    .requiredOption("--category <category>", "what it sells", categoryValue)
    .option("--network <network>", `of its numbers: ${networks.join(", ")}`, networkValue)
    .option("--customer-label <text>", "what a form calls the customer's number; unless given, the category's word")
    .option("--no-verification", "its numbers can't be verified before a purchase")
    .addOption(new Option("--meter-types <types...>", "of electricity").choices(["prepaid", "postpaid"]))
    .does(add);
  for (const [verb, status] of [
    ["enable", "available"],
    ["disable", "unavailable"],
  ] as const) {
    biller
      .command(verb)
      .description(`all of a biller's products are ${status}`)
      .argument("<slug>", "such as mtn-data")
      .does(async ({ database }, slug: string, options: JsonOption) => {
        const changed = await setBillerStatus(database, slug, status);
        if (options.json) printJson({ biller: slug, status, changed });
        else printLine(`${slug} ${changed ? "is" : "was already"} ${status}.`);
      });
  }
}

interface AddOptions extends Omit<NewBiller, "slug" | "requiresVerification">, JsonOption {
  /** False where it was switched off; else it is the category's to say. */
  readonly verification: boolean;
}

async function add({ database }: Session, slug: string, options: AddOptions): Promise<void> {
  const { json, verification, ...fields } = options;
  await addBiller(database, { ...fields, slug, ...(verification ? {} : { requiresVerification: false }) });
  if (json) printJson({ biller: slug, category: fields.category });
  else printLine(`${slug} is there, without products yet: product add CODE --biller ${slug} --name … --price …`);
}

async function listAll({ database }: Session, requested: CategorySlug | undefined, options: JsonOption): Promise<void> {
  const rows = (await database.query<BillerRow>(listBillers))
    .filter((row) => requested === undefined || row.category === requested)
    .map(({ slug, name, category, network, status }) => ({ biller: slug, name, category, network, status }));
  printRows(rows, {}, options);
}

function networkValue(text: string): Network {
  return orComplain(parseNetwork(text), `It must be one of ${networks.join(", ")}.`);
}

interface RateOptions extends AskingOptions {
  readonly yes?: true;
}

async function setRate(session: Session, currency: string, rate: Kobo, options: RateOptions): Promise<void> {
  const { database } = session;
  const mayLeap = options.yes === true;
  const present = await checkFxRate(database, { currency, rate, mayLeap });
  const request = rateRequest(present, { currency, rate, confirm: mayLeap });
  if (await requestAsPage(session, rateChange.kind, request, options)) return;
  const { previous, changed } = await setFxRate(database, currency, rate, { mayLeap });
  const before = previous.map(formatNaira);
  if (options.json) printJson({ currency, previous: before, rate: formatNaira(rate), changed: changed.length });
  else {
    const said = [...(before.length === 0 ? [] : [before.join(" or ")]), formatNaira(rate)].join(" → ");
    printLine(`One ${currency} costs ${said} now; that changed ${changed.length} products.`);
  }
  const { routesOf } = await readRouteTable(database);
  await warnOfLosses(database, changed.flatMap(routesOf), { worst: worstMax });
}

async function listRates({ database }: Session, options: JsonOption): Promise<void> {
  const rows = await listFxRates(database);
  const shown = rows.map(({ currency, rate, products }) => ({
    currency,
    rate: formatNaira(rate),
    products: Number(products),
  }));
  printRows(shown, { headings: { rate: "naira for one" } }, options);
}
