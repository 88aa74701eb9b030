import { Argument, type Command, Option } from "commander";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { FinalOutcome, Purchase } from "../../domain/purchases/purchase.ts";
import { findLivePurchase } from "../../domain/purchases/queries.ts";
import { listLatestIncidents } from "../../domain/resolution/incident-queries.ts";
import { countPendingBefore } from "../../domain/resolution/requery/pending-queries.ts";
import { openDossier } from "../../domain/resolution/review/dossier.ts";
import { checkUnsold, checkWords, findingCodes, withGoods } from "../../domain/resolution/review/review.ts";
import { listReview } from "../../domain/resolution/review/review-queries.ts";
import { usualColumns } from "../../domain/resolution/review/statement-lines.ts";
import { listUnread, unreadIdentity } from "../../domain/resolution/review/unread-queries.ts";
import { namedPerson } from "../../domain/staff/staff.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import { firstPurchaseIdAt, type TransactionIds } from "../../kernel/ids.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { formatNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { countValue } from "../arguments.ts";
import { readGivenObject } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { asJson, type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";
import { confirmHandover, nextSteps, printDossier, printTemplate, readBought } from "./review-dossier.ts";
import { endOrAsk, givenStatement, resolveStatement, type StatementOptions } from "./review-statement.ts";

const listMax = 1_000;
/** The most that a table can be asked for. */
const waitingMax = 100_000;

interface CountOptions extends JsonOption {
  readonly count: number;
}

interface ResolveOptions extends JsonOption, StatementOptions {
  /** Given, unless a template is asked for. */
  readonly evidence?: string;
  readonly by?: string;
  readonly code: FailureCode;
  readonly providerReference?: string;
  readonly fulfilment?: string;
  readonly template?: true;
  readonly yes?: true;
}

/** Commands about purchases whose outcome only a person can find out. */
export function addReviewCommands(program: OperatorCommand): void {
  const review = program.command("review").description("purchases that wait for a person");
  review
    .command("list")
    .description("what waits, oldest first")
    .option("--count <number>", "how many at most", countValue(waitingMax), listMax)
    .does(list);
  review
    .command("show")
    .description("one purchase with its attempts, their evidence and its incidents")
    .argument("<transaction>", "such as TXN01J8…")
    .does(show);
  review
    .command("answers")
    .description(
      "the answers to the letter that may hold goods which nobody could make out; the audit log tells who looked",
    )
    .argument("<transaction>", "such as TXN01J8…")
    .does(showAnswers);
  review
    .command("incidents")
    .description("what suppliers said after the end, and what people said instead of them; the latest first")
    .option("--count <number>", "how many at most", countValue(listMax), 100)
    .does(listIncidents);
  review
    .command("resolve")
    .description("say how a pending purchase ended: refunded when declined, for good either way")
    .argument("[transaction]", "such as TXN01J8…")
    .addArgument(new Argument("[verdict]", "what the supplier did").choices(["vended", "declined"]))
    .option("--evidence <text>", "what it rests on, in ten characters or more: the supplier's statement, a ticket")
    .option("--by <who>", "who says so: the email of one of the staff, or without staff a name")
    .option("--provider-reference <text>", "what the supplier calls it")
    .option("--fulfilment <file>", "vended: a JSON file with what the customer gets, such as token or PINs")
    .option("--template", "vended: only print such a file for this purchase, to be filled in")
    .option("--yes", "vended: hand it over without asking")
    .option("--code <code>", `declined: one of ${findingCodes.join(", ")}`, "EXPIRED_UNCONFIRMED")
    .option("--from-statement <file>", "instead of one: all sales of a supplier's statement (CSV), all or none")
    .option("--supplier <name>", "whose statement it is")
    .addOption(
      new Option("--named-by <which>", "whose reference names its sales: ours, or the supplier's own")
        .choices(["reference", "provider_reference"])
        .default("reference"),
    )
    .option("--reference-column <name>", "the heading over that reference", usualColumns.reference)
    .option("--state-column <name>", "the heading over delivered, not delivered or unknown", usualColumns.state)
    .option("--amount-column <name>", "the heading over what it charged, in naira; unless given, it isn't compared")
    .option(...asJson)
    .action((name: string | undefined, verdict: Verdict | undefined, options: ResolveOptions, command: Command) => {
      const { template, evidence, by, fromStatement } = options;
      if (fromStatement !== undefined) {
        const given = givenStatement(fromStatement, name, options);
        return typeof given === "string"
          ? command.error(given)
          : review.withSession((session) => resolveStatement(session, given, options));
      }
      if (name === undefined || verdict === undefined) {
        return command.error("error: missing required argument 'transaction' or 'verdict'");
      }
      if (template && verdict === "declined") return command.error("error: --template is for vended");
      if (template) return review.withSession((session) => printTemplateOf(session, name));
      if (evidence === undefined) return command.error("error: required option '--evidence <text>' not specified");
      if (by === undefined) return command.error("error: required option '--by <who>' not specified");
      return review.withSession((session) => resolve(session, { name, verdict, evidence, by }, options));
    });
}

async function list({ database, wallTime }: Session, options: CountOptions): Promise<void> {
  const transactionIds = await readTransactionIds(database);
  const rows = (await listReview(database, options.count)).map((purchase) => ({
    ...identity(transactionIds, purchase),
    total: formatNaira(purchase.total),
    customer: purchase.customerRef,
    purchased_at: wallTime.format(purchase.purchasedAt),
  }));
  printRows(rows, { none: "No sales in review." }, options);
  const waiting = rows.length < options.count ? rows.length : await countWaiting(database);
  if (waiting > rows.length) {
    const print = options.json ? printWarning : printLine;
    const all = Math.min(waiting, waitingMax);
    print(`${waiting} wait, and ${waiting - rows.length} of them are not shown: review list --count ${all}`);
  }
}

async function countWaiting(database: Queryable): Promise<number> {
  const pending = await countPendingBefore(database, firstPurchaseIdAt(0));
  return pending.find(({ step }) => step === "review")?.all ?? 0;
}

async function listIncidents({ database, wallTime }: Session, options: CountOptions): Promise<void> {
  const transactionIds = await readTransactionIds(database);
  const rows = (await listLatestIncidents(database, options.count)).map((incident) => ({
    at: wallTime.format(incident.at),
    kind: incident.kind,
    transaction_id: transactionIds.format(incident.purchaseId, incident.wallet.mode),
    merchant_id: formatMerchantId(incident.wallet.merchantId),
    supplier: incident.supplier,
    attempt: incident.attempt,
    source: incident.source,
    evidence: incident.evidence,
  }));
  const columns = ["at", "kind", "transaction_id", "merchant_id", "supplier", "attempt", "source"] as const;
  printRows(rows, { columns, headings: { source: "said by" }, none: "There are no incidents." }, options);
  if (!options.json && rows.length > 0) printLine("review show TRANSACTION tells the evidence.");
}

async function show(session: Session, name: string, options: JsonOption): Promise<void> {
  const transactionIds = await readTransactionIds(session.database);
  const purchase = await find(session, transactionIds, name);
  const { database, wallTime } = session;
  const dossier = await openDossier({ database, wallTime, transactionIds }, purchase);
  const steps = nextSteps(purchase, dossier, transactionIds.format(purchase.id, purchase.wallet.mode));
  if (options.json) printJson({ ...identity(transactionIds, purchase), ...dossier.facts, next_steps: steps });
  else printDossier(identity(transactionIds, purchase), dossier.facts, steps);
}

/** Tokens and PINs are in them: that somebody looks is recorded before. */
async function showAnswers(session: Session, name: string, options: JsonOption): Promise<void> {
  const { database, wallTime } = session;
  const purchase = await find(session, await readTransactionIds(database), name);
  const [kept, secretBox] = [await listUnread(database, purchase), await session.secretBox()];
  if (kept.length > 0) await session.audit();
  for (const { attempt, supplier, sealed, at } of kept) {
    const answer = secretBox.open(sealed, unreadIdentity(purchase.wallet.merchantId, purchase.id));
    if (options.json) printJson({ attempt, supplier, at: wallTime.format(at), answer });
    else printLine(`Attempt ${attempt}, ${supplier}, ${wallTime.format(at)}:\n${answer}`);
  }
  if (kept.length === 0 && !options.json) printLine("No answer is kept to the letter: each was understood.");
}

async function printTemplateOf(session: Session, name: string): Promise<void> {
  const transactionIds = await readTransactionIds(session.database);
  await printTemplate(await readBought(session, transactionIds, await find(session, transactionIds, name)));
}

type Verdict = "vended" | "declined";

interface Resolution {
  readonly name: string;
  readonly verdict: Verdict;
  readonly evidence: string;
  readonly by: string;
}

async function resolve(session: Session, resolution: Resolution, options: ResolveOptions): Promise<void> {
  const { name, verdict } = resolution;
  const { database } = session;
  const by = await namedPerson(database, resolution.by);
  const transactionIds = await readTransactionIds(database);
  const purchase = await find(session, transactionIds, name);
  checkWords(resolution);
  const outcome = await outcomeOf(verdict, options);
  if (outcome.status === "successful" && purchase.status === "pending") {
    const bought = await readBought(session, transactionIds, purchase);
    const query = { given: outcome.fulfilment, yes: options.yes === true, terminal: process.stdin };
    await confirmHandover(bought, query);
  }
  const evidence = maskSecrets(resolution.evidence);
  // A person may have taken long to say yes.
  const present = await find(session, transactionIds, name);
  if (present.status !== "pending") {
    const message = `It has ended already: ${present.status}. A final status never changes.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  const found = { supplier: present.supplier ?? "", ends: [{ purchase: present, outcome, line: null }], evidence };
  // All that is written goes through this command's own database: the audit log's entry is in its commit.
  await session.withServices(async (services) => {
    const reviewing = { ...services, database };
    const checked = await withGoods(reviewing, present, outcome);
    if (checked.status === "successful")
      await checkUnsold(reviewing, { purchase: present, fulfilment: checked.fulfilment });
    const [ended] = (await endOrAsk(session, reviewing, { ...found, by: resolution.by }, options)) ?? [];
    if (ended === undefined) return;
    if (options.json) printJson({ ...identity(transactionIds, present), status: ended.status, resolved_by: by });
    else printLine(`${name} is ${ended.status}${ended.status === "failed" ? ", and refunded" : ""}.`);
  });
}

async function outcomeOf(verdict: "vended" | "declined", options: ResolveOptions): Promise<FinalOutcome> {
  const { code, fulfilment: file, providerReference = null } = options;
  if (verdict === "vended") {
    const fulfilment = file === undefined ? null : await readGivenObject(file);
    return { status: "successful", providerReference, fulfilment };
  }
  const errorCode = findingCodes.find((known) => known === code);
  if (errorCode !== undefined) return { status: "failed", errorCode, providerReference };
  throw wrong(`The code must be one of ${findingCodes.join(", ")}.`);
}

async function find({ database }: Session, transactionIds: TransactionIds, name: string): Promise<Purchase> {
  const id = transactionIds.parse(name, "live");
  const purchase = id === null ? null : await findLivePurchase(database, id);
  if (purchase === null) throw refuse("TRANSACTION_NOT_FOUND");
  return purchase;
}

function identity(transactionIds: TransactionIds, purchase: Purchase) {
  const { wallet, id, reference, supplier, attempt, productId } = purchase;
  return {
    transaction_id: transactionIds.format(id, wallet.mode),
    merchant_id: formatMerchantId(wallet.merchantId),
    reference,
    product_id: productId,
    supplier,
    attempt,
  };
}
