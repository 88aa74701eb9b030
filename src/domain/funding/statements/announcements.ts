import { type Clock, dayMs } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { type SecretBox, Unopenable } from "../../../platform/sealing/secret-box.ts";
import {
  type AnnouncedTransfer,
  countWaitingAnnouncements,
  deleteSlipsBefore,
  findSlip,
  insertAnnouncement,
} from "./announcement-queries.ts";
import { slipTypeOf } from "./slip.ts";

/** Of a merchant, so many wait at a time. */
const waitingMax = 20;
const slipsKeptMs = 180 * dayMs;

/** The place that a slip is sealed for: it opens nowhere else. */
export function slipIdentity(number: number): string {
  return `transfer_slips/${number}`;
}

export interface Announced {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly bank: string;
  readonly senderName: string;
  /** A picture or a PDF; null where none was sent. */
  readonly slip: Buffer | null;
  /** As the audit log names people. */
  readonly announcedBy: string;
}

/**
 * Keeps that a merchant says it sent a transfer, its slip sealed. Credits nothing.
 * @throws Refusal VALIDATION_ERROR for a slip that is no picture and no PDF, and where too many wait
 */
export async function announceTransfer(
  { database, clock, secretBox }: { readonly database: Database; readonly clock: Clock; readonly secretBox: SecretBox },
  { slip, ...announced }: Announced,
): Promise<number> {
  const slipType = slip === null ? null : slipTypeOf(slip, "slip");
  const seal = slip === null ? null : (number: number) => secretBox.seal(slip.toString("base64"), slipIdentity(number));
  return database.transaction(async (tx) => {
    if ((await countWaitingAnnouncements(tx, announced.merchantId)) >= waitingMax) {
      const message = `${waitingMax} transfers wait already. Withdraw those that you didn’t send.`;
      throw refuse("VALIDATION_ERROR", { message });
    }
    return insertAnnouncement(tx, { ...announced, slipType, announcedAt: clock.now() }, seal);
  });
}

/** A slip as it was sent; null where there is none any more, or this deployment's key does not open it. */
export async function openSlip(
  { database, secretBox }: { readonly database: Database; readonly secretBox: SecretBox },
  { number }: Pick<AnnouncedTransfer, "number">,
): Promise<Buffer | null> {
  const sealed = await findSlip(database, number);
  if (sealed === null) return null;
  try {
    return Buffer.from(secretBox.open(sealed, slipIdentity(number)), "base64");
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
}

/** Deletes slips that are older than 180 days. @returns how many */
export function purgeSlips(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteSlipsBefore(database, clock.now() - slipsKeptMs, limit);
}
