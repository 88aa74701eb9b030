import { assert } from "../../../kernel/assert.ts";
import type { Clock, Instant } from "../../../kernel/clock.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import type { ResolveName } from "../../../platform/outbound-http/guarded-connect.ts";
import { bumpRevision, type RevisionWatch } from "../../../platform/revisions.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { EventName } from "../events/event.ts";
import { countLoggedEndpoints } from "../log/log-count-queries.ts";
import {
  type Endpoint,
  type EndpointKey,
  type EndpointMode,
  type EndpointOwner,
  endpointOfNumber,
  endpointsMax,
  type MintedSecret,
  type MintSecret,
  type Notify,
  printableUrl,
  secretIdentity,
  splitUrl,
} from "./endpoint.ts";
import { deleteFailing } from "./failing/failing-queries.ts";
import { listEndpointsForUpdate, type RememberedEndpoints, updateEndpoint } from "./queries.ts";
import { checkWebhookUrl, type DestinationRules } from "./url-guard.ts";

export interface SettingsServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly mintSecret: MintSecret;
  readonly secretBox: SecretBox;
  readonly rules: DestinationRules;
  readonly resolveName: ResolveName;
  readonly watch: Pick<RevisionWatch, "refreshAnew">;
}

/** The settings that a merchant sends for an endpoint. Undefined leaves a setting as it is. */
export interface SettingsChange {
  /** Null removes the webhook and ends its secret. */
  readonly url: string | null | undefined;
  readonly enabled: boolean | undefined;
  readonly events: readonly (EventName | "*")[] | undefined;
  readonly notify: Notify | undefined;
  readonly mode: EndpointMode | undefined;
  readonly description: string | null | undefined;
  readonly rotateSecret: boolean;
  /** For how long the secret before the rotation signs as well; 0 ends it at once. */
  readonly overlapHours: number | undefined;
}

/** An endpoint as it was saved. */
export interface SavedEndpoint {
  readonly endpoint: Endpoint;
  /** The secret where it was made just now: the only moment at which its text exists. */
  readonly secret: string | null;
}

export const overlapHoursUsual = 24;
export const overlapHoursMax = 7 * 24;
const hourMs = 3_600_000;

/**
 * Saves an endpoint's settings; this process knows them at once, others within a second. Locks the merchant's endpoints.
 * Repeating it changes nothing, unless it rotates the secret.
 * @throws Refusal INVALID_WEBHOOK_URL, ENDPOINT_NOT_FOUND, ENDPOINT_LIMIT_REACHED, VALIDATION_ERROR (no URL set and none
 * given; a secret to rotate but no URL; an overlap but no rotation)
 */
export function saveSettings(
  services: SettingsServices,
  key: EndpointKey,
  requested: SettingsChange,
): Promise<SavedEndpoint> {
  return changeEndpoints(services, requested.url, async (tx) => {
    const locked = await listEndpointsForUpdate(tx, key);
    const before = endpointOfNumber(locked.endpoints, key.endpointNumber);
    if (before === null) throw refuse("ENDPOINT_NOT_FOUND");
    checkChange(before, requested);
    if (before.url === null && requested.url !== null) await requirePlace(tx, key, locked);
    return storeChange(tx, services, key, { before, requested });
  });
}

/**
 * Checks the URL, makes a change in one transaction, and has this process know of it. What it saved stays saved where the
 * database goes away right after it: that is no reason to withhold a secret, and the next poll tells as well.
 */
export async function changeEndpoints<Result>(
  services: SettingsServices,
  url: string | null | undefined,
  change: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (typeof url === "string") await checkWebhookUrl(url, services);
  const result = await services.database.transaction(async (tx) => {
    const changed = await change(tx);
    await bumpRevision(tx, "webhooks");
    return changed;
  });
  await services.watch.refreshAnew().catch(() => undefined);
  return result;
}

/** Writes what a requested makes of an endpoint. The caller holds the merchant's endpoints. */
export async function storeChange(
  tx: Tx,
  services: SettingsServices,
  key: EndpointKey,
  { before, requested }: { readonly before: Endpoint; readonly requested: SettingsChange },
): Promise<SavedEndpoint> {
  const minted = needsSecret(before, requested) ? services.mintSecret(key) : null;
  const endpoint = changed(before, requested, {
    now: services.clock.now(),
    minted,
    place: placeAfter(before, requested, services, key),
  });
  await updateEndpoint(tx, key, endpoint);
  // Another place, or another try: what failed before says nothing of it, and a pause is over.
  if (endpoint.urlVersion !== before.urlVersion || requested.enabled === true) await deleteFailing(tx, key);
  return { endpoint, secret: minted?.text ?? null };
}

/** Where the endpoint is from now on. */
function placeAfter(
  before: Endpoint,
  { url: expected }: SettingsChange,
  { secretBox }: SettingsServices,
  key: EndpointKey,
) {
  const { url, urlQuery, urlVersion } = before;
  if (expected === undefined || expected === printableUrl(secretBox, key, before)) return { url, urlQuery, urlVersion };
  if (expected === null) return { url: null, urlQuery: null, urlVersion: urlVersion + 1 };
  const split = splitUrl(expected);
  const sealed = split.query === null ? null : secretBox.seal(split.query, secretIdentity(key));
  return { url: split.url, urlQuery: sealed, urlVersion: urlVersion + 1 };
}

/** @throws Refusal VALIDATION_ERROR for what the fields say together, or of an endpoint that is not set */
function checkChange(before: Endpoint, requested: SettingsChange): void {
  if (requested.url === undefined && before.url === null) throw refuseField("VALIDATION_ERROR", "url", "Is required.");
  if (requested.url === null && requested.rotateSecret) {
    throw refuseField("VALIDATION_ERROR", "rotate_secret", "Must be left out when the webhook is removed.");
  }
  if (requested.overlapHours !== undefined && !requested.rotateSecret) {
    throw refuseField("VALIDATION_ERROR", "overlap_hours", "Belongs to a request with rotate_secret true.");
  }
}

/** The first URL, and the first after a removal, get a secret of their own. */
function needsSecret(before: Endpoint, requested: SettingsChange): boolean {
  return requested.url !== null && (before.url === null || requested.rotateSecret);
}

interface Change {
  readonly now: Instant;
  readonly minted: MintedSecret | null;
  readonly place: Pick<Endpoint, "url" | "urlQuery" | "urlVersion">;
}

/** The endpoint as the request makes it. */
function changed(before: Endpoint, requested: SettingsChange, change: Change): Endpoint {
  const choice = {
    endpointNumber: before.endpointNumber,
    events: requested.events === undefined ? before.events : simplest(requested.events),
    notify: requested.notify ?? before.notify,
    mode: requested.mode ?? before.mode,
    description: requested.description === undefined ? before.description : requested.description,
    updatedAt: change.now,
    ...change.place,
  };
  if (change.place.url === null) return { ...choice, ...nothingSet };
  return {
    ...choice,
    ...secretsAfter(before, change, requested.overlapHours ?? overlapHoursUsual),
    ...switchAfter(before, requested, change),
  };
}

const nothingSet = {
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
 * An endpoint that was switched off keeps the reason until it is switched on. Another URL switches it on: only the old
 * one was gone or failed. But a pause by the merchant holds for any URL.
 */
function switchAfter(before: Endpoint, { enabled }: SettingsChange, { now, place }: Change) {
  const { disabledAt, disabledReason } = before;
  const isMoved = place.urlVersion !== before.urlVersion && disabledReason !== "merchant";
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

/** Endpoints, removed ones among them, that the log may hold attempts of: a page of it looks at each. */
const loggedMax = 25;

/** @throws Refusal ENDPOINT_LIMIT_REACHED when the merchant may not have one more */
export async function requirePlace(tx: Tx, owner: EndpointOwner, { endpoints }: RememberedEndpoints): Promise<void> {
  if (endpoints.filter(({ url }) => url !== null).length >= endpointsMax) throw refuse("ENDPOINT_LIMIT_REACHED");
  if ((await countLoggedEndpoints(tx, owner)) < loggedMax) return;
  throw refuse("ENDPOINT_LIMIT_REACHED", {
    message: `The delivery log holds attempts of ${loggedMax} endpoints, removed ones among them: change one instead of making another.`,
  });
}
