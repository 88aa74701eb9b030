import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import { judgeStatement, plannedEnds, type StatementOf } from "../../domain/resolution/review/judge-statement.ts";
import {
  carryOutTogether,
  proposalOf,
  resolveSales,
  totalsText,
} from "../../domain/resolution/review/propose-together.ts";
import { resolveTogether, totalsOf } from "../../domain/resolution/review/resolve-together.ts";
import { checkWords } from "../../domain/resolution/review/review.ts";
import { readEndLines } from "../../domain/resolution/review/statement-lines.ts";
import { propose } from "../../domain/staff/approvals.ts";
import { findStaffPerson } from "../../domain/staff/staff.ts";
import { findNamedSupplier } from "../../domain/suppliers/asking.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { formatNaira } from "../../kernel/money.ts";
import { textOfFile } from "../../platform/csv.ts";
import { readGivenFile } from "../given-records.ts";
import { type Session, wrong } from "../operator-command.ts";
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
    const person = await findStaffPerson(session.database, given.by, resolveSales.roles);
    if (person === null) {
      const { length: ended } = await resolveTogether(services, ends, { by: given.by, evidence });
      const left =
        ended === ends.length ? "" : ` ${ends.length - ended} of them ended meanwhile and stayed as they are.`;
      return printEnd(options, { ended }, `${totals}.${left}`);
    }
    const proposal = await proposalOf(services, { supplier: supplier.name, ends, by: person.email, evidence });
    const proposed = await propose(session, { by: person, proposal }, (db) =>
      carryOutTogether(services, db, proposal.payload),
    );
    if (proposed.kind === "done") return printEnd(options, { ended: ends.length }, proposed.result);
    const where = `Nothing has changed yet: approval ${proposed.id} waits for a second person in the console.`;
    return printEnd(options, { ended: 0, approval: proposed.id }, where);
  });
}

function printEnd(options: JsonOption, facts: Readonly<Record<string, number>>, sentence: string): void {
  if (options.json) printJson(facts);
  else printLine(sentence);
}
