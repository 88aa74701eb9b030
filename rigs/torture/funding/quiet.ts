import { setTimeout as delay } from "node:timers/promises";
import { paymentLeaseSeconds } from "../../../src/domain/funding/ask-about-payment.ts";
import type { Instant } from "../../../src/kernel/clock.ts";
import type { Database } from "../../../src/platform/database/database.ts";

/** What is left to do. */
export interface OpenFunding {
  readonly due: number;
  readonly unannounced: number;
  /** Providers whose list was not read since. */
  readonly unlisted: number;
}

const countOpen = {
  name: "count_torture_funding",
  text: `
    select (
             select count(*) from payments where due_at is not null and payment_id <> all ($1)
           )::integer as due,
           (select count(*) from payment_announcements)::integer as unannounced,
           (select count(*) from payment_providers where listed_to < $2)::integer as unlisted`,
};

const updateLists = {
  name: "update_torture_lists",
  text: "update payment_providers set list_due_at = now() where list_due_at > now() and listed_to < $1",
};

/** A lease that was taken so lately may still be in use, and no other. */
const livingSeconds = 25;

/** But not what was invented: it is asked about for ever, and first, as nobody was credited with it. */
const updatePayments = {
  name: "update_torture_payments",
  text: `
    update payments p
       set due_at = now()
      from (
             select provider, payment_id
               from payments
              where due_at > now()
                and payment_id <> all ($3)
                and due_at not between now() + make_interval(secs => $1) and now() + make_interval(secs => $2)
                for update skip locked
           ) free
     where p.provider = free.provider
       and p.payment_id = free.payment_id`,
};

/** Lists that were not read up to a time are read at once instead of every five minutes. PostgreSQL may be away. */
export async function readLists(database: Database, upTo: Instant): Promise<void> {
  await database.query(updateLists, [new Date(upTo)]).catch(() => {});
}

/**
 * After the storm, with every provider well: waits end sooner than they would by themselves. Resolves when nothing is open,
 * or the time is over.
 */
export async function letPaymentsEnd(
  database: Database,
  { invented, since, secondsMax }: { invented: readonly string[]; since: Instant; secondsMax: number },
): Promise<OpenFunding> {
  const startedAt = performance.now();
  let open: OpenFunding = { due: 1, unannounced: 1, unlisted: 1 };
  while (open.due + open.unannounced + open.unlisted > 0 && performance.now() - startedAt < secondsMax * 1_000) {
    await readLists(database, since);
    await database.query(updatePayments, [paymentLeaseSeconds - livingSeconds, paymentLeaseSeconds, invented]);
    await delay(1_000);
    [open = open] = await database.query<OpenFunding>(countOpen, [invented, new Date(since)]);
  }
  return open;
}
