import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { applyMove } from "../../domain/moving-in/apply-move.ts";
import { findExistingMove } from "../../domain/moving-in/bring-merchants.ts";
import type { MoveId, MoveIn } from "../../domain/moving-in/move-in-queries.ts";
import { listMoveLines } from "../../domain/moving-in/move-line-queries.ts";
import type { OlderScript } from "../../domain/moving-in/older-script.ts";
import type { MovePlan } from "../../domain/moving-in/plan-move.ts";
import { merchantsMax } from "../../domain/moving-in/planned.ts";
import { findOnlyMove, switchMove } from "../../domain/moving-in/switch-move.ts";
import { undoingMove, undoMove } from "../../domain/moving-in/undo-move.ts";
import { namedPerson } from "../../domain/staff/staff.ts";
import { needsApproval } from "../../domain/wallet/credits.ts";
import { formatNaira, zeroKobo } from "../../kernel/money.ts";
import { orComplain, personValue } from "../arguments.ts";
import { adviseWhenUnknown, type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { changeServices } from "../people/email-command.ts";
import { requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printStep } from "../printing.ts";
import {
  addPlanCommand,
  moveOption,
  moveValue,
  type PlanOptions,
  printMisfits,
  readPlan,
  readSwitch,
  shortDigest,
  withPlanArguments,
} from "./plan-command.ts";
import { addShadowCommand } from "./shadow-command.ts";

interface CarryOutOptions extends PlanOptions {
  readonly digest?: string;
  readonly by: string;
  readonly acceptProblems?: true;
  readonly move?: MoveId;
}

const by = ["--by <who>", "who does it: the email of one of the staff, or without staff a name", personValue] as const;
const acceptProblems = ["--accept-problems", "move the rest where something does not fit"] as const;

/** Commands that move the merchants of an older script in, and what compares the two before the switch. */
export function addMoveInCommands(program: OperatorCommand): void {
  const moveIn = program
    .command("move-in")
    .description("move the merchants of an older script in: plan, apply, compare, switch, take it back");
  addPlanCommand(moveIn);
  withPlanArguments(moveIn.command("apply"))
    .description("bring merchants and prices, all of it or nothing; balances and tokens come with the switch")
    .requiredOption("--digest <text>", "the plan's digest, as plan printed it", digestValue)
    .requiredOption(...by)
    .option(...acceptProblems)
    .does(apply);
  addShadowCommand(moveIn);
  withPlanArguments(moveIn.command("switch"))
    .description("bring balances and tokens from the export made after the last sale, all of it or nothing")
    .option("--digest <text>", "only this plan, as plan --switch printed its digest", digestValue)
    .requiredOption(...by)
    .option(...acceptProblems)
    .option(...moveOption)
    .does(switchOver);
  moveIn
    .command("undo")
    .description("take a whole move back, until the first sale or other movement of a moved wallet")
    .argument("[move]", "its number; needed where there are several", moveValue)
    .requiredOption(...by)
    .does(undo);
}

function digestValue(text: string): string {
  return orComplain(/^[0-9a-f]{16}$/.test(text) ? text : null, "It must be the 16 characters that plan printed.");
}

/** @throws Refusal where another plan was looked at, or something does not fit that nobody accepted */
function checkLookedAt(
  made: { readonly older: OlderScript; readonly plan: MovePlan },
  { digest, acceptProblems, json }: CarryOutOptions,
): void {
  if (digest !== undefined && shortDigest(made.plan) !== digest) {
    throw wrong(
      "The digest is that of another plan: the files, the tiers or this deployment have changed. Plan again.",
    );
  }
  if (made.plan.misfits.length === 0 || acceptProblems === true) return;
  printMisfits(made, json ? { json } : {});
  throw wrong("Nothing was moved: mend these lines and plan again, or leave them out with --accept-problems.");
}

async function apply(session: Session, files: readonly string[], options: CarryOutOptions): Promise<void> {
  const planned = await readPlan(session, files, options);
  const { plan, move } = planned;
  if (move === null) checkLookedAt(planned, options);
  printStep(`bringing ${plan.merchants.length} merchants`);
  const applied = await applyMove(session, planned, { typedBy: options.by }).catch(
    adviseWhenUnknown("They may have come: run the same command again, which changes nothing where they have."),
  );
  printStep("");
  if (options.json) return printMerchants(session, applied.move, applied.isRepeated);
  const what = describe(session, applied.move);
  printLine(applied.isRepeated ? `Nothing changes: ${what}` : `Brought: ${what}`);
  if (applied.move.state === "prepared")
    printLine("None of them has a balance or a token yet. Compare with move-in shadow, then move-in switch.");
}

async function switchOver(session: Session, files: readonly string[], options: CarryOutOptions): Promise<void> {
  const planned = await readSwitch(session, files, options);
  const { plan, move } = planned;
  if (move.state !== "moved") checkLookedAt(planned, options);
  printStep(`switching ${plan.merchants.length} merchants over`);
  const asking = () => changeServices(session);
  const switching = { typedBy: options.by, aloneMax: session.creditAloneMax, asking };
  const switched = await switchMove(session, planned, switching).catch(
    adviseWhenUnknown("It may be done: run the same command again, which changes nothing where it is."),
  );
  printStep("");
  if (switched.kind === "waiting" || switched.kind === "agreed") {
    if (options.json) return printJson({ move: switched.move.id, state: "waiting", approval: switched.approval });
    if (switched.kind === "agreed")
      return printLine(`It is carried out now, as approval ${switched.approval}: the console shows how far it is.`);
    printLine(`No balance is here yet: ${formatNaira(switched.move.balance)} is more than one person may credit.`);
    printLine(`Approval ${switched.approval} waits for a second person in the console.`);
    return;
  }
  if (options.json) return printMerchants(session, switched.move, switched.kind === "repeated");
  const what = describe(session, switched.move);
  printLine(switched.kind === "repeated" ? `Nothing changes: ${what}` : `Switched: ${what}`);
}

/** `move 1, of 1962 merchants with 5431.50 and 1764 tokens, was switched at … by ada.` */
function describe({ wallTime }: Session, move: MoveIn): string {
  const { id, state, merchants, balance, tokens, prices, approvedBy, madeAt, movedAt } = move;
  if (state !== "moved" || movedAt === null) {
    return `move ${id}, of ${merchants} merchants and ${prices} prices, was made at ${wallTime.format(madeAt)} by ${move.madeBy}.`;
  }
  const people = approvedBy === null ? move.switchedBy : `${move.switchedBy} and ${approvedBy}`;
  return `move ${id}, of ${merchants} merchants with ${formatNaira(balance)} and ${tokens} tokens, was switched at ${wallTime.format(movedAt)} by ${people}.`;
}

async function printMerchants({ database }: Session, move: MoveIn, isRepeated: boolean): Promise<void> {
  const { id, merchants, tokens, prices } = move;
  printJson({
    move: id,
    state: move.state,
    repeated: isRepeated,
    merchants,
    balance: formatNaira(move.balance),
    tokens,
    prices,
  });
  for (const { olderId, merchantId, email, balance } of await listMoveLines(database, id, merchantsMax)) {
    const merchant = merchantId === null ? null : formatMerchantId(merchantId);
    printJson({ older_id: olderId, merchant_id: merchant, email, balance: formatNaira(balance) });
  }
}

async function undo(
  session: Session,
  typed: MoveId | undefined,
  options: JsonOption & { readonly by: string },
): Promise<void> {
  const { database } = session;
  const id = typed ?? (await findOnlyMove(database, { toSwitch: false }));
  const { state, merchants, balance: brought } = await findExistingMove(database, id);
  if (state === "moved" && needsApproval(brought, session.creditAloneMax)) {
    const summary = `Take move ${id} back: ${merchants} merchants are closed, and ${formatNaira(brought)} leaves their wallets`;
    const request = { summary, fields: { move: id, by: await namedPerson(database, options.by), merchants } };
    if (await requestChange(session, undoingMove(session), request, options)) return;
  }
  printStep(`taking ${merchants} merchants back`);
  const person = await namedPerson(database, options.by);
  const { move, pricesKept } = await undoMove(session, { id, by: person }).catch(
    adviseWhenUnknown("It may have been taken back: run the same command again, which says so."),
  );
  printStep("");
  const balance = formatNaira(move.state === "moved" ? move.balance : zeroKobo);
  if (options.json) return printJson({ move: id, state: "undone", merchants, balance, prices_kept: pricesKept });
  printLine(`Move ${id} is taken back: ${merchants} merchants are closed, and ${balance} left their wallets.`);
  if (pricesKept > 0) printLine(`${pricesKept} prices stay as they are: somebody has changed them since.`);
}
