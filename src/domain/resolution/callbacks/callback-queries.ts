import type { Instant } from "../../../kernel/clock.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";

/** A supplier's word about an attempt, as its callback brought it. */
export interface Callback {
  readonly supplier: string;
  readonly supplierReference: string;
  readonly status: string;
  /** Redacted. */
  readonly evidence: string;
}

const listSupplierCallbacks = statement(
  "list_supplier_callbacks",
  `select c.supplier, c.supplier_reference as "supplierReference", c.status, c.evidence, c.received_at as "receivedAt"
     from supplier_callbacks c
     join unnest($1::text[], $2::text[]) as i (supplier, supplier_reference)
       on c.supplier = i.supplier and c.supplier_reference = i.supplier_reference
    order by c.received_at`,
);

/** The callbacks about these attempts, oldest first. */
export function listCallbacks(
  db: Queryable,
  attempts: readonly Pick<Callback, "supplier" | "supplierReference">[],
): Promise<(Callback & { readonly receivedAt: Instant })[]> {
  return db.query(listSupplierCallbacks, [
    arrayOf(attempts.map(({ supplier }) => supplier)),
    arrayOf(attempts.map(({ supplierReference }) => supplierReference)),
  ]);
}

const findPendingAttempt = statement(
  "find_pending_attempt_by_provider",
  `select p.id, p.attempt
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where f.wallet_id > 0 and p.supplier = $1 and p.provider_reference = $2
    limit 2`,
);

/**
 * The pending attempt that a supplier calls so. Reads all that is pending, so it is for genuine callbacks alone. Null
 * where there is none, or where two are called so.
 */
export async function findPendingByProvider(
  db: Queryable,
  supplier: string,
  providerReference: string,
): Promise<{ readonly id: PurchaseId; readonly attempt: number } | null> {
  type Row = { readonly id: PurchaseId; readonly attempt: number };
  const [found, second] = await db.query<Row>(findPendingAttempt, [supplier, providerReference]);
  return second === undefined ? (found ?? null) : null;
}

/** An attempt that its supplier called about, leased to be asked about. */
export interface PendingCallback {
  readonly supplier: string;
  readonly supplierReference: string;
  /** The supplier's reference of the attempt; null where it did not tell one. */
  readonly providerReference: string | null;
  /** Proves the lease: every later claim, and every new callback, raises it. */
  readonly epoch: number;
  /** How often it was claimed, this time included. */
  readonly tries: number;
  /** When the last new callback came. */
  readonly receivedAt: Instant;
}

const questionColumns = `q.supplier,
             q.supplier_reference as "supplierReference",
             q.provider_reference as "providerReference",
             q.epoch,
             q.tries,
             q.received_at as "receivedAt"`;

const insertSupplierCallback = statement(
  "insert_supplier_callback",
  `with heard as (
     insert into supplier_callbacks as c (supplier, supplier_reference, status, evidence)
     select $1, $2, $3, $4
      where exists (
              select 1
                from purchases p
               where p.id = $7
                 and p.wallet_id > 0
                 and (
                       p.attempt >= $8
                       -- Or it was made before the purchase went back to an earlier one.
                       or exists (
                            select 1
                              from vend_attempts a
                             where a.wallet_id = p.wallet_id
                               and a.purchase_id = p.id
                               and a.attempt = $8
                          )
                     )
            )
        and (
              select count(*)
                from supplier_callbacks k
               where k.supplier = $1 and k.supplier_reference = $2
            ) < $9
     on conflict (supplier, supplier_reference, status) do update
           -- What was not true when it was said first may be true by now: after a minute it is asked about again.
           set received_at = now()
         where c.received_at <= now() - interval '1 minute'
     returning supplier, supplier_reference
   )
   insert into callback_questions as q (supplier, supplier_reference, provider_reference, due_at, tries)
   select h.supplier, h.supplier_reference, $5, now() + make_interval(secs => $6), 1
     from heard h
   on conflict (supplier, supplier_reference) do update
      set provider_reference = coalesce(excluded.provider_reference, q.provider_reference),
          due_at = excluded.due_at,
          epoch = q.epoch + 1,
          tries = excluded.tries,
          received_at = now()
   returning ${questionColumns}`,
);

/** Suppliers have some five statuses. Further ones of the same supplier are not kept. */
const wordsMax = 20;

/**
 * Keeps a word once and, when it is new or comes again after a minute, the question that it leads to, in one commit. A supplier may write any
 * reference and any word: of an attempt that never was nothing is kept, of one that was no more than 20 words.
 * @returns the question, leased for so many seconds: with none, the next claim has it. Null for a word that was said just
 * before, or is not kept.
 */
export async function insertCallback(
  db: Queryable,
  callback: Callback & { readonly providerReference: string | null },
  about: { readonly id: PurchaseId; readonly attempt: number },
  leaseSeconds: number,
): Promise<PendingCallback | null> {
  const { supplier, supplierReference, status, evidence, providerReference } = callback;
  const reported = [supplier, supplierReference, status, evidence, providerReference];
  const values = [...reported, leaseSeconds, about.id, about.attempt, wordsMax];
  const [question] = await db.query<PendingCallback>(insertSupplierCallback, values);
  return question ?? null;
}

const claimQuestions = statement(
  "claim_callback_questions",
  `update callback_questions q
      set epoch = q.epoch + 1,
          tries = q.tries + 1,
          due_at = now() + make_interval(secs => $3)
     from (
            select d.supplier, d.supplier_reference
              from callback_questions d
             where d.due_at <= now() and d.supplier <> all ($1::text[])
             order by d.due_at
             limit $2
               for update skip locked
          ) due
    where q.supplier = due.supplier and q.supplier_reference = due.supplier_reference
   returning ${questionColumns}`,
);

/** Leases questions whose time has come, oldest first. Skips what another worker holds. */
export function claimCallbackQuestions(
  db: Queryable,
  options: { readonly exceptOf: readonly string[]; readonly limit: number; readonly leaseSeconds: number },
): Promise<PendingCallback[]> {
  return db.query(claimQuestions, [arrayOf(options.exceptOf), options.limit, options.leaseSeconds]);
}

const countQuestionsDue = statement(
  "count_callback_questions_due",
  `select count(*)::integer as due
     from (select 1 from callback_questions q where q.due_at <= now() limit $1) d`,
);

/** How many questions wait for a worker now, counted up to a bound. */
export async function countCallbackQuestionsDue(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ due: number }>(countQuestionsDue, [max]);
  return row?.due ?? 0;
}

const postponeQuestion = statement(
  "update_callback_question_due",
  `update callback_questions q
      set due_at = now() + make_interval(secs => $4)
    where q.supplier = $1 and q.supplier_reference = $2 and q.epoch = $3`,
);

/** Puts a question off. One whose lease was lost is left alone. */
export async function updateQuestionDue(db: Queryable, question: PendingCallback, dueSeconds: number): Promise<void> {
  await db.query(postponeQuestion, [question.supplier, question.supplierReference, question.epoch, dueSeconds]);
}

const deleteQuestion = statement(
  "delete_callback_question",
  `delete from callback_questions q
    where q.supplier = $1 and q.supplier_reference = $2 and q.epoch = $3`,
);

/** Ends a question, unless a new word came since it was leased. */
export async function deleteCallbackQuestion(db: Queryable, question: PendingCallback): Promise<void> {
  await db.query(deleteQuestion, [question.supplier, question.supplierReference, question.epoch]);
}
