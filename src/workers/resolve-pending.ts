import { claimCallbackQuestions, type PendingCallback } from "../domain/resolution/callbacks/callback-queries.ts";
import { type AskAbout, questionLeaseSeconds } from "../domain/resolution/callbacks/receive-callback.ts";
import { claimPendingDue, type PendingClaim } from "../domain/resolution/requery/pending-queries.ts";
import { leaseSeconds, type ResolveServices, resolvePending } from "../domain/resolution/requery/resolve-pending.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";
import { startAskingLoop } from "./asking-loop.ts";

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
const perSupplierMax = 8;

/** Asks about attempts that suppliers called about, until stopped. Any number of processes may run one. */
export function startAskingAboutCallbacks(options: {
  readonly services: { readonly database: Database; readonly askAbout: AskAbout };
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log, pollMs } = options;
  return startAskingLoop<PendingCallback>({
    claim: (claims) => claimCallbackQuestions(services.database, { ...claims, leaseSeconds: questionLeaseSeconds }),
    whomOf: ({ supplier }) => supplier,
    ask: (question) => services.askAbout(question),
    questionsMax,
    ofOneMax: perSupplierMax,
    pollMs,
    onError(error, question) {
      const { supplier = null, supplierReference = null } = question ?? {};
      log.error({ event: "callback.ask_failed", supplier, supplierReference, error: String(error) });
    },
  });
}
