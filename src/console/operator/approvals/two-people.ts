import type { ComponentChildren } from "preact";
import { actorName } from "../../../domain/staff/actor.ts";
import { askForChange, type RequestResult } from "../../../domain/staff/ask-change.ts";
import type { CarriedOut, ChangeKind, Fields, Request } from "../../../domain/staff/change-kinds.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import type { Json } from "../../../kernel/json.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import type { GateServices } from "../../kit/gate.ts";
import type { StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

/** What it takes to carry a change out: by a page, or by a command. */
export type KindServices = Pick<
  OperatorServices,
  Exclude<keyof OperatorServices, keyof GateServices | "openFeed" | "exportFile"> | "people" | "format"
>;

/** A kind of change that a second person agrees to, by a page or by a command. */
export interface TwoPeople extends ChangeKind {
  /** How these services carry it out. */
  readonly by: (services: KindServices) => Omit<CarriedOut, "rules">;
  /** What exactly would be done, below the request, where the fields alone don't show it. */
  readonly show?: (services: OperatorServices, fields: Fields, lines: Json) => Promise<ComponentChildren>;
}

export interface Requested extends Request {
  readonly doneAt: string;
}

/** Asks for a change, or carries it out where nobody else could agree to it; then on to a page that says which. */
export async function askForTwo(
  services: OperatorServices,
  visit: StaffVisit,
  change: TwoPeople,
  { doneAt, ...request }: Requested,
): Promise<Answer> {
  const { person } = visit.session;
  const kind = { rules: change, ...change.by(services) };
  const result = await askForChange(services.people, person, kind, request);
  return answerRequest(result, { me: person.id, doneAt });
}

/** Says what became of a request. */
export function answerRequest(
  result: RequestResult,
  { me, doneAt }: { readonly me: number; readonly doneAt: string },
): Answer {
  switch (result.kind) {
    case "waiting":
      return goTo(doneAt, `Sent to ${sentTo(result.others)} for approval. Nothing has changed.`);
    case "done":
      return goTo(doneAt, `${result.outcome} Nobody else could approve it, so it’s marked as done by you alone.`);
    case "taken":
      return goBack(doneAt, takenText(result.by, me));
  }
}

function takenText({ id, summary, requesterId, requesterName }: Change, me: number): string {
  const who = requesterId === me ? "You" : requesterName;
  return `Nothing was asked for. ${who} asked for this already, request ${id}: ${summary}. Decide or withdraw that one first.`;
}

function sentTo(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and others` : names.join(" or ") || "an admin";
}

/** Carries a change out where the visit's person may do it alone, entered in the audit log as `command`; else asks for it. */
export async function changeOrAsk(
  services: OperatorServices,
  visit: StaffVisit,
  change: TwoPeople,
  { mayAlone, command, ...requested }: Requested & { readonly mayAlone: boolean; readonly command: string },
): Promise<Answer> {
  if (!mayAlone) return askForTwo(services, visit, change, requested);
  const { fields, lines = null, secret = null, doneAt } = requested;
  const requestedBy = actorName(visit.session.person);
  const database = changing(services, visit, command, fields);
  return goTo(doneAt, await change.by(services).carryOut(database, { fields, lines, secret, requestedBy }, null));
}
