import type { Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { inOneTransaction } from "../../platform/database/joined-database.ts";
import { findEntry, insertEntry } from "../audit/audit-queries.ts";
import type { PersonId } from "../identity/people/person.ts";
import { type Actor, actorName, isSameActor } from "./actor.ts";
import { lockAgreedChange, updateAgreedEnded, updateChangeProgress } from "./agreed-change-queries.ts";
import { writeToRequester } from "./change-emails.ts";
import {
  askingOf,
  type CarriedOut,
  type ChangeKind,
  type ChangeServices,
  entryOf,
  type Fields,
  type FindKind,
  hashOf,
  type Progress,
  subjectOf,
} from "./change-kinds.ts";
import { lockExpiredChanges } from "./change-list-queries.ts";
import {
  type Change,
  type ChangeId,
  type ChangeState,
  lockChange,
  lockWaitingOf,
  lockWholeChange,
  updateChangeEnded,
  type WholeChange,
} from "./change-queries.ts";
import { findStaffMember, listStaff } from "./staff-queries.ts";

/** Why a change was not decided. */
export type NotDecided =
  | "unknown"
  | "expired"
  | "decided"
  | "own"
  | "changed"
  | "not_allowed"
  | "requester_left"
  | "stale";

/** The same for whoever wanted to decide. */
export const notDecidedTexts: Readonly<Record<NotDecided, string>> = {
  unknown: "There is no such request.",
  decided: "Someone has decided this already.",
  expired: "This request has expired after 24 hours. Ask for it again.",
  own: "You asked for this yourself, so someone else has to decide.",
  changed: "This request was changed in the database after it was made, so it can’t be approved. Refuse it.",
  not_allowed: "Your role can’t decide this.",
  requester_left: "Whoever asked for this may no longer ask for it. Refuse it.",
  stale: "What this rests on has changed since it was asked for, so nothing was done. Compare, and ask again.",
};

export interface Decision {
  readonly id: ChangeId;
  readonly by: Actor;
}

export type Decided =
  | { readonly kind: "done"; readonly outcome: string }
  /** It is carried out in portions from now on, or once its time comes. */
  | { readonly kind: "agreed" }
  | { readonly kind: NotDecided };

/**
 * Agrees to a change and carries it out, in one transaction: of two who decide at once, the second one is told. Locks the
 * change first, so that nothing is done that was refused or withdrawn.
 * @throws Refusal for which the change itself is refused: it still waits then
 */
export function agreeToChange(services: ChangeServices, { id, by }: Decision, find: FindKind): Promise<Decided> {
  const { database, clock } = services;
  return inOneTransaction(database, async (tx, joined): Promise<Decided> => {
    const now = clock.now();
    const change = await lockWholeChange(tx, id);
    const kind = change === null ? null : find(change.kind);
    const refused = whyNot(change, { by, now }) ?? (await whyNotBy(tx, change, { by, rules: kind?.rules ?? null }));
    if (refused !== null || change === null || kind === null) return { kind: refused ?? "unknown" };
    if (!(await isAsAudited(tx, change))) return { kind: "changed" };
    const fields = JSON.parse(change.fields) as Fields;
    const facts = (await kind.readFacts?.(tx, fields)) ?? null;
    if ((facts === null ? null : JSON.stringify(facts)) !== change.facts) {
      await endChange(tx, services, change, { state: "stale", by: null });
      return { kind: "stale" };
    }
    if (kind.portions?.isLong(fields) === true) {
      await endChange(tx, services, change, { state: "agreed", by });
      return { kind: "agreed" };
    }
    const outcome = await kind.carryOut(joined, askingOf(services, change), actorName(by));
    await endChange(tx, services, change, { state: "done", by, outcome });
    return { kind: "done", outcome };
  });
}

function whyNot(change: Change | null, { by, now }: { readonly by: Actor; readonly now: Instant }): NotDecided | null {
  if (change === null) return "unknown";
  if (change.state !== "waiting") return "decided";
  if (change.endsAt <= now) return "expired";
  return isSameActor(by, requesterOf(change)) ? "own" : null;
}

function requesterOf({ requesterId: id, requesterName: name }: Change): Pick<Actor, "id" | "name"> {
  return { id, name };
}

/** By the roles that both have now. Names count only while the company has no staff. */
async function whyNotBy(
  tx: Tx,
  change: Change | null,
  { by, rules }: { readonly by: Actor; readonly rules: ChangeKind | null },
): Promise<NotDecided | null> {
  if (change === null || rules === null) return "not_allowed";
  const { approve, ask, about } = rules;
  if (by.id === null) {
    if ((await listStaff(tx)).length > 0) return "not_allowed";
    return change.requesterId === null ? null : "requester_left";
  }
  const approver = await findStaffMember(tx, by.id);
  const requester = change.requesterId === null ? null : await findStaffMember(tx, change.requesterId);
  const isAbout = about?.(JSON.parse(change.fields) as Fields) === by.id;
  if (approver === null || approver.isKeptOut || isAbout || !approve.includes(approver.role)) return "not_allowed";
  return requester === null || !ask.includes(requester.role) ? "requester_left" : null;
}

/** The entries of the audit log that hold what was asked for. */
const commandsOfRequests: readonly string[] = ["console approval ask", "console approval alone"];

/** Whether all of it is still what was asked for, by the hash in the audit log. */
async function isAsAudited(tx: Tx, change: WholeChange): Promise<boolean> {
  const entry = change.auditNumber === null ? null : await findEntry(tx, change.auditNumber);
  if (entry === null || !commandsOfRequests.includes(entry.command)) return false;
  const { approval, hash } = JSON.parse(entry.details) as JsonObject;
  return approval === change.id && hash === hashOf(change);
}

interface Ending {
  readonly state: Exclude<ChangeState, "waiting">;
  /** Null where time or facts end it. */
  readonly by: Actor | null;
  readonly reason?: string | null;
  readonly outcome?: string | null;
}

const endedBy = {
  agreed: "approve",
  done: "approve",
  refused: "refuse",
  withdrawn: "withdraw",
  expired: null,
  stale: null,
} as const;

/** Ends a locked change: tells who asked for it, and enters it in the audit log where a person did it. */
async function endChange(
  tx: Tx,
  services: ChangeServices,
  change: Change,
  { state, by, reason = null, outcome = null }: Ending,
): Promise<void> {
  const { id, kind, summary } = change;
  await updateChangeEnded(tx, id, { state, by, now: services.clock.now(), reason, outcome });
  if (state !== "withdrawn")
    await writeToRequester(tx, services, change, { state: state === "agreed" ? "done" : state, by, reason });
  const command = endedBy[state];
  if (by === null || command === null) return;
  const details = { approval: id, kind, summary, ...(reason === null ? {} : { reason }) };
  const about = subjectOf(JSON.parse(change.fields) as Fields);
  await insertEntry(tx, entryOf(by, `console approval ${command}`, { ...details, ...about }));
}

/** Refuses a change: it is never carried out. */
export function refuseChange(
  services: ChangeServices,
  { id, by, reason }: Decision & { readonly reason: string | null },
  find: (kind: string) => ChangeKind | null,
): Promise<{ readonly kind: "refused" | NotDecided }> {
  return services.database.transaction(async (tx) => {
    const change = await lockChange(tx, id);
    const rules = change === null ? null : find(change.kind);
    const refused = whyNot(change, { by, now: services.clock.now() }) ?? (await whyNotBy(tx, change, { by, rules }));
    // That its asker has left keeps nobody from refusing it.
    if (refused !== null && refused !== "requester_left") return { kind: refused };
    if (change === null) return { kind: "unknown" };
    await endChange(tx, services, change, { state: "refused", by, reason });
    return { kind: "refused" };
  });
}

/** Takes back what one asked for and nobody decided yet. */
export function withdrawChange(
  services: ChangeServices,
  { id, by }: Decision,
): Promise<{ readonly kind: "withdrawn" | "decided" }> {
  return services.database.transaction(async (tx) => {
    const change = await lockChange(tx, id);
    if (change === null || change.state !== "waiting" || !isSameActor(by, requesterOf(change)))
      return { kind: "decided" };
    await endChange(tx, services, change, { state: "withdrawn", by });
    return { kind: "withdrawn" };
  });
}

/** Withdraws all that a person asked for and nobody decided, as it leaves the staff. */
export async function withdrawAllOf(
  tx: Tx,
  { clock }: Pick<ChangeServices, "clock">,
  personId: PersonId,
  reason: string,
): Promise<void> {
  for (const { id } of await lockWaitingOf(tx, personId)) {
    await updateChangeEnded(tx, id, { state: "withdrawn", by: null, now: clock.now(), reason });
  }
}

/** Marks changes expired whose time is over, and tells who asked for them. @returns how many */
export function expireChanges(services: ChangeServices, limit: number): Promise<number> {
  return services.database.transaction(async (tx) => {
    const expired = await lockExpiredChanges(tx, services.clock.now(), limit);
    for (const change of expired) await endChange(tx, services, change, { state: "expired", by: null });
    return expired.length;
  });
}

/** A change that was carried out in portions, and how many of its lines became what. */
export type DoneChange = Pick<Change, "id" | "kind"> & Pick<Progress, "counts">;

/**
 * Carries out the next portion of a change that was agreed to, in one transaction with how far it is: killed at any moment,
 * it goes on where it was. What is refused is stale, and nothing of that portion is done. Skips what another process is at,
 * and what is to be carried out later. `onDone` gets each that ends. @returns whether there was one
 */
export function carryOutNext(
  services: ChangeServices,
  kinds: readonly CarriedOut[],
  onDone: (done: DoneChange) => void = () => undefined,
): Promise<boolean> {
  return inOneTransaction(services.database, async (tx, joined) => {
    const names = kinds.map(({ rules }) => rules.kind);
    const change = await lockAgreedChange(tx, names);
    const portions = kinds.find(({ rules }) => rules.kind === change?.kind)?.portions;
    if (change === null || portions === undefined) return false;
    const { id, decidedByName, decidedByEmail } = change;
    const endStale = async (reason: string) => {
      await updateAgreedEnded(tx, id, { state: "stale", outcome: reason });
      await writeToRequester(tx, services, change, { state: "stale", by: null, reason });
    };
    if (!(await isAsAudited(tx, change))) {
      await endStale(alteredText);
      return true;
    }
    const approvedBy = decidedByName === null ? null : actorName({ name: decidedByName, email: decidedByEmail });
    const before = change.progress === null ? null : (JSON.parse(change.progress) as Progress);
    try {
      const { progress, outcome } = await joined.transaction(() =>
        portions.carryOutNext(joined, askingOf(services, change), before, approvedBy),
      );
      await updateChangeProgress(tx, id, JSON.stringify(progress));
      if (outcome === null) return true;
      await updateAgreedEnded(tx, id, { state: "done", outcome });
      joined.afterCommit(() => onDone({ id, kind: change.kind, counts: progress.counts }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await endStale(error.message);
    }
    return true;
  });
}

const alteredText = "It was changed in the database after it was agreed to, so the rest of it was not carried out.";
