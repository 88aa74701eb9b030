import { type Endpoint, firstEndpointOf, secretMinter } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import { listEndpointsForUpdate, updateEndpoint } from "../../src/domain/webhooks/endpoints/queries.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { bumpRevision } from "../../src/platform/revisions.ts";
import { testSecretBox } from "./webhooks.ts";

const mintSecret = secretMinter({ randomness: (size) => Buffer.alloc(size, 3), secretBox: testSecretBox });

/** Sets a merchant's webhook without asking whether the merchant exists. */
export async function setEndpoint(database: Database, wallet: WalletKey, url: string): Promise<void> {
  const key = firstEndpointOf(wallet);
  await database.transaction(async (tx) => {
    await listEndpointsForUpdate(tx, key);
    const { sealed, hint } = mintSecret(key);
    await updateEndpoint(tx, key, { ...blankEndpoint, url, secret: sealed, secretHint: hint, notify: "all" });
    await bumpRevision(tx, "webhooks");
  });
}

/** The first endpoint as it is before anything is set. */
export const blankEndpoint: Endpoint = {
  endpointNumber: 1,
  url: null,
  urlQuery: null,
  urlVersion: 1,
  mode: "both",
  description: null,
  events: ["*"],
  notify: "changes",
  secret: null,
  secretHint: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  disabledAt: null,
  disabledReason: null,
  updatedAt: 0,
};

/** What an answer tells beside the settings of an endpoint to which nothing is owed and that does not fail. */
export const untroubled = {
  mode: "both",
  description: null,
  disabled_reason: null,
  waiting: 0,
  next_attempt_at: null,
  paused_until: null,
  failing_since: null,
  disable_at: null,
};
