import {
  type AccountClaim,
  claimDueFundingAccounts,
  insertMissingFundingAccounts,
} from "../domain/funding/account-queries.ts";
import { accountLeaseSeconds, type FundingAccounts } from "../domain/funding/accounts.ts";
import type { OpenedProvider, Providers } from "../domain/funding/providers.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { WorkLoop } from "../platform/work-loop.ts";
import { startAskingLoop } from "./asking-loop.ts";
import type { Job } from "./watch.ts";

const questionsMax = 8;
/** Providers allow few requests a second. */
const perProviderMax = 4;

/** Asks providers for the receiving accounts that are requested, until stopped. Any number of processes may run one. */
export function startOpeningAccounts(options: {
  readonly services: { readonly database: Database; readonly accounts: FundingAccounts };
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log, pollMs } = options;
  return startAskingLoop<AccountClaim>({
    claim: (claims) => claimDueFundingAccounts(services.database, { ...claims, leaseSeconds: accountLeaseSeconds }),
    whomOf: ({ provider }) => provider,
    ask: (claim) => services.accounts.ask(claim),
    questionsMax,
    ofOneMax: perProviderMax,
    isPaced: true,
    pollMs,
    onError(error, claim) {
      log.error({ event: "funding_account.ask_failed", provider: claim?.provider ?? null, error: String(error) });
    },
  });
}

const perLook = 500;
/** Longer than a commit takes that approves somebody, and a process is away that starts anew. */
const lateSeconds = 3_600;
/** All merchants are looked through at every such look, as after a change of providers: five minutes. */
const wholeEvery = 60;

/**
 * Requests a receiving account for each approved merchant at each enabled provider: whoever was approved, or whichever
 * provider came since. Looked for instead of written by those commits, so none is forgotten.
 */
export const accountRequesting: Job<{ readonly database: Database; readonly providers: Pick<Providers, "enabled"> }> = {
  name: "funding_account_requests",
  everyMs: 5_000,
  open: ({ database, providers }) => {
    let known: readonly OpenedProvider[] = [];
    let looks = 0;
    return async () => {
      const enabled = await providers.enabled();
      if (enabled.length === 0) return;
      // Opened anew by whatever changes one.
      if (enabled.some((provider) => !known.includes(provider))) looks = 0;
      const isWhole = looks % wholeEvery === 0;
      if ((await insertMissingFundingAccounts(database, perLook, isWhole ? null : lateSeconds)) === perLook)
        return "again";
      known = enabled;
      looks += 1;
      return;
    };
  },
};
