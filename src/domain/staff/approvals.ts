import { createHash } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import { type Database, type Tx, withLastStep } from "../../platform/database/database.ts";
import { auditDetails } from "../audit/audit-log.ts";
import { hasWritten, insertEntry } from "../audit/audit-queries.ts";
import { auditName, type Person, type PersonId } from "../identity/people/person.ts";
import {
  type Approval,
  type ApprovalId,
  findApproval,
  insertApproval,
  insertDoneAlone,
  type NewApproval,
  updateDecided,
  updateWithdrawn,
} from "./approval-queries.ts";
import type { StaffRole } from "./roles.ts";
import { listStaff } from "./staff-queries.ts";

const lifeMs = 24 * 3_600_000;

/** Something that one person of the company asks for and another one approves. */
export interface Proposal {
  /** `wallet credit`: by it the console finds how the change is carried out. */
  readonly kind: string;
  /** The change in a sentence, for the person who approves it. */
  readonly summary: string;
  readonly payload: Readonly<Record<string, Json>>;
  /** The roles that may approve it. */
  readonly roles: readonly StaffRole[];
  /** The person whom the change is about, where they can’t be the one who approves it. */
  readonly about?: PersonId;
}

/** Carries a change out, all that it writes by this database. Safe to repeat, as its own rules demand. */
type CarryOut<Result> = (database: Database) => Promise<Result>;

interface ApprovalServices {
  readonly database: Database;
  readonly clock: Clock;
}

type Proposed<Result> =
  | { readonly kind: "waiting"; readonly id: ApprovalId; readonly others: readonly string[] }
  /** It is done, and marked so, as nobody else could have approved it. */
  | { readonly kind: "done"; readonly result: Result };

/** Asks for a change where another person could approve it, or who asks could not; else it is carried out at once. */
export async function propose<Result>(
  services: ApprovalServices,
  { by, proposal }: { readonly by: Person; readonly proposal: Proposal },
  carryOut: CarryOut<Result>,
): Promise<Proposed<Result>> {
  const { database, clock } = services;
  const { kind, roles } = proposal;
  const summary = shortened(proposal.summary);
  const payload = JSON.stringify(proposal.payload);
  const payloadHash = hashOf(kind, payload);
  const now = clock.now();
  const approval: NewApproval = { kind, summary, payload, payloadHash, makerId: by.id, now, endsAt: now + lifeMs };
  const details = { kind, summary, payload_hash: payloadHash.toString("hex"), ...subjectOf(payload) };
  const able = (await listStaff(database)).filter(
    ({ personId, role }) => roles.includes(role) && personId !== proposal.about,
  );
  const isAble = able.some(({ personId }) => personId === by.id);
  const others = able.filter(({ personId, hasSecondFactor }) => personId !== by.id && hasSecondFactor);
  // A person who may only ask never does it alone: it waits for somebody who may.
  if (others.length === 0 && isAble) {
    const result = await carryOut(
      enteredOnce(database, async (tx) => {
        await insertDoneAlone(tx, approval);
        await insertEntry(tx, entryOf(by, "console approval alone", details));
      }),
    );
    return { kind: "done", result };
  }
  const id = await database.transaction(async (tx) => {
    const inserted = await insertApproval(tx, approval);
    await insertEntry(tx, entryOf(by, "console approval ask", { approval: inserted, ...details }));
    return inserted;
  });
  return { kind: "waiting", id, others: others.map(({ name }) => name) };
}

/** What approvals hold of a summary: what was typed may be longer. */
const summaryLengthMax = 400;

function shortened(summary: string): string {
  const characters = [...summary];
  return characters.length <= summaryLengthMax ? summary : `${characters.slice(0, summaryLengthMax - 1).join("")}…`;
}

/** The merchant and the sale that a change is about, so that its entries are found by them. */
function subjectOf(payload: string): { readonly merchant?: string; readonly sale?: string } {
  const about = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const [merchant, sale] = [about.merchant, about.transaction];
  return {
    ...(typeof merchant === "string" ? { merchant } : {}),
    ...(typeof sale === "string" ? { sale } : {}),
  };
}

function hashOf(kind: string, payload: string): Buffer {
  return createHash("sha256").update(`${kind}\n${payload}`).digest();
}

function entryOf(by: Person, command: string, details: Readonly<Record<string, unknown>>) {
  return { who: auditName(by), command, details: auditDetails(details) };
}

/** The database of a change: the first transaction that writes something ends with this step, or is undone with it. */
function enteredOnce(database: Database, step: (tx: Tx) => Promise<void>): Database {
  let isEntered = false;
  return withLastStep(database, async (tx) => {
    if (isEntered || !(await hasWritten(tx))) return;
    await step(tx);
    isEntered = true;
  });
}

/** Why an approval was not decided. */
type NotDecided = "unknown" | "expired" | "decided" | "own" | "changed" | "not_allowed";

function whyNot(approval: Approval | null, by: Person, now: number): NotDecided | null {
  if (approval === null) return "unknown";
  if (approval.status !== "waiting") return "decided";
  if (approval.endsAt <= now) return "expired";
  if (approval.makerId === by.id) return "own";
  return approval.payloadHash.equals(hashOf(approval.kind, approval.payload)) ? null : "changed";
}

interface Decision {
  readonly id: ApprovalId;
  readonly by: Person;
  /** Whether the person's role may decide a change of this kind. */
  readonly isAllowed: (kind: string) => boolean;
}

/**
 * Approves a change and carries it out, once: the decision is written in the first transaction that changes something, or
 * where nothing is changed, in one of its own. Of two who approve at once, one is refused, and what it wrote is undone.
 * @throws Refusal VALIDATION_ERROR for that one, and what the change itself is refused for: it still waits then
 */
export async function approve<Result>(
  services: ApprovalServices,
  { id, by, isAllowed }: Decision,
  carryOut: (database: Database, approval: Approval) => Promise<Result>,
): Promise<
  { readonly kind: "done"; readonly result: Result; readonly approval: Approval } | { readonly kind: NotDecided }
> {
  const { database, clock } = services;
  const approval = await findApproval(database, id);
  const refused = whyNot(approval, by, clock.now());
  if (refused !== null || approval === null) return { kind: refused ?? "unknown" };
  if (!isAllowed(approval.kind)) return { kind: "not_allowed" };
  let isDecided = false;
  const decide = async (tx: Tx) => {
    if (!(await updateDecided(tx, { id, status: "done", checkerId: by.id, now: clock.now() }))) {
      throw refuse("VALIDATION_ERROR", { message: "Somebody else decided this just now." });
    }
    await insertEntry(
      tx,
      entryOf(by, "console approval approve", {
        ...{ approval: id, kind: approval.kind, summary: approval.summary },
        ...subjectOf(approval.payload),
      }),
    );
    isDecided = true;
  };
  const result = await carryOut(enteredOnce(database, decide), approval);
  if (!isDecided) await database.transaction(decide);
  return { kind: "done", result, approval };
}

/** Refuses a change: it is never carried out. */
export async function refuseApproval(
  { database, clock }: ApprovalServices,
  { id, by, isAllowed }: Decision,
): Promise<{ readonly kind: "refused" | NotDecided }> {
  const approval = await findApproval(database, id);
  const refused = whyNot(approval, by, clock.now());
  if (refused !== null && refused !== "changed") return { kind: refused };
  if (approval === null || !isAllowed(approval.kind)) return { kind: "not_allowed" };
  return database.transaction(async (tx) => {
    if (!(await updateDecided(tx, { id, status: "refused", checkerId: by.id, now: clock.now() })))
      return { kind: "decided" };
    const details = { approval: id, kind: approval.kind, ...subjectOf(approval.payload) };
    await insertEntry(tx, entryOf(by, "console approval refuse", details));
    return { kind: "refused" };
  });
}

/** Takes back what one asked for and nobody decided yet. */
export function withdrawApproval(
  { database, clock }: ApprovalServices,
  { id, by }: Pick<Decision, "id" | "by">,
): Promise<{ readonly kind: "withdrawn" | "decided" }> {
  return database.transaction(async (tx) => {
    if (!(await updateWithdrawn(tx, id, by.id, clock.now()))) return { kind: "decided" };
    await insertEntry(tx, entryOf(by, "console approval withdraw", { approval: id }));
    return { kind: "withdrawn" };
  });
}

/**
 * The database of a change that a person of the company makes by a function which knows nothing of staff: its first
 * transaction that changes something ends with the audit log's entry.
 */
export function staffDatabase(
  database: Database,
  {
    by,
    command,
    details = {},
  }: { readonly by: Person; readonly command: string; readonly details?: Readonly<Record<string, unknown>> },
): Database {
  return enteredOnce(database, (tx) => insertEntry(tx, entryOf(by, command, details)));
}
