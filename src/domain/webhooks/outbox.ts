import type { WalletKey } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Tx } from "../../platform/database.ts";
import { findResendable, insertOwed, insertResend } from "./delivery-queries.ts";
import {
  type Endpoint,
  type EndpointKey,
  endpointOfNumber,
  firstEndpointNumber,
  firstEndpointOf,
  isOn,
} from "./endpoint.ts";
import type { DeliveryId } from "./event.ts";
import { type Change, owedEvent, type Stamps, testEvent } from "./owed-event.ts";
import { findEndpoint } from "./queries.ts";

/** Owes a merchant the event of a change, in the commit that marks it as told, where its endpoint wants it. */
export async function owe(tx: Tx, endpoints: readonly Endpoint[], change: Change, stamps: Stamps): Promise<void> {
  const owed = owedEvent(endpointOfNumber(endpoints, firstEndpointNumber), change, stamps);
  if (owed !== null) await insertOwed(tx, change.wallet, owed, "event");
}

/**
 * Owes the merchant a test event, whatever events it chose. Not safe to repeat: every call is another event.
 * @throws Refusal DELIVERY_NOT_RESENDABLE when no webhook is set, or it is switched off
 */
export async function sendTest(
  services: Stamps & { readonly database: Database },
  wallet: WalletKey,
): Promise<DeliveryId> {
  const endpoint = await requireOn(services.database, firstEndpointOf(wallet));
  const owed = testEvent(endpoint, wallet, services);
  await insertOwed(services.database, wallet, owed, "manual");
  return owed.deliveryId;
}

/** @throws Refusal DELIVERY_NOT_RESENDABLE when no webhook is set, or it is switched off */
export async function requireOn(database: Database, key: EndpointKey): Promise<Endpoint> {
  const endpoint = await findEndpoint(database, key);
  if (endpoint !== null && isOn(endpoint)) return endpoint;
  const isSet = endpoint !== null && endpoint.url !== null;
  throw notResendable(
    isSet ? "The webhook is switched off: switch it on first." : "No webhook is set: set its URL first.",
  );
}

/**
 * Owes a delivery one more attempt, at once and to the present URL. One that waits for a later attempt is brought
 * forward. Safe to repeat: while the attempt is owed or under way, another is refused.
 * @throws Refusal DELIVERY_NOT_FOUND (also in the other mode), DELIVERY_NOT_RESENDABLE
 */
export async function resend(database: Database, wallet: WalletKey, id: DeliveryId): Promise<void> {
  const found = await findResendable(database, wallet, id);
  if (found === null) throw refuse("DELIVERY_NOT_FOUND");
  if (!found.isOn) throw notResendable("The webhook is removed or switched off.");
  if (!found.hasBody) throw notResendable("The event's body is not kept any more.");
  // The row decides: between the look and this, somebody else may have asked for the same.
  const isOurs =
    !found.isUnderWay && (await insertResend(database, wallet, { endpointNumber: found.endpointNumber, id }));
  if (!isOurs) throw notResendable("An attempt is due or under way.");
}

function notResendable(message: string) {
  return refuse("DELIVERY_NOT_RESENDABLE", { message });
}
