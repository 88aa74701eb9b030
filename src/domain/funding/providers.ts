import type { JsonObject } from "../../kernel/json.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database, Queryable, Tx } from "../../platform/database/database.ts";
import { bumpRevision, type RevisionWatch, remember } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { PaymentConnector } from "../../providers/payments/contract.ts";
import { complaintAboutProvider } from "../../providers/payments/registry.ts";
import { openKeys } from "../suppliers/administration.ts";
import type { FeeBearer } from "./payment.ts";
import {
  insertPaymentProvider,
  listPaymentProviders,
  type PaymentProvider,
  updatePaymentProviderState,
} from "./provider-queries.ts";

/** A provider that can be asked. */
export interface OpenedProvider {
  readonly connector: PaymentConnector;
  readonly feeBearer: FeeBearer;
  readonly state: PaymentProvider["state"];
}

/** Null where there is no such provider, or its settings can't be used. Known anew within a second of a change. */
export type ProviderOf = (name: string) => Promise<OpenedProvider | null>;

export interface Providers {
  readonly providerOf: ProviderOf;
  /** All that are enabled and can be asked, by name. */
  enabled(): Promise<readonly OpenedProvider[]>;
}

/** Keeps payment providers in memory. `open`: null for one whose settings can't be used. */
export function openProviders(options: {
  readonly database: Queryable;
  readonly watch: RevisionWatch;
  readonly open: (provider: PaymentProvider) => PaymentConnector | null;
}): Providers {
  const { database, watch, open } = options;
  const opened = remember(watch, "payment_providers", async () => {
    const found = new Map<string, OpenedProvider>();
    for (const provider of await listPaymentProviders(database)) {
      const { name, feeBearer, state } = provider;
      const connector = open(provider);
      if (connector !== null) found.set(name, { connector, feeBearer, state });
    }
    return found;
  });
  return {
    providerOf: async (name) => (await opened.current()).get(name) ?? null,
    enabled: async () => [...(await opened.current()).values()].filter(({ state }) => state === "enabled"),
  };
}

/** The place that a provider's credentials are sealed for: they open nowhere else. */
export function providerIdentity(provider: string): string {
  return `payment_providers/${provider}`;
}

/** A provider's keys; null where this deployment's key does not open them. */
export function openProviderCredentials(
  secretBox: SecretBox,
  { name, credentials }: Pick<PaymentProvider, "name" | "credentials">,
): JsonObject | null {
  return openKeys(secretBox, { sealed: credentials, identity: providerIdentity(name) });
}

export interface EnteredProvider {
  readonly name: string;
  readonly connector: string;
  readonly settings: JsonObject;
  /** Null: they stay. */
  readonly credentials: JsonObject | null;
  readonly feeBearer: FeeBearer;
}

/**
 * Adds a provider, or replaces its settings and, where they are given, its credentials. Safe to repeat.
 * @throws Refusal VALIDATION_ERROR for a name that can't be, one that another connector has, and what its connector could
 * not use
 */
export function putPaymentProvider(
  { database, secretBox }: { readonly database: Database; readonly secretBox: SecretBox },
  fields: EnteredProvider,
): Promise<PaymentProvider> {
  const { name, connector, settings, credentials, feeBearer } = fields;
  return changeProviders(database, async (tx) => {
    refuseUnusableProvider(secretBox, fields, await findPaymentProvider(tx, name));
    const sealed = credentials === null ? null : secretBox.seal(JSON.stringify(credentials), providerIdentity(name));
    return insertPaymentProvider(tx, { name, connector, settings, credentials: sealed, feeBearer });
  });
}

/** Null where there is none of this name. */
export async function findPaymentProvider(db: Queryable, name: string): Promise<PaymentProvider | null> {
  return (await listPaymentProviders(db)).find((provider) => provider.name === name) ?? null;
}

/**
 * What its connector can't use is stored for nobody. `kept`: the provider as it is, whose credentials stay where none are
 * given. @throws Refusal VALIDATION_ERROR
 */
export function refuseUnusableProvider(
  secretBox: SecretBox,
  { name, connector, settings, credentials }: EnteredProvider,
  kept: PaymentProvider | null,
): void {
  if (!providerName.test(name)) {
    throw refuseField("VALIDATION_ERROR", "name", "Must be lower case letters, digits and dashes, at most 40.");
  }
  if (kept !== null && kept.connector !== connector) {
    throw refuseField("VALIDATION_ERROR", "connector", "This provider has another connector, which it keeps.");
  }
  const usable = credentials ?? openProviderCredentials(secretBox, kept ?? { name, credentials: null });
  if (usable === null) throw refuseProvider("its credentials do not open under ENCRYPTION_KEY: give them again");
  const complaint = complaintAboutProvider({ connector, settings, credentials: usable });
  if (complaint !== null) throw refuseProvider(complaint);
}

/** As its table has it: what nobody could carry out is not asked for. */
const providerName = /^[a-z0-9][a-z0-9-]{0,39}$/;

function refuseProvider(complaint: string) {
  return refuse("VALIDATION_ERROR", { message: `The provider was not stored: ${complaint}.` });
}

/** Enables or disables a provider for new receiving accounts. @throws Refusal NOT_FOUND */
export function setPaymentProviderState(
  database: Database,
  name: string,
  state: PaymentProvider["state"],
): Promise<void> {
  return changeProviders(database, async (tx) => {
    if (await updatePaymentProviderState(tx, name, state)) return;
    throw refuse("NOT_FOUND", { message: "There is no such payment provider." });
  });
}

/** One change at a time, felt by all processes within a second: the revision's row is locked first. */
function changeProviders<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await bumpRevision(tx, "payment_providers");
    return work(tx);
  });
}
