import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { type DisabledReason, type EndpointOwner, isOn } from "./endpoint.ts";
import { deleteFailing } from "./failing-queries.ts";
import { findEndpointForUpdate, updateEndpoint } from "./queries.ts";

/**
 * Switches an endpoint off, unless it is off already or was given another URL since. Every process knows within a second;
 * what is still owed is forgotten by whoever claims it. Locks the endpoint's row. Safe to repeat.
 * @returns whether this call did it
 */
export async function disableEndpoint(
  services: { readonly database: Database; readonly clock: Clock },
  owner: EndpointOwner,
  because: { readonly url: string | null; readonly reason: DisabledReason },
): Promise<boolean> {
  return services.database.transaction(async (tx) => {
    const endpoint = await findEndpointForUpdate(tx, owner);
    if (!isOn(endpoint) || (because.url !== null && endpoint.url !== because.url)) return false;
    const now = services.clock.now();
    await updateEndpoint(tx, owner, { ...endpoint, disabledAt: now, disabledReason: because.reason, updatedAt: now });
    await deleteFailing(tx, [owner]);
    await bumpRevision(tx, "webhooks");
    return true;
  });
}
