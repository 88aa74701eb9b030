import type { Clock, Instant } from "../kernel/clock.ts";

/** A token that a supplier gave us for a while instead of our keys. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Instant;
  /** Our account there: a token of another account is not used. */
  readonly account: string;
}

/** Where all processes of the deployment find each other's tokens. */
export interface TokenStore {
  /** Null where none is stored, or it cannot be opened. @throws where the database is away */
  find(supplier: string, audience: string): Promise<AccessToken | null>;
  /** Replaces the stored one. @throws where the database is away */
  save(supplier: string, audience: string, token: AccessToken): Promise<void>;
}

/** For a command that runs once. */
export const noTokenStore: TokenStore = { find: async () => null, save: async () => {} };

/** A token is renewed so long before it ends: a request that leaves with it arrives while it is good. */
const renewBeforeMs = 60_000;

/** The result of asking for a token. `evidence` is redacted. */
export type TokenAnswer =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "none"; readonly evidence: string };

export interface AccessTokens {
  /** A token that is good now, and not the refused one. Never throws. */
  get(audience: string, refused: string | null): Promise<TokenAnswer>;
}

/** Fetches a new token from the supplier. Never throws. */
export type FetchToken = (
  audience: string,
) => Promise<AccessToken | { readonly kind: "none"; readonly evidence: string }>;

/**
 * One supplier's tokens: from memory, else from the store, else from the supplier. A process fetches one at a time; two
 * processes may fetch at once, and the later one's token is stored. Without the database a fetched token is used here.
 */
export function openAccessTokens(options: {
  readonly supplier: string;
  readonly account: string;
  readonly store: TokenStore;
  readonly clock: Clock;
  readonly fetch: FetchToken;
}): AccessTokens {
  const { supplier, account, store, clock, fetch } = options;
  const remembered = new Map<string, AccessToken>();
  const underWay = new Map<string, Promise<TokenAnswer>>();

  const isGood = (found: AccessToken | null | undefined, refused: string | null): found is AccessToken =>
    found?.account === account && found.token !== refused && found.expiresAt - renewBeforeMs > clock.now();

  async function renew(audience: string, refused: string | null): Promise<TokenAnswer> {
    const stored = await store.find(supplier, audience).catch(() => null);
    if (isGood(stored, refused)) return remember(audience, stored);
    const fetched = await fetch(audience);
    if ("kind" in fetched) return fetched;
    await store.save(supplier, audience, fetched).catch(() => {});
    return remember(audience, fetched);
  }

  function remember(audience: string, found: AccessToken): TokenAnswer {
    remembered.set(audience, found);
    return { kind: "token", token: found.token };
  }

  return {
    async get(audience, refused) {
      const known = remembered.get(audience);
      if (isGood(known, refused)) return { kind: "token", token: known.token };
      const before = underWay.get(audience);
      if (before !== undefined) return before;
      const work = renew(audience, refused).finally(() => underWay.delete(audience));
      underWay.set(audience, work);
      return work;
    },
  };
}
