import { type Instant, wallTime } from "../../kernel/clock.ts";
import {
  firstPurchaseIdAt,
  formatTransactionId,
  type PurchaseId,
  parseTransactionId,
  purchaseTime,
} from "../../kernel/ids.ts";
import type { VendRequest } from "../contract.ts";

/**
 * VTpass takes a `request_id` only when it begins with the minute in Lagos (YYYYMMDDHHmm, today's date); letters and
 * digits may follow. Ours is derived from the attempt alone, so any process finds it again: the purchase's minute, then
 * what its id has beyond the minute (38 bits) and the attempt's number (5 bits) in base 32.
 */
const lagos = wallTime("Africa/Lagos");
const attemptBits = 5n;
const attemptMax = 31;
const tailCharacters = 9;
const shape = /^([0-9]{12})([0-9a-v]{9})$/;

/** Null where the attempt has no purchase behind it, or too many before it. */
export function requestIdOf(request: Pick<VendRequest, "transactionId" | "attempt">): string | null {
  const id = parseTransactionId(request.transactionId, "live");
  if (id === null || request.attempt > attemptMax) return null;
  const madeAt = purchaseTime(id);
  const beyond = id - firstPurchaseIdAt(startOfMinute(madeAt));
  const tail = (beyond << attemptBits) | BigInt(request.attempt);
  return lagosMinute(madeAt) + tail.toString(32).padStart(tailCharacters, "0");
}

/** Our name for the attempt that a request id was derived from; null when it was not one of ours. */
export function supplierReferenceOf(requestId: string): string | null {
  const [, minute = "", tail = ""] = shape.exec(requestId) ?? [];
  if (minute === "") return null;
  const start = instantOf(minute);
  if (start === null) return null;
  const value = [...tail].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n);
  const id = (firstPurchaseIdAt(start) + (value >> attemptBits)) as PurchaseId;
  return `${formatTransactionId(id, "live")}-${value & 31n}`;
}

/** The request id of an attempt, by our name for it; null where there is none. */
export function requestIdFor(supplierReference: string): string | null {
  const [, transactionId = "", attempt = ""] = /^(TXN[0-9A-Z]{26})-([1-9][0-9]{0,2})$/.exec(supplierReference) ?? [];
  return requestIdOf({ transactionId, attempt: Number(attempt) });
}

/** Whether VTpass still takes the id: it must be of today, in Lagos. */
export function isOfToday(at: Instant, now: Instant): boolean {
  return lagos.dayOf(at).date === lagos.dayOf(now).date;
}

function startOfMinute(at: Instant): Instant {
  return at - (at % 60_000);
}

function lagosMinute(at: Instant): string {
  return lagos.format(at).slice(0, 16).replace(/\D/g, "");
}

function instantOf(minute: string): Instant | null {
  const [year, month, day] = [minute.slice(0, 4), minute.slice(4, 6), minute.slice(6, 8)];
  const midnight = lagos.startOfDay(`${year}-${month}-${day}`);
  const minutes = Number(minute.slice(8, 10)) * 60 + Number(minute.slice(10, 12));
  return midnight === null ? null : midnight + minutes * 60_000;
}
