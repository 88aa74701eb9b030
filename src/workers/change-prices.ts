import { carryOutDueChange } from "../domain/catalogue/price-changes/price-change.ts";
import { deleteOldDrafts } from "../domain/catalogue/price-changes/price-change-queries.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

interface PriceServices {
  readonly database: Database;
  readonly log: Logger;
}

/** Sets scheduled prices when their time has come, one change after the other. Any process may: each is made once. */
export const priceChanging: Job<PriceServices> = {
  name: "price_changing",
  everyMs: 1_000,
  open:
    ({ database, log }) =>
    async () => {
      const carried = await carryOutDueChange(database);
      if (carried === null) return;
      const { id, prices, state } = carried;
      log[state === "done" ? "info" : "error"]({ event: `prices.${state}`, change: id, prices });
      return "again";
    },
};

/** Deletes previews that nobody made a change of. */
export const draftPurge: Job<PriceServices> = {
  name: "price_drafts",
  everyMs: 3_600_000,
  open:
    ({ database }) =>
    () =>
      deleteOldDrafts(database).then(() => undefined),
};
