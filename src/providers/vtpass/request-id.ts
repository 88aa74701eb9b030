import type { VendRequest } from "../../categories/supplier-request.ts";
import { type Instant, wallTime } from "../../kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type PurchaseId,
  purchaseTime,
  readTransactionId,
  writeTransactionId,
} from "../../kernel/ids.ts";

/**
 * VTpass takes a `request_id` only when it begins with the minute in Lagos (YYYYMMDDHHmm, today's date); letters and
 * digits may follow, fifteen of them in its documentation's longest example. Ours is derived from the attempt alone, so
 * any process finds it again: the purchase's minute, then in base 32 what its id has beyond the minute (38 bits), the
 * attempt's number (5 bits) and the deployment's (32 bits).
 */
const lagos = wallTime("Africa/Lagos");
const attemptBits = 5n;
const attemptMax = 31;
const deploymentBits = 32n;
const tailCharacters = 15;
const shape = /^([0-9]{12})([0-9a-v]{15})$/;

/** Null where the attempt has no purchase behind it, or too many before it. */
export function requestIdOf(request: Pick<VendRequest, "transactionId" | "attempt">): string | null {
  const named = readTransactionId(request.transactionId, "live");
  if (named === null || request.attempt > attemptMax) return null;
  const { id, deployment } = named;
  const madeAt = purchaseTime(id);
  const beyond = id - firstPurchaseIdAt(startOfMinute(madeAt));
  const attempt = (beyond << attemptBits) | BigInt(request.attempt);
  const tail = (attempt << deploymentBits) | BigInt(deployment);
  return lagosMinute(madeAt) + tail.toString(32).padStart(tailCharacters, "0");
}

/** Our name for the attempt that a request id was derived from; null when it was not one of ours. */
export function supplierReferenceOf(requestId: string): string | null {
  const [, minute = "", tail = ""] = shape.exec(requestId) ?? [];
  if (minute === "") return null;
  const start = instantOf(minute);
  if (start === null) return null;
  const value = [...tail].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n);
  const attempt = value >> deploymentBits;
  const deployment = Number(BigInt.asUintN(32, value));
  const id = (firstPurchaseIdAt(start) + (attempt >> attemptBits)) as PurchaseId;
  return `${writeTransactionId({ id, mode: "live", deployment })}-${attempt & 31n}`;
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
