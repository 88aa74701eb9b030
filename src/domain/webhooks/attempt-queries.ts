import type { WalletKey } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { DeliveryId, EventName } from "./event.ts";

/** Why there was no response. */
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

/** What became of one attempt. */
export interface NewAttempt {
  readonly wallet: WalletKey;
  readonly deliveryId: DeliveryId;
  /** Counts the delivery's attempts from 1. */
  readonly attempt: number;
  readonly event: EventName;
  readonly url: string;
  readonly successful: boolean;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly error: AttemptError | null;
  /** At most 500 characters, without NUL; empty without a response. */
  readonly responseBody: string;
}

const recordAttempts = statement(
  "record_webhook_attempts",
  `select ordinal, id
     from record_webhook_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** Logs attempts in one commit and numbers them. Locks their logs. @returns their ids, in order */
export async function insertAttempts(db: Queryable, attempts: readonly NewAttempt[]): Promise<bigint[]> {
  const column = (read: (attempt: NewAttempt) => string | number | boolean | null) => arrayOf(attempts.map(read));
  const rows = await db.query<{ id: bigint }>(recordAttempts, [
    column(({ wallet }) => wallet.bucket),
    column(({ wallet }) => wallet.merchantId),
    column(({ wallet }) => wallet.mode),
    column(({ deliveryId }) => deliveryId),
    column(({ attempt }) => attempt),
    column(({ event }) => event),
    column(({ successful }) => successful),
    column(({ httpStatus }) => httpStatus),
    column(({ durationMs }) => durationMs),
    column(({ error }) => error),
    column(({ responseBody }) => responseBody),
    column(({ url }) => url),
  ]);
  return rows.map((row) => row.id);
}
