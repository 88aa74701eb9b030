import { Type } from "typebox";
import { faultsIn, unknownIn } from "../platform/validation/faults.ts";
import { africasTalkingKind } from "./africas-talking/dialect.ts";
import { airaloKind } from "./airalo/dialect.ts";
import { clubkonnectKind } from "./clubkonnect/dialect.ts";
import type { ConnectorKind, DerivedNames, EnteredFields, SupplierEntry } from "./connector-kind.ts";
import type { Connector } from "./contract.ts";
import { dispenseKind } from "./dispense/dialect.ts";
import { esimAccessKind } from "./esim-access/dialect.ts";
import type { ConnectorServices } from "./http-connector.ts";
import { legacyScriptKind } from "./legacy-script/dialect.ts";
import { manualKind } from "./manual/connector.ts";
import { reloadlyKind } from "./reloadly/dialect.ts";
import { termiiKind } from "./termii/dialect.ts";
import { vtpassKind } from "./vtpass/dialect.ts";

/** Every connector there is. A new one is its folder and its line here; the conformance suite demands its stub. */
export const connectorKinds: readonly ConnectorKind[] = [
  vtpassKind,
  legacyScriptKind,
  dispenseKind,
  termiiKind,
  africasTalkingKind,
  clubkonnectKind,
  esimAccessKind,
  airaloKind,
  reloadlyKind,
  manualKind,
];

/** The connector of our own voucher stock. Our database is the supplier: it is opened elsewhere, without settings. */
const ownStock: EnteredFields = {
  connector: "voucher-stock",
  title: "Our own vouchers (shelf)",
  hasNoCodes: true,
  settings: Type.Object({}),
  credentials: Type.Object({}),
};

/** All that a supplier may be entered by. */
export const enteredKinds: readonly EnteredFields[] = [...connectorKinds, ownStock];

/** How a connector's supplier calls our attempts, where it is not as we do. */
export function derivedNames(connector: string): DerivedNames | null {
  return connectorKinds.find((known) => known.connector === connector)?.names ?? null;
}

/** Whether its suppliers call products by codes, which their routes then must name. */
export function takesCodes(connector: string): boolean {
  return enteredKinds.find((known) => known.connector === connector)?.hasNoCodes !== true;
}

export type OpenedEntry<Opened> =
  | { readonly kind: "opened"; readonly connector: Opened }
  /** The fault that the operator has to correct; it quotes no credential. */
  | { readonly kind: "unfit"; readonly complaint: string };

export type OpenedSupplier = OpenedEntry<Connector>;

interface OpenedKind<Opened> extends EnteredFields {
  readonly open: (entry: SupplierEntry, services: ConnectorServices) => Opened;
}

/** Makes the connector of a supplier. */
export function openSupplier(entry: SupplierEntry, services: ConnectorServices): OpenedSupplier {
  return openAmong(connectorKinds, entry, services);
}

/** The same among other kinds than suppliers'. */
export function openAmong<Opened>(
  kinds: readonly OpenedKind<Opened>[],
  entry: SupplierEntry,
  services: ConnectorServices,
): OpenedEntry<Opened> {
  const found = kinds.find(({ connector }) => connector === entry.connector);
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
  return complaintAmong(enteredKinds, entry);
}

/** The same among other kinds than suppliers'. */
export function complaintAmong(kinds: readonly EnteredFields[], entry: Omit<SupplierEntry, "name">): string | null {
  const found = kinds.find(({ connector }) => connector === entry.connector);
  const names = kinds.map(({ connector }) => connector).join(", ");
  if (found === undefined) return `there is no connector ${entry.connector}; there are ${names}`;
  const faults = [...faultsOf(found, entry), ...unknownOf(found, entry)];
  return faults.length === 0 ? null : faults.join("; ");
}

type Entered = Pick<SupplierEntry, "settings" | "credentials">;
const parts = ["settings", "credentials"] as const;

function faultsOf(shapes: EnteredFields, entry: Entered): readonly string[] {
  return parts.flatMap((part) => faultsIn({ part, shape: shapes[part], value: entry[part] }));
}

function unknownOf(shapes: EnteredFields, entry: Entered): readonly string[] {
  return parts.flatMap((part) => unknownIn({ part, shape: shapes[part], value: entry[part] }, shapes.connector));
}
