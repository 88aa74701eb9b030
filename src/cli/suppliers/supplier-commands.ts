import { Argument } from "commander";
import { accountChange, accountRequest } from "../../console/operator/suppliers/account.tsx";
import { openAtAccount } from "../../domain/history/suppliers/open-at-account.ts";
import { servesMuch, stopOf, stoppingSupplier } from "../../domain/history/suppliers/stopping.ts";
import {
  clearRoute,
  type EnteredSupplier,
  putSupplier,
  refuseUnusable,
  setRoute,
  setRouteOrder,
  setRouteWeight,
  setSupplierState,
} from "../../domain/suppliers/administration.ts";
import { checkEntered } from "../../domain/suppliers/asking.ts";
import { priceText } from "../../domain/suppliers/price-lists/difference-row.ts";
import {
  type Cost,
  type RouteOrder,
  routeOrders,
  type Supplier,
  type SupplierRoute,
} from "../../domain/suppliers/routing/route.ts";
import { findSupplierNamed, readLimits, readSuppliers } from "../../domain/suppliers/routing/route-table.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { costValue, countValue, jsonValue, productIdValue, weightValue } from "../arguments.ts";
import { warnOfLosses } from "../catalogue/price-arguments.ts";
import { readGivenObject } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type AskingOptions, byOption, requestAsPage, requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { addBalanceCommands, addLimitsOfSuppliers, readLimitTexts } from "./balance-commands.ts";
import { addCatalogueCommand } from "./catalogue-command.ts";
import { addRouteExplain, addRouteImport, addRouteList, codeWithout } from "./route-commands.ts";
import { addCheckCommand, isUsable, refuseFailed, warnOfChecks } from "./supplier-check.ts";

/** Commands about who sells to us, and who serves what. */
export function addSupplierCommands(program: OperatorCommand): void {
  const supplier = program.command("supplier").description("who sells to us");
  supplier
    .command("add")
    .description("a new supplier, or new settings of one; its purchases need routes")
    .argument("<name>", "what purchases and reports call it")
    .requiredOption("--connector <name>", "the code that speaks its dialect")
    .option("--settings <json>", "what its connector may need: addresses, network numbers", jsonValue, {})
    .option("--credentials <file>", "a JSON file with its keys; they are stored sealed")
    .option("--yes", "also while purchases there are pending: it is the same account")
    .option("--no-check", "store it without asking it first, as `supplier check` does")
    .option(...byOption)
    .does(add);
  supplier.command("list").description("every supplier").does(listAll);
  stateCommand(supplier, "enable", "enabled", "it gets purchases by its routes");
  stateCommand(
    supplier,
    "disable",
    "disabled",
    "it gets no new purchase; sales already sent to it are still requeried",
  ).option(...byOption);
  addCheckCommand(supplier);
  addBalanceCommands(supplier);
  addLimitsOfSuppliers(supplier);
  addCatalogueCommand(supplier);
  addRouteCommands(program.command("route").description("which supplier serves a product"));
}

function stateCommand(supplier: OperatorCommand, verb: string, state: Supplier["state"], effect: string) {
  return supplier
    .command(verb)
    .description(effect)
    .argument("<name>", "the supplier")
    .does(async (session, name: string, options: AskingOptions) => {
      const { database } = session;
      const isStop = state === "disabled" && (await servesMuch(session, name));
      if (isStop && (await requestChange(session, stoppingSupplier, stopOf(name), options))) return;
      await setSupplierState(database, name, state);
      if (options.json) printJson({ supplier: name, state });
      else printLine(`${name} is ${state}: ${effect}.`);
    });
}

interface AddOptions extends AskingOptions {
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials?: string;
  readonly yes?: true;
  readonly check: boolean;
}

async function add(session: Session, name: string, options: AddOptions): Promise<void> {
  const { connector, settings } = options;
  const credentials = options.credentials === undefined ? null : await readGivenObject(options.credentials);
  const services = { database: session.database, secretBox: await session.secretBox() };
  const entered = { name, connector, settings, credentials };
  const open = options.yes === true ? null : await openAtAccount(session.database, entered);
  if (open !== null) throw wrong(`${open} If that is what these are, give --yes.`);
  const checks = options.check ? await checkEntered(session, entered) : [];
  refuseFailed(checks);
  if (await requestAccount(session, entered, options)) return;
  const stored = await putSupplier(services, entered);
  print(stored, options);
  warnOfChecks(checks);
  await isUsable(session, stored);
}

/** Other keys of a supplier that serves much take a second person: all that is sold goes there. */
async function requestAccount(session: Session, entered: EnteredSupplier, options: AskingOptions): Promise<boolean> {
  const present = await findSupplierNamed(session.database, entered.name);
  if (present?.connector !== entered.connector || !(await servesMuch(session, present.name))) return false;
  refuseUnusable(await session.secretBox(), entered, present);
  return requestAsPage(session, accountChange, accountRequest(present, entered), options);
}

async function listAll(session: Session, options: JsonOption): Promise<void> {
  const suppliers = await readSuppliers(session.database);
  const limits = await readLimits(session.database);
  const limitTexts = await readLimitTexts(session);
  const rows = suppliers.map((supplier) => ({
    ...shown(supplier),
    ...limitTexts(supplier.name, limits.get(supplier.name) ?? null),
  }));
  printRows(rows, { columns: listed, headings: { cap: "cap a day" }, absent: "-" }, options);
}

const listed = [
  ...(["supplier", "connector", "state", "credentials", "settings"] as const),
  ...(["sent_today", "cap", "floor"] as const),
];

function print(supplier: Supplier, options: JsonOption): void {
  const { name, connector, state } = supplier;
  if (options.json) printJson(shown(supplier));
  else printLine(`${name} is there, spoken to by ${connector}, ${state}.`);
}

/** A supplier as it is printed: whether it has credentials, never the credentials themselves. */
function shown({ name, connector, state, settings, credentials }: Supplier) {
  return { supplier: name, connector, state, settings, credentials: credentials === null ? "none" : "sealed" };
}

interface SetOptions extends JsonOption {
  readonly code?: string;
  readonly cost: Cost;
  readonly priority: number;
  readonly off?: true;
}

function addRouteCommands(route: OperatorCommand): void {
  route
    .command("set")
    .description("how a supplier serves a product; warns where it takes more than somebody pays")
    .argument("<product>", "the product's id", productIdValue)
    .argument("<supplier>", "the supplier")
    .option("--code <text>", "what the supplier calls the product; needless where nobody does (manual, voucher-stock)")
    .requiredOption(
      "--cost <cost>",
      'what it takes: naira a unit, another currency such as "4.50 USD", or a share of the face value such as 97.5%',
      costValue,
    )
    .option("--priority <number>", "lower comes first", countValue(999), 100)
    .option("--off", "keep it, and don't use it")
    .does((session, productId: ProductId, supplier: string, options: SetOptions) =>
      set(session, { productId, supplier }, options),
    );
  addRouteImport(route);
  route
    .command("clear")
    .description("take a route away")
    .argument("<product>", "the product's id", productIdValue)
    .argument("<supplier>", "the supplier")
    .does(async ({ database }, productId: ProductId, supplier: string, options: JsonOption) => {
      const changed = await clearRoute(database, productId, supplier);
      if (options.json) printJson({ product_id: productId, supplier, changed });
      else printLine(changed ? `Product ${productId} goes to ${supplier} no more.` : "There was no such route.");
    });
  route
    .command("choose")
    .description("by what a product's route is chosen")
    .argument("<product>", "the product's id", productIdValue)
    .addArgument(new Argument("<order>", "least cost, the order of priority, or weights").choices(routeOrders))
    .does(async ({ database }, productId: ProductId, order: RouteOrder, options: JsonOption) => {
      await setRouteOrder(database, productId, order);
      if (options.json) printJson({ product_id: productId, choose_by: order });
      else printLine(`Product ${productId} goes by ${order}.`);
    });
  route
    .command("weight")
    .description("a route's share of a product that is chosen by weight, against its other routes' weights")
    .argument("<product>", "the product's id", productIdValue)
    .argument("<supplier>", "the supplier")
    .argument("<weight>", "0 to 100, 100 unless set; 0 stands in where no other is left", weightValue)
    .does(async ({ database }, productId: ProductId, supplier: string, weight: number, options: JsonOption) => {
      await setRouteWeight(database, { productId, supplier, weight });
      if (options.json) printJson({ product_id: productId, supplier, weight });
      else printLine(`Product ${productId} goes to ${supplier} with weight ${weight}, where it goes by weight.`);
    });
  addRouteList(route);
  addRouteExplain(route);
}

async function set(
  { database }: Session,
  served: Pick<SupplierRoute, "productId" | "supplier">,
  options: SetOptions,
): Promise<void> {
  const { cost, priority } = options;
  const { productId, supplier } = served;
  const code = options.code ?? (await codeWithout(database, supplier));
  const enabled = !options.off;
  const route = { ...served, supplierCode: code, cost, priority };
  await setRoute(database, { ...route, enabled });
  if (options.json) printJson({ product_id: productId, supplier, code, cost: priceText(cost), priority, enabled });
  else printLine(`Product ${productId} ${enabled ? "goes" : "could go"} to ${supplier} at ${priceText(cost)}.`);
  if (enabled) await warnOfLosses(database, [route]);
}
