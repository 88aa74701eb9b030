import type { Instant } from "../../kernel/clock.ts";
import type { Kobo } from "../../kernel/money.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database/database.ts";

const updateUnlisted = statement(
  "update_unlisted_payments_due",
  `update payments
      set due_at = now(),
          epoch = epoch + 1,
          tries = 0
    where provider = $1
      and paid_at >= $2
      and paid_at < $3
      and state in ('credited', 'unmatched')
      and taken_back = 0
      and payment_id <> all ($4::text[])
   returning payment_id as "paymentId"`,
);

/** Has a provider asked again about what is booked here of a time, and is not in its own list of it. @returns how many */
export async function updateUnlistedPayments(
  db: Queryable,
  { provider, from, before }: { readonly provider: string; readonly from: Instant; readonly before: Instant },
  listed: readonly string[],
): Promise<number> {
  return (await db.query(updateUnlisted, [provider, new Date(from), new Date(before), listed])).length;
}

const updateRefunded = statement(
  "update_refunded_payments_due",
  `update payments p
      set due_at = now(),
          epoch = p.epoch + 1,
          tries = 0
     from unnest($2::text[], $3::bigint[]) as r (payment_id, amount)
    where p.provider = $1
      and p.payment_id = r.payment_id
      and p.state in ('credited', 'unmatched')
      and p.taken_back < r.amount
   returning p.payment_id as "paymentId"`,
);

/** Has a provider asked again about what is booked here, and of which it says that more went back. @returns how many */
export async function updateRefundedPayments(
  db: Queryable,
  provider: string,
  refunded: ReadonlyMap<string, Kobo>,
): Promise<number> {
  const values = [provider, [...refunded.keys()], arrayOf([...refunded.values()])];
  return (await db.query(updateRefunded, values)).length;
}
