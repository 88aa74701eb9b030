import { firstEndpointOf } from "../../src/domain/webhooks/endpoint.ts";
import { findEndpointForUpdate, updateEndpoint } from "../../src/domain/webhooks/queries.ts";
import { secretMinter } from "../../src/domain/webhooks/secret.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database.ts";
import { bumpRevision } from "../../src/platform/revisions.ts";
import { testSecretBox } from "./webhooks.ts";

const mintSecret = secretMinter({ randomness: (size) => Buffer.alloc(size, 3), secretBox: testSecretBox });

/** Sets a merchant's webhook without asking whether the merchant exists. */
export async function setEndpoint(database: Database, wallet: WalletKey, url: string): Promise<void> {
  const key = firstEndpointOf(wallet);
  await database.transaction(async (tx) => {
    const before = await findEndpointForUpdate(tx, key);
    const { sealed, hint } = mintSecret(key);
    await updateEndpoint(tx, key, { ...before, url, secret: sealed, secretHint: hint, notify: "all" });
    await bumpRevision(tx, "webhooks");
  });
}
