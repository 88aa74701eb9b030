import { assert } from "../../../kernel/assert.ts";
import type { Clock, Instant } from "../../../kernel/clock.ts";
import { type JsonObject, type JsonText, writeJson } from "../../../kernel/json.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Randomness } from "../../merchants/key-format.ts";

declare const brand: unique symbol;

/** Everything that a webhook can tell. */
export const eventNames = [
  "transaction.successful",
  "transaction.failed",
  "bulk.completed",
  "wallet.funded",
  "wallet.low_balance",
  "catalogue.updated",
  "webhook.test",
] as const;
export type EventName = (typeof eventNames)[number];

/** The size that a receiver must be ready to read. Ours have some two kilobytes; with the largest metadata five. */
export const bodyBytesMax = 65_536;

/** An event as it happened. */
interface Happening {
  readonly event: EventName;
  readonly mode: Mode;
  readonly eventId: string;
  readonly deliveryId: DeliveryId;
  /** As answers write times: ISO 8601 with offset. */
  readonly sentAt: string;
  readonly data: JsonObject | JsonText;
}

/**
 * The body of a webhook, as text: what is stored, signed and sent, the same bytes on every attempt. In sandbox `data`
 * says so, whatever the event.
 */
export function eventBody({ event, mode, eventId, deliveryId, sentAt, data }: Happening): string {
  const text = typeof data === "string" ? data : writeJson(mode === "test" ? { ...data, sandbox: true } : data);
  // None of these holds anything that JSON would escape.
  const ids = `"delivery_id":"${deliveryId}","event_id":"${eventId}"`;
  const body = `{"event":"${event}","mode":"${mode}",${ids},"sent_at":"${sentAt}","data":${text}}`;
  assert(Buffer.byteLength(body) <= bodyBytesMax, "an event's data is bounded where it is made");
  return body;
}

/** Names one event for one merchant, on every attempt: a UUID of version 7. */
export type DeliveryId = string & { readonly [brand]: "delivery" };

export type MintDeliveryId = () => DeliveryId;

/** Digits of 16 that one id takes. */
const randomDigits = 19;
const poolBytes = 4_085;
/** The digit 8, 9, a or b that begins a variant's group, by the low bits of a random one. */
const variants = "89ab89ab89ab89ab";

/**
 * Makes delivery ids that begin with their time, so that new ones lie together in the indexes. Random bytes are fetched
 * by the thousand: one call costs more than all else here together.
 */
export function deliveryIdMinter(options: { readonly clock: Clock; readonly randomness: Randomness }): MintDeliveryId {
  let pool = "";
  let used = 0;
  let lastMs = Number.NaN;
  let time = "";
  return () => {
    if (used + randomDigits > pool.length) {
      pool = Buffer.from(options.randomness(poolBytes)).toString("hex");
      used = 0;
    }
    const now = options.clock.now();
    if (now !== lastMs) {
      lastMs = now;
      time = timeGroups(now);
    }
    const at = used;
    used += randomDigits;
    // Version 7 stands before the first group of random bits, the variant before the second.
    const variant = variants.charAt(Number.parseInt(pool.charAt(at + 3), 16));
    return `${time}-7${pool.slice(at, at + 3)}-${variant}${pool.slice(at + 4, at + 7)}-${pool.slice(at + 7, at + 19)}` as DeliveryId;
  };
}

/** The two groups that an id of this time begins with. */
function timeGroups(instant: Instant): string {
  const digits = instant.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** Lies before every delivery that is made then or later, and behind every earlier one. */
export function deliveryIdBefore(instant: Instant): DeliveryId {
  return `${timeGroups(Math.max(0, instant))}-0000-0000-000000000000` as DeliveryId;
}

/** When a delivery was made, and so when its event happened. */
export function deliveryTime(id: DeliveryId): Instant {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads a UUID; null when it is none. */
export function parseDeliveryId(text: string): DeliveryId | null {
  return shape.test(text) ? (text.toLowerCase() as DeliveryId) : null;
}

/** Names an event, whoever is told of it and wherever: `evt_…`. */
export type EventId = string & { readonly [brand]: "event" };

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
