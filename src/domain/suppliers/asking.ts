import type { Clock } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { openAllowlistedHttp } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { noTokenStore } from "../../providers/access-token.ts";
import { type Check, type CheckedSupplier, checkSupplier } from "../../providers/check-supplier.ts";
import type { SupplierEntry } from "../../providers/connector-kind.ts";
import { complaintAbout, openSupplier } from "../../providers/registry.ts";
import { openCredentials } from "./administration.ts";
import type { Supplier } from "./routing/route.ts";
import { findSupplierNamed } from "./routing/route-table.ts";

/** What it takes to ask a supplier something at the request of a person. No transaction is open meanwhile. */
export interface AskingServices {
  readonly database: Queryable;
  /** Opens the suppliers' credentials. @throws StartError without a key */
  secretBox(): Promise<SecretBox>;
  /** SUPPLIER_ORIGINS: whatever a supplier's settings say, nobody else is asked. */
  readonly supplierOrigins: readonly string[];
  readonly clock: Clock;
  /** Milliseconds that only run on: how long answers take. */
  monotonicMs(): number;
}

/** Where a supplier is asked; null for one that is not, such as a person or our own stock. */
export function addressOf({ base_url: address }: JsonObject): string | null {
  return typeof address === "string" && URL.canParse(address) ? address : null;
}

/** @throws Refusal NOT_FOUND */
export async function findNamedSupplier(
  { database }: Pick<AskingServices, "database">,
  name: string,
): Promise<Supplier> {
  const found = await findSupplierNamed(database, name);
  if (found === null) {
    throw refuse("NOT_FOUND", { message: `There is no supplier ${name}: supplier list names them.` });
  }
  return found;
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

/** Why the service sends nothing to a stored supplier; null where it does. */
export async function findComplaint(services: AskingServices, supplier: Supplier): Promise<string | null> {
  const { connector, settings } = supplier;
  const credentials = await credentialsOf(services, supplier);
  return (
    unusableBecause({ settings, credentials }, services.supplierOrigins) ??
    complaintAbout({ connector, settings, credentials: credentials ?? {} })
  );
}

/** Null where they don't open. The key is needed only where there are some. */
async function credentialsOf(services: AskingServices, supplier: Supplier): Promise<JsonObject | null> {
  return supplier.credentials === null ? {} : openCredentials(await services.secretBox(), supplier);
}

/** Each question of a check has so long: lookup, connection and balance take at most twice of it together. */
const checkDeadlineMs = 10_000;

/**
 * Checks a supplier that is stored: address, TLS, credentials, clock, answer time. Buys nothing and changes nothing, and
 * takes at most 20 seconds. Nothing for a supplier without an address.
 * @throws Refusal VALIDATION_ERROR where its credentials don't open, or its connector could not use what it is given
 */
export async function checkStored(
  services: AskingServices,
  supplier: Supplier,
  deadlineMs = checkDeadlineMs,
): Promise<readonly Check[]> {
  if (addressOf(supplier.settings) === null) return [];
  return checkEntry(services, await openStored(services, supplier), deadlineMs);
}

interface Entered {
  readonly name: string;
  readonly connector: string;
  readonly settings: JsonObject;
  /** Null: those that it has. */
  readonly credentials: JsonObject | null;
}

/**
 * Checks a supplier before it is stored. Nothing is asked where there is no address, and for what cannot be stored as it
 * is: that is refused in its own words.
 */
export async function checkEntered(services: AskingServices, entered: Entered): Promise<readonly Check[]> {
  const { name, connector, settings } = entered;
  if (addressOf(settings) === null) return [];
  const kept = await findSupplierNamed(services.database, name);
  const credentials = entered.credentials ?? (kept === null ? {} : await credentialsOf(services, kept));
  const isStorable =
    credentials !== null &&
    (kept === null || kept.connector === connector) &&
    complaintAbout({ connector, settings, credentials }) === null;
  return isStorable ? checkEntry(services, { name, connector, settings, credentials }) : [];
}

function checkEntry(
  services: AskingServices,
  entry: SupplierEntry,
  deadlineMs = checkDeadlineMs,
): Promise<readonly Check[]> {
  const { supplierOrigins: origins, clock } = services;
  return withConnector(services, entry, (opened) => checkSupplier(opened, { origins, clock }), deadlineMs);
}

/** Opens the connector of a stored supplier for as long as `work` takes. @throws Refusal VALIDATION_ERROR */
export async function askStored<T>(
  services: AskingServices,
  supplier: Supplier,
  work: (supplier: CheckedSupplier) => Promise<T>,
): Promise<T> {
  return withConnector(services, await openStored(services, supplier), work);
}

async function openStored(services: AskingServices, supplier: Supplier): Promise<SupplierEntry> {
  const { name, connector, settings } = supplier;
  const credentials = await credentialsOf(services, supplier);
  if (credentials !== null) return { name, connector, settings, credentials };
  throw refuse("VALIDATION_ERROR", {
    message: `The credentials of ${name} do not open under ENCRYPTION_KEY: give them again with supplier add.`,
  });
}

async function withConnector<T>(
  services: AskingServices,
  entry: SupplierEntry,
  work: (supplier: CheckedSupplier) => Promise<T>,
  deadlineMs?: number,
): Promise<T> {
  const { supplierOrigins: origins, clock } = services;
  const monotonicMs = () => services.monotonicMs();
  const http = openAllowlistedHttp({ origins, monotonicMs });
  try {
    const deadline = deadlineMs === undefined ? {} : { deadlineMs };
    const opened = openSupplier(entry, { http, clock, monotonicMs, tokenStore: noTokenStore, ...deadline });
    if (opened.kind === "unfit") {
      throw refuse("VALIDATION_ERROR", { message: `${entry.name} cannot be asked: ${opened.complaint}.` });
    }
    return await work({ address: addressOf(entry.settings), connector: opened.connector });
  } finally {
    await http.close();
  }
}
