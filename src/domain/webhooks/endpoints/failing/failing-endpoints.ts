import type { Clock, Instant } from "../../../../kernel/clock.ts";
import type { MerchantId } from "../../../../kernel/ids.ts";
import type { Database } from "../../../../platform/database/database.ts";
import { bumpRevision } from "../../../../platform/revisions.ts";
import type { Logger } from "../../../../platform/telemetry/log.ts";
import { type DisabledReason, type Endpoint, type EndpointKey, endpointOfNumber, isOn } from "../endpoint.ts";
import { listEndpointsForUpdate, updateEndpoint } from "../queries.ts";
import {
  deleteFailing,
  type EndpointState,
  type FailingEndpoint,
  listFailing,
  updateNoticed,
} from "./failing-queries.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noticeAfterMs = 3 * dayMs;
const disableAfterMs = 5 * dayMs;
/** Failures of a few minutes say nothing, however long ago: they must lie this far apart. */
const spanMs = 12 * hourMs;
/** Between the notice and the end. */
const noticeMs = dayMs;
const pageSize = 500;

/** What to do now with an endpoint that has only failed for some time. Pure. */
export function verdictOn(
  endpoint: Pick<FailingEndpoint, "failingSince" | "lastFailedAt" | "noticedAt">,
  now: Instant,
): "none" | "notice" | "disable" {
  const { failingSince, lastFailedAt } = endpoint;
  if (lastFailedAt - failingSince < spanMs || now - failingSince < noticeAfterMs) return "none";
  const end = disableTimeOf(endpoint);
  if (end === null) return "notice";
  return now >= end ? "disable" : "none";
}

/** When it is switched off unless it succeeds before; null before the notice. */
export function disableTimeOf(endpoint: {
  readonly failingSince: Instant | null;
  readonly noticedAt: Instant | null;
}): Instant | null {
  const { failingSince, noticedAt } = endpoint;
  if (failingSince === null || noticedAt === null) return null;
  return Math.max(failingSince + disableAfterMs, noticedAt + noticeMs);
}

/** When the next attempt is due: during a pause, no earlier than its end. */
export function nextAttemptAt({ dueAt, pausedUntil }: Pick<EndpointState, "dueAt" | "pausedUntil">): Instant | null {
  return dueAt === null ? null : Math.max(dueAt, pausedUntil ?? dueAt);
}

/** Gives notice of endpoints that fail for days, and switches off those whose time is over. Safe to repeat. */
export async function judgeFailingEndpoints(services: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
  const now = services.clock.now();
  let after: EndpointKey = { merchantId: 0 as MerchantId, endpointNumber: 0 };
  let failing: readonly FailingEndpoint[];
  do {
    failing = await listFailing(services.database, now - noticeAfterMs, after, pageSize);
    for (const endpoint of failing) await judge(services, endpoint, now);
    after = failing.at(-1) ?? after;
  } while (failing.length === pageSize);
}

async function judge(
  services: { readonly database: Database; readonly clock: Clock; readonly log: Logger },
  endpoint: FailingEndpoint,
  now: Instant,
): Promise<void> {
  const { merchantId, endpointNumber, failingSince } = endpoint;
  const said = { merchantId, endpointNumber, failingSince: new Date(failingSince).toISOString() };
  const verdict = verdictOn(endpoint, now);
  if (verdict === "notice" && (await updateNoticed(services.database, endpoint, now))) {
    services.log.warn(
      { event: "webhook.failing", ...said },
      "This webhook will be switched off if it goes on failing.",
    );
  }
  if (verdict === "disable" && (await disableEndpoint(services, endpoint, { seen: null, reason: "failing" }))) {
    services.log.warn({ event: "webhook.disabled", reason: "failing", ...said });
  }
}

/**
 * Switches an endpoint off, unless it is off already. Nor where its merchant has saved its settings since it was `seen`,
 * be it the same URL: an answer from before says nothing of it. Every process knows within a second; what is still owed
 * is forgotten by whoever claims it. Locks the merchant's endpoints. Safe to repeat.
 * @returns whether this call did it
 */
export async function disableEndpoint(
  services: { readonly database: Database; readonly clock: Clock },
  key: EndpointKey,
  because: { readonly seen: Endpoint | null; readonly reason: DisabledReason },
): Promise<boolean> {
  return services.database.transaction(async (tx) => {
    const endpoint = endpointOfNumber((await listEndpointsForUpdate(tx, key)).endpoints, key.endpointNumber);
    const { seen } = because;
    if (endpoint === null || !isOn(endpoint)) return false;
    const isAnother = seen !== null && (endpoint.url !== seen.url || endpoint.updatedAt !== seen.updatedAt);
    if (isAnother) return false;
    const now = services.clock.now();
    await updateEndpoint(tx, key, { ...endpoint, disabledAt: now, disabledReason: because.reason, updatedAt: now });
    await deleteFailing(tx, key);
    await bumpRevision(tx, "webhooks");
    return true;
  });
}
