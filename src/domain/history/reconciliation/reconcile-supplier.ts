import type { Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type PurchaseId, purchaseTime, type TransactionIds } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { add, zeroKobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { readTransactionIds } from "../../purchases/deployment/deployment-numbers.ts";
import { listAttemptsAt, type OwnAttempt } from "./attempt-queries.ts";

/** One line of a supplier's statement. */
export interface StatementLine {
  /** From 1, without the heading. */
  readonly line: number;
  /** Ours (`TXN…-1`) or the supplier's own, as the statement is compared by. */
  readonly reference: string;
  /** What the supplier charged, in kobo; null where the line does not say it readably. */
  readonly amount: Kobo | null;
}

/** What the two sides don't agree on. */
export type Difference = Reconciled & { readonly set: Exclude<ReconciledSet, "both"> };

export type ReconciledSet = "both" | "ours_only" | "theirs_only" | "amounts_differ";

/**
 * A line of the statement, a sale of ours, or both where they are about the same. Each line is in one of the four sets,
 * and so is each attempt that was vended in the time and not taken back.
 */
export interface Reconciled {
  readonly set: ReconciledSet;
  /** Null where the statement goes by the supplier's references, and we recorded none. */
  readonly reference: string | null;
  readonly transactionId: string | null;
  /** Null where no attempt of ours is meant. */
  readonly attempt: number | null;
  /** The supplier's own name for it, as far as it was told; else null. */
  readonly providerReference: string | null;
  /** Kobo; null where that side does not know one. */
  readonly ours: Kobo | null;
  readonly theirs: Kobo | null;
  readonly note: string;
}

export interface Totals {
  readonly count: number;
  /** How many of these agree only because the order tolerates the difference between the two amounts. */
  readonly rounded: number;
  readonly ours: Kobo;
  readonly theirs: Kobo;
}

export interface ReconcileOrder {
  readonly supplier: string;
  readonly from: Instant;
  readonly before: Instant;
  /** Which reference the statement names purchases by: ours, or the supplier's. */
  readonly by: "reference" | "provider_reference";
  /** Amounts that differ by no more than this agree, as if rounded in two ways. Unless given, they must be equal. */
  readonly tolerance?: Kobo;
}

/** The supplier's day may end at another hour: our attempts of one more day on each side may match but need not. */
const marginMs = 86_400_000;
const pageSize = 10_000;
/** Some 300 bytes each. */
const attemptsMax = 2_000_000;

/**
 * Compares a supplier's statement with what we recorded there: the statement is read line by line, our attempts of the
 * time are held in memory. Reads only. `tell` is handed every line, and every sale of ours without one, whether the two
 * sides agree or not; `onRead` hears up to when our side is read.
 * @throws Refusal VALIDATION_ERROR when the time holds more attempts than fit
 */
export async function reconcileSupplier(
  database: Queryable,
  order: ReconcileOrder,
  statement: AsyncIterable<StatementLine>,
  report: (found: Reconciled) => void,
  onRead: (until: Instant) => void = () => {},
): Promise<Readonly<Record<ReconciledSet, Totals>>> {
  const ours = await readOurs(database, order, onRead);
  const totals: Record<ReconciledSet, Totals> = {
    both: nothing,
    ours_only: nothing,
    theirs_only: nothing,
    amounts_differ: nothing,
  };
  const found = (one: Reconciled) => {
    const { count, rounded, ours: sumOurs, theirs } = totals[one.set];
    totals[one.set] = {
      count: count + 1,
      rounded: rounded + (one.set === "both" && one.ours !== one.theirs ? 1 : 0),
      ours: add(sumOurs, one.ours ?? zeroKobo),
      theirs: add(theirs, one.theirs ?? zeroKobo),
    };
    report(one);
  };
  const seen = new Set<string>();
  for await (const line of statement) {
    found(judge(line, ours, order, seen.has(line.reference)));
    // Lines that are not ours are not remembered: a statement may be of any length.
    if (ours.byReference.has(line.reference)) seen.add(line.reference);
  }
  for (const one of missing(ours, order, seen)) found(one);
  return totals;
}

const nothing: Totals = { count: 0, rounded: 0, ours: zeroKobo, theirs: zeroKobo };

/** Our attempts, by what the statement names them by. */
interface OwnAttempts {
  readonly transactionIds: TransactionIds;
  /** Where a supplier calls two by one name, one that was vended: that is what it charges for. */
  readonly byReference: Map<string, OwnAttempt>;
  /** Vended ones that share a reference, each of which is here: no line says which of them it is about. */
  readonly alike: Map<string, OwnAttempt[]>;
  /** Vended ones whose reference we do not know. */
  readonly unnamed: OwnAttempt[];
}

/** The set that a line of the statement belongs to. `isAgain`: an earlier line was about the same attempt. */
function judge(line: StatementLine, ours: OwnAttempts, order: ReconcileOrder, isAgain: boolean): Reconciled {
  const { byReference, alike } = ours;
  const { reference, amount } = line;
  const attempt = byReference.get(reference) ?? null;
  const named = {
    reference,
    transactionId: attempt === null ? null : nameOf(ours, attempt),
    attempt: attempt?.attempt ?? null,
    providerReference: attempt?.providerReference ?? (order.by === "provider_reference" ? reference : null),
  };
  const theirsOnly = (why: string): Reconciled => {
    return { ...named, set: "theirs_only", ours: null, theirs: amount, note: `line ${line.line}: ${why}` };
  };
  const shared = alike.get(reference);
  if (shared !== undefined) return theirsOnly(sharedNote(shared));
  if (attempt === null) return theirsOnly("not ours");
  if (isAgain) return theirsOnly("charged once more");
  if (attempt.state !== "vended") return theirsOnly(`${attempt.state} here`);
  const sides = { ...named, ours: attempt.cost, theirs: amount };
  if (areSame(attempt.cost, amount, order.tolerance ?? zeroKobo)) return { ...sides, set: "both", note: "" };
  const why = amount === null ? "no readable amount" : "another amount";
  return { ...sides, set: "amounts_differ", note: `line ${line.line}: ${why}` };
}

function areSame(ours: Kobo | null, theirs: Kobo | null, tolerance: Kobo): boolean {
  if (ours === null || theirs === null) return false;
  return ours <= theirs ? theirs - ours <= tolerance : ours - theirs <= tolerance;
}

/** Sales of the time that no line of the statement was about. */
function* missing(ours: OwnAttempts, order: ReconcileOrder, seen: ReadonlySet<string>): Generator<Reconciled> {
  const { byReference, alike, unnamed } = ours;
  const oursOnly = (attempt: OwnAttempt, reference: string | null, note: string): Reconciled[] => {
    if (attempt.state !== "vended" || !isWithin(attempt, order)) return [];
    const { cost, providerReference } = attempt;
    const named = { reference, transactionId: nameOf(ours, attempt), attempt: attempt.attempt, providerReference };
    return [{ set: "ours_only", ...named, ours: cost, theirs: null, note }];
  };
  for (const [reference, attempt] of byReference) {
    if (!seen.has(reference)) yield* oursOnly(attempt, reference, "not in the statement");
  }
  for (const [reference, attempts] of alike) {
    for (const attempt of attempts) yield* oursOnly(attempt, reference, sharedNote(attempts));
  }
  for (const attempt of unnamed) yield* oursOnly(attempt, null, "no reference of the supplier's is recorded");
}

function sharedNote({ length }: readonly OwnAttempt[]): string {
  return `${length} sales have this reference here`;
}

async function readOurs(
  database: Queryable,
  order: ReconcileOrder,
  onRead: (until: Instant) => void,
): Promise<OwnAttempts> {
  const { supplier, by } = order;
  const before = firstPurchaseIdAt(order.before + marginMs);
  const transactionIds = await readTransactionIds(database);
  const ours: OwnAttempts = { transactionIds, byReference: new Map(), alike: new Map(), unnamed: [] };
  let from: PurchaseId = firstPurchaseIdAt(order.from - marginMs);
  for (let page = 0; page * pageSize <= attemptsMax; page++) {
    const attempts = await listAttemptsAt(database, { from, before, supplier, limit: pageSize });
    for (const attempt of attempts) {
      keep(
        ours,
        attempt,
        by === "reference" ? `${nameOf(ours, attempt)}-${attempt.attempt}` : attempt.providerReference,
      );
    }
    const last = attempts.at(-1);
    if (attempts.length < pageSize || last === undefined) return ours;
    // A supplier has at most one attempt at a purchase, so the page ends between two purchases.
    from = (last.purchaseId + 1n) as PurchaseId;
    onRead(purchaseTime(from));
  }
  throw refuse("VALIDATION_ERROR", { message: `More than ${attemptsMax} purchases: take a shorter time.` });
}

/** Attempts that were not vended, or were reversed, are kept in case a line names them; no statement lacks them. */
function keep({ byReference, alike, unnamed }: OwnAttempts, attempt: OwnAttempt, reference: string | null): void {
  if (attempt.state !== "vended") {
    if (reference !== null && !byReference.has(reference)) byReference.set(reference, attempt);
    return;
  }
  if (reference === null) {
    unnamed.push(attempt);
    return;
  }
  const other = byReference.get(reference);
  const others = alike.get(reference);
  if (others !== undefined) others.push(attempt);
  else if (other?.state === "vended") {
    alike.set(reference, [other, attempt]);
    byReference.delete(reference);
  } else byReference.set(reference, attempt);
}

function nameOf({ transactionIds }: OwnAttempts, { purchaseId }: OwnAttempt): string {
  return transactionIds.format(purchaseId, "live");
}

function isWithin({ purchaseId }: OwnAttempt, { from, before }: ReconcileOrder): boolean {
  const at = purchaseTime(purchaseId);
  return at >= from && at < before;
}
