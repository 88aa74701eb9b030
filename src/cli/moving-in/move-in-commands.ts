import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { applyMove } from "../../domain/moving-in/apply-move.ts";
import { findExistingMove } from "../../domain/moving-in/carry-out-move.ts";
import type { MoveId, MoveIn } from "../../domain/moving-in/move-in-queries.ts";
import { listMoveLines } from "../../domain/moving-in/move-line-queries.ts";
import { merchantsMax } from "../../domain/moving-in/planned.ts";
import { findOnlyMove, undoMove } from "../../domain/moving-in/undo-move.ts";
import { namedPerson } from "../../domain/staff/staff.ts";
import { formatNaira } from "../../kernel/money.ts";
import { orComplain, personValue } from "../arguments.ts";
import { adviseWhenUnknown, type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printStep } from "../printing.ts";
import {
  addPlanCommand,
  type PlanOptions,
  printMisfits,
  readPlan,
  shortDigest,
  withPlanArguments,
} from "./plan-command.ts";
import { addShadowCommand } from "./shadow-command.ts";

interface ApplyOptions extends PlanOptions {
  readonly digest: string;
  readonly by: string;
  readonly acceptProblems?: true;
}

/** Commands that move the merchants of an older script in, and what compares the two before the switch. */
export function addMoveInCommands(program: OperatorCommand): void {
  const moveIn = program
    .command("move-in")
    .description("move the merchants of an older script in: plan it, apply it, take it back");
  addPlanCommand(moveIn);
  withPlanArguments(moveIn.command("apply"))
    .description("move what the plan says, all of it or nothing; the same again changes nothing")
    .requiredOption("--digest <text>", "the plan's digest, as plan printed it", digestValue)
    .requiredOption("--by <who>", "who moves: the email of one of the staff, or without staff a name", personValue)
    .option("--accept-problems", "move the rest where something does not fit")
    .does(apply);
  moveIn
    .command("undo")
    .description("take a whole move back, until the first sale or other movement of a moved wallet")
    .argument("[move]", "its number; needed where there are several", moveValue)
    .requiredOption(
      "--by <who>",
      "who takes it back: the email of one of the staff, or without staff a name",
      personValue,
    )
    .does(undo);
  addShadowCommand(moveIn);
}

function digestValue(text: string): string {
  return orComplain(/^[0-9a-f]{16}$/.test(text) ? text : null, "It must be the 16 characters that plan printed.");
}

function moveValue(text: string): MoveId {
  return orComplain(/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null, "It must be a move's number.") as MoveId;
}

async function apply(session: Session, files: readonly string[], options: ApplyOptions): Promise<void> {
  const planned = await readPlan(session, files, options);
  const { plan, move } = planned;
  if (shortDigest(plan) !== options.digest && move?.state !== "moved") {
    throw wrong(
      "The digest is that of another plan: the files, the tiers or this deployment have changed. Plan again.",
    );
  }
  if (plan.misfits.length > 0 && options.acceptProblems !== true && move === null) {
    printMisfits(plan, options);
    throw wrong("Nothing was moved: mend these lines and plan again, or leave them out with --accept-problems.");
  }
  printStep(`moving ${plan.merchants.length} merchants`);
  const applying = { typedBy: options.by, aloneMax: session.creditAloneMax };
  const applied = await applyMove(session, planned, applying).catch(
    adviseWhenUnknown("It may have been moved: run the same command again, which changes nothing where it was."),
  );
  printStep("");
  if (applied.kind === "waiting") {
    if (options.json) printJson({ move: applied.move.id, state: "waiting", approval: applied.approval });
    else {
      printLine(`Nothing is moved yet: ${formatNaira(applied.move.balance)} is more than one person may credit.`);
      printLine(`Approval ${applied.approval} waits for a second person in the console.`);
    }
    return;
  }
  if (options.json) await printMerchants(session, applied.move, applied.kind === "repeated");
  else if (applied.kind === "repeated") printLine(`Nothing changes: ${describe(session, applied.move)}`);
  else printLine(`Moved: ${describe(session, applied.move)}`);
}

/** `move 1, of 1962 merchants with 5431.50 and 40 prices, was made at … by ada.` */
function describe({ wallTime }: Session, move: MoveIn): string {
  const { id, merchants, balance, prices, madeBy, approvedBy, movedAt } = move;
  const people = approvedBy === null ? madeBy : `${madeBy} and ${approvedBy}`;
  const at = movedAt === null ? "" : ` at ${wallTime.format(movedAt)}`;
  return `move ${id}, of ${merchants} merchants with ${formatNaira(balance)} and ${prices} prices, was made${at} by ${people}.`;
}

async function printMerchants({ database }: Session, move: MoveIn, isRepeated: boolean): Promise<void> {
  const { id, merchants, prices } = move;
  printJson({
    move: id,
    state: move.state,
    repeated: isRepeated,
    merchants,
    balance: formatNaira(move.balance),
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
  const id = typed ?? (await findOnlyMove(database));
  const { state, merchants } = await findExistingMove(database, id);
  printStep(`taking ${merchants} merchants back`);
  const by = await namedPerson(database, options.by);
  const { move, pricesKept } = await undoMove(session, { id, by }).catch(
    adviseWhenUnknown("It may have been taken back: run the same command again, which says so."),
  );
  printStep("");
  if (options.json) {
    printJson({ move: id, state: "undone", merchants, balance: formatNaira(move.balance), prices_kept: pricesKept });
    return;
  }
  if (state === "waiting") return printLine(`Move ${id} is withdrawn: nothing of it was moved.`);
  printLine(
    `Move ${id} is taken back: ${merchants} merchants are closed, and ${formatNaira(move.balance)} left their wallets.`,
  );
  if (pricesKept > 0) printLine(`${pricesKept} prices stay as they are: somebody has changed them since.`);
}
