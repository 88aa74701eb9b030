import { closeSync, openSync, writeSync } from "node:fs";
import type { Database } from "../src/platform/database/database.ts";
import { retryOnConnectionLoss } from "../src/platform/keep-trying.ts";

/**
 * Moves time on: in the database, whose clock leases go by, and in every process (see moved-clock.mjs), or in the database
 * alone, as for a machine that was frozen with its clock: then only the epoch of a lease says that it is over.
 */
export interface MovedTime {
  readonly file: string;
  /** How far it is moved in all. */
  aheadMs(): number;
  /** Leases and waits are shorter by so many seconds. Only those of purchases: what a supplier never received stays as it is. */
  passSeconds(seconds: number, where: { readonly inProcesses: boolean }): Promise<void>;
  close(): void;
}

const digits = 16;
/** PostgreSQL may be stopped at the same time. Twice does no harm. */
const awayMsMax = 60_000;

/** What a process is just writing is left out: nobody waits for us, nor we for anybody. */
const updateDue = {
  name: "update_torture_due",
  text: `
    with free as (
      select f.bucket, f.merchant_id, f.mode, f.purchase_id
        from inflight f
       where f.step <> 'review'
         for update skip locked
    )
    update inflight f
       set due_at = f.due_at - make_interval(secs => $1)
      from free
     where f.bucket = free.bucket
       and f.merchant_id = free.merchant_id
       and f.mode = free.mode
       and f.purchase_id = free.purchase_id`,
};

export function openMovedTime(file: string, database: Database): MovedTime {
  let aheadMs = 0;
  const descriptor = openSync(file, "w");
  const tell = () => void writeSync(descriptor, String(aheadMs).padStart(digits, "0"), 0);
  tell();
  return {
    file,
    aheadMs: () => aheadMs,
    async passSeconds(seconds, { inProcesses }) {
      // The clocks first: nobody whose clock goes may believe to be in time once its lease is over.
      if (inProcesses) aheadMs += seconds * 1_000;
      tell();
      await retryOnConnectionLoss(() => database.query(updateDue, [seconds]), awayMsMax);
    },
    close: () => closeSync(descriptor),
  };
}
