import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { Reference, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject, JsonText } from "../../kernel/json.ts";
import { type Endpoint, type How, wants } from "./endpoint.ts";
import { type DeliveryId, type EventName, eventBody, type MintDeliveryId } from "./event.ts";

/** What a new delivery is stamped with. */
export interface Stamps {
  readonly mintDeliveryId: MintDeliveryId;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** Something that a merchant may want to be told: a purchase or bulk order, as it is from now on. */
export interface Change {
  readonly wallet: WalletKey;
  readonly event: Exclude<EventName, "webhook.test">;
  /** The purchase or bulk order; null for events without one. */
  readonly subject: { readonly id: bigint; readonly reference: Reference } | null;
  readonly how: How;
  /** Called only when the event is owed. An object is marked as the sandbox's; a text must say so itself. */
  readonly data: () => JsonObject | JsonText;
}

/** An event to store in the very commit that makes it true: one row each of webhook_deliveries and webhook_outbox. */
export interface OwedEvent {
  readonly endpointNumber: number;
  readonly deliveryId: DeliveryId;
  readonly event: EventName;
  readonly reference: Reference | null;
  readonly subjectId: bigint | null;
  /** The frozen bytes. */
  readonly body: string;
}

/** The event that a merchant is owed for a change, by the endpoint as it is known now; null when it wants none. Pure. */
export function owedEvent(endpoint: Endpoint | null, change: Change, stamps: Stamps): OwedEvent | null {
  if (endpoint === null || !wants(endpoint, change.event, change.how)) return null;
  const { wallet, event, subject, data } = change;
  return drawUp(wallet.mode, event, { endpoint, subject, data: data(), stamps });
}

/** A test event: owed because somebody asked for it, whatever the endpoint wants. */
export function testEvent(endpoint: Endpoint, wallet: WalletKey, stamps: Stamps): OwedEvent {
  const data = { message: "This is a test: your webhook receives events." };
  return drawUp(wallet.mode, "webhook.test", { endpoint, subject: null, data, stamps });
}

function drawUp(
  mode: WalletKey["mode"],
  event: EventName,
  told: {
    readonly endpoint: Endpoint;
    readonly subject: Change["subject"];
    readonly data: JsonObject | JsonText;
    readonly stamps: Stamps;
  },
): OwedEvent {
  const { endpoint, subject, data, stamps } = told;
  const deliveryId = stamps.mintDeliveryId();
  const sentAt = stamps.wallTime.format(stamps.clock.now());
  return {
    endpointNumber: endpoint.endpointNumber,
    deliveryId,
    event,
    reference: subject?.reference ?? null,
    subjectId: subject?.id ?? null,
    body: eventBody({ event, mode, deliveryId, sentAt, data }),
  };
}
