import { openCredentials } from "../../domain/suppliers/administration.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import { readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import { openAllowlistedHttp } from "../../platform/outbound-http/allowlisted-http-client.ts";
import { noTokenStore } from "../../providers/access-token.ts";
import type { CheckedSupplier } from "../../providers/check-supplier.ts";
import type { SupplierEntry } from "../../providers/connector-kind.ts";
import { openSupplier } from "../../providers/registry.ts";
import { wrong } from "../failures.ts";
import type { Session } from "../operator-command.ts";

/** Where a supplier is asked; null for one that is not, such as a person or our own stock. */
export function addressOf({ base_url: address }: JsonObject): string | null {
  return typeof address === "string" && URL.canParse(address) ? address : null;
}

/** @throws Refusal NOT_FOUND */
export async function findNamedSupplier({ database }: Session, name: string): Promise<Supplier> {
  const found = (await readRouteTable(database)).findSupplier(name);
  if (found === null) {
    throw refuse("NOT_FOUND", { message: `There is no supplier ${name}: supplier list names them.` });
  }
  return found;
}

/** A stored supplier with its credentials opened. @throws Refusal where they do not open, StartError without a key */
export async function openStored(session: Session, supplier: Supplier): Promise<SupplierEntry> {
  const { name, connector, settings } = supplier;
  const credentials = supplier.credentials === null ? {} : openCredentials(await session.secretBox(), supplier);
  if (credentials !== null) return { name, connector, settings, credentials };
  throw wrong(`The credentials of ${name} do not open under ENCRYPTION_KEY: give them again with supplier add.`);
}

/**
 * Opens the connector of a supplier with an address for as long as `work` takes. @throws Refusal VALIDATION_ERROR where
 * its connector could not use what it is told
 */
export async function withConnector<T>(
  session: Session,
  entry: SupplierEntry,
  work: (supplier: CheckedSupplier) => Promise<T>,
): Promise<T> {
  const { supplierOrigins: origins, clock } = session;
  const monotonicMs = () => performance.now();
  const http = openAllowlistedHttp({ origins, monotonicMs });
  try {
    const services = { http, clock, monotonicMs, tokenStore: noTokenStore };
    const opened = openSupplier(entry, services);
    if (opened.kind === "unfit") {
      throw wrong(`${entry.name} cannot be asked: ${opened.complaint}.`);
    }
    return await work({ address: addressOf(entry.settings), connector: opened.connector });
  } finally {
    await http.close();
  }
}
