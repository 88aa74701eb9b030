import { assert } from "../../kernel/assert.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database/database.ts";
import { type PaymentKey, type PaymentQuestion, type ProviderClaims, paymentKeyText } from "./payment.ts";

const questionColumns = `p.provider,
             p.payment_id as "paymentId",
             p.state,
             p.epoch,
             p.tries,
             p.heard_at as "receivedAt"`;

const insertReceived = statement(
  "insert_received_payments",
  `insert into payments as p (provider, payment_id, heard_by, evidence, due_at, epoch, tries)
   select i.provider, i.payment_id, 'event', i.evidence, now() + make_interval(secs => i.lease_seconds),
          case when i.is_refund then 1 else 0 end, case when i.lease_seconds > 0 then 1 else 0 end
     from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::boolean[])
       as i (provider, payment_id, evidence, lease_seconds, is_refund)
    order by i.provider, i.payment_id
       on conflict (provider, payment_id) do update
          set due_at = excluded.due_at,
              epoch = p.epoch + 1,
              tries = excluded.tries
   returning ${questionColumns}`,
);

/** What an event told of, and for how long the question that it leads to is leased: with 0, the next claim has it. */
export interface ReceivedPayment extends PaymentKey {
  readonly evidence: string;
  readonly leaseSeconds: number;
  /** It goes back: once it is booked, it is asked about again. */
  readonly isRefund: boolean;
}

/**
 * Keeps what events told of, no payment twice, and that their providers are to be asked, in one commit. Safe to repeat.
 * @returns the questions, in the order of the items
 */
export async function insertReceivedPayments(
  db: Queryable,
  items: readonly ReceivedPayment[],
): Promise<PaymentQuestion[]> {
  const column = (read: (item: ReceivedPayment) => string | number | boolean) => arrayOf(items.map(read));
  const rows = await db.query<PaymentQuestion>(insertReceived, [
    column(({ provider }) => provider),
    column(({ paymentId }) => paymentId),
    column(({ evidence }) => evidence),
    column(({ leaseSeconds }) => leaseSeconds),
    column(({ isRefund }) => isRefund),
  ]);
  const questions = new Map(rows.map((row) => [paymentKeyText(row), row]));
  return items.map((item) => {
    const question = questions.get(paymentKeyText(item));
    assert(question !== undefined, "what is received is kept");
    return question;
  });
}

const insertListed = statement(
  "insert_listed_payments",
  `insert into payments (provider, payment_id, heard_by)
   select $1, i.payment_id, 'list'
     from unnest($2::text[]) as i (payment_id)
       on conflict (provider, payment_id) do nothing
   returning payment_id as "paymentId"`,
);

/** Keeps those of a provider's list that nobody told of yet. Safe to repeat. @returns how many there were */
export async function insertListedPayments(
  db: Queryable,
  provider: string,
  paymentIds: readonly string[],
): Promise<number> {
  return (await db.query(insertListed, [provider, paymentIds])).length;
}

// Of one that nobody asked about since its last event, nobody has the epoch yet.
const claimDue = statement(
  "claim_due_payments",
  `update payments p
      set epoch = p.epoch + case when p.tries > 0 then 1 else 0 end,
          tries = p.tries + 1,
          due_at = now() + make_interval(secs => $3)
     from (
            select d.provider, d.payment_id
              from payments d
             where d.due_at <= now() and d.provider <> all ($1::text[])
             order by (d.state <> 'heard'), d.due_at
             limit $2
               for update skip locked
          ) due
    where p.provider = due.provider and p.payment_id = due.payment_id
   returning ${questionColumns}`,
);

/**
 * Leases payments whose time has come: those that are not booked yet first, of them the oldest first. Skips what another
 * worker holds.
 */
export function claimDuePayments(db: Queryable, options: ProviderClaims): Promise<PaymentQuestion[]> {
  return db.query(claimDue, [options.exceptOf, options.limit, options.leaseSeconds]);
}

const postpone = statement(
  "update_payment_due",
  `update payments
      set due_at = now() + make_interval(secs => $4),
          evidence = $5
    where provider = $1 and payment_id = $2 and epoch = $3`,
);

/** Puts a question off. One whose lease was lost is left alone. */
export async function updatePaymentDue(
  db: Queryable,
  { provider, paymentId, epoch }: PaymentQuestion,
  { dueSeconds, evidence }: { readonly dueSeconds: number; readonly evidence: string },
): Promise<void> {
  await db.query(postpone, [provider, paymentId, epoch, dueSeconds, evidence]);
}

const refuseReceived = statement(
  "update_payment_refused",
  `update payments
      set state = case when state = 'heard' then 'refused' else state end,
          contradiction = case when state in ('credited', 'unmatched') then $5 else contradiction end,
          contradiction_end = case when contradiction = $5 then contradiction_end end,
          contradiction_note = case when contradiction = $5 then contradiction_note end,
          contradiction_ended_by = case when contradiction = $5 then contradiction_ended_by end,
          contradiction_ended_at = case when contradiction = $5 then contradiction_ended_at end,
          due_at = null,
          evidence = $4
    where provider = $1 and payment_id = $2 and epoch = $3
   returning state`,
);

/**
 * Ends a question about what never became money, for this reason. What is credited or in suspense stays so, and a person
 * is told of the contradiction, anew where it is another one than a person ended. One whose lease was lost is left alone.
 */
export async function updatePaymentRefused(
  db: Queryable,
  { provider, paymentId, epoch }: PaymentQuestion,
  { reason, evidence }: { readonly reason: string; readonly evidence: string },
): Promise<void> {
  await db.query(refuseReceived, [provider, paymentId, epoch, evidence, `It never became money: ${reason}`]);
}
