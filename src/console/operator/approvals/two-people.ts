import type { ComponentChildren } from "preact";
import type { PersonId } from "../../../domain/identity/people/person.ts";
import { propose } from "../../../domain/staff/approvals.ts";
import type { StaffRole } from "../../../domain/staff/roles.ts";
import type { Json } from "../../../kernel/json.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import type { StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

/** A kind of change that a second person approves, with how it is carried out. */
export interface TwoPeople {
  /** `remove staff`. */
  readonly kind: string;
  readonly roles: readonly StaffRole[];
  /** Carries it out, all that it writes by this database. @returns what is true now, in a sentence. @throws Refusal */
  readonly carryOut: (
    services: OperatorServices,
    database: Database,
    payload: Payload,
    /** The email of the second person; null where one person did it alone. */
    approvedBy: string | null,
  ) => Promise<string>;
  /** What exactly would be done, below the request, where the payload alone doesn't show it. */
  readonly show?: (services: OperatorServices, payload: Payload) => Promise<ComponentChildren>;
}

interface Requested {
  readonly summary: string;
  readonly payload: Payload;
  readonly doneAt: string;
  readonly about?: PersonId;
}

export type Payload = Readonly<Record<string, Json>>;

/** What of a payload is sealed, such as a token: beside it stands what the second person may see of it. */
export const sealedName = "sealed";

/** Asks for a change, or carries it out where nobody else could approve it; then on to a page that says which. */
export async function askForTwo(
  services: OperatorServices,
  visit: StaffVisit,
  change: TwoPeople,
  requested: Requested,
): Promise<Answer> {
  const { kind, roles } = change;
  const { doneAt, ...sent } = requested;
  const proposal = { kind, roles, ...sent };
  const proposed = await propose(services.people, { by: visit.session.person, proposal }, (database) =>
    change.carryOut(services, database, sent.payload, null),
  );
  return proposed.kind === "waiting"
    ? goTo(doneAt, `Sent to ${sentTo(proposed.others)} for approval. Nothing has changed.`)
    : goTo(doneAt, `${proposed.result} Nobody else could approve it, so it’s marked as done by you alone.`);
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
  const { payload, doneAt } = requested;
  const { [sealedName]: _sealed, ...details } = payload;
  const database = changing(services, visit, command, details);
  return goTo(doneAt, await change.carryOut(services, database, payload, null));
}
