import * as crypto from "node:crypto";
import { assert } from "../../kernel/assert.ts";
import type { Clock } from "../../kernel/clock.ts";
import { batcher } from "../../platform/database/batcher.ts";
import { forReaders, type Queryable } from "../../platform/database/database.ts";
import { loadOnce } from "../../platform/load-once.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import { parseAddressRange } from "./address.ts";
import { isWellFormedKey } from "./key-format.ts";
import type { Account } from "./merchant.ts";
import type { AccountRow } from "./queries.ts";
import { listAccounts } from "./queries.ts";
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

// A remembered account takes about a kilobyte; a deployment has thousands of keys, not millions.
const accountsMax = 50_000;
const unknownMax = 20_000;
const lookupsMax = 256;
const waitingMax = 20_000;

/** Opens a keyring. It asks for nothing until a key is sought. */
export function openKeyring(options: {
  readonly database: Queryable;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
}): Keyring {
  const { watch, clock } = options;
  const database = forReaders(options.database);
  const accounts = new Map<string, Account>();
  const unknown = new Set<string>();
  const once = loadOnce<string, Account | null>(waitingMax);
  let heldRevision: bigint | null = null;

  // Keys that are sought at one time share one statement, however many a change made everyone forget.
  const lookUp = batcher<string, Account | null>({
    run: (hashes) => findAll(database, hashes),
    sizeMax: lookupsMax,
    waitingMax,
    retryMs: 0,
  });

  function hold(revision: bigint): void {
    if (heldRevision === revision) return;
    accounts.clear();
    unknown.clear();
    heldRevision = revision;
  }

  async function load(hash: string): Promise<Account | null> {
    if (watch.known("merchants") === null) await watch.refresh();
    // Taken before reading: a change in between only means that it is read once more.
    const revision = watch.known("merchants");
    const account = await lookUp(hash);
    if (revision !== null && revision === watch.known("merchants")) {
      hold(revision);
      remember(hash, account);
    }
    return account;
  }

  function remember(hash: string, account: Account | null): void {
    if (account === null) {
      if (unknown.size >= unknownMax) unknown.clear();
      unknown.add(hash);
    } else {
      if (accounts.size >= accountsMax) accounts.clear();
      accounts.set(hash, account);
    }
  }

  return {
    async find(key) {
      const hash = crypto.hash("sha256", key, "hex");
      if (heldRevision !== null && heldRevision === watch.known("merchants")) {
        const account = accounts.get(hash);
        if (account !== undefined) return unlessExpired(account, clock);
        if (unknown.has(hash)) return null;
      }
      // Only now: a key that is known has passed it, and guesses end here, before any SQL.
      if (!isWellFormedKey(key)) return null;
      return unlessExpired(await once(hash, () => load(hash)), clock);
    },
  };
}

function unlessExpired(account: Account | null, clock: Clock): Account | null {
  if (account?.keyExpiresAt == null) return account;
  return clock.now() < account.keyExpiresAt ? account : null;
}

async function findAll(database: Queryable, hashes: readonly string[]): Promise<(Account | null)[]> {
  const rows = await listAccounts(database, hashes);
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
