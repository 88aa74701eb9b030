import type { Mode } from "../../kernel/mode.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Address } from "../../platform/address.ts";
import { isWithin } from "../../platform/address.ts";
import type { Account, Principal } from "./merchant.ts";

/**
 * Lets a request in or refuses it, in the contract's order: key, account, mode gates, address. `addressOf` is asked
 * only where the account has an allowlist; an unreadable address is on none.
 * @throws Refusal UNAUTHORIZED, ACCOUNT_SUSPENDED, API_ACCESS_NOT_APPROVED, SANDBOX_DISABLED, IP_NOT_ALLOWED
 */
export function admit(account: Account | null, addressOf: () => Address | null): Principal {
  if (account === null) throw refuse("UNAUTHORIZED");
  if (account.status === "suspended") throw refuse("ACCOUNT_SUSPENDED");
  const closed = closedGate(account.principal.mode, account);
  if (closed !== null) throw refuse(closed);
  if (account.allowlist.length > 0 && !isAllowed(account, addressOf())) throw refuse("IP_NOT_ALLOWED");
  return account.principal;
}

/** Why keys of a mode don't work for an account right now; null when they do. */
export function closedGate(mode: Mode, account: { apiApproved: boolean; sandboxOn: boolean }): ProblemCode | null {
  if (mode === "live") return account.apiApproved ? null : "API_ACCESS_NOT_APPROVED";
  return account.sandboxOn ? null : "SANDBOX_DISABLED";
}

function isAllowed(account: Account, address: Address | null): boolean {
  return address !== null && isWithin(address, account.allowlist);
}
