import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { EndedPurchase } from "../../domain/purchases/purchase.ts";
import { judgeStatement, plannedEnds, type StatementOf } from "../../domain/resolution/review/judge-statement.ts";
import {
  type FoundTogether,
  proposalOf,
  resolveSales,
  resolvingSales,
  totalsText,
} from "../../domain/resolution/review/propose-together.ts";
import { resolveTogether, totalsOf } from "../../domain/resolution/review/resolve-together.ts";
import { checkWords, type ReviewServices } from "../../domain/resolution/review/review.ts";
import { readEndLines } from "../../domain/resolution/review/statement-lines.ts";
import { askForChange } from "../../domain/staff/ask-change.ts";
import { findStaffPerson } from "../../domain/staff/staff.ts";
import { findNamedSupplier } from "../../domain/suppliers/asking.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { formatNaira } from "../../kernel/money.ts";
import { textOfFile } from "../../platform/csv.ts";
import { readGivenFile } from "../given-records.ts";
import { type Session, wrong } from "../operator-command.ts";
import { changeServices } from "../people/email-command.ts";
import { waitingText } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { isConfirmed } from "./review-dossier.ts";

export interface StatementOptions extends JsonOption {
  readonly namedBy: StatementOf["by"];
  readonly referenceColumn: string;
  readonly stateColumn: string;
  readonly amountColumn?: string;
  readonly yes?: true;
  readonly fromStatement?: string;
  readonly supplier?: string;
  readonly evidence?: string;
  readonly by?: string;
}

interface Given {
  readonly file: string;
  readonly supplier: string;
  readonly evidence: string;
  readonly by: string;
}

/** What --from-statement needs, or what is missing of it. */
export function givenStatement(
  file: string,
  transaction: string | undefined,
  { supplier, evidence, by }: StatementOptions,
): Given | string {
  if (transaction !== undefined) return "error: give a transaction or --from-statement, not both";
  if (supplier === undefined) return "error: --from-statement needs --supplier";
  if (evidence === undefined) return "error: --from-statement needs --evidence";
  if (by === undefined) return "error: --from-statement needs --by";
  return { file, supplier, evidence, by };
}

/** Ends what a supplier's statement says plainly, all or none; what is doubtful is printed and stays as it is. */
export async function resolveStatement(session: Session, given: Given, options: StatementOptions): Promise<void> {
  const { database } = session;
  checkWords(given);
  const evidence = maskSecrets(given.evidence);
  const supplier = await findNamedSupplier(session, given.supplier);
  const { namedBy: by, referenceColumn: reference, stateColumn: state, amountColumn: amount = null } = options;
  const text = textOfFile(await readGivenFile(given.file));
  const lines = await readEndLines(text, { reference, state, amount });
  const transactionIds = await readTransactionIds(database);
  await session.withServices(async (wired) => {
    const services = { ...wired, database };
    const { secretBox, catalogue } = services;
    const judging = { database, transactionIds, secretBox, catalogue: await catalogue.current() };
    const judged = await judgeStatement(judging, { supplier, by }, lines);
    printRows(
      judged.map(({ line, reference: name, verdict, why, purchase }) => ({
        ...{ line, reference: name, verdict, why },
        charged: purchase === null ? null : formatNaira(purchase.total),
      })),
      { none: "The statement has no lines." },
      options,
    );
    const ends = plannedEnds(judged);
    if (ends.length === 0) return printEnd(options, { ended: 0 }, "No sale would end by this statement.");
    const totals = totalsText(totalsOf(ends));
    if (!options.yes && !(await isConfirmed(process.stdin, `end ${ends.length}: ${totals}`))) {
      throw wrong(`Nothing was done to ${ends.length} sales (${totals}). They end with --yes, or yes at a terminal.`);
    }
    const ended = await endOrAsk(session, services, { supplier: supplier.name, ends, by: given.by, evidence }, options);
    if (ended === null) return;
    const left =
      ended.length === ends.length
        ? ""
        : ` ${ends.length - ended.length} of them ended meanwhile and stayed as they are.`;
    printEnd(options, { ended: ended.length }, `${totals}.${left}`);
  });
}

/**
 * Ends sales where the company has no staff; else a person of it asks, and another one agrees to it.
 * @returns what was ended; null where it was asked for, and printed
 */
export async function endOrAsk(
  session: Session,
  services: ReviewServices,
  { ends, ...found }: FoundTogether,
  options: JsonOption,
): Promise<readonly EndedPurchase[] | null> {
  const person = await findStaffPerson(session.database, found.by, resolveSales.ask);
  if (person === null) return resolveTogether(services, ends, found);
  const request = await proposalOf(services, { ...found, ends, by: person.email });
  const asking = { ...(await changeServices(session)), database: services.database };
  const result = await askForChange(asking, person, resolvingSales(services), request);
  if (result.kind === "taken") {
    const { id, requesterName } = result.by;
    throw wrong(`Nothing was asked for: ${requesterName} asked for this already, as approval ${id}.`);
  }
  if (result.kind === "done") printEnd(options, { ended: ends.length }, result.outcome);
  else printEnd(options, { ended: 0, approval: result.id }, waitingText(result.id));
  return null;
}

function printEnd(options: JsonOption, facts: Readonly<Record<string, number>>, sentence: string): void {
  if (options.json) printJson(facts);
  else printLine(sentence);
}
