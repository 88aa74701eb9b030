import { fulfilmentFits } from "../domain/categories/registry.ts";
import { credentialsIdentity } from "../domain/routing/administration.ts";
import type { OpenConnector } from "../domain/routing/routing.ts";
import type { Clock } from "../kernel/clock.ts";
import type { JsonObject } from "../kernel/json.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../platform/allowlisted-http-client.ts";
import type { Logger } from "../platform/log.ts";
import { type SecretBox, Unopenable } from "../platform/secret-box.ts";
import type { ConnectorServices } from "../providers/http-connector.ts";
import { openSupplier } from "../providers/registry.ts";

export interface Connectors {
  readonly openConnector: OpenConnector;
  readonly http: AllowlistedHttp;
}

/** Makes suppliers' connectors from what operators entered. What cannot be opened is logged, and serves nothing. */
export function openConnectors(options: {
  /** SUPPLIER_ORIGINS: whatever a supplier's settings say, nobody else is asked. */
  readonly origins: readonly string[];
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly log: Logger;
}): Connectors {
  const { secretBox, clock, log } = options;
  const http = openAllowlistedHttp({ origins: options.origins, monotonicMs: () => performance.now() });
  const services: ConnectorServices = { http, clock, fits: fulfilmentFits() };
  return {
    http,
    openConnector({ name, connector, settings, credentials }) {
      const opened = credentialsOf(secretBox, name, credentials);
      const found =
        opened === null
          ? { kind: "unfit" as const, complaint: "its credentials do not open under ENCRYPTION_KEY" }
          : openSupplier({ name, connector, settings, credentials: opened }, services);
      if (found.kind === "opened") return found.connector;
      log.error({ event: "supplier.unusable", supplier: name, connector, complaint: found.complaint });
      return null;
    },
  };
}

function credentialsOf(secretBox: SecretBox, supplier: string, sealed: string | null): JsonObject | null {
  if (sealed === null) return {};
  try {
    return JSON.parse(secretBox.open(sealed, credentialsIdentity(supplier))) as JsonObject;
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
}
