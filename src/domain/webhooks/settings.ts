import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import type { ResolveName } from "../../platform/resolve-name.ts";
import { bumpRevision, type RevisionWatch } from "../../platform/revisions.ts";
import type { Endpoint, EndpointKey, Notify } from "./endpoint.ts";
import type { EventName } from "./event.ts";
import { deleteFailing } from "./failing-queries.ts";
import { findEndpointForUpdate, updateEndpoint } from "./queries.ts";
import type { MintedSecret, MintSecret } from "./secret.ts";
import { checkWebhookUrl, type DestinationRules } from "./url-guard.ts";

interface SettingsServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintSecret: MintSecret;
  readonly rules: DestinationRules;
  readonly resolveName: ResolveName;
  readonly watch: Pick<RevisionWatch, "refreshAnew">;
}

/** What a merchant wants its webhook to be. Undefined leaves a setting as it is. */
export interface SettingsWish {
  /** Null removes the webhook and ends its secret. */
  readonly url: string | null | undefined;
  readonly enabled: boolean | undefined;
  readonly events: readonly (EventName | "*")[] | undefined;
  readonly notify: Notify | undefined;
  readonly rotateSecret: boolean;
  /** For how long the secret before the rotation signs as well; 0 ends it at once. */
  readonly overlapHours: number | undefined;
}

export const overlapHoursUsual = 24;
export const overlapHoursMax = 7 * 24;
const hourMs = 3_600_000;

/**
 * Saves an endpoint's settings, for both modes; this process knows them at once, others within a second. Locks the
 * endpoint's row. Repeating it changes nothing, unless it rotates the secret.
 * @returns the settings, and the secret where it was made just now: the only moment at which its text exists
 * @throws Refusal INVALID_WEBHOOK_URL, VALIDATION_ERROR (no URL set and none given; a secret to rotate but no URL;
 * an overlap but no rotation)
 */
export async function saveSettings(
  services: SettingsServices,
  key: EndpointKey,
  wish: SettingsWish,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string | null }> {
  if (typeof wish.url === "string") await checkWebhookUrl(wish.url, services);
  const saved = await services.database.transaction(async (tx) => {
    const before = await findEndpointForUpdate(tx, key);
    checkWish(before, wish);
    const now = services.clock.now();
    const minted = needsSecret(before, wish) ? services.mintSecret(key) : null;
    const endpoint = changed(before, wish, { now, minted });
    await updateEndpoint(tx, key, endpoint);
    // Another place, or another try: what failed before says nothing of it.
    if (endpoint.url !== before.url || wish.enabled === true) await deleteFailing(tx, key);
    await bumpRevision(tx, "webhooks");
    return { endpoint, secret: minted?.text ?? null };
  });
  // It is saved: a database that goes away now is no reason to withhold the secret. The next poll tells as well.
  await services.watch.refreshAnew().catch(() => undefined);
  return saved;
}

/** @throws Refusal VALIDATION_ERROR for what the fields say together, or of an endpoint that is not set */
function checkWish(before: Endpoint, wish: SettingsWish): void {
  if (wish.url === undefined && before.url === null) throw refuseField("VALIDATION_ERROR", "url", "Is required.");
  if (wish.url === null && wish.rotateSecret) {
    throw refuseField("VALIDATION_ERROR", "rotate_secret", "Must be left out when the webhook is removed.");
  }
  if (wish.overlapHours !== undefined && !wish.rotateSecret) {
    throw refuseField("VALIDATION_ERROR", "overlap_hours", "Belongs to a request with rotate_secret true.");
  }
}

/** The first URL, and the first after a removal, get a secret of their own. */
function needsSecret(before: Endpoint, wish: SettingsWish): boolean {
  return wish.url !== null && (before.url === null || wish.rotateSecret);
}

interface Change {
  readonly now: Instant;
  readonly minted: MintedSecret | null;
}

/** The endpoint as the wish makes it. */
function changed(before: Endpoint, wish: SettingsWish, change: Change): Endpoint {
  const choice = {
    events: wish.events === undefined ? before.events : simplest(wish.events),
    notify: wish.notify ?? before.notify,
    updatedAt: change.now,
  };
  if (wish.url === null) return { endpointNumber: before.endpointNumber, ...nothingSet, ...choice };
  return {
    endpointNumber: before.endpointNumber,
    ...choice,
    url: wish.url ?? before.url,
    ...secretsAfter(before, change, wish.overlapHours ?? overlapHoursUsual),
    ...switchAfter(before, wish, change.now),
  };
}

const nothingSet = {
  url: null,
  secret: null,
  secretHint: null,
  previousSecret: null,
  previousSecretExpiresAt: null,
  disabledAt: null,
  disabledReason: null,
} as const;

/** At most two secrets sign: a second rotation within the overlap ends the oldest at once. */
function secretsAfter(before: Endpoint, { now, minted }: Change, overlapHours: number) {
  const { secret, secretHint, previousSecret, previousSecretExpiresAt } = before;
  if (minted === null) return { secret, secretHint, previousSecret, previousSecretExpiresAt };
  const isKept = secret !== null && overlapHours > 0;
  return {
    secret: minted.sealed,
    secretHint: minted.hint,
    previousSecret: isKept ? secret : null,
    previousSecretExpiresAt: isKept ? now + overlapHours * hourMs : null,
  };
}

/**
 * What switched it off before stays the reason until somebody switches it on. Who gives another URL does: it was the old one
 * that was gone or failed. A pause of the merchant's own is meant for whatever URL.
 */
function switchAfter(before: Endpoint, { url, enabled }: SettingsWish, now: Instant) {
  const { disabledAt, disabledReason } = before;
  const isMoved = url !== undefined && url !== before.url && disabledReason !== "merchant";
  if (enabled ?? isMoved) return { disabledAt: null, disabledReason: null } as const;
  if (enabled === undefined || disabledAt !== null) return { disabledAt, disabledReason };
  return { disabledAt: now, disabledReason: "merchant" } as const;
}

/** Each name once; with the star, the star alone. */
function simplest(events: readonly (EventName | "*")[]): readonly (EventName | "*")[] {
  assert(events.length > 0, "the schema lets no empty list through");
  return events.includes("*") ? ["*"] : [...new Set(events)];
}

/** The secret before the last rotation still signs until then; null when there is none, or its time is over. */
export function previousSecretEnd(endpoint: Endpoint, now: Instant): Instant | null {
  const end = endpoint.previousSecretExpiresAt;
  return end === null || end <= now ? null : end;
}
