import type { DeliveryId, MintDeliveryId } from "./event.ts";

/** Names an event, whoever is told of it and wherever: `evt_…`. */
export type EventId = string & { readonly [brand]: "event" };
declare const brand: unique symbol;

export const eventIdPattern = "^evt_[0-9a-z]{14,32}$";

/** Events that one purchase or bulk order has once, each with the letter that ends its id. */
const letters = {
  "transaction.successful": "s",
  "transaction.failed": "f",
  "bulk.completed": "b",
} as const;
export type SubjectEvent = keyof typeof letters;
export const subjectEvents = Object.keys(letters) as readonly SubjectEvent[];

const base = 32;
/** A purchase's id has 63 bits. */
const digits = 13;

/** The id follows from what ended and how, so that `GET /events` finds it without anything stored. */
export function eventIdOf(subjectId: bigint, event: SubjectEvent): EventId {
  return `evt_${subjectId.toString(base).padStart(digits, "0")}${letters[event]}` as EventId;
}

/** What an id of `eventIdOf` names; null for any other text. */
export function parseEventId(text: string): { readonly subjectId: bigint; readonly event: SubjectEvent } | null {
  const event = subjectEvents.find((name) => letters[name] === text.at(-1));
  if (event === undefined || !/^evt_[0-7][0-9a-v]{12}[a-z]$/.test(text)) return null;
  const subjectId = [...text.slice(4, -1)].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, base)), 0n);
  return { subjectId, event };
}

/** The id of an event that has no purchase or bulk order. */
export function newEventId(mintDeliveryId: MintDeliveryId): EventId {
  const id: DeliveryId = mintDeliveryId();
  return `evt_${id.replaceAll("-", "")}` as EventId;
}
