import { type Static, type TObject, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { JsonObject } from "../kernel/json.ts";
import type { Connector } from "./contract.ts";
import { dispense } from "./dispense/dialect.ts";
import { type ConnectorServices, httpConnector } from "./http-connector.ts";
import { legacyScript } from "./legacy-script/dialect.ts";
import { manual } from "./manual/connector.ts";
import { vtpass } from "./vtpass/dialect.ts";

/** A supplier as an operator entered it, its credentials opened. */
export interface SupplierEntry {
  readonly name: string;
  /** Which of the kinds below speaks to it. */
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/** One way of speaking to suppliers, and what an operator must tell of one. */
export interface ConnectorKind {
  readonly connector: string;
  /** What everybody may read: `base_url` and what the dialect calls things. */
  readonly settings: TObject;
  /** Keys and passwords. Stored sealed. */
  readonly credentials: TObject;
  readonly open: (entry: SupplierEntry, services: ConnectorServices) => Connector;
}

const text = Type.String({ minLength: 1, maxLength: 500 });
const baseUrl = Type.String({ pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$", maxLength: 300 });
/** The end of the callback's address, for suppliers that sign nothing: long enough that nobody guesses it. */
const callbackSecret = Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_-]{24,200}$" }));

/** Every connector there is. A new one is its folder and its entry here; the conformance suite demands its stub. */
export const connectorKinds: readonly ConnectorKind[] = [
  kind({
    connector: "vtpass",
    settings: Type.Object({ base_url: baseUrl }),
    credentials: Type.Object({ api_key: text, public_key: text, secret_key: text, callback_secret: callbackSecret }),
    open: ({ name, settings, credentials }, services) =>
      httpConnector(
        vtpass(
          {
            name,
            baseUrl: withoutSlash(settings.base_url),
            apiKey: credentials.api_key,
            publicKey: credentials.public_key,
            secretKey: credentials.secret_key,
            callbackSecret: credentials.callback_secret ?? null,
          },
          services.clock,
        ),
        services,
      ),
  }),
  kind({
    connector: "legacy-script",
    settings: Type.Object({ base_url: baseUrl, network_ids: Type.Record(Type.String(), text) }),
    credentials: Type.Object({ token: text, callback_secret: callbackSecret }),
    open: ({ name, settings, credentials }, services) =>
      httpConnector(
        legacyScript({
          name,
          baseUrl: withoutSlash(settings.base_url),
          token: credentials.token,
          networkIds: settings.network_ids,
          callbackSecret: credentials.callback_secret ?? null,
        }),
        services,
      ),
  }),
  kind({
    connector: "dispense",
    settings: Type.Object({ base_url: baseUrl }),
    credentials: Type.Object({
      api_key: text,
      webhook_secret: Type.Optional(Type.String({ pattern: "^whsec_[A-Za-z0-9+/=]{16,200}$" })),
    }),
    open: ({ name, settings, credentials }, services) =>
      httpConnector(
        dispense({
          name,
          baseUrl: withoutSlash(settings.base_url),
          apiKey: credentials.api_key,
          webhookSecret: credentials.webhook_secret ?? null,
        }),
        services,
      ),
  }),
  kind({
    connector: "manual",
    settings: Type.Object({}),
    credentials: Type.Object({}),
    open: ({ name }) => manual(name),
  }),
];

export type OpenedSupplier =
  | { readonly kind: "opened"; readonly connector: Connector }
  /** What the operator has to mend; no value of a credential is in it. */
  | { readonly kind: "unfit"; readonly complaint: string };

/** Makes the connector of a supplier. */
export function openSupplier(entry: SupplierEntry, services: ConnectorServices): OpenedSupplier {
  const found = connectorKinds.find(({ connector }) => connector === entry.connector);
  if (found === undefined) return { kind: "unfit", complaint: `there is no connector ${entry.connector}` };
  const complaint = complaintOf(found, entry);
  return complaint === null ? { kind: "opened", connector: found.open(entry, services) } : { kind: "unfit", complaint };
}

/** What is missing or malformed among a supplier's settings and credentials; null when they fit. */
export function complaintOf(
  { settings, credentials }: ConnectorKind,
  entry: Pick<SupplierEntry, "settings" | "credentials">,
): string | null {
  const parts = [
    ["settings", settings, entry.settings],
    ["credentials", credentials, entry.credentials],
  ] as const;
  const faults = parts.flatMap(([part, shape, value]) =>
    Compile(shape)
      .Errors(value)
      // The path and the rule; a message would not show the value, but nobody promises that it never will.
      .map(({ instancePath, keyword }) => `${part}${instancePath} (${keyword})`),
  );
  return faults.length === 0 ? null : [...new Set(faults)].join(", ");
}

/** Ties a kind's `open` to the shapes that it is opened with, then forgets them. */
function kind<Settings extends TObject, Credentials extends TObject>(of: {
  readonly connector: string;
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly open: (
    entry: { readonly name: string; readonly settings: Static<Settings>; readonly credentials: Static<Credentials> },
    services: ConnectorServices,
  ) => Connector;
}): ConnectorKind {
  return of as unknown as ConnectorKind;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
