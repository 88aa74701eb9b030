import { purgeSlips } from "../domain/funding/statements/announcements.ts";
import { beforeAllWallets } from "../domain/history/lists/count-queries.ts";
import { countWallets, findUncounted } from "../domain/history/lists/list.ts";
import { purgeEmails } from "../domain/identity/emails/emails.ts";
import { purgePeople } from "../domain/identity/people/sessions.ts";
import { keepLogMonths } from "../domain/maintenance/log-month-queries.ts";
import { findPurgeable, purgeOnce } from "../domain/maintenance/sandbox/purge.ts";
import { purgeSandboxSales } from "../domain/members/console-sales.ts";
import { purgeSentNotices } from "../domain/members/email-choices.ts";
import { purgeInvitations } from "../domain/members/invitations.ts";
import { requestLogDays } from "../domain/request-log/logged-request.ts";
import { renewableMs } from "../domain/staff/ask-change.ts";
import { deleteChangesBefore, purgeChangeSecrets } from "../domain/staff/change-list-queries.ts";
import { purgeImports } from "../domain/suppliers/vouchers/uploaded-import.ts";
import { judgeFailingEndpoints } from "../domain/webhooks/endpoints/failing/failing-endpoints.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

interface PurgeServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is old, or has ended, is in nobody's way: looking for it every ten minutes is plenty. */
const everyMs = 600_000;
/** Rows of one statement. */
const limit = 1_000;
/** The same of what holds many lines each. */
const heavyLimit = 20;

/** Deletes ended sessions, tokens and invitations, attempts that count no more, old emails, and who sold in the sandbox. */
export const peoplePurge: Job<PurgeServices> = {
  name: "people_purge",
  everyMs,
  open: (services) => async () => {
    let rows = 0;
    for (const purge of [purgePeople, purgeInvitations, purgeEmails, purgeSentNotices, purgeSandboxSales])
      rows += await purge(services, limit);
    if (rows === 0) return;
    services.log.info({ event: "people.purged", rows });
    return "again";
  },
};

const dayMs = 86_400_000;
/** A change is kept for a year; who asked for it and who agreed stays in the audit log. */
const changesKeptMs = 365 * dayMs;

/** Makes the partitions of both logs for the months to come, and drops those that are older than the days kept. */
export const logMonths: Job<PurgeServices & { readonly webhooks: { readonly keptDays: number } }> = {
  name: "log_months",
  everyMs,
  open:
    ({ database, clock, log, webhooks }) =>
    async () => {
      const now = clock.now();
      const keepFrom = { requests: now - requestLogDays * dayMs, webhooks: now - webhooks.keptDays * dayMs };
      const changes = await keepLogMonths(database, now, keepFrom);
      if (changes.length > 0) log.info({ event: "log_months.changed", changes });
    },
};

/** Deletes sandbox purchases that are older than 30 days: a wallet at a time, each to its end. */
export const sandboxPurge: Job<PurgeServices> = {
  name: "sandbox_purge",
  everyMs,
  open: (services) => async () => {
    const [merchantId] = await findPurgeable(services, 1);
    if (merchantId === undefined) return;
    const purchases = await purgeOnce(services, merchantId);
    services.log.info({ event: "sandbox.purged", merchantId, purchases });
    return "again";
  },
};

/** Deletes what is sealed and nobody needs: old imports of vouchers, but for what went on sale, slips, and what changes kept. */
export const sealedPurge: Job<PurgeServices> = {
  name: "sealed_purge",
  everyMs,
  open: (services) => async () => {
    await purgeImports(services, heavyLimit);
    await purgeSlips(services, heavyLimit);
    await purgeChangeSecrets(services.database, services.clock.now() - renewableMs);
    await deleteChangesBefore(services.database, services.clock.now() - changesKeptMs, limit);
  },
};

/** Judges endpoints that do nothing but fail, for days. */
export const failingEndpoints: Job<PurgeServices> = {
  name: "failing_endpoints",
  everyMs,
  open: (services) => async () => {
    await judgeFailingEndpoints(services);
  },
};

/** Wallets found by one look through the index. */
const walletsPerLook = 200;

/**
 * Keeps the counts of purchases up to half a minute ago. A round visits each wallet once, in the order of the keys and one
 * after the other, which leaves the machine to the purchases; then it rests. Lists read what is not counted yet.
 */
export const purchaseCounting: Job<{ readonly database: Database; readonly clock: Clock }> = {
  name: "purchase_counts",
  everyMs: 20_000,
  open(services) {
    let after = beforeAllWallets;
    return async () => {
      const found = await findUncounted(services, after, walletsPerLook);
      const last = found.wallets.length < walletsPerLook ? undefined : found.wallets.at(-1);
      after = last ?? beforeAllWallets;
      await countWallets(services, found);
      return last === undefined ? undefined : "again";
    };
  },
};
