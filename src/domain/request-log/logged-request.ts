import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, PurchaseId, Reference } from "../../kernel/ids.ts";

/** For how many days requests are kept. */
export const requestLogDays = 30;

/** The code of a request whose client left before its answer was out. */
export const clientLeft = "CLIENT_LEFT";

/** The endpoint of a request that no route took. */
export const noEndpoint = "none";

/** A request in the log. */
export interface LoggedRequest {
  /** When it was answered; it came `durationMs` earlier. */
  readonly at: Instant;
  /** Tells the requests of one millisecond apart. */
  readonly number: number;
  readonly method: string;
  /** The route's pattern. */
  readonly endpoint: string;
  /** With its query, masked. */
  readonly path: string;
  /** Null where the client left before its answer was out. */
  readonly status: number | null;
  /** The code of a refusal, or why the purchase failed; null after a success. */
  readonly code: string | null;
  readonly durationMs: number;
  /** Null: a member sent it from the console. */
  readonly keyId: ApiKeyId | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly reference: Reference | null;
  readonly purchaseId: PurchaseId | null;
  /** As JSON, masked, up to 4 KiB: where it was longer, it ends with `…` and is no JSON any more. */
  readonly body: string | null;
}

/** A place in the log: what is older than it comes behind. */
export type LogPlace = Pick<LoggedRequest, "at" | "number">;

/** Writes a place for an address: `1795176189123.42`. */
export function formatLogPlace({ at, number }: LogPlace): string {
  return `${at}.${number}`;
}

/** Reads it again; null for anything else. */
export function parseLogPlace(text: string): LogPlace | null {
  const match = /^([0-9]{1,15})\.([0-9]{1,10})$/.exec(text);
  const [at, number] = [Number(match?.[1]), Number(match?.[2])];
  return match === null || at > 8.64e15 || number > 2_147_483_647 ? null : { at, number };
}

const ownRequestId = /^req_([0-9A-HJKMNP-TV-Z]{10})[0-9A-HJKMNP-TV-Z]{16}$/;
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A request takes no longer from its id's making to its answer; one that did is found by its index. */
export const ownIdMsMax = 120_000;
/** A clock that was put back between the two. */
export const ownIdMsBefore = 1_000;

/** When an id of ours was made; null for one that can only be a client's. */
export function requestIdTime(requestId: string): Instant | null {
  const time = ownRequestId.exec(requestId)?.[1];
  if (time === undefined) return null;
  let ms = 0;
  for (const character of time) ms = ms * 32 + crockford.indexOf(character);
  // Later ones no column holds.
  return ms <= 253_402_300_799_000 ? ms : null;
}
