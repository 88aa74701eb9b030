import type { Database } from "../../src/platform/database/database.ts";
import { retryOnConnectionLoss } from "../../src/platform/keep-trying.ts";
import { type MovedClock, openMovedClock } from "../base/moved-clock.ts";

/**
 * Moves time on: in the database, whose clock leases go by, and in every process (see rigs/base/moved-clock.mjs), or in the database
 * alone, as for a machine that was frozen with its clock: then only the epoch of a lease says that it is over.
 */
export interface MovedTime {
  readonly clock: MovedClock;
  /** Leases and waits are shorter by so many seconds, those of purchases and payments: what a supplier never received stays as it is. */
  passSeconds(seconds: number, where: { readonly inProcesses: boolean }): Promise<void>;
}

/** PostgreSQL may be stopped at the same time. Twice does no harm. */
const awayMsMax = 60_000;

/**
 * Changes pending purchases. What a process is just writing is left out: nobody waits for us, nor we for anybody. With tens
 * of thousands of them, waiting for each other's rows is a deadlock.
 */
export function updateInflight(set: string, where: string): string {
  return `
    update inflight f
       set ${set}
      from (
             select wallet_id, purchase_id
               from inflight
              where ${where}
                for update skip locked
           ) free
     where f.wallet_id = free.wallet_id
       and f.purchase_id = free.purchase_id`;
}

const updateDue = {
  name: "update_torture_due",
  text: updateInflight("due_at = f.due_at - make_interval(secs => $1)", "step <> 'review'"),
};

const updatePaymentsDue = {
  name: "update_torture_payments_due",
  text: `
    update payments p
       set due_at = p.due_at - make_interval(secs => $1)
      from (
             select provider, payment_id
               from payments
              where due_at is not null
                for update skip locked
           ) free
     where p.provider = free.provider
       and p.payment_id = free.payment_id`,
};

export function openMovedTime(file: string, database: Database): MovedTime {
  const clock = openMovedClock(file);
  return {
    clock,
    async passSeconds(seconds, { inProcesses }) {
      // The clocks first: nobody whose clock goes may believe to be in time once its lease is over.
      if (inProcesses) clock.move(seconds * 1_000);
      for (const sql of [updateDue, updatePaymentsDue]) {
        await retryOnConnectionLoss(() => database.query(sql, [seconds]), awayMsMax);
      }
    },
  };
}
