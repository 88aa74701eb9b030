import { type Static, type TObject, Type } from "typebox";
import type { JsonObject } from "../kernel/json.ts";
import { faultsIn, unknownIn } from "../platform/telemetry/faults-in.ts";
import type { Connector } from "./contract.ts";
import { dispense } from "./dispense/dialect.ts";
import { type ConnectorServices, httpConnector } from "./http-connector.ts";
import { legacyScript } from "./legacy-script/dialect.ts";
import { manual } from "./manual/connector.ts";
import { vtpass } from "./vtpass/dialect.ts";
import { requestIdFor, supplierReferenceOf } from "./vtpass/request-id.ts";

/** A supplier as an operator entered it, its credentials opened. */
export interface SupplierEntry {
  readonly name: string;
  /** Which of the kinds below speaks to it. */
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/** The fields that an operator must enter for a supplier. Each field's description completes "must be …". */
interface Told {
  readonly connector: string;
  /** Settings that everybody may read: `base_url`, and the supplier's names for things. */
  readonly settings: TObject;
  /** Keys and passwords. Stored sealed. */
  readonly credentials: TObject;
  /** The supplier has no product codes of its own, so a route has none. */
  readonly hasNoCodes?: true;
}

/** For a supplier that does not take our references as they are: converts ours to its own, and back. */
export interface DerivedNames {
  /** The supplier's reference for one of ours; null where ours has none there. */
  readonly there: (supplierReference: string) => string | null;
  /** Our reference for one of the supplier's; null where it is none of ours. */
  readonly here: (nameThere: string) => string | null;
}

/** One way of speaking to suppliers. */
export interface ConnectorKind extends Told {
  readonly names?: DerivedNames;
  readonly open: (entry: SupplierEntry, services: ConnectorServices) => Connector;
}

const text = Type.String({ minLength: 1, maxLength: 500, description: "a text of 1 to 500 characters" });
const baseUrl = Type.String({
  pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$",
  maxLength: 300,
  description: "an address such as https://supplier.example/api, without a password, ? and #",
});
/** The end of the callback's address, for suppliers that sign nothing: long enough that nobody guesses it. */
const callbackSecret = Type.Optional(
  Type.String({ pattern: "^[A-Za-z0-9_-]{24,200}$", description: "24 to 200 letters, digits, - and _" }),
);

const networkIds = Type.Record(Type.String(), text, {
  description: 'what this deployment calls the networks, such as {"MTN":"1","GLO":"2"}',
});

/** Every connector there is. A new one is its folder and its entry here; the conformance suite demands its stub. */
export const connectorKinds: readonly ConnectorKind[] = [
  kind({
    connector: "vtpass",
    names: { there: requestIdFor, here: supplierReferenceOf },
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
    settings: Type.Object({ base_url: baseUrl, network_ids: networkIds }),
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
      webhook_secret: Type.Optional(
        Type.String({
          pattern: "^whsec_[A-Za-z0-9+/=]{16,200}$",
          description: "the webhook's secret there, such as whsec_…",
        }),
      ),
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
    hasNoCodes: true,
    settings: Type.Object({}),
    credentials: Type.Object({}),
    open: ({ name }) => manual(name),
  }),
];

/** The connector of our own voucher stock. Our database is the supplier: it is opened elsewhere, without settings. */
const ownStock: Told = {
  connector: "voucher-stock",
  hasNoCodes: true,
  settings: Type.Object({}),
  credentials: Type.Object({}),
};

/** How a connector's supplier calls our attempts, where it is not as we do. */
export function derivedNames(connector: string): DerivedNames | null {
  return connectorKinds.find((known) => known.connector === connector)?.names ?? null;
}

/** Whether its suppliers call products by codes, which their routes then must name. */
export function takesCodes(connector: string): boolean {
  return [...connectorKinds, ownStock].find((known) => known.connector === connector)?.hasNoCodes !== true;
}

export type OpenedSupplier =
  | { readonly kind: "opened"; readonly connector: Connector }
  /** The fault that the operator has to correct; it quotes no credential. */
  | { readonly kind: "unfit"; readonly complaint: string };

/** Makes the connector of a supplier. */
export function openSupplier(entry: SupplierEntry, services: ConnectorServices): OpenedSupplier {
  const found = connectorKinds.find(({ connector }) => connector === entry.connector);
  if (found === undefined) return { kind: "unfit", complaint: `there is no connector ${entry.connector}` };
  const [complaint] = faultsOf(found, entry);
  return complaint === undefined
    ? { kind: "opened", connector: found.open(entry, services) }
    : { kind: "unfit", complaint };
}

/**
 * Says, for the operator, what is wrong with a supplier that is being entered, without quoting a credential; null when
 * nothing is. A field that the connector does not know is a mistake here. In a stored supplier it may come from a newer
 * version and is left alone.
 */
export function complaintAbout(entry: Omit<SupplierEntry, "name">): string | null {
  const shapes: readonly Told[] = [...connectorKinds, ownStock];
  const found = shapes.find(({ connector }) => connector === entry.connector);
  const names = shapes.map(({ connector }) => connector).join(", ");
  if (found === undefined) return `there is no connector ${entry.connector}; there are ${names}`;
  const faults = [...faultsOf(found, entry), ...unknownOf(found, entry)];
  return faults.length === 0 ? null : faults.join("; ");
}

type Entered = Pick<SupplierEntry, "settings" | "credentials">;
const parts = ["settings", "credentials"] as const;

function faultsOf(shapes: Told, entry: Entered): readonly string[] {
  return parts.flatMap((part) => faultsIn({ part, shape: shapes[part], value: entry[part] }));
}

function unknownOf(shapes: Told, entry: Entered): readonly string[] {
  return parts.flatMap((part) => unknownIn({ part, shape: shapes[part], value: entry[part] }, shapes.connector));
}

/** Ties a kind's `open` to the shapes that it is opened with, then forgets them. */
function kind<Settings extends TObject, Credentials extends TObject>(of: {
  readonly connector: string;
  readonly names?: DerivedNames;
  readonly hasNoCodes?: true;
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
