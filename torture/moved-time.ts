import { closeSync, openSync, writeSync } from "node:fs";
import { throughLosses } from "../src/platform/batcher.ts";
import type { Database } from "../src/platform/database.ts";

/** Moves time on for every process of the deployment: see moved-clock.mjs. Leases go by the database's clock. */
export interface MovedTime {
  readonly file: string;
  /** How far it is moved in all. */
  aheadMs(): number;
  /** Leases and waits are shorter by so many seconds. Only those of purchases: what a supplier never received stays as it is. */
  passSeconds(seconds: number): Promise<void>;
  close(): void;
}

const digits = 16;
/** PostgreSQL may be stopped at the same time. Twice does no harm. */
const awayMsMax = 60_000;

const updateDue = {
  name: "update_torture_due",
  text: `
    update inflight
       set due_at = due_at - make_interval(secs => $1)
     where step <> 'review'`,
};

export function openMovedTime(file: string, database: Database): MovedTime {
  let aheadMs = 0;
  const descriptor = openSync(file, "w");
  const tell = () => void writeSync(descriptor, String(aheadMs).padStart(digits, "0"), 0);
  tell();
  return {
    file,
    aheadMs: () => aheadMs,
    async passSeconds(seconds) {
      // The clocks first: nobody may believe to be in time once its lease is over.
      aheadMs += seconds * 1_000;
      tell();
      await throughLosses(() => database.query(updateDue, [seconds]), awayMsMax);
    },
    close: () => closeSync(descriptor),
  };
}
