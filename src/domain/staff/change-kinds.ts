import { createHash } from "node:crypto";
import type { Instant } from "../../kernel/clock.ts";
import type { Json } from "../../kernel/json.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { auditDetails } from "../audit/audit-log.ts";
import type { PersonId } from "../identity/people/person.ts";
import type { PeopleServices } from "../identity/people/send-notice.ts";
import { type Actor, actorName } from "./actor.ts";
import type { ChangeId, NewChange, WholeChange } from "./change-queries.ts";
import type { StaffRole } from "./roles.ts";

/** A change as it is frozen: what a form or a command said. */
export type Fields = Readonly<Record<string, Json>>;

/** All of a change that was asked for. */
export interface Asking {
  /** Its number; absent where one person does it without a request. */
  readonly id?: ChangeId;
  readonly fields: Fields;
  /** The lines of one that has many; null for one without. */
  readonly lines: Json;
  /** What of it nobody may read; null where nothing is secret. */
  readonly secret: string | null;
  /** The person who asked for it, as the audit log names people. */
  readonly requestedBy: string;
}

/** What a change rests on, in words: what it shows is compared when it is agreed to. */
export type Facts = Readonly<Record<string, string | null>>;

/** A kind of change that one person asks for and another one agrees to. */
export interface ChangeKind {
  /** `wallet debit`. */
  readonly kind: string;
  readonly ask: readonly StaffRole[];
  readonly approve: readonly StaffRole[];
  /** What an open change keeps others from asking for: a sale, a merchant's live access. */
  readonly subjects?: (fields: Fields) => readonly string[];
  /** The person whom it is about, where that one can't agree to it. */
  readonly about?: (fields: Fields) => PersonId | null;
}

/** A kind with what carries it out. */
export interface CarriedOut {
  readonly rules: ChangeKind;
  /** Null: it rests on nothing. */
  readonly readFacts?: ((db: Queryable, fields: Fields) => Promise<Facts | null>) | undefined;
  /**
   * Carries it out, all that it writes by this database, in one transaction with the decision. `approvedBy`: the second
   * person, as the audit log names people; null where one did it alone. @returns what is true now, in a sentence.
   * @throws Refusal
   */
  readonly carryOut: (database: Database, asking: Asking, approvedBy: string | null) => Promise<string>;
  /** For a kind that may have many lines: those are carried out in portions, each a transaction of its own. */
  readonly portions?: Portions | undefined;
}

export interface Portions {
  readonly isLong: (fields: Fields) => boolean;
  /**
   * Carries out what follows `before`, some hundred lines, all that it writes by this database. What no longer holds is left
   * out. @returns how far it is now, and once that is all of it, what is true now. @throws Refusal where nothing of it can be
   * carried out any more: then it is stale
   */
  readonly carryOutNext: (
    database: Database,
    asking: Asking,
    before: Progress | null,
    approvedBy: string | null,
  ) => Promise<{ readonly progress: Progress; readonly outcome: string | null }>;
}

/** Lines that are carried out, of all. */
export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** How a change of a kind is carried out; null for a kind of another release. */
export type FindKind = (kind: string) => CarriedOut | null;

export interface Request {
  /** The change in a sentence, for the person who agrees to it. */
  readonly summary: string;
  readonly fields: Fields;
  readonly lines?: Json;
  readonly secret?: string | null;
  /** What it is about besides what its kind says. */
  readonly subjects?: readonly string[];
  /** The number that it has already, as a preview. */
  readonly id?: ChangeId;
  /** From when on it is carried out, where that isn't at once. */
  readonly dueAt?: Instant | null;
}

export type ChangeServices = Pick<PeopleServices, "database" | "clock" | "secretBox" | "company" | "publicUrl">;

/** What is secret is sealed under all the rest: by another change's secret nothing can be opened. */
export function identityOf(hash: string): string {
  return `changes/${hash}`;
}

/** What was asked for, its secret opened. */
export function askingOf({ secretBox }: Pick<ChangeServices, "secretBox">, change: WholeChange): Asking {
  const { id, fields, lines, sealed, requesterName: name, requesterEmail: email } = change;
  return {
    id,
    requestedBy: actorName({ name, email }),
    fields: JSON.parse(fields) as Fields,
    lines: lines === null ? null : (JSON.parse(lines) as Json),
    secret: sealed === null ? null : secretBox.open(sealed, identityOf(hashOf(change))),
  };
}

/** What the audit log keeps of what was asked for: the role of the service can't change it there. */
export function hashOf({ kind, fields, lines, facts }: Pick<NewChange, "kind" | "fields" | "lines" | "facts">): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, fields, lines, facts]))
    .digest("hex");
}

/** The merchant and the sale that a change is about, so that its entries are found by them. */
export function subjectOf({ merchant, transaction: sale }: Fields): {
  readonly merchant?: string;
  readonly sale?: string;
} {
  return {
    ...(typeof merchant === "string" ? { merchant } : {}),
    ...(typeof sale === "string" ? { sale } : {}),
  };
}

/** An entry of the audit log about a change. */
export function entryOf(by: Actor, command: string, details: Readonly<Record<string, unknown>>) {
  return { who: actorName(by), command, details: auditDetails(details) };
}
