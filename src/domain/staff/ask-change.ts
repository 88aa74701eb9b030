import type { Instant } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { inOneTransaction } from "../../platform/database/joined-database.ts";
import { auditDetails } from "../audit/audit-log.ts";
import { insertEntry } from "../audit/audit-queries.ts";
import type { Person } from "../identity/people/person.ts";
import { type Actor, actorName } from "./actor.ts";
import { writeToApprovers } from "./change-emails.ts";
import {
  askingOf,
  type CarriedOut,
  type ChangeServices,
  type Facts,
  type Fields,
  type FindKind,
  hashOf,
  identityOf,
  type Request,
  subjectOf,
} from "./change-kinds.ts";
import {
  type Change,
  type ChangeId,
  findChange,
  insertChange,
  type NewChange,
  takeChangeId,
  updateChangeAudited,
} from "./change-queries.ts";
import { findChangeAbout, takeSubjects } from "./change-subject-queries.ts";
import { findStaffMember, listStaff } from "./staff-queries.ts";

const lifeMs = 24 * 3_600_000;

export type RequestResult =
  | { readonly kind: "waiting"; readonly id: ChangeId; readonly others: readonly string[] }
  /** It is done, and marked so, as nobody else could have agreed to it. */
  | { readonly kind: "done"; readonly id: ChangeId; readonly outcome: string }
  /** Nothing was asked for: another change about the same thing is open. */
  | { readonly kind: "taken"; readonly by: Change };

/** Asks for a change where another person could agree to it, or who asks could not; else it is carried out at once. */
export async function askForChange(
  services: ChangeServices,
  by: Actor,
  { rules, readFacts, carryOut, portions }: CarriedOut,
  request: Request,
): Promise<RequestResult> {
  const now = services.clock.now();
  const { fields, lines = null, secret = null, dueAt = null } = request;
  const subjects = [...new Set([...(rules.subjects?.(fields) ?? []), ...(request.subjects ?? [])])];
  return inOneTransaction(services.database, async (tx, joined): Promise<RequestResult> => {
    const about = rules.about?.(fields) ?? null;
    const staff = await listStaff(tx);
    if (by.id === null && staff.length > 0) throw refuse("VALIDATION_ERROR", { message: nameAStaffMember });
    const able = staff.filter((each) => rules.approve.includes(each.role) && each.personId !== about);
    const others = able.filter(({ personId, hasSecondFactor }) => personId !== by.id && hasSecondFactor);
    const taken = subjects.length === 0 ? null : await findChangeAbout(tx, subjects, now);
    if (taken !== null) return { kind: "taken", by: taken };
    const facts = (await readFacts?.(tx, fields)) ?? null;
    const id = request.id ?? (await takeChangeId(tx));
    const asking = { id, fields, lines, secret, requestedBy: actorName(by) };
    const change = newChange(services, rules.kind, { ...request, ...asking, dueAt, subjects, facts, by, now });
    // A person who may only ask never does it alone: it waits for somebody who may.
    if (others.length === 0 && able.some(({ personId }) => personId === by.id)) {
      const isLong = portions?.isLong(fields) === true;
      const outcome = isLong ? null : await carryOut(joined, asking, null);
      await insertChange(tx, change, { state: isLong ? "agreed" : "done", outcome });
      if (isLong && !(await takeSubjects(tx, id, { subjects, now }))) throw justRequested();
      await enterRequest(tx, actorName(by), "console approval alone", change);
      return { kind: "done", id, outcome: outcome ?? (dueAt === null ? underWay : whenDue) };
    }
    await insertChange(tx, change, { state: "waiting", outcome: null });
    if (!(await takeSubjects(tx, id, { subjects, now }))) throw justRequested();
    await writeToApprovers(tx, services, others, { id, by, summary: change.summary });
    await enterRequest(tx, actorName(by), "console approval ask", change);
    return { kind: "waiting", id, others: others.map(({ name }) => name) };
  });
}

/** Enters in the audit log what was asked for, or decided alone: it is carried out only as it stands there. */
export async function enterRequest(
  tx: Tx,
  who: string,
  command: "console approval ask" | "console approval alone",
  change: NewChange,
): Promise<void> {
  const { id, kind, summary, fields } = change;
  const details = { approval: id, kind, summary, hash: hashOf(change), ...subjectOf(JSON.parse(fields) as Fields) };
  await updateChangeAudited(tx, id, await insertEntry(tx, { who, command, details: auditDetails(details) }));
}

const nameAStaffMember = "Only a staff member can ask for this: name one by its email.";

/** What is told of a change that is carried out in portions. */
const underWay = "It’s being carried out now. Its page under Approvals shows how far it is.";

/** What is told of a change whose time comes later. */
const whenDue = "It’s carried out when its time comes.";

function justRequested() {
  return refuse("VALIDATION_ERROR", { message: "Someone asked for this just now. See Approvals." });
}

function newChange(
  { secretBox }: Pick<ChangeServices, "secretBox">,
  kind: string,
  given: Required<Request> & { readonly facts: Facts | null; readonly by: Actor; readonly now: Instant },
): NewChange {
  const { id, summary, secret, subjects, dueAt, by, now } = given;
  const texts = { fields: JSON.stringify(given.fields), lines: textOf(given.lines), facts: textOf(given.facts) };
  const sealed = secret === null ? null : secretBox.seal(secret, identityOf(hashOf({ kind, ...texts })));
  const times = { now, endsAt: now + lifeMs, dueAt };
  return { id, kind, summary: shortened(summary), ...texts, sealed, subjects, by, ...times };
}

function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** What changes hold of a summary: what was typed may be longer. */
const summaryLengthMax = 400;

function shortened(summary: string): string {
  const characters = [...summary];
  return characters.length <= summaryLengthMax ? summary : `${characters.slice(0, summaryLengthMax - 1).join("")}…`;
}

/** Asks anew for what a change asked for that went stale or expired, resting on what is true now. */
export async function renewChange(
  services: ChangeServices,
  { id, by }: { readonly id: ChangeId; readonly by: Person },
  find: FindKind,
): Promise<RequestResult | { readonly kind: "unknown" } | { readonly kind: "not_allowed" }> {
  const change = await findChange(services.database, id);
  const kind = change === null ? null : find(change.kind);
  if (change === null || kind === null || !isRenewable(change, services.clock.now())) return { kind: "unknown" };
  const member = await findStaffMember(services.database, by.id);
  if (member === null || !kind.rules.ask.includes(member.role)) return { kind: "not_allowed" };
  const { summary, subjects, dueAt } = change;
  const { id: _old, ...asking } = askingOf(services, change);
  return askForChange(services, by, kind, { summary, subjects, dueAt, ...asking });
}

/** For so long after it ended what is secret of it is kept, so that it can be asked for anew. */
export const renewableMs = 2 * lifeMs;

export function isRenewable({ state, endsAt }: Pick<Change, "state" | "endsAt">, now: Instant): boolean {
  return (state === "stale" || state === "expired") && now < endsAt + renewableMs;
}
