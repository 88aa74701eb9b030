import { deleteOldDrafts } from "../domain/catalogue/price-changes/price-change-queries.ts";
import { changingPrices } from "../domain/catalogue/price-changes/set-prices.ts";
import { switchingMove } from "../domain/moving-in/switch-move.ts";
import { undoingMove } from "../domain/moving-in/undo-move.ts";
import { resolvingSales } from "../domain/resolution/review/propose-together.ts";
import type { ReviewServices } from "../domain/resolution/review/review.ts";
import type { ChangeServices } from "../domain/staff/change-kinds.ts";
import { carryOutNext, type DoneChange, expireChanges } from "../domain/staff/decide-change.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

const expiredMax = 50;

interface ChangeWork {
  readonly people: ChangeServices;
  readonly log: Logger;
}

/**
 * Carries out changes with many lines that were agreed to, and those whose time has come: of each kind a portion in each
 * look, so that none waits for one of another kind.
 */
export const changeCarrying: Job<ChangeWork & { readonly reviews: ReviewServices }> = {
  name: "change_carrying",
  everyMs: 1_000,
  open({ people, reviews, log }) {
    const kinds = [resolvingSales(reviews), changingPrices, switchingMove(people), undoingMove(people)];
    const onDone = ({ id, kind, counts }: DoneChange) =>
      log.info({ event: "changes.done", change: id, kind, ...counts });
    return async () => {
      let isMore = false;
      for (const kind of kinds) isMore = (await carryOutNext(people, [kind], onDone)) || isMore;
      return isMore ? "again" : undefined;
    };
  },
};

/** Ends changes that nobody decided in time, and tells who asked for them. */
export const changeExpiring: Job<ChangeWork> = {
  name: "change_expiring",
  everyMs: 60_000,
  open:
    ({ people, log }) =>
    async () => {
      const changes = await expireChanges(people, expiredMax);
      if (changes > 0) log.info({ event: "changes.expired", changes });
      return changes < expiredMax ? undefined : "again";
    },
};

/** Deletes previews of prices that nobody made a change of. */
export const draftPurge: Job<Pick<ChangeServices, "database">> = {
  name: "price_drafts",
  everyMs: 3_600_000,
  open:
    ({ database }) =>
    () =>
      deleteOldDrafts(database).then(() => undefined),
};
