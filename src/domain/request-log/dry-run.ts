import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import { type Mode, modes } from "../../kernel/mode.ts";
import { type AddressRange, isWithin, parseAddress } from "../../platform/address.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type Caller, listCallers } from "./queries.ts";

/** How far back callers are looked for. */
export const dryRunDays = 7;
/** Requests of one mode that are looked at: some tens of milliseconds. A merchant with more is told how far they reach. */
const walkedMax = 50_000;
/** Addresses of one mode. */
const callersMax = 2_000;

/** What a list of addresses would do to those who called lately. */
export interface DryRun {
  /** Callers that would be refused, the most frequent first. */
  readonly refused: readonly (Caller & { readonly mode: Mode })[];
  /** How many addresses called, refused ones included, each mode by itself. */
  readonly callers: number;
  /** Where a mode had more requests than were looked at: since when it was looked. */
  readonly until: Readonly<Record<Mode, Instant | null>>;
}

/** Asks which callers of the last days a list would refuse, in both modes, as it holds for both. An empty list refuses none. */
export async function tryAllowlist(
  database: Queryable,
  wallet: Omit<WalletKey, "mode">,
  ranges: readonly AddressRange[],
  now: Instant,
): Promise<DryRun> {
  const walk = { from: now - dryRunDays * 86_400_000, walkedMax, limit: callersMax };
  const [live, test] = await Promise.all(modes.map((mode) => listCallers(database, { ...wallet, mode }, walk)));
  const found = { live, test };
  const all = modes.flatMap((mode) => (found[mode]?.callers ?? []).map((caller) => ({ ...caller, mode })));
  return {
    refused: all.filter(({ address }) => !isLetIn(address, ranges)).sort((a, b) => b.requests - a.requests),
    callers: all.length,
    until: { live: live?.until ?? null, test: test?.until ?? null },
  };
}

/** As a request would be let in: an unreadable address is on no list. */
export function isLetIn(text: string | null, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0) return true;
  const address = parseAddress(text ?? "");
  return address !== null && isWithin(address, ranges);
}
