import { createHmac, timingSafeEqual } from "node:crypto";
import { assert } from "../../../kernel/assert.ts";
import type { Clock, Instant } from "../../../kernel/clock.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { CustomerNumber } from "../buying/buy.ts";
import { findVerificationSalt } from "../deployment/deployment-queries.ts";

/** The contract's thirty minutes. */
const verificationMinutes = 30;

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

/** The keys of ids: as with encryption keys, one signs and all that are held are accepted. */
export interface VerificationKeys {
  readonly present: () => Buffer;
  readonly kept: readonly Buffer[];
}

/**
 * Issues and checks ids with the deployment's keys. Others can neither make an id nor move one to another
 * merchant, mode, biller, number or time. Keeps nothing.
 */
export function verificationIds({ keys, clock }: { keys: VerificationKeys; clock: Clock }): VerificationIds {
  /** 128 bits of HMAC-SHA256; the number as JSON, so that no two write the same text. */
  function proofOf(key: Buffer, number: CustomerNumber, expiry: Buffer): Buffer {
    const { merchantId, mode, category, billerSlug, customerRef } = number;
    const facts = JSON.stringify([merchantId, mode, category, billerSlug, customerRef]);
    return createHmac("sha256", key).update(expiry).update(facts).digest().subarray(0, proofBytes);
  }

  return {
    issue(number) {
      // Up to the whole second, as the answer tells it: never shorter than promised.
      const expirySeconds = Math.ceil(clock.now() / 1_000) + verificationMinutes * 60;
      const expiry = Buffer.alloc(expiryBytes);
      expiry.writeUIntBE(expirySeconds, 0, expiryBytes);
      const id = `ver_${Buffer.concat([expiry, proofOf(keys.present(), number, expiry)]).toString("base64url")}`;
      return { id, expiresAt: expirySeconds * 1_000 };
    },
    check(number, id) {
      const [, text] = idShape.exec(id) ?? [];
      if (text === undefined) throw refuse("VERIFICATION_EXPIRED");
      const bytes = Buffer.from(text, "base64url");
      const expiry = bytes.subarray(0, expiryBytes);
      const proof = bytes.subarray(expiryBytes);
      const isOurs = keys.kept.some((key) => timingSafeEqual(proofOf(key, number, expiry), proof));
      const hasEnded = clock.now() >= expiry.readUIntBE(0, expiryBytes) * 1_000;
      if (!isOurs || hasEnded) throw refuse("VERIFICATION_EXPIRED");
    },
  };
}

const purpose = "verification ids";

/** The same with keys that follow from the encryption keys and the database's salt, which is read once. */
export async function openVerificationIds(options: {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
}): Promise<VerificationIds> {
  const { database, secretBox, clock } = options;
  const salt = await findVerificationSalt(database);
  assert(salt !== null, "a migrated database has the salt of verification ids");
  const byId = new Map(secretBox.keyIds.map((keyId) => [keyId, secretBox.derive(keyId, { purpose, salt })]));
  function present(): Buffer {
    const key = byId.get(secretBox.sealingKeyId);
    assert(key !== undefined, "a box seals under a key that it holds");
    return key;
  }
  return verificationIds({ keys: { present, kept: [...byId.values()] }, clock });
}
