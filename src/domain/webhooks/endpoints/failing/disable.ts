import type { Clock } from "../../../../kernel/clock.ts";
import type { Database } from "../../../../platform/database/database.ts";
import { bumpRevision } from "../../../../platform/revisions.ts";
import { type DisabledReason, type Endpoint, type EndpointKey, endpointOfNumber, isOn } from "../endpoint.ts";
import { listEndpointsForUpdate, updateEndpoint } from "../queries.ts";
import { deleteFailing } from "./failing-queries.ts";

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
