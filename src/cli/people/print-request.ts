import { momentFormat } from "../../console/kit/parts/text.tsx";
import type { KindServices, TwoPeople } from "../../console/operator/approvals/two-people.ts";
import type { Person } from "../../domain/identity/people/person.ts";
import { askForChange, type RequestResult } from "../../domain/staff/ask-change.ts";
import type { CarriedOut, ChangeKind, Request } from "../../domain/staff/change-kinds.ts";
import type { ChangeId } from "../../domain/staff/change-queries.ts";
import { findStaffPerson } from "../../domain/staff/staff.ts";
import { personValue } from "../arguments.ts";
import { type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";
import { changeServices } from "./email-command.ts";

/** The option for who asks, of a command that needs a second person for some of what it does. */
export const byOption = [
  "--by <email>",
  "who asks, where it takes a second person: one of the staff",
  personValue,
] as const;

export interface AskingOptions extends JsonOption {
  readonly by?: string;
}

/**
 * Asks for a change, and says what became of it; a company without staff has no second person.
 * @returns false where it has none: the command does it. @throws Refusal where `by` is nobody who may ask for it
 */
export async function requestChange(
  session: Session,
  change: CarriedOut,
  request: Request,
  options: AskingOptions,
): Promise<boolean> {
  const person = await findAsker(session, change.rules, options);
  if (person !== null) await ask(session, person, { change, request, options });
  return person !== null;
}

/** Asks for a change of a page's kind, as the page does. @returns, @throws as `requestChange` */
export async function requestAsPage(
  session: Session,
  change: TwoPeople,
  request: Request,
  options: AskingOptions,
): Promise<boolean> {
  const person = await findAsker(session, change, options);
  if (person !== null) {
    await withKindServices(session, (services) =>
      ask(session, person, { change: { rules: change, ...change.by(services) }, request, options }),
    );
  }
  return person !== null;
}

async function ask(
  session: Session,
  person: Person,
  {
    change,
    request,
    options,
  }: { readonly change: CarriedOut; readonly request: Request; readonly options: JsonOption },
): Promise<void> {
  printRequested(await askForChange(await changeServices(session), person, change, request), options);
}

function findAsker(session: Session, { ask }: ChangeKind, { by }: AskingOptions) {
  return findStaffPerson(session.database, by ?? staffEmailOf(session) ?? "", ask);
}

/** The email of the staff member whom `--as` names. */
export function staffEmailOf({ operator }: Session): string | undefined {
  return /^staff:(.*)$/.exec(operator)?.[1];
}

/** Wires what it takes to carry changes of the pages' kinds out. */
export function withKindServices<T>(session: Session, work: (services: KindServices) => Promise<T>): Promise<T> {
  const { database, creditAloneMax, supplierOrigins, wallTime } = session;
  const given = { database, reads: database, creditAloneMax, supplierOrigins, format: momentFormat(wallTime.timeZone) };
  return session.withServices((wired) => work({ ...wired, ...given }));
}

/** Says what became of a change that a command asked for. @throws the complaint where another one is open */
export function printRequested(result: RequestResult, options: JsonOption): void {
  if (result.kind === "taken") {
    const { id, requesterName, summary } = result.by;
    throw wrong(`Nothing was asked for: ${requesterName} asked for this already, as approval ${id} (${summary}).`);
  }
  if (options.json) printJson({ approval: result.id, done: result.kind === "done" });
  else if (result.kind === "done") printLine(result.outcome);
  else printLine(waitingText(result.id));
}

export function waitingText(id: ChangeId): string {
  return `Nothing has changed yet: approval ${id} waits for a second person, in the console or by: changes agree ${id} --by WHO`;
}
