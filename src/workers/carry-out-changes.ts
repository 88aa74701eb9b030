import { resolvingSales } from "../domain/resolution/review/propose-together.ts";
import type { ReviewServices } from "../domain/resolution/review/review.ts";
import type { ChangeServices } from "../domain/staff/change-kinds.ts";
import { carryOutNext, expireChanges } from "../domain/staff/decide-change.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

const expiredMax = 50;

/** Carries out changes with many lines that two people agreed to, a portion in each look. */
export const changeCarrying: Job<{ readonly people: ChangeServices; readonly reviews: ReviewServices }> = {
  name: "change_carrying",
  everyMs: 1_000,
  open({ people, reviews }) {
    const kinds = [resolvingSales(reviews)];
    return async () => ((await carryOutNext(people, kinds)) ? "again" : undefined);
  },
};

/** Ends changes that nobody decided in time, and tells who asked for them. */
export const changeExpiring: Job<{ readonly people: ChangeServices; readonly log: Logger }> = {
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
