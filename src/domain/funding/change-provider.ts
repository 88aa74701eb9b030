import { createHash } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";
import { dayMs } from "../../kernel/clock.ts";
import { type JsonObject, parseObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { openAllowlistedHttp } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { noTokenStore } from "../../providers/access-token.ts";
import { checkSupplier } from "../../providers/check-supplier.ts";
import type { SupplierEntry } from "../../providers/connector-kind.ts";
import { complaintAboutProvider, openPaymentProvider } from "../../providers/payments/registry.ts";
import type { CarriedOut, Request } from "../staff/change-kinds.ts";
import { type AskingServices, addressOf, unusableBecause } from "../suppliers/asking.ts";
import type { FeeBearer } from "./payment.ts";
import type { PaymentProvider } from "./provider-queries.ts";
import { type EnteredProvider, findPaymentProvider, openProviderCredentials, putPaymentProvider } from "./providers.ts";

/**
 * A payment provider with its settings and keys, new or other ones: merchants' money is received there, and what it says is
 * credited. So a second person always agrees. The keys are frozen sealed.
 */
export function changingProvider({ secretBox }: { readonly secretBox: SecretBox }): CarriedOut {
  return {
    rules: providerRules,
    async carryOut(database, { fields, secret }) {
      const name = String(fields.provider);
      if (fingerprint(await findPaymentProvider(database, name)) !== fields.from) {
        throw refuse("VALIDATION_ERROR", {
          message: "It was changed meanwhile. Refuse this, and make a new request.",
        });
      }
      await putPaymentProvider(
        { database, secretBox },
        {
          ...{ name, connector: String(fields.connector), feeBearer: fields.fee_borne_by as FeeBearer },
          settings: JSON.parse(String(fields.settings)) as JsonObject,
          credentials: secret === null ? null : parseObject(secret),
        },
      );
      return `Saved. Transfers to ${name} are received with these settings.`;
    },
  };
}

export const providerRules = {
  kind: "payment provider",
  subjects: ({ provider }) => [`payment provider ${provider}`],
  ask: ["admin", "finance"],
  approve: ["admin", "finance"],
} satisfies CarriedOut["rules"];

/** Equal texts mean the same provider. */
export function fingerprint(provider: PaymentProvider | null): string {
  const { settings, credentials, feeBearer } = provider ?? {};
  return createHash("sha256")
    .update(JSON.stringify([settings, credentials, feeBearer]))
    .digest("hex");
}

/** What is asked for: a provider that is new, or other settings, and other keys unless they stay. */
export function providerRequest(entered: EnteredProvider, present: PaymentProvider | null): Request {
  const { name, connector, settings, credentials, feeBearer } = entered;
  const what = credentials === null ? "settings" : "keys";
  return {
    summary: present === null ? `Receive money by ${name}` : `Change the ${what} of payment provider ${name}`,
    fields: {
      ...{ provider: name, connector, fee_borne_by: feeBearer },
      ...{ settings: JSON.stringify(settings), from: fingerprint(present) },
    },
    secret: credentials === null ? null : JSON.stringify(credentials),
  };
}

/** Why the service asks nothing of a stored provider; null where it does. */
export function findProviderComplaint(
  { secretBox, supplierOrigins }: { readonly secretBox: SecretBox; readonly supplierOrigins: readonly string[] },
  provider: PaymentProvider,
): string | null {
  const { connector, settings } = provider;
  const credentials = openProviderCredentials(secretBox, provider);
  return (
    unusableBecause({ settings, credentials }, supplierOrigins) ??
    complaintAboutProvider({ connector, settings, credentials: credentials ?? {} })
  );
}

/**
 * Asks a provider that is being entered for its transfers of the last day: can it be reached, and are the keys right?
 * Changes nothing. No transaction is open meanwhile. @returns what failed and what to do, in sentences; null where nothing did
 */
export async function checkProvider(
  services: Pick<AskingServices, "supplierOrigins" | "monotonicMs"> & { readonly clock: Clock },
  entry: SupplierEntry,
): Promise<string | null> {
  const { supplierOrigins: origins, clock } = services;
  const monotonicMs = () => services.monotonicMs();
  const reached = await checkSupplier({ address: addressOf(entry.settings), connector: {} }, { origins, clock });
  const failed = reached.find(({ verdict }) => verdict === "failed");
  if (failed !== undefined) return `${failed.found}.${failed.advice === null ? "" : ` ${failed.advice}`}`;
  const http = openAllowlistedHttp({ origins, monotonicMs });
  try {
    const opened = openPaymentProvider(entry, { http, clock, monotonicMs, tokenStore: noTokenStore });
    // The statement that stores it refuses it in its own words.
    if (opened.kind === "unfit") return null;
    const answer = await opened.connector.list({ from: clock.now() - dayMs, to: clock.now(), page: 1 });
    if (answer.kind === "told") return null;
    return `It doesn’t tell its transfers: ${answer.evidence}. Compare the keys and the address with those in its dashboard.`;
  } finally {
    await http.close();
  }
}

/** The keys that a provider has; none for one that is new. */
export async function keptCredentials(
  db: Queryable,
  secretBox: SecretBox,
  name: string,
): Promise<{ readonly present: PaymentProvider | null; readonly credentials: JsonObject }> {
  const present = await findPaymentProvider(db, name);
  return { present, credentials: (present === null ? null : openProviderCredentials(secretBox, present)) ?? {} };
}
