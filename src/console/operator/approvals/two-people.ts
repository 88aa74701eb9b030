import type { ComponentChildren } from "preact";
import { actorName } from "../../../domain/staff/actor.ts";
import { askForChange, type RequestResult } from "../../../domain/staff/ask-change.ts";
import type { Asking, CarriedOut, ChangeKind, Facts, Fields, Request } from "../../../domain/staff/change-kinds.ts";
import type { Change } from "../../../domain/staff/change-queries.ts";
import type { Json } from "../../../kernel/json.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import { type Answer, goBack, goTo } from "../../kit/answer.tsx";
import type { GateServices } from "../../kit/gate.ts";
import type { StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

export type Payload = Fields;

/** What it takes to carry a change out: by a page, or by a command. */
export type KindServices = Pick<
  OperatorServices,
  Exclude<keyof OperatorServices, keyof GateServices | "openFeed" | "exportFile"> | "people" | "format"
>;

/** A kind of change that a second person agrees to, with how it is carried out. */
export interface TwoPeople extends ChangeKind {
  /** What it rests on: shown to both people, and compared when it is agreed to. */
  readonly readFacts?: (services: KindServices, db: Queryable, fields: Fields) => Promise<Facts | null>;
  /** Carries it out, all that it writes by this database. @returns what is true now, in a sentence. @throws Refusal */
  readonly carryOut: (
    services: KindServices,
    database: Database,
    fields: Fields,
    more: Omit<Asking, "fields"> & {
      /** The second person, as the audit log names people; null where one person did it alone. */
      readonly approvedBy: string | null;
    },
  ) => Promise<string>;
  readonly portions?: (services: KindServices) => CarriedOut["portions"];
  /** What exactly would be done, below the request, where the fields alone don't show it. */
  readonly show?: (services: OperatorServices, fields: Fields, lines: Json) => Promise<ComponentChildren>;
}

interface Requested extends Omit<Request, "fields"> {
  readonly payload: Fields;
  readonly doneAt: string;
}

/** A kind of the domain's own, with what a page shows of it besides. */
export function twoPeopleOf(kind: CarriedOut, show?: TwoPeople["show"]): TwoPeople {
  return twoPeopleBy(kind.rules, () => kind, show);
}

/** The same of a kind that takes services to be carried out. */
export function twoPeopleBy(
  rules: ChangeKind,
  open: (services: KindServices) => CarriedOut,
  show?: TwoPeople["show"],
): TwoPeople {
  return {
    ...rules,
    readFacts: async (services, db, fields) => (await open(services).readFacts?.(db, fields)) ?? null,
    carryOut: (services, database, fields, { approvedBy, ...more }) =>
      open(services).carryOut(database, { fields, ...more }, approvedBy),
    portions: (services) => open(services).portions,
    ...(show === undefined ? {} : { show }),
  };
}

/** A kind as it is carried out by these services. */
export function carriedOut(services: KindServices, change: TwoPeople): CarriedOut {
  return {
    rules: change,
    readFacts: (db, fields) => change.readFacts?.(services, db, fields) ?? Promise.resolve(null),
    carryOut: (database, { fields, ...more }, approvedBy) =>
      change.carryOut(services, database, fields, { ...more, approvedBy }),
    portions: change.portions?.(services),
  };
}

/** Asks for a change, or carries it out where nobody else could agree to it; then on to a page that says which. */
export async function askForTwo(
  services: OperatorServices,
  visit: StaffVisit,
  change: TwoPeople,
  { payload: fields, doneAt, ...request }: Requested,
): Promise<Answer> {
  const { person } = visit.session;
  const result = await askForChange(services.people, person, carriedOut(services, change), { ...request, fields });
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
  const { payload, lines = null, secret = null, doneAt } = requested;
  const requestedBy = actorName(visit.session.person);
  const database = changing(services, visit, command, payload);
  return goTo(
    doneAt,
    await change.carryOut(services, database, payload, { lines, secret, requestedBy, approvedBy: null }),
  );
}
