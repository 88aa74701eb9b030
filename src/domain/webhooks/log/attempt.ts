import type { WalletKey } from "../../../kernel/ids.ts";
import type { DeliveryId, EventName } from "../events/event.ts";

/** Why there was no whole response. */
export const attemptErrors = [
  "timeout",
  "dns_error",
  "connection_refused",
  "connection_reset",
  "tls_error",
  "blocked_destination",
  "protocol_error",
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** One attempt and its outcome. */
export interface NewAttempt {
  readonly wallet: WalletKey;
  readonly endpointNumber: number;
  readonly deliveryId: DeliveryId;
  /** Counts the delivery's attempts from 1. */
  readonly attempt: number;
  readonly event: EventName;
  /** Without its query. */
  readonly url: string;
  /** Which of the endpoint's URLs it was. */
  readonly urlVersion: number;
  readonly successful: boolean;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly error: AttemptError | null;
  /** More than `error` says, in words for the receiver's people; null where no more is known. At most 200 characters. */
  readonly errorDetail: string | null;
  /** At most 500 characters, without NUL; empty without a response. */
  readonly responseBody: string;
}
