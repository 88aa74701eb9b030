import { openProviderCredentials } from "../../domain/funding/providers.ts";
import { openCredentials } from "../../domain/suppliers/administration.ts";
import { unusableBecause } from "../../domain/suppliers/asking.ts";
import { openTokenStore } from "../../domain/suppliers/balances.ts";
import type { OpenConnector } from "../../domain/suppliers/routing/routing.ts";
import { type Clock, wallTime } from "../../kernel/clock.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../../platform/outbound-http/allowlisted-http-client.ts";
import { followSealingKey } from "../../platform/sealing/sealing-key.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger, WideLog } from "../../platform/telemetry/log.ts";
import { noTokenStore, type TokenStore } from "../../providers/access-token.ts";
import type { ConnectorServices } from "../../providers/http-connector.ts";
import { openPaymentProvider } from "../../providers/payments/registry.ts";
import { type OpenedSupplier, openSupplier } from "../../providers/registry.ts";
import type { Config } from "../configuration/config.ts";
import type { OpenPaymentProvider } from "./funding-services.ts";
import { peopleOptions } from "./people-services.ts";
import { openReadings } from "./reading-services.ts";
import { buildServices, type Services } from "./services.ts";
import { webhookOptions } from "./webhook-services.ts";

const monotonicMs = () => performance.now();

export interface Connectors {
  readonly openConnector: OpenConnector;
  readonly openPaymentProvider: OpenPaymentProvider;
  readonly http: AllowlistedHttp;
}

/** Makes suppliers' connectors from what operators entered. What cannot be opened is logged, and serves nothing. */
export function openConnectors(options: {
  /** SUPPLIER_ORIGINS: whatever a supplier's settings say, nobody else is asked. */
  readonly origins: readonly string[];
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly tokenStore: TokenStore;
  readonly log: Logger;
}): Connectors {
  const { secretBox, clock, log } = options;
  const http = openAllowlistedHttp({ origins: options.origins, monotonicMs });
  const services: ConnectorServices = {
    http,
    clock,
    monotonicMs,
    tokenStore: options.tokenStore,
  };
  // A payment provider is no supplier, whose tokens are stored: each process asks for its own.
  const ownTokens = { ...services, tokenStore: noTokenStore };
  return {
    http,
    openConnector(supplier) {
      const { name, connector, settings } = supplier;
      const credentials = openCredentials(secretBox, supplier);
      const complaint = unusableBecause({ settings, credentials }, options.origins);
      const found: OpenedSupplier =
        complaint === null
          ? openSupplier({ name, connector, settings, credentials: credentials ?? {} }, services)
          : { kind: "unfit", complaint };
      if (found.kind === "opened") return found.connector;
      log.error({ event: "supplier.unusable", supplier: name, connector, complaint: found.complaint });
      return null;
    },
    openPaymentProvider(provider) {
      const { name, connector, settings } = provider;
      const credentials = openProviderCredentials(secretBox, provider);
      const complaint = unusableBecause({ settings, credentials }, options.origins);
      const found =
        complaint === null
          ? openPaymentProvider({ name, connector, settings, credentials: credentials ?? {} }, ownTokens)
          : ({ kind: "unfit", complaint } as const);
      if (found.kind === "opened") return found.connector;
      log.error({ event: "payment_provider.unusable", provider: name, connector, complaint: found.complaint });
      return null;
    },
  };
}

const workerPollMs = 500;

/**
 * Wires the service as the configuration says, sealing as all its processes do. `undo` gets the steps that close it, to
 * be taken from the last to the first; after a failure, those for what was opened before.
 * @throws StartError when the box lacks the key that everybody seals under
 */
export async function openConfiguredServices(
  config: Config,
  given: {
    readonly connectionString: string;
    readonly connectionsMax: number;
    readonly secretBox: SecretBox;
    readonly clock: Clock;
    readonly log: Logger;
    readonly wide?: WideLog;
    readonly undo: (() => Promise<void>)[];
  },
): Promise<Services> {
  const { connectionString, connectionsMax, secretBox, clock, log, wide, undo } = given;
  const tokenStore = openTokenStore({ database: () => services.database, secretBox });
  const connectors = openConnectors({ origins: config.supplierOrigins, secretBox, clock, tokenStore, log });
  undo.push(() => connectors.http.close());
  const services = await buildServices({
    connectionString,
    connectionsMax,
    clock,
    wallTime: wallTime(config.timeZone),
    log,
    ...(wide === undefined ? {} : { wide }),
    rateLimitPerMinute: config.rateLimitPerMinute,
    bulkLimits: { lines: config.bulkLinesPerMinute, bytes: config.bulkBytesPerMinute },
    sandboxPendingSeconds: config.sandboxPendingSeconds,
    legacyHoldMs: config.legacyHoldSeconds * 1_000,
    trustedProxies: config.trustedProxies,
    openConnector: connectors.openConnector,
    openPaymentProvider: connectors.openPaymentProvider,
    webhooks: webhookOptions(config, secretBox),
    people: await peopleOptions(config),
    workerPollMs,
  });
  undo.push(() => services.close());
  const stopFollowing = await followSealingKey({ database: services.database, box: secretBox, log });
  undo.push(async () => stopFollowing());
  return { ...services, readings: await openReadings({ config, primary: services.database, clock, log, undo }) };
}
