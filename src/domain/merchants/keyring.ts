import * as crypto from "node:crypto";
import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import type { ApiKeyId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type ProblemCode, refuse } from "../../kernel/problems.ts";
import { type Address, isWithin, parseAddressRange } from "../../platform/address.ts";
import { forReaders, type Queryable } from "../../platform/database/database.ts";
import { type RevisionWatch, rememberEach } from "../../platform/revisions.ts";
import { isOlderToken, isWellFormedKey } from "./key-format.ts";
import { insertKeyUses, type KeyUse } from "./key-queries.ts";
import type { Account, Principal } from "./merchant.ts";
import { type AccountRow, listAccounts } from "./queries.ts";
import { principalIn, standingOf } from "./standing.ts";

/** Finds accounts by key. */
export interface Keyring {
  /**
   * The account of a key that works, or null when it is malformed, unknown, revoked or expired. Rejects when it has to
   * read and the database does not answer. What it remembers is never older than what the revision watch vouches for (a
   * second).
   */
  find(key: string): Promise<Account | null>;
}

/** Opens a keyring. It asks for nothing until a key is sought. `alsoKnown` finds accounts of keys that don't work yet. */
export function openKeyring(options: {
  readonly database: Queryable;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly alsoKnown?: typeof listAccounts;
}): Keyring {
  const { watch, clock } = options;
  const database = forReaders(options.database);
  const accounts = rememberEach<string, Account | null>({
    watch,
    subject: "merchants",
    nameOf: (hash) => hash,
    readAll: (hashes) => findAll(database, hashes, options.alsoKnown),
    // A remembered account takes about a kilobyte; a deployment has thousands of keys, not millions.
    valuesMax: 50_000,
    nullsMax: 20_000,
  });

  return {
    async find(key) {
      const hash = crypto.hash("sha256", key, "hex");
      const known = accounts.peek(hash);
      if (known !== undefined) return unlessExpired(known, clock);
      // Guesses end here, before any SQL. What may be a token of an older script has no checksum: it is looked up once,
      // as a guess with a right checksum is, and remembered as unknown.
      if (!isWellFormedKey(key) && !isOlderToken(key)) return null;
      return unlessExpired(await accounts.find(hash), clock);
    },
  };
}

function unlessExpired(account: Account | null, clock: Clock): Account | null {
  if (account?.keyExpiresAt == null) return account;
  return clock.now() < account.keyExpiresAt ? account : null;
}

async function findAll(
  database: Queryable,
  hashes: readonly string[],
  alsoKnown?: typeof listAccounts,
): Promise<(Account | null)[]> {
  const rows = [...((await alsoKnown?.(database, hashes)) ?? []), ...(await listAccounts(database, hashes))];
  const found = new Map(rows.map((row) => [row.hash, accountOf(row)]));
  return hashes.map((hash) => found.get(hash) ?? null);
}

function accountOf(row: AccountRow): Account {
  const standing = standingOf(row);
  return {
    principal: { ...principalIn(standing, row.mode), keyId: row.key_id },
    status: standing.status,
    apiApproved: standing.apiApproved,
    sandboxOn: standing.sandboxOn,
    keyExpiresAt: row.expires_at,
    allowlist: row.allowlist.map((text) => {
      const range = parseAddressRange(text);
      assert(range !== null, "the database holds readable address ranges only");
      return range;
    }),
  };
}

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

/** When and from where each key was last used. */
export interface KeyUses {
  /** Called with every request that is let in; `addressOf` is asked once a second and key at most. */
  note(keyId: ApiKeyId, addressOf: () => Address | null): void;
  /** Writes what was noted since the last time, all keys in one statement. What fails is written the next time. */
  flush(): Promise<void>;
}

/** A finer time is nobody's need, and this is asked of every request. */
const recordedAgainAfterMs = 1_000;
/** Keys that one statement writes; the others are written with the next one. */
const keysMax = 10_000;

/**
 * Remembers uses until they are written, beside the requests: a request never waits for it, and a crash loses the last
 * ten seconds.
 */
export function openKeyUses({ database, clock }: { database: Queryable; clock: Clock }): KeyUses {
  let recorded = new Map<ApiKeyId, KeyUse>();

  return {
    note(keyId, addressOf) {
      const now = clock.now();
      const last = recorded.get(keyId);
      if (last === undefined ? recorded.size >= keysMax : isRecent(last.usedAt, now)) return;
      recorded.set(keyId, { keyId, usedAt: now, address: addressOf()?.toString() ?? null });
    },
    async flush() {
      if (recorded.size === 0) return;
      const uses = recorded;
      recorded = new Map();
      try {
        await insertKeyUses(database, [...uses.values()]);
      } catch (error) {
        // Uses that were noted meanwhile are later.
        for (const [keyId, use] of recorded) uses.set(keyId, use);
        recorded = uses;
        throw error;
      }
    },
  };
}

function isRecent(usedAt: Instant, now: Instant): boolean {
  // A clock that was put back says nothing about the age.
  return now >= usedAt && now - usedAt < recordedAgainAfterMs;
}
