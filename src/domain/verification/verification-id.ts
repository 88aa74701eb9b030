import { createHmac, timingSafeEqual } from "node:crypto";
import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database.ts";
import type { CustomerNumber } from "../purchases/buy.ts";
import { findVerificationSecret } from "./queries.ts";

/** The contract's thirty minutes. */
export const verificationMinutes = 30;

/** Ids that prove a verification without a row: `ver_`, the second in which it ends, and an HMAC. */
export interface VerificationIds {
  issue(number: CustomerNumber): { readonly id: string; readonly expiresAt: Instant };
  /** @throws Refusal VERIFICATION_EXPIRED unless the id was issued for this number, in the last thirty minutes */
  check(number: CustomerNumber, id: string): void;
}

const expiryBytes = 5; // seconds since 1970, until the year 36812
const proofBytes = 16;
// 21 bytes are 28 characters of base64url without a spare bit, so that each id has one spelling.
const idShape = /^ver_([A-Za-z0-9_-]{28})$/;

/**
 * Issues and checks ids with the deployment's secret. Whoever lacks it can neither make an id nor move one to another
 * merchant, mode, biller, number or time. Keeps nothing.
 */
export function verificationIds({ secret, clock }: { secret: Buffer; clock: Clock }): VerificationIds {
  /** 128 bits of HMAC-SHA256; the number as JSON, so that no two write the same text. */
  function proofOf({ merchantId, mode, category, billerSlug, customerRef }: CustomerNumber, expiry: Buffer): Buffer {
    const facts = JSON.stringify([merchantId, mode, category, billerSlug, customerRef]);
    return createHmac("sha256", secret).update(expiry).update(facts).digest().subarray(0, proofBytes);
  }

  return {
    issue(number) {
      // Up to the whole second, as the answer tells it: never shorter than promised.
      const expirySeconds = Math.ceil(clock.now() / 1_000) + verificationMinutes * 60;
      const expiry = Buffer.alloc(expiryBytes);
      expiry.writeUIntBE(expirySeconds, 0, expiryBytes);
      const id = `ver_${Buffer.concat([expiry, proofOf(number, expiry)]).toString("base64url")}`;
      return { id, expiresAt: expirySeconds * 1_000 };
    },
    check(number, id) {
      const [, text] = idShape.exec(id) ?? [];
      if (text === undefined) throw refuse("VERIFICATION_EXPIRED");
      const bytes = Buffer.from(text, "base64url");
      const expiry = bytes.subarray(0, expiryBytes);
      const isOurs = timingSafeEqual(proofOf(number, expiry), bytes.subarray(expiryBytes));
      const hasEnded = clock.now() >= expiry.readUIntBE(0, expiryBytes) * 1_000;
      if (!isOurs || hasEnded) throw refuse("VERIFICATION_EXPIRED");
    },
  };
}

/** The same with the secret of the database, read once. */
export async function openVerificationIds(options: { database: Queryable; clock: Clock }): Promise<VerificationIds> {
  const secret = await findVerificationSecret(options.database);
  assert(secret !== null, "a migrated database has the secret of verification ids");
  return verificationIds({ secret, clock: options.clock });
}
