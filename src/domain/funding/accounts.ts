import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { parsePhone } from "../../kernel/phone.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { AccountAnswer, AccountRequest } from "../../providers/payments/contract.ts";
import { countOne, identityThrottle } from "../identity/people/throttle.ts";
import { findBusinessDetails } from "../members/live-access-queries.ts";
import { ownersAmong } from "../members/members.ts";
import { listMembers } from "../members/queries.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import {
  type AccountClaim,
  claimFundingAccount,
  type FundingAccount,
  listFundingAccounts,
  updateFundingAccountActive,
  updateFundingAccountDue,
  updateFundingAccountsRequested,
} from "./account-queries.ts";
import type { ProviderOf } from "./providers.ts";

/** A person's identity, as they typed it for a provider that asks: passed through, never stored and never logged. */
export type Identity = NonNullable<AccountRequest["identity"]>;

type Outcome = "opened" | "refused" | "unknown" | "gone";

export interface FundingAccounts {
  /** The merchant's receiving accounts, by provider. */
  list(merchantId: MerchantId): Promise<FundingAccount[]>;
  /** Has what was refused asked for once more. Safe to repeat. */
  request(merchantId: MerchantId): Promise<FundingAccount[]>;
  /** Asks a provider for an account, for the holder of the claim. */
  ask(claim: AccountClaim): Promise<Outcome>;
  /**
   * The same at once, with somebody's identity, as that waits nowhere: up to a minute.
   * @throws Refusal RATE_LIMITED after five within an hour: nobody tries numbers out
   */
  requestAs(merchantId: MerchantId, identity: Identity): Promise<FundingAccount[]>;
}

/** Longer than the questions that one account takes. */
export const accountLeaseSeconds = 90;
/** Seconds until a provider without a clear answer is asked again, after so many tries; the last for ever. */
const dueSeconds = [5, 20, 60, 300, 1_800, 3_600];
/** What is refused for a reason is refused again: nobody hammers a provider with it. */
const refusedSeconds = 60;
const refusalMax = 200;

const tooMany = {
  message: "You sent five numbers within an hour. Try again in an hour.",
  meta: { limit: "identity_numbers" },
  retryAfterSeconds: 3_600,
};

export function openFundingAccounts(services: {
  readonly database: Database;
  readonly clock: Clock;
  readonly providerOf: ProviderOf;
  readonly log: Logger;
}): FundingAccounts {
  const { database, clock, providerOf, log } = services;

  async function ask(claim: AccountClaim, identity: Identity | null = null): Promise<Outcome> {
    const { provider, merchantId } = claim;
    const opened = await providerOf(provider);
    const answer: AccountAnswer =
      opened === null
        ? { kind: "unknown", evidence: "" }
        : await opened.connector.openAccount({ ...(await aboutMerchant(database, merchantId)), identity });
    const outcome = await record(services, claim, answer);
    log.info({ event: "funding_account.asked", provider, merchantId: formatMerchantId(merchantId), outcome });
    return outcome;
  }

  return {
    list: (merchantId) => listFundingAccounts(database, merchantId),
    async request(merchantId) {
      await updateFundingAccountsRequested(database, merchantId);
      return listFundingAccounts(database, merchantId);
    },
    ask: (claim) => ask(claim),
    async requestAs(merchantId, identity) {
      if ((await countOne(database, clock, identityThrottle(merchantId))) === null)
        throw refuse("RATE_LIMITED", tooMany);
      const refused = (await listFundingAccounts(database, merchantId)).filter(({ state }) => state === "refused");
      await Promise.all(
        refused.map(async ({ provider }) => {
          const claim = await claimFundingAccount(database, { provider, merchantId }, accountLeaseSeconds);
          if (claim !== null) await ask(claim, identity);
        }),
      );
      return listFundingAccounts(database, merchantId);
    },
  };
}

/** The merchant's reference is the same each time: the provider makes one account of it. */
async function aboutMerchant(db: Queryable, merchantId: MerchantId): Promise<Omit<AccountRequest, "identity">> {
  const { name, email } = await findExistingMerchant(db, merchantId);
  const details = await findBusinessDetails(db, merchantId);
  const [owner] = ownersAmong(await listMembers(db, merchantId));
  return {
    reference: formatMerchantId(merchantId),
    businessName: details?.businessName ?? name,
    email: owner?.email ?? email,
    // As somebody typed it: what is no mobile number would be refused.
    phone: details === null ? null : parsePhone(details.phone),
  };
}

async function record(
  { database, log }: { readonly database: Queryable; readonly log: Logger },
  claim: AccountClaim,
  answer: AccountAnswer,
): Promise<Outcome> {
  const { provider, merchantId, tries } = claim;
  if (answer.kind === "opened") {
    try {
      return (await updateFundingAccountActive(database, claim, answer.account)) ? "opened" : "gone";
    } catch (error) {
      if (!/^funding_accounts_(number|reference)$/.test(violatedConstraint(error) ?? "")) throw error;
      // Another merchant has it: its transfers are that one's.
      log.error({ event: "funding_account.not_unique", provider, merchantId: formatMerchantId(merchantId) });
      await updateFundingAccountDue(database, claim, {
        refusal: "The account number is in use.",
        seconds: refusedSeconds,
      });
      return "refused";
    }
  }
  const refusal = answer.kind === "refused" ? answer.reason.slice(0, refusalMax) : null;
  const seconds = refusal === null ? (dueSeconds[Math.min(tries, dueSeconds.length) - 1] ?? 5) : refusedSeconds;
  await updateFundingAccountDue(database, claim, { refusal, seconds });
  return answer.kind === "refused" ? "refused" : "unknown";
}
