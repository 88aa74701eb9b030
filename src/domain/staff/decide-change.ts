import type { Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { Refusal } from "../../kernel/problems.ts";
import type { Tx } from "../../platform/database/database.ts";
import { inOneTransaction } from "../../platform/database/joined-database.ts";
import { findEntry, insertEntry } from "../audit/audit-queries.ts";
import type { Person, PersonId } from "../identity/people/person.ts";
import {
  askingOf,
  type CarriedOut,
  type ChangeServices,
  entryOf,
  type Fields,
  type FindKind,
  hashOf,
  type Progress,
  subjectOf,
} from "./change-kinds.ts";
import { writeToRequester } from "./change-letters.ts";
import { lockExpiredChanges } from "./change-list-queries.ts";
import {
  type Change,
  type ChangeId,
  type ChangeState,
  lockAgreedChange,
  lockChange,
  lockWaitingOf,
  updateAgreedEnded,
  updateChangeEnded,
  updateChangeProgress,
  type WholeChange,
} from "./change-queries.ts";
import { findStaffMember } from "./staff-queries.ts";

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

export interface Decision {
  readonly id: ChangeId;
  readonly by: Person;
}

export type Decided =
  | { readonly kind: "done"; readonly outcome: string }
  /** It is carried out in portions from now on. */
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
    const change = await lockChange(tx, id);
    const kind = change === null ? null : find(change.kind);
    const refused = whyNot(change, { by, now }) ?? (await whyNotBy(tx, change, { by, kind }));
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
    const outcome = await kind.carryOut(joined, askingOf(services, change), by.email);
    await endChange(tx, services, change, { state: "done", by, outcome });
    return { kind: "done", outcome };
  });
}

function whyNot(change: Change | null, { by, now }: { readonly by: Person; readonly now: Instant }): NotDecided | null {
  if (change === null) return "unknown";
  if (change.state !== "waiting") return "decided";
  if (change.endsAt <= now) return "expired";
  return change.requesterId === by.id ? "own" : null;
}

/** By the roles that both have now. */
async function whyNotBy(
  tx: Tx,
  change: Change | null,
  { by, kind }: { readonly by: Person; readonly kind: CarriedOut | null },
): Promise<NotDecided | null> {
  if (change === null || kind === null) return "not_allowed";
  const { approve, ask, about } = kind.rules;
  const [approver, requester] = [await findStaffMember(tx, by.id), await findStaffMember(tx, change.requesterId)];
  const isAbout = about?.(JSON.parse(change.fields) as Fields) === by.id;
  if (approver === null || approver.isKeptOut || isAbout || !approve.includes(approver.role)) return "not_allowed";
  return requester === null || !ask.includes(requester.role) ? "requester_left" : null;
}

async function isAsAudited(tx: Tx, change: WholeChange): Promise<boolean> {
  const entry = change.auditNumber === null ? null : await findEntry(tx, change.auditNumber);
  if (entry === null || entry.command !== "console approval ask") return false;
  const { approval, hash } = JSON.parse(entry.details) as JsonObject;
  return approval === change.id && hash === hashOf(change);
}

interface Ending {
  readonly state: Exclude<ChangeState, "waiting">;
  /** Null where time or facts end it. */
  readonly by: Person | null;
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
  const decidedBy = by?.id ?? null;
  await updateChangeEnded(tx, id, { state, decidedBy, now: services.clock.now(), reason, outcome });
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
  find: FindKind,
): Promise<{ readonly kind: "refused" | NotDecided }> {
  return services.database.transaction(async (tx) => {
    const change = await lockChange(tx, id);
    const kind = change === null ? null : find(change.kind);
    const refused = whyNot(change, { by, now: services.clock.now() }) ?? (await whyNotBy(tx, change, { by, kind }));
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
    if (change === null || change.state !== "waiting" || change.requesterId !== by.id) return { kind: "decided" };
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
    await updateChangeEnded(tx, id, { state: "withdrawn", decidedBy: null, now: clock.now(), reason });
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

/**
 * Carries out the next portion of a change that was agreed to, in one transaction with how far it is: killed at any moment,
 * it goes on where it was. What is refused is stale, and nothing of that portion is done. Skips what another process is at.
 * @returns whether there was one
 */
export function carryOutNext(services: ChangeServices, kinds: readonly CarriedOut[]): Promise<boolean> {
  return inOneTransaction(services.database, async (tx, joined) => {
    const names = kinds.map(({ rules }) => rules.kind);
    const change = await lockAgreedChange(tx, names);
    const portions = kinds.find(({ rules }) => rules.kind === change?.kind)?.portions;
    if (change === null || portions === undefined) return false;
    const { id, decidedByEmail } = change;
    const before = change.progress === null ? null : (JSON.parse(change.progress) as Progress);
    const asking = askingOf(services, change);
    try {
      const { progress, outcome } = await joined.transaction(() =>
        portions.carryOutNext(joined, asking, before, decidedByEmail),
      );
      await updateChangeProgress(tx, id, JSON.stringify(progress));
      if (outcome !== null) await updateAgreedEnded(tx, id, { state: "done", outcome });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await updateAgreedEnded(tx, id, { state: "stale", outcome: error.message });
      await writeToRequester(tx, services, change, { state: "stale", by: null, reason: error.message });
    }
    return true;
  });
}
