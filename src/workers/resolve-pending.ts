import { claimCallbackQuestions, type PendingCallback } from "../domain/resolution/callbacks/callback-queries.ts";
import { type AskAbout, questionLeaseSeconds } from "../domain/resolution/callbacks/receive-callback.ts";
import { claimPendingDue, type PendingClaim } from "../domain/resolution/requery/pending-queries.ts";
import { leaseSeconds, type ResolveServices, resolvePending } from "../domain/resolution/requery/resolve-pending.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

const concurrencyMax = 64;
/** Groups of wallets: `inflight_due`. */
const groupCount = 64;
/** The most purchases that one claim takes from one group: no wallet's backlog takes all places. */
const perGroup = 16;

/** Asks about pending purchases whose time has come, until stopped. Any number of processes may run one. */
export function startResolvingPending(options: {
  readonly services: ResolveServices;
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log } = options;
  const groups = Array.from({ length: groupCount }, (_, group) => group);
  return startWorkLoop<{ readonly claim: PendingClaim; readonly claimedAt: Instant }>({
    async claim(limit) {
      // Each claim starts at another group: a long backlog in one does not make the others wait.
      groups.push(...groups.splice(0, 1));
      const claimedAt = services.clock.now();
      const claims = await claimPendingDue(services.database, { groups, perGroup, limit, leaseSeconds });
      return claims.map((claim) => ({ claim, claimedAt }));
    },
    act: ({ claim, claimedAt }) => resolvePending(services, claim, claimedAt),
    concurrencyMax,
    pollMs: options.pollMs,
    onError(error, job) {
      const purchaseId = job === null ? null : job.claim.id.toString();
      log.error({ event: "pending.resolve_failed", purchaseId, error: String(error) });
    },
  });
}

const questionsMax = 32;
/** In one claim, and about to be exceeded by one claim at most: no silent supplier takes all places. */
const perSupplierMax = 8;

/** Asks about attempts that suppliers called about, until stopped. Any number of processes may run one. */
export function startAskingAboutCallbacks(options: {
  readonly services: { readonly database: Database; readonly askAbout: AskAbout };
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log } = options;
  const underWay = new Map<string, number>();
  const count = (supplier: string, change: number) =>
    underWay.set(supplier, (underWay.get(supplier) ?? 0) + change).get(supplier);

  return startWorkLoop<PendingCallback>({
    async claim(free) {
      const exceptOf = [...underWay].filter(([, asking]) => asking >= perSupplierMax).map(([supplier]) => supplier);
      const limit = Math.min(free, perSupplierMax);
      const questions = await claimCallbackQuestions(services.database, {
        exceptOf,
        limit,
        leaseSeconds: questionLeaseSeconds,
      });
      for (const { supplier } of questions) count(supplier, 1);
      return questions;
    },
    async act(question) {
      try {
        await services.askAbout(question);
      } finally {
        if (count(question.supplier, -1) === 0) underWay.delete(question.supplier);
      }
    },
    concurrencyMax: questionsMax,
    pollMs: options.pollMs,
    onError(error, question) {
      const { supplier = null, supplierReference = null } = question ?? {};
      log.error({ event: "callback.ask_failed", supplier, supplierReference, error: String(error) });
    },
  });
}
