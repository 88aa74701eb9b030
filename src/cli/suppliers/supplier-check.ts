import { addressOf, checkStored, findComplaint, findNamedSupplier } from "../../domain/suppliers/asking.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import type { Check } from "../../providers/check-supplier.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printWarning } from "../printing.ts";

export function addCheckCommand(supplier: OperatorCommand): void {
  supplier
    .command("check")
    .description(
      "ask a supplier whether it can be reached: address, TLS, credentials (by its balance), clock, answer time",
    )
    .argument("<name>", "the supplier")
    .addHelpText("after", "\nBuys nothing and changes nothing. Ends with code 1 where something failed.")
    .does(check);
}

async function check(session: Session, name: string, options: JsonOption): Promise<number> {
  const supplier = await findNamedSupplier(session, name);
  const hasAddress = addressOf(supplier.settings) !== null;
  if (!(await isUsable(session, supplier)) && !hasAddress) return 1;
  if (!hasAddress) {
    if (!options.json) printLine(`${name} is spoken to by ${supplier.connector}: there is no address to check.`);
    return 0;
  }
  const checks = await checkStored(session, supplier);
  if (options.json) for (const { subject, ...rest } of checks) printJson({ supplier: name, check: subject, ...rest });
  else for (const found of checks) printCheck(found);
  return checks.some(({ verdict }) => verdict === "failed") ? 1 : 0;
}

/** Says of a stored supplier what the service says of one that it can't use. */
export async function isUsable(session: Session, supplier: Supplier): Promise<boolean> {
  const complaint = await findComplaint(session, supplier);
  if (complaint === null) return true;
  printWarning(
    `supplier.unusable: the service sends nothing to ${supplier.name}, as ${complaint}. Mend it; where it is a setting of the service, restart that.`,
  );
  return false;
}

function printCheck({ subject, verdict, found, advice }: Check): void {
  printLine(`${titleOf(subject).padEnd(13)} ${verdict.padEnd(11)} ${found}`);
  if (advice !== null) printLine(`${" ".repeat(25)} → ${advice}`);
}

function titleOf(subject: Check["subject"]): string {
  return subject === "tls" ? "TLS" : subject;
}

/** @throws Refusal VALIDATION_ERROR that names what failed, and what to do */
export function refuseFailed(checks: readonly Check[]): void {
  const failed = checks.filter(({ verdict }) => verdict === "failed");
  if (failed.length === 0) return;
  const message = [
    "The supplier was not stored, as its check failed:",
    ...failed.map(sentencesOf),
    "Then repeat the command; --no-check stores it as it is.",
  ].join("\n  ");
  throw wrong(message);
}

/** Prints the warnings among the checks: these work, but are worth knowing. */
export function warnOfChecks(checks: readonly Check[]): void {
  for (const check of checks) if (check.verdict === "warning") printWarning(sentencesOf(check));
}

function sentencesOf({ subject, found, advice }: Check): string {
  return `${titleOf(subject)}: ${found}.${advice === null ? "" : ` ${advice}`}`;
}
