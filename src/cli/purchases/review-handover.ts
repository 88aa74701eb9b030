import { createInterface } from "node:readline";
import type { Category } from "../../categories/category.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import { soldProductOf } from "../../domain/purchases/sold-product.ts";
import { vendRequestOf } from "../../domain/purchases/vend-request.ts";
import { checkedFulfilment } from "../../domain/resolution/review/review-fulfilment.ts";
import { fulfilmentTemplate, maskedFulfilment } from "../../domain/resolution/review/review-template.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { wrong } from "../failures.ts";
import { printLine, printWarning } from "../printing.ts";
import type { Session } from "../session.ts";

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
export type Terminal = NodeJS.ReadableStream & { readonly isTTY?: boolean };

async function isConfirmed(terminal: Terminal): Promise<boolean> {
  if (terminal.isTTY !== true) return false;
  const lines = createInterface({ input: terminal, output: process.stderr });
  lines.setPrompt("Type yes to hand it over, for good: ");
  lines.prompt();
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    // Ctrl-C, Ctrl-D, or the terminal is gone.
    lines.once("close", () => resolve(""));
  });
  lines.close();
  return answer.trim() === "yes";
}
