import { Option } from "commander";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import {
  daysMax,
  findByAnyName,
  modeOfTransactionId,
  type Search,
  searchPurchases,
  usualDays,
} from "../../domain/history/search/search.ts";
import { listPendingGroups } from "../../domain/history/search/search-queries.ts";
import { maskedNumber, readTimeline, type Timeline } from "../../domain/history/search/timeline.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import {
  type Purchase,
  type PurchaseStatus,
  purchaseStatuses,
  soldProductOf,
} from "../../domain/purchases/purchase.ts";
import { type Instant, parseInstant, type WallTime } from "../../kernel/clock.ts";
import type { MerchantId, TransactionIds } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { ageText, ageValue, countValue, merchantIdValue, modeValue, nairaValue } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printFacts, printJson, printLine, printRows, printWarning } from "../printing.ts";

const limitMax = 1_000;
const usualLimit = 50;

interface SearchOptions extends JsonOption {
  readonly mode?: Mode;
  readonly reference?: string;
  readonly id?: string;
  readonly customer?: string;
  readonly supplierReference?: string;
  readonly merchant?: MerchantId;
  readonly supplier?: string;
  readonly status?: PurchaseStatus;
  readonly amount?: Kobo;
  readonly olderThan?: number;
  readonly newerThan?: number;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

interface ShowOptions extends JsonOption {
  readonly mode: Mode;
  readonly merchant?: MerchantId;
  readonly from?: string;
}

const timeHelp = `
Searched by reference, transaction id, our name at a supplier or customer number, and for what is pending, all of the past
is found, by an index. Any other search reads a time: the last ${usualDays} days unless --from or --newer-than says
otherwise, and at most ${daysMax} days. Live and sandbox (--mode test) are searched apart.`;

/** Commands that find purchases and tell what happened to one. */
export function addTransactionCommands(program: OperatorCommand): void {
  program
    .command("transactions")
    .description("find transactions, the newest first")
    .option("--mode <mode>", "live or test; unless given, live, or what --id says", modeValue)
    .option("--reference <text>", "the merchant's, of a transaction or of a bulk order, whose lines are listed")
    .option("--id <transaction>", "the transaction id, such as TXN01J8…")
    .option("--customer <number>", "phone, meter, smartcard or account that was bought for, or the phone with it")
    .option("--supplier-reference <text>", "what an attempt is called at its supplier, by us or by it")
    .option("--merchant <id>", "the merchant's, such as mer_17", merchantIdValue)
    .option("--supplier <name>", "at this supplier now, or at its end")
    .addOption(new Option("--status <status>", "how it stands").choices(purchaseStatuses))
    .option("--amount <naira>", "what the wallet paid, or the nominal price or value", nairaValue)
    .option("--older-than <age>", "made longer ago than this: 90s, 15m, 2h or 3d", ageValue)
    .option("--newer-than <age>", "made within this time", ageValue)
    .option("--from <time>", "made on this day or later; also 2026-11-20T14:00:00+01:00")
    .option("--to <time>", "the last day, it included, or the moment before which it was made")
    .option("--limit <number>", "how many at most", countValue(limitMax), usualLimit)
    .addHelpText("after", timeHelp)
    .does(search);
  program
    .command("transaction")
    .description("one transaction")
    .command("show")
    .description("all that happened to it: request, wallet, attempts with evidence (masked), callbacks, webhooks")
    .argument("<name>", "its transaction id, the merchant's reference, or what it is called at a supplier")
    .option("--mode <mode>", "live or test, for a name that both may have", modeValue, "live" as Mode)
    .option("--merchant <id>", "whose it is, for a reference that several use", merchantIdValue)
    .option("--from <time>", `a supplier's own name is looked for in the last ${usualDays} days, or from here on`)
    .addHelpText(
      "after",
      "\nCustomers' numbers, tokens and PINs are masked; review show tells what a person needs to fulfil one.",
    )
    .does(show);
}

const found = [
  ...(["made_at", "transaction_id", "merchant_id", "reference", "status"] as const),
  ...(["product", "customer", "total", "refund", "supplier"] as const),
];

async function search({ database, clock, wallTime }: Session, options: SearchOptions): Promise<void> {
  const transactionIds = await readTransactionIds(database);
  const requested = searchOf(options, { transactionIds, wallTime, now: clock.now() });
  const services = { database, transactionIds, clock };
  const { purchases, hasMore, searchedFrom } = await searchPurchases(services, requested, options.limit);
  const catalogue = await readCatalogue(database);
  const rows = purchases.map((purchase) => ({
    made_at: wallTime.format(purchase.purchasedAt),
    ...identityOf(transactionIds, purchase),
    status: purchase.status,
    product: soldProductOf(catalogue, purchase).product.name,
    customer: maskedNumber(purchase.customerRef),
    total: formatNaira(purchase.total),
    refund: refundWords(purchase),
    supplier: purchase.supplier,
    their_reference: purchase.providerReference,
  }));
  printRows(
    rows,
    { columns: found, headings: { total: "paid" }, none: `There is no such ${requested.mode} transaction.` },
    options,
  );
  const print = options.json ? printWarning : printLine;
  if (searchedFrom !== null) {
    print(`Of those made since ${wallTime.format(searchedFrom)}; --from looks further back, at most ${daysMax} days.`);
  }
  if (hasMore)
    print(`There are more: these are the newest ${rows.length}. Narrow the search, or give a higher --limit.`);
}

function refundWords({ status, refundedAt }: Purchase): string | null {
  if (refundedAt === null) return null;
  return status === "failed" ? "refunded" : "refunded later";
}

/** @throws Refusal VALIDATION_ERROR */
function searchOf(
  options: SearchOptions,
  { transactionIds, wallTime, now }: { transactionIds: TransactionIds; wallTime: WallTime; now: Instant },
): Search {
  const { id, olderThan, newerThan, from, to } = options;
  const modeOfId = id === undefined ? null : modeOfTransactionId(transactionIds, id);
  if (modeOfId !== null && options.mode !== undefined && options.mode !== modeOfId) {
    throw wrong(`${id} is of ${modeOfId}.`);
  }
  if ((newerThan !== undefined && from !== undefined) || (olderThan !== undefined && to !== undefined)) {
    throw wrong("Give either ages or times.");
  }
  const search = {
    mode: options.mode ?? modeOfId ?? "live",
    reference: options.reference ?? null,
    transactionId: id ?? null,
    customer: options.customer?.trim() ?? null,
    supplierReference: options.supplierReference ?? null,
    merchantId: options.merchant ?? null,
    supplier: options.supplier ?? null,
    status: options.status ?? null,
    amount: options.amount ?? null,
    from: newerThan === undefined ? timeOf(from, wallTime, "start") : now - newerThan,
    before: olderThan === undefined ? timeOf(to, wallTime, "end") : now - olderThan,
  };
  if (search.from !== null && search.before !== null && search.from >= search.before) {
    throw wrong("Nothing lies between these times.");
  }
  return search;
}

/** @throws Refusal VALIDATION_ERROR */
function timeOf(text: string | undefined, wallTime: WallTime, edge: "start" | "end"): Instant | null {
  if (text === undefined) return null;
  const instant = parseInstant(text, wallTime, edge);
  if (instant !== null) return instant;
  throw wrong(`${text} must be a day such as 2026-11-20, or 2026-11-20T14:00:00+01:00.`);
}

async function show(session: Session, name: string, options: ShowOptions): Promise<void> {
  const { database, clock, wallTime } = session;
  const transactionIds = await readTransactionIds(database);
  const found = await findByAnyName({ database, transactionIds, clock }, name, {
    mode: options.mode,
    merchantId: options.merchant ?? null,
    from: timeOf(options.from, wallTime, "start"),
  });
  const [purchase, another] = found;
  if (purchase === undefined) {
    const message = `No ${options.mode} transaction is called ${name}. What only a supplier calls so is looked for in the last ${usualDays} days: --from looks further back. Sandbox: --mode test.`;
    throw refuse("TRANSACTION_NOT_FOUND", { message });
  }
  if (another !== undefined) {
    const names = found.map((each) => identityOf(transactionIds, each));
    const shown = names.map(({ transaction_id: id, merchant_id: merchant }) => `${id} of ${merchant}`).join(", ");
    throw wrong(`Several are called ${name}: ${shown}. Give --merchant, or the transaction id.`);
  }
  const timeline = await readTimeline({ database, transactionIds }, purchase, await readCatalogue(database));
  if (options.json)
    printJson({ ...timeline.facts, events: timeline.events.map((event) => eventFacts(event, wallTime)) });
  else printTimeline(timeline, wallTime);
}

function identityOf(transactionIds: TransactionIds, { id, wallet, reference }: Purchase) {
  return {
    transaction_id: transactionIds.format(id, wallet.mode),
    merchant_id: formatMerchantId(wallet.merchantId),
    reference,
  };
}

function eventFacts({ at, kind, what, evidence, facts }: Timeline["events"][number], wallTime: WallTime) {
  return { at: at === null ? null : momentOf(at, wallTime), kind, what, evidence, ...facts };
}

const timeWidth = "2026-11-20T14:03:09.131+01:00".length;
const kindWidth = 9;

/** To the millisecond: the steps of one purchase often share a second. */
function momentOf(at: Instant, wallTime: WallTime): string {
  return wallTime.format(at).replace(/(?=[+-]\d\d:\d\d$)/, `.${String(Math.floor(at) % 1_000).padStart(3, "0")}`);
}

function printTimeline({ facts, events }: Timeline, wallTime: WallTime): void {
  printFacts("transaction", facts);
  for (const { at, kind, what, evidence } of events) {
    const time = at === null ? "" : momentOf(at, wallTime);
    printLine(`${time.padEnd(timeWidth)}  ${kind.padEnd(kindWidth)} ${what}`);
    if (evidence !== null) printLine(`${" ".repeat(timeWidth + 2 + kindWidth)} ${evidence.replaceAll("\n", " ")}`);
  }
}

interface PendingOptions extends JsonOption {
  readonly mode: Mode;
  readonly supplier?: string;
  readonly merchant?: MerchantId;
}

const stepsHelp = `
Steps: queued (nobody was asked yet), dispatch (being sent), requery (its supplier is asked what became of it), reroute (the
next supplier is looked for), review (waits for a person: review list).`;

export function addPendingCommand(program: OperatorCommand): void {
  program
    .command("pending")
    .description("what is pending, by supplier and step, the oldest first")
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .option("--supplier <name>", "at this supplier alone")
    .option("--merchant <id>", "of this merchant alone", merchantIdValue)
    .addHelpText("after", stepsHelp)
    .does(pending);
}

async function pending({ database, clock, wallTime }: Session, options: PendingOptions): Promise<void> {
  const { mode, supplier = null, merchant: merchantId = null } = options;
  const transactionIds = await readTransactionIds(database);
  const now = clock.now();
  const rows = (await listPendingGroups(database, { mode, supplier, merchantId })).map((group) => ({
    supplier: group.supplier,
    step: group.step,
    transactions: group.purchases,
    paid: formatNaira(group.total),
    oldest_age: ageText(now - group.oldestAt),
    oldest_seconds: Math.max(0, Math.floor((now - group.oldestAt) / 1_000)),
    oldest_made_at: wallTime.format(group.oldestAt),
    oldest_transaction_id: transactionIds.format(group.oldestId, mode),
  }));
  const columns = ["supplier", "step", "transactions", "paid", "oldest_age", "oldest_transaction_id"] as const;
  const headings = { oldest_age: "age of the oldest", oldest_transaction_id: "the oldest" };
  printRows(rows, { columns, headings, absent: "-", none: `Nothing is pending in ${mode}.` }, options);
  if (!options.json && rows.length > 0)
    printLine("transactions --status pending lists them, transaction show tells one.");
}
