import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { Reference, WalletKey } from "../../../kernel/ids.ts";
import type { JsonObject, JsonText } from "../../../kernel/json.ts";
import { type Endpoint, type How, wants } from "../endpoints/endpoint.ts";
import {
  type DeliveryId,
  type EventId,
  type EventName,
  eventBody,
  eventIdOf,
  type MintDeliveryId,
  newEventId,
  type SubjectEvent,
} from "./event.ts";

/** The sources of a new delivery's id and time. */
export interface Stamps {
  readonly mintDeliveryId: MintDeliveryId;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** A change that a merchant may want to get an event about. */
export type Change = {
  readonly wallet: WalletKey;
  readonly how: How;
  /** Called only when the event is sent. An object is marked as the sandbox's; a text must say so itself. */
  readonly data: () => JsonObject | JsonText;
} & (
  | {
      readonly event: SubjectEvent;
      /** The purchase or bulk order, as it is from now on. */
      readonly subject: { readonly id: bigint; readonly reference: Reference };
    }
  | { readonly event: "wallet.funded" | "wallet.low_balance" | "catalogue.updated"; readonly subject: null }
);

/** An event to store in the very commit that makes it true: one row each of webhook_deliveries and webhook_outbox. */
export interface OutboxEvent {
  readonly endpointNumber: number;
  readonly deliveryId: DeliveryId;
  readonly event: EventName;
  readonly reference: Reference | null;
  readonly subjectId: bigint | null;
  /** Whether it was asked for as a test: one attempt is made. */
  readonly isExample: boolean;
  /** The frozen bytes. */
  readonly body: string;
}

const none: readonly OutboxEvent[] = [];

/**
 * Makes a change's events: one for each of the merchant's endpoints, as they are known now, that wants it. They all say
 * the same, under delivery ids of their own. Pure.
 */
export function eventsOfChange(endpoints: readonly Endpoint[], change: Change, stamps: Stamps): readonly OutboxEvent[] {
  const { wallet, event, subject, how } = change;
  const announcement = { mode: wallet.mode, event, how };
  const listening = endpoints.filter((endpoint) => wants(endpoint, announcement));
  if (listening.length === 0) return none;
  const happened: Happened = {
    mode: wallet.mode,
    event,
    eventId: change.subject === null ? newEventId(stamps.mintDeliveryId) : eventIdOf(change.subject.id, change.event),
    data: change.data(),
    sentAt: stamps.wallTime.format(stamps.clock.now()),
  };
  const about = { reference: subject?.reference ?? null, subjectId: subject?.id ?? null, isExample: false };
  return listening.map((endpoint) => ({ ...delivery(endpoint, happened, stamps), ...about }));
}

/** An event that was asked for to try out a receiver: it is sent whatever the endpoint wants. */
export function testEvent(
  endpoint: Endpoint,
  requested: { readonly wallet: WalletKey; readonly event: EventName; readonly data: JsonObject },
  stamps: Stamps,
): OutboxEvent {
  const { wallet, event, data } = requested;
  const eventId = newEventId(stamps.mintDeliveryId);
  const sentAt = stamps.wallTime.format(stamps.clock.now());
  const happened = { mode: wallet.mode, event, eventId, data, sentAt };
  return { ...delivery(endpoint, happened, stamps), reference: null, subjectId: null, isExample: true };
}

interface Happened {
  readonly mode: WalletKey["mode"];
  readonly event: EventName;
  readonly eventId: EventId;
  readonly data: JsonObject | JsonText;
  readonly sentAt: string;
}

function delivery({ endpointNumber }: Endpoint, happened: Happened, { mintDeliveryId }: Stamps) {
  const deliveryId = mintDeliveryId();
  return { endpointNumber, deliveryId, event: happened.event, body: eventBody({ ...happened, deliveryId }) };
}
