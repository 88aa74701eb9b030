import { createInterface } from "node:readline";
import type { Category } from "../../categories/category.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import { type Purchase, soldProductOf } from "../../domain/purchases/purchase.ts";
import { vendRequestOf } from "../../domain/purchases/vend-request.ts";
import type { openDossier } from "../../domain/resolution/review/dossier.ts";
import { fulfilmentTemplate, maskedFulfilment } from "../../domain/resolution/review/review.ts";
import { checkedFulfilment } from "../../domain/resolution/review/review-fulfilment.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { operatorCommand } from "../../platform/operator-call.ts";
import { type Session, wrong } from "../operator-command.ts";
import { printFacts, printLine, printRows, printTable, printWarning } from "../printing.ts";

type Dossier = Awaited<ReturnType<typeof openDossier>>;

/** A longer fact has a line of its own below the table. */
const cellMax = 60;

/** What a person does next, by commands. */
export function nextSteps(purchase: Purchase, { ways }: Dossier, transactionId: string): readonly string[] {
  const { supplier, providerReference, status } = purchase;
  const { step, nameThere, handsOver, isManual, hasAnswers } = ways;
  if (step === null)
    return [`It is ${status}, for good. Settle what an incident says with ${supplier} and the merchant.`];
  if (step === "queued") return [`Nobody was asked yet: a worker sends it to ${supplier} when its turn comes.`];
  const theirs = providerReference === null ? "" : ` (which it calls ${providerReference})`;
  const resolve = `${operatorCommand} review resolve ${transactionId}`;
  const template = `${operatorCommand.replace("npm run", "npm run -s")} review resolve ${transactionId} vended --template`;
  const lookUp = `Look ${nameThere}${theirs} up at ${supplier}: in its console, its statement, by a ticket.`;
  return [
    step === "review"
      ? "Nobody asks any more: a person decides."
      : "It is asked about on its own; decide only if you know more than its supplier tells.",
    ...(hasAnswers
      ? [`What it answered may hold the goods, to the letter: ${operatorCommand} review answers ${transactionId}`]
      : []),
    isManual ? "No machine fulfils it: buy or do by hand what was bought, for the customer above." : lookUp,
    `${isManual ? "It is done" : "It vended"}: ${resolve} vended --by YOU --evidence TEXT${handsOver ? " --fulfilment FILE" : ""}`,
    ...(handsOver ? [`FILE comes from ${template} > FILE; fill in what is empty.`] : []),
    `It ${isManual ? "can't be done" : "did not, and never will"}: ${resolve} declined --by YOU --evidence TEXT; the merchant is refunded.`,
  ];
}

const attemptColumns = [
  ...(["attempt", "supplier", "supplier_code", "name_there", "provider_reference"] as const),
  ...(["verdict", "cost", "route_reason"] as const),
];
const attemptHeadings = {
  ...{ supplier_code: "code", name_there: "our reference there", provider_reference: "their reference" },
  route_reason: "chosen as",
};

/** For a person: facts, attempts, what was said, what to do. */
export function printDossier(
  identity: Readonly<Record<string, unknown>>,
  dossier: Dossier["facts"],
  steps: readonly string[],
): void {
  const { bought, attempts, callbacks, incidents, ...facts } = dossier;
  printFacts("purchase", { ...identity, ...facts });
  printBought(bought);
  printRows(
    attempts.map((printed) => ({ ...printed, verdict: printed.verdict ?? "unknown" })),
    { columns: attemptColumns, headings: attemptHeadings, none: "No supplier was asked." },
    {},
  );
  for (const printed of attempts)
    printSaid(`Attempt ${printed.attempt}, ${printed.supplier}`, printed.ended_at, printed.evidence);
  for (const printed of callbacks)
    printSaid(`${printed.supplier} called: ${printed.said}`, printed.at, printed.evidence);
  for (const printed of incidents) printSaid(`${printed.kind}, ${printed.source}`, printed.at, printed.evidence);
  printLine("Next:");
  for (const step of steps) printLine(`  ${step}`);
}

function printSaid(who: string, at: string | null, evidence: string | null): void {
  printLine(`${who}${at === null ? "" : `, ${at}`}: ${evidence ?? "nothing was said yet"}`);
}

/** For a person: short facts as a table, an SMS's text and recipients below it. */
function printBought({ details, ...facts }: Dossier["facts"]["bought"]): void {
  const more = Object.entries(details).filter(([name]) => !Object.hasOwn(facts, name));
  const printed = [...Object.entries(facts), ...more]
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name.replaceAll("_", " "), wordsOf(value)] as const);
  const isShort = ([, words]: readonly [string, string]) => words.length <= cellMax && !words.includes("\n");
  printTable(["what was bought", ""], printed.filter(isShort));
  for (const [name, words] of printed.filter((fact) => !isShort(fact))) printLine(`${name}: ${words}`);
}

function wordsOf(value: Json): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  // A recipient of an SMS.
  const { phone, error_code: errorCode } = value as JsonObject;
  if (typeof phone !== "string") return JSON.stringify(value);
  return errorCode === null ? phone : `${phone} (not sent to: ${errorCode})`;
}

/** A purchase that a person fulfils by hand. */
interface Bought {
  readonly category: Category;
  readonly request: VendRequest;
  readonly transactionId: string;
}

export async function readBought(
  { database }: Pick<Session, "database">,
  transactionIds: TransactionIds,
  purchase: Purchase,
): Promise<Bought> {
  const { product, category } = soldProductOf(await readCatalogue(database), purchase);
  const request = vendRequestOf(transactionIds, purchase, product, purchase);
  return { category, request, transactionId: request.transactionId };
}

/** The file for `--fulfilment`, to be filled in. */
export async function printTemplate({ category, request }: Bought): Promise<void> {
  printLine(JSON.stringify(await fulfilmentTemplate(category, request), null, 2));
}

/**
 * Shows what is about to be handed over, on standard error as a program may read the output, and asks whether it is
 * right. Returns when it may become final.
 * @throws Refusal VALIDATION_ERROR for goods that are not those of this purchase, and unless somebody says yes
 */
export async function confirmHandover(
  { category, request, transactionId }: Bought,
  { given, yes, terminal }: { readonly given: JsonObject | null; readonly yes: boolean; readonly terminal: Terminal },
): Promise<void> {
  if (given === null && category.byHand !== null) {
    throw wrong(
      `Say what the customer gets: npm run -s operator -- review resolve ${transactionId} vended --template > goods.json makes a file; fill in what is empty, and give it with --fulfilment goods.json.`,
    );
  }
  const handed = await checkedFulfilment(category, request, given);
  const shown = JSON.stringify(maskedFulfilment(category, handed), null, 2);
  const what = category.byHand === null ? "It was topped up; there is nothing to hand over" : "The customer gets";
  printWarning(`${what}: ${shown}`);
  if (yes || (await isConfirmed(terminal))) return;
  throw wrong("Nothing was done. It becomes final with --yes, or when somebody types yes at a terminal.");
}

/** Where a person may type. */
type Terminal = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** Whether somebody types yes at a terminal. */
export async function isConfirmed(terminal: Terminal, what = "hand it over"): Promise<boolean> {
  if (terminal.isTTY !== true) return false;
  const lines = createInterface({ input: terminal, output: process.stderr });
  lines.setPrompt(`Type yes to ${what}, for good: `);
  lines.prompt();
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    // Ctrl-C, Ctrl-D, or the terminal is gone.
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return answer.trim() === "yes";
}
