import type { WalletKey } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { type Endpoint, isOn, isOnFor } from "../endpoints/endpoint.ts";
import { listEndpoints } from "../endpoints/queries.ts";
import type { DeliveryId, EventName } from "../events/event.ts";
import { exampleOf } from "../events/example-events.ts";
import { type Change, eventsOfChange, type Stamps, testEvent } from "../events/outbox-event.ts";
import { findDelivery, insertDeliveries, insertResends } from "./delivery-queries.ts";

/** Owes merchants the events of changes, in the commit that marks them as told, where their endpoints want them. */
export async function enqueueEvents(
  tx: Tx,
  changes: readonly { readonly endpoints: readonly Endpoint[]; readonly change: Change }[],
  stamps: Stamps,
): Promise<void> {
  const events = changes.flatMap(({ endpoints, change }) =>
    eventsOfChange(endpoints, change, stamps).map((event) => ({ wallet: change.wallet, event })),
  );
  await insertDeliveries(tx, events, "event");
}

/**
 * Owes an endpoint an example of an event, whatever events it chose. Not safe to repeat: every call is another event.
 * @throws Refusal DELIVERY_NOT_RESENDABLE when the endpoint is not set, is switched off, or does not hear of this mode
 */
export async function sendTest(
  services: Stamps & { readonly database: Database },
  wallet: WalletKey,
  requested: { readonly event: EventName; readonly endpointNumber: number },
): Promise<DeliveryId> {
  const { event, endpointNumber } = requested;
  const endpoint = await requireOn(services.database, wallet, endpointNumber);
  const data = exampleOf(event, wallet.mode, services);
  const events = testEvent(endpoint, { wallet, event, data }, services);
  await insertDeliveries(services.database, [{ wallet, event: events }], "manual");
  return events.deliveryId;
}

/**
 * The endpoint that something of the wallet's mode can be sent to: the one of this number, or any (null).
 * @throws Refusal DELIVERY_NOT_RESENDABLE when there is none, with what stands in the way
 */
export async function requireOn(
  database: Database,
  wallet: WalletKey,
  endpointNumber: number | null,
): Promise<Endpoint> {
  const [found = []] = await listEndpoints(database, [wallet]);
  const meant = endpointNumber === null ? found : found.filter((each) => each.endpointNumber === endpointNumber);
  const open = meant.find((endpoint) => isOnFor(wallet.mode, endpoint));
  if (open !== undefined) return open;
  const set = meant.filter(({ url }) => url !== null);
  if (set.length === 0) throw notResendable("No webhook is set: set its URL first.");
  if (!set.some(isOn)) throw notResendable("The webhook is switched off: switch it on first.");
  throw notResendable(`The endpoint does not hear of ${wallet.mode} mode: change its mode first.`);
}

/**
 * Owes a delivery one more attempt, at once and to the present URL. One that waits for a later attempt is brought
 * forward. Safe to repeat: while the attempt is owed or under way, another is refused.
 * @throws Refusal DELIVERY_NOT_FOUND (also in the other mode), DELIVERY_NOT_RESENDABLE
 */
export async function resend(database: Database, wallet: WalletKey, id: DeliveryId): Promise<void> {
  const found = await findDelivery(database, wallet, id);
  if (found === null) throw refuse("DELIVERY_NOT_FOUND");
  if (!found.isOn) throw notResendable("The webhook is removed or switched off.");
  if (!found.hasBody) throw notResendable("The event's body is not kept any more.");
  // The row decides: between the look and this, somebody else may have asked for the same.
  const isOurs = !found.isUnderWay && (await insertResends(database, wallet, { ids: [id], lane: "manual" })) > 0;
  if (!isOurs) throw notResendable("An attempt is due or under way.");
}

function notResendable(message: string) {
  return refuse("DELIVERY_NOT_RESENDABLE", { message });
}
