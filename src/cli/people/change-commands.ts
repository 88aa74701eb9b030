import { changeOf, kindsOf } from "../../console/operator/approvals/kinds.ts";
import type { Actor } from "../../domain/staff/actor.ts";
import { listChanges } from "../../domain/staff/change-list-queries.ts";
import { type Change, type ChangeId, findChange } from "../../domain/staff/change-queries.ts";
import { agreeToChange, notDecidedTexts, refuseChange, withdrawChange } from "../../domain/staff/decide-change.ts";
import { type StaffRole, staffRoles } from "../../domain/staff/roles.ts";
import { findActor } from "../../domain/staff/staff.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { changeIdValue, personValue } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";
import { changeServices } from "./email-command.ts";
import { staffEmailOf, withKindServices } from "./print-request.ts";

const listMax = 1_000;

interface DecisionOptions extends JsonOption {
  readonly by?: string;
  readonly reason?: string;
}

/** Commands about what one person asked for and another one decides. */
export function addChangeCommands(program: OperatorCommand): void {
  const changes = program
    .command("changes")
    .alias("approvals")
    .description("list changes that one person asked for and another one decides, those that wait first")
    .does(list);
  changes
    .command("show")
    .description("show all of a change")
    .argument("<change>", "its number", changeIdValue)
    .does(show);
  decision(changes, "agree", "carry out a change that another person asked for, within 24 hours", agree);
  decision(changes, "refuse", "end a change that another person asked for: it is never carried out", refuseIt).option(
    "--reason <text>",
    "why; who asked for it is told",
  );
  decision(changes, "withdraw", "take back what one asked for oneself", withdraw);
  decision(program, "approve", "the same as changes agree", agree);
}

type Decide = (session: Session, id: ChangeId, by: Actor, options: DecisionOptions) => Promise<string>;

function decision(above: OperatorCommand, name: string, description: string, decide: Decide): OperatorCommand {
  return above
    .command(name)
    .description(description)
    .argument("<change>", "its number", changeIdValue)
    .option("--by <who>", "who decides: an email of staff, or without staff a name; else as --as", personValue)
    .does(async (session, id: ChangeId, options: DecisionOptions) => {
      if (options.by === undefined && !session.isNamed) throw wrong("Say who decides, with --by or --as.");
      const outcome = await decide(session, id, await findAuthor(session, options.by, staffRoles), options);
      if (!options.json) return printLine(outcome);
      const change = await findChange(session.database, id);
      if (change !== null) printJson(changeFields(change, session.wallTime));
    });
}

/** The person who does something by a command: as named, else the command's author. @throws Refusal VALIDATION_ERROR */
export async function findAuthor(
  session: Session,
  typed: string | undefined,
  roles: readonly StaffRole[],
): Promise<Actor> {
  const named = typed ?? staffEmailOf(session);
  return named === undefined
    ? { id: null, name: session.operator, email: null }
    : findActor(session.database, named, roles);
}

async function agree(session: Session, id: ChangeId, by: Actor): Promise<string> {
  const people = await changeServices(session);
  return withKindServices(session, async (services) => {
    const decided = await agreeToChange(people, { id, by }, kindsOf(services));
    if (decided.kind === "done") return decided.outcome;
    if (decided.kind === "agreed") return `Agreed. The service carries it out: changes show ${id} tells how far it is.`;
    throw wrong(`Nothing was done. ${notDecidedTexts[decided.kind]}`);
  });
}

async function refuseIt(session: Session, id: ChangeId, by: Actor, { reason = null }: { reason?: string | null }) {
  const { kind } = await refuseChange(await changeServices(session), { id, by, reason }, changeOf);
  if (kind === "refused") return `Change ${id} is refused.`;
  throw wrong(`Nothing was done. ${notDecidedTexts[kind]}`);
}

async function withdraw(session: Session, id: ChangeId, by: Actor): Promise<string> {
  const { kind } = await withdrawChange(await changeServices(session), { id, by });
  if (kind === "withdrawn") return `Change ${id} is withdrawn.`;
  throw wrong(`Nothing was done. ${notDecidedTexts[kind]}`);
}

async function list({ database, clock, wallTime }: Session, options: JsonOption): Promise<void> {
  const rows = (await listChanges(database, clock.now(), listMax)).map((change) => changeFields(change, wallTime));
  const columns = ["change", "state", "summary", "requested_by", "expires_at"] as const;
  printRows(
    rows,
    { columns, headings: { expires_at: "until" }, absent: "-", none: "Nobody asked for a change." },
    options,
  );
}

async function show({ database, wallTime }: Session, id: ChangeId, options: JsonOption): Promise<void> {
  const change = await findChange(database, id);
  if (change === null) throw wrong(`There is no change ${id}.`);
  const fields = changeFields(change, wallTime);
  if (options.json) return printJson(fields);
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null) printLine(`${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
  }
}

/** A change as a program reads it. */
export function changeFields(change: Change, { format }: WallTime) {
  const { id, kind, summary, state, fields, facts, progress, endsAt, decidedAt } = change;
  const parsed = (text: string | null): Json => (text === null ? null : JSON.parse(text));
  return {
    change: id as number,
    kind,
    summary,
    state,
    fields: parsed(fields),
    facts: parsed(facts),
    progress: parsed(progress),
    requested_by: change.requesterName,
    requested_at: format(change.requestedAt),
    expires_at: state === "waiting" ? format(endsAt) : null,
    decided_by: change.decidedByName,
    decided_at: decidedAt === null ? null : format(decidedAt),
    reason: change.reason,
    outcome: change.outcome,
  };
}
