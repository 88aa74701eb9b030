import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import { walletColumns } from "../wallet/wallet-values.ts";
import type { NewAttempt } from "../webhooks/log/attempt.ts";
import type { DeliveryClaim } from "./claim-queries.ts";

/** An attempt as the holder of its lease made it. */
export interface FinishedAttempt extends NewAttempt {
  readonly lane: DeliveryClaim["lane"];
  readonly epoch: number;
  /** When to try again, in milliseconds from now; null: never. */
  readonly waitMs: number | null;
}

const finishAttempts = statement(
  "finish_webhook_attempts",
  `select ordinal
     from finish_webhook_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

/**
 * Logs attempts and ends or puts off what is owed, in one commit. Locks their logs. Safe to repeat.
 * @returns for each whether it was recorded: false where its lease was lost, and nothing was written
 */
export async function updateFinished(db: Queryable, attempts: readonly FinishedAttempt[]): Promise<boolean[]> {
  const column = (read: (attempt: FinishedAttempt) => string | number | boolean | null) => arrayOf(attempts.map(read));
  const rows = await db.query<{ ordinal: bigint }>(finishAttempts, [
    ...walletColumns(attempts.map(({ wallet }) => wallet)),
    column(({ endpointNumber }) => endpointNumber),
    column(({ deliveryId }) => deliveryId),
    column(({ lane }) => lane),
    column(({ epoch }) => epoch),
    column(({ attempt }) => attempt),
    column(({ waitMs }) => waitMs),
    column(({ event }) => event),
    column(({ successful }) => successful),
    column(({ httpStatus }) => httpStatus),
    column(({ durationMs }) => durationMs),
    column(({ error }) => error),
    column(({ errorDetail }) => errorDetail),
    column(({ responseBody }) => responseBody),
    column(({ url }) => url),
    column(({ urlVersion }) => urlVersion),
  ]);
  const recorded = attempts.map(() => false);
  for (const { ordinal } of rows) recorded[Number(ordinal) - 1] = true;
  return recorded;
}
