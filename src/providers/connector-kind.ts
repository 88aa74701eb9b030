import { type Static, type TObject, type TProperties, Type } from "typebox";
import type { Clock } from "../kernel/clock.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Connector } from "./contract.ts";
import type { Dialect } from "./dialect.ts";
import { askDeadlineMs, type ConnectorServices, httpConnector } from "./http-connector.ts";

/** A supplier as an operator entered it, its credentials opened. */
export interface SupplierEntry {
  readonly name: string;
  /** Which of the registry's kinds speaks to it. */
  readonly connector: string;
  readonly settings: JsonObject;
  readonly credentials: JsonObject;
}

/** The fields that an operator must enter for a supplier. Each field's description completes "must be …". */
export interface EnteredFields {
  readonly connector: string;
  /** What people call such suppliers. */
  readonly title: string;
  /** Settings that everybody may read: addresses, whose names end in `_url`, and the supplier's names for things. */
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
export interface ConnectorKind extends EnteredFields {
  readonly names?: DerivedNames;
  /** Whether its suppliers are asked over HTTP: the conformance suite then demands a stub. */
  readonly isHttp: boolean;
  readonly open: (entry: SupplierEntry, services: ConnectorServices) => Connector;
}

export const text = Type.String({ minLength: 1, maxLength: 500, description: "a text of 1 to 500 characters" });

export const baseUrl = Type.String({
  pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$",
  maxLength: 300,
  description: "an address such as https://supplier.example/api, without a password, ? and #",
});

/** An address that everybody has the same: a form begins with it. */
export function baseUrlLike(usual: string) {
  return { ...baseUrl, default: usual };
}

/** The end of the callback's address, for suppliers that sign nothing: long enough that nobody guesses it. */
export const callbackSecret = Type.Optional(
  Type.String({ pattern: "^[A-Za-z0-9_-]{24,200}$", description: "24 to 200 letters, digits, - and _" }),
);

const secondsMax = askDeadlineMs / 1_000;
const seconds = Type.Integer({
  minimum: 1,
  maximum: secondsMax,
  description: `a whole number of seconds from 1 to ${secondsMax}`,
});
/** How long a purchase of a category may take, where the usual 28 s are too many. */
const deadlines = Type.Optional(
  Type.Record(Type.String(), seconds, {
    description: `seconds from 1 to ${secondsMax} for a category, such as {"airtime":10}`,
  }),
);

/**
 * A kind of supplier that is asked over HTTP: ties its dialect to the shapes of what an operator enters. All of them
 * have the setting `deadlines` besides.
 */
export function httpKind<Settings extends TProperties, Credentials extends TProperties>(of: {
  readonly connector: string;
  readonly title: string;
  readonly names?: DerivedNames;
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly dialect: (
    entry: {
      readonly name: string;
      readonly settings: Static<TObject<Settings>>;
      readonly credentials: Static<TObject<Credentials>>;
    },
    clock: Clock,
  ) => Dialect;
}): ConnectorKind {
  const { connector, title, names, dialect } = of;
  const settings = Type.Object({ ...of.settings, deadlines });
  const credentials = Type.Object(of.credentials);
  return {
    connector,
    title,
    ...(names === undefined ? {} : { names }),
    isHttp: true,
    settings,
    credentials,
    // The registry has compared the entry with these shapes.
    open(entry, services) {
      const checked = entry as unknown as Parameters<typeof dialect>[0] & {
        readonly settings: { readonly deadlines?: Readonly<Record<string, number>> };
      };
      const inMs = Object.entries(checked.settings.deadlines ?? {}).map(([category, s]) => [category, s * 1_000]);
      return httpConnector(dialect(checked, services.clock), services, Object.fromEntries(inMs));
    },
  };
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
