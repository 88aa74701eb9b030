import { openCredentials } from "../../domain/suppliers/administration.ts";
import type { OpenConnector } from "../../domain/suppliers/routing/routing.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { TokenStore } from "../../providers/access-token.ts";
import type { ConnectorServices } from "../../providers/http-connector.ts";
import { type OpenedSupplier, openSupplier } from "../../providers/registry.ts";

const monotonicMs = () => performance.now();

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
  };
}

/** Why a stored supplier's settings serve nothing, whatever its connector says of them; null where they do. */
export function unusableBecause(
  { settings, credentials }: { readonly settings: JsonObject; readonly credentials: JsonObject | null },
  origins: readonly string[],
): string | null {
  if (credentials === null) return "its credentials do not open under ENCRYPTION_KEY";
  const outside = originOutside(origins, settings);
  return outside === null ? null : `SUPPLIER_ORIGINS does not name ${outside}`;
}

/** Where a supplier's settings lead that the configuration does not name; null where all is well, or there is no address. */
export function originOutside(origins: readonly string[], settings: JsonObject): string | null {
  for (const [name, address] of Object.entries(settings)) {
    const isAddress = name.endsWith("_url") && typeof address === "string" && URL.canParse(address);
    if (isAddress && !origins.includes(new URL(address).origin)) return new URL(address).origin;
  }
  return null;
}
