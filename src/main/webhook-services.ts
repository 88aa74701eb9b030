import { randomBytes } from "node:crypto";
import { networkInterfaces } from "node:os";
import { deliveryIdMinter, type MintDeliveryId } from "../domain/webhooks/event.ts";
import { type Endpoints, openEndpoints } from "../domain/webhooks/remembered-endpoints.ts";
import { type MintSecret, secretMinter } from "../domain/webhooks/secret.ts";
import type { DestinationRules } from "../domain/webhooks/url-guard.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Queryable } from "../platform/database.ts";
import { ownEncryptionKey } from "../platform/encryption-key.ts";
import type { Logger } from "../platform/log.ts";
import { canonicalAddress } from "../platform/public-address.ts";
import { nameResolver, type ResolveName } from "../platform/resolve-name.ts";
import type { RevisionWatch } from "../platform/revisions.ts";
import { keyIdOf, type SecretBox, secretBox } from "../platform/secret-box.ts";
import type { Config } from "./config.ts";

/** What of the outside world webhooks need. */
export interface WebhookOptions {
  readonly secretBox: SecretBox;
  /** WEBHOOK_ALLOW_PRIVATE. */
  readonly allowPrivate: boolean;
  readonly resolveName: ResolveName;
}

export interface Webhooks {
  readonly endpoints: Endpoints;
  readonly mintDeliveryId: MintDeliveryId;
  readonly mintSecret: MintSecret;
  readonly rules: DestinationRules;
  readonly resolveName: ResolveName;
}

/** Whoever saves a URL waits for its name servers, this long at most. */
const nameDeadlineMs = 2_000;

/** As the configuration says. @throws StartError when the key in the data directory can't be read or made */
export async function webhookOptions(config: Config, log: Logger): Promise<WebhookOptions> {
  return {
    secretBox: secretBox(config.encryptionKeys.length > 0 ? config.encryptionKeys : [await ownKey(config, log)]),
    allowPrivate: config.webhookAllowPrivate,
    resolveName: nameResolver({ deadlineMs: nameDeadlineMs }),
  };
}

/** Wires what saving, owing and sending webhooks share. */
export function openWebhooks(
  options: WebhookOptions,
  services: { readonly database: Queryable; readonly watch: RevisionWatch; readonly clock: Clock },
): Webhooks {
  const ownAddresses = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => canonicalAddress(address) ?? []);
  return {
    endpoints: openEndpoints(services),
    mintDeliveryId: deliveryIdMinter({ clock: services.clock, randomness: randomBytes }),
    mintSecret: secretMinter({ randomness: randomBytes, secretBox: options.secretBox }),
    rules: { allowPrivate: options.allowPrivate, ownAddresses: new Set(ownAddresses) },
    resolveName: options.resolveName,
  };
}

async function ownKey(config: Config, log: Logger): Promise<Buffer> {
  const { key, file, isNew } = await ownEncryptionKey(config.dataDirectory);
  if (isNew) {
    const message = "ENCRYPTION_KEY is not set: a key was made. Keep a copy of it apart from the database.";
    log.warn({ event: "encryption_key.made", file, keyId: keyIdOf(key) }, message);
  }
  return key;
}
